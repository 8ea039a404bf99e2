"""Hostile clients on one WebSocket: the server serves the others, and hangs up.

The client is a bare TCP socket, since no library sends what these send.
"""

import contextlib
import socket
import time

import pytest
from httpx2 import Client

from tests.server.clients import Program
from tests.server.serving import RunningServer, memory_mib
from tests.server.test_connections import connection
from tests.server.test_http_attacks import MOST_MIB, WEBSOCKET, connected, head, send_and_close
from tests.timeouts import HAS_PROC_STAT, cpu_time_s, timeout_s

MASK = b"\0\0\0\0"
TEXT, CONTINUATION, BINARY, CLOSE, PING = 0x81, 0x00, 0x82, 0x88, 0x89
MOST_SPENT_S = 0.5
"""The processor time that an attack may cost the server: usually 0.01 s; without limits, ten and more."""


def frame(head: int, data: bytes = b"") -> bytes:
    """Returns a frame of a client, shorter than 64 KiB."""
    size = bytes((0x80 | len(data),)) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    return bytes((head,)) + size + MASK + data


def fragments(*texts: bytes) -> bytes:
    """Returns a message in several frames."""
    first, *middle, last = texts
    inner = b"".join(frame(CONTINUATION, one) for one in middle)
    return frame(TEXT & 0x7F, first) + inner + frame(CONTINUATION | 0x80, last)


def attacker(running: RunningServer, program: Program) -> socket.socket:
    """Opens a WebSocket and returns its TCP connection."""
    opened = connected(running)
    opened.sendall(head(f"{WEBSOCKET}Authorization: Bearer {program.token}\r\n", "GET /ws"))
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += opened.recv(4_096)
    assert b" 101 " in answer
    return opened


def flood(attack: socket.socket, data: bytes) -> None:
    """Sends the same data again and again, and never reads, until the server hangs up."""
    end = time.monotonic() + timeout_s()
    attack.settimeout(0.2)
    with contextlib.suppress(ConnectionError):
        while time.monotonic() < end:
            with contextlib.suppress(TimeoutError):  # the server reads no more, but has not hung up yet
                attack.sendall(data)
        raise AssertionError("the server did not hang up")


@pytest.mark.skipif(not HAS_PROC_STAT, reason="measured in /proc")
@pytest.mark.parametrize(
    "data",
    [
        frame(TEXT & 0x7F) + frame(CONTINUATION) * 5_000,
        frame(PING, b"p" * 125) * 500,
        frame(PING) * 5_000,
        frame(TEXT, b'{"type":"ping","t":1}') * 2_000,
        frame(BINARY, b"x") + frame(TEXT, b"{}") * 5_000,
        b"\xff" * 65_536,
    ],
    ids=["empty continuations", "long pings", "empty pings", "messages", "after a refusal", "noise"],
)
def test_one_socket_does_not_stop_the_server(running: RunningServer, remote: Client, data: bytes) -> None:
    process = running.pid
    with (
        connection(remote, Program(remote)) as other,
        contextlib.closing(attacker(running, Program(remote))) as attack,
    ):
        other.send(type="ping", t=0)
        other.receive("pong")
        spent_before_s, memory_before_mib = cpu_time_s(process), memory_mib(process)
        flood(attack, data)
        other.send(type="ping", t=1)
        other.receive("pong")
        assert cpu_time_s(process) - spent_before_s < MOST_SPENT_S
        assert memory_mib(process) - memory_before_mib < MOST_MIB


WHOLE = frame(TEXT, b'{"type":"ping","t":1}')


@pytest.mark.parametrize(
    ("parts", "code", "answers"),
    [
        ([frame(TEXT, b"[" * 5_000) * 5], 1008, {b"bad_message": 5}),
        ([WHOLE * 150], 1008, {b"pong": 100}),
        ([fragments(b'{"type":', b'"ping",', b'"t":', b"1", *[b""] * 10, b"}")], None, {b"pong": 1}),
        ([fragments(b"{", *[b" "] * 20, b"}"), WHOLE], 1008, {}),
    ],
)
def test_a_connection_is_closed_with_the_code_of_what_it_sent(
    running: RunningServer, remote: Client, parts: list[bytes], code: int | None, answers: dict[bytes, int]
) -> None:
    with contextlib.closing(attacker(running, Program(remote))) as client:
        for part in parts:
            client.sendall(part)
            # The server reads the parts separately as a rule; it answers the same if not.
            time.sleep(0.1)
        if code is None:
            client.sendall(frame(CLOSE, (1000).to_bytes(2, "big")))
        received = send_and_close(client, b"")
    assert (code or 1000).to_bytes(2, "big") in received
    for kind in (b"bad_message", b"pong"):
        count = received.count(b'"%s"' % kind)
        assert count >= answers[kind] if kind in answers else count == 0
