"""Hostile clients that speak HTTP or a WebSocket badly: endless heads, slow requests, floods.

The client is a bare TCP socket, since no library sends what these send.
"""

import contextlib
import json
import socket
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from httpx2 import Client

from hnefi.i18n import text
from hnefi.server.assets import Assets
from hnefi.server.http.protocol import MAX_CONNECTIONS
from tests.server.clients import FRIENDLY, Program
from tests.server.serving import HttpClient, RunningServer, memory_mib
from tests.server.test_connections import connection
from tests.timeouts import HAS_PROC_STAT, cpu_time_s, timeout_s, wait_until

KIB, MIB = 2**10, 2**20
MOST_MIB = 30
"""How much the memory of the server may grow during an attack."""

WEBSOCKET = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
CLOSE = "Connection: close\r\n"
JSON = "Content-Type: application/json\r\n"
PAUSE_S = 0.02


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that waits for a quarter of a second where others wait for many; longer on a busy machine."""
    waits_s = timeout_s() / 240
    with RunningServer(tmp_path_factory.mktemp("impatient"), http_timeouts_s=waits_s) as server:
        yield server


def connected(running: RunningServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", running.port), timeout_s())


def head(more: str = "", request: str = "GET /api/health") -> bytes:
    """Returns the head of a request."""
    return f"{request} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode()


def begun(more: str = "", request: str = "GET /api/health") -> bytes:
    """Returns the head of a request without its end."""
    return head(more, request)[:-2]


def send_and_close(opened: socket.socket, data: bytes) -> bytes:
    """Sends data, and returns all that the server sends until it closes the connection."""
    received = b""
    with contextlib.suppress(ConnectionError):
        opened.sendall(data)
    with contextlib.suppress(ConnectionError):
        while more := opened.recv(65_536):
            received += more
    return received


def read_response(opened: socket.socket) -> bytes:
    """Returns a response without what follows it."""
    received = b""
    while b"\r\n\r\n" not in received:
        data = opened.recv(65_536)
        assert data, "the server closed the connection"
        received += data
    first, _, body = received.partition(b"\r\n\r\n")
    lines = dict(line.lower().split(b": ", 1) for line in first.split(b"\r\n")[1:])
    while len(body) < int(lines[b"content-length"]):
        body += opened.recv(65_536)
    return first


def trickle(opened: socket.socket, data: bytes) -> bytes:
    """Sends a byte now and then, until the server hangs up; returns what it sent."""
    opened.settimeout(PAUSE_S)
    received, end = b"", time.monotonic() + timeout_s()
    with contextlib.suppress(ConnectionError):
        while time.monotonic() < end:
            opened.sendall(data)
            with contextlib.suppress(TimeoutError):
                if not (more := opened.recv(65_536)):
                    return received
                received += more
        raise AssertionError("the server did not hang up")
    return received


class Attack(NamedTuple):
    """Data, and how the server refuses it: `403` of a WebSocket has no code; nothing if the status is 0."""

    name: str
    data: bytes
    status: int
    code: str = ""
    slowly: bytes | None = None
    """What is sent now and then after the data."""


def _large_heads() -> Iterator[Attack]:
    for kind, more in (("request", ""), ("upgrade", WEBSOCKET)):
        for name, data in (
            ("a long header", head(f"{more}X-Long: {'a' * 40 * KIB}\r\n")),
            ("long headers", head(more + "".join(f"X-{one}: {'a' * 500}\r\n" for one in range(80)))),
            ("many headers", head(more + "".join(f"X-{one}: a\r\n" for one in range(150)))),
            ("an unfinished header", begun(f"{more}X-Unfinished: {'a' * 48 * KIB}")),
        ):
            yield Attack(f"{name} of {kind}", data, 431, "head_too_large")
    yield Attack("a long address", head(request="GET /" + "a" * 40 * KIB), 431, "head_too_large")


def _repeated_hosts() -> Iterator[Attack]:
    """Two hosts: a proxy may have decided by one of them, and the server by the other."""
    for path in ("/api/health", "/en/", "/ws"):
        for host in ("evil.example", "localhost"):
            data = head(f"Host: {host}\r\n{CLOSE}", f"GET {path}")
            yield Attack(f"{path} of {host}", data, 400, "repeated_host")
    upgrade = head(f"Host: localhost\r\n{WEBSOCKET}", "GET /ws")
    yield Attack("two hosts of an upgrade", upgrade, 403)


def _slow_requests() -> Iterator[Attack]:
    post, plain = "POST /api/games", "Content-Type: text/plain\r\n"
    length = "Content-Length: 60000\r\n"
    for name, data, slowly in (
        ("head", begun("X-Slow: "), b"a"),
        ("upgrade", begun(f"{WEBSOCKET}X-Slow: "), b"a"),
        ("body", head(JSON + length, post), b" "),
    ):
        yield Attack(f"a slow {name}", data, 408, "request_too_slow", slowly)
    yield Attack("a body after the response", head(plain + length, post), 415, "not_json", b" ")
    yield Attack("nothing", b"", 0, "", b"")
    yield Attack("empty lines", b"", 0, "", b"\r\n")


ATTACKS = [*_large_heads(), *_repeated_hosts(), *_slow_requests()]


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_an_attack_is_refused_and_its_connection_closed(
    running: RunningServer, impatient: RunningServer, attack: Attack
) -> None:
    is_fast = attack.slowly is None
    with connected(running if is_fast else impatient) as opened:
        if attack.slowly is None:
            received = send_and_close(opened, attack.data)
        else:
            opened.sendall(attack.data)
            received = trickle(opened, attack.slowly)
    first, _, body = received.partition(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 %d " % attack.status) if attack.status else received == b""
    if attack.code:
        expected = {"code": attack.code, "message": text(f"error.{attack.code}", "en"), "facts": {}}
        # Nothing else was sent.
        assert json.loads(body) == expected


def test_a_request_that_is_not_http_is_refused_in_a_sentence(running: RunningServer) -> None:
    with connected(running) as opened:
        received = send_and_close(opened, b"GET /api/games/\xff HTTP/1.1\r\nHost: localhost\r\n\r\n")
    first, _, body = received.partition(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["message"] == "The request is not valid HTTP."


@pytest.mark.parametrize("data", [b"", b"\r\n"], ids=["nothing", "empty lines"])
def test_an_idle_connection_is_closed_after_a_response(impatient: RunningServer, data: bytes) -> None:
    with connected(impatient) as opened:
        opened.sendall(head())
        assert b" 200 " in read_response(opened)
        assert trickle(opened, data) == b""


def test_heads_of_usual_sizes_are_served_one_after_the_other(running: RunningServer) -> None:
    """Sends more than the limit in all, on one connection: each request counts for itself."""
    with connected(running) as opened:
        for data in (*[head(f"Cookie: {'a' * 20 * KIB}\r\n")] * 5, b"\r\n\r\n" + head()):
            opened.sendall(data)
            assert b" 200 " in read_response(opened)


HEADERS = b"".join(b"X-%d: %s\r\n" % (number, b"a" * 100) for number in range(1_000))


@pytest.mark.skipif(not HAS_PROC_STAT, reason="measured in /proc")
@pytest.mark.parametrize(
    ("data", "more", "sent"),
    [
        (begun(), HEADERS, 150 * MIB),
        (begun(WEBSOCKET), HEADERS, 150 * MIB),
        (head(f"{JSON}Transfer-Encoding: chunked\r\n", "POST /api/visitors") + b"0\r\n", HEADERS, 150 * MIB),
        # Requests after one whose response goes on for ever.
        (head(request="GET /api/games/{game}/events"), head() * 1_000, MIB),
    ],
    ids=["head", "upgrade", "trailers", "requests sent ahead"],
)
def test_endless_data_take_no_memory(running: RunningServer, data: bytes, more: bytes, sent: int) -> None:
    game = HttpClient(running.address).request("POST", "/api/games", FRIENDLY)["game"]
    before_mib = most_mib = memory_mib(running.pid)
    with connected(running) as opened:
        opened.sendall(data.replace(b"{game}", game.encode()))
        if b"/events" in data:
            assert opened.recv(65_536).startswith(b"HTTP/1.1 200 ")
        with contextlib.suppress(ConnectionError):
            for _ in range(sent // len(more)):
                opened.sendall(more)
                most_mib = max(most_mib, memory_mib(running.pid))
        assert most_mib - before_mib < MOST_MIB
        send_and_close(opened, b"")


@pytest.mark.skipif(
    sys.platform != "linux", reason="Linux has a time after which unread data end a connection"
)
def test_clients_that_never_read_are_disconnected(impatient: RunningServer) -> None:
    """Requests more than all buffers hold, and reads nothing."""

    def open_files() -> int:
        return len(list(Path(f"/proc/{impatient.pid}/fd").iterdir()))

    before = open_files()
    with socket.socket() as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        opened.connect(("127.0.0.1", impatient.port))
        opened.sendall(head(request=f"GET {Assets.load().url('engine.wasm')}") * 5)
        wait_until(lambda: open_files() > before, "the client is connected")
        wait_until(lambda: open_files() <= before, "the server hangs up")


def test_whoever_sends_too_much_ahead_cannot_come_back_at_once(running: RunningServer) -> None:
    with connected(running) as opened:
        begun_s = time.monotonic()
        assert b" 200 " in send_and_close(opened, head() * 7)
        assert time.monotonic() - begun_s > 0.9


def test_connections_of_one_address_are_limited(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "data", sockets_per_address=2) as running, contextlib.ExitStack() as stack:
        slow = [stack.enter_context(connected(running)) for _ in range(MAX_CONNECTIONS + 2)]
        for opened in slow:
            opened.sendall(begun())
        with connected(running) as one_more:
            assert send_and_close(one_more, b"GET ") == b""
        # A request that is complete in time is served, and its place is free when it is over.
        assert b" 200 " in send_and_close(slow[0], f"{CLOSE}\r\n".encode())

        def is_served() -> bool:
            with connected(running) as again:
                return b" 200 " in send_and_close(again, head(CLOSE))

        wait_until(is_served, "a place is free again")


def test_connections_of_trusted_proxies_are_not_limited(tmp_path: Path) -> None:
    with (
        RunningServer(tmp_path / "data", proxy="127.0.0.1", sockets_per_address=1) as running,
        contextlib.ExitStack() as stack,
    ):
        for opened in [stack.enter_context(connected(running)) for _ in range(MAX_CONNECTIONS + 9)]:
            opened.sendall(head())
            assert b" 200 " in read_response(opened)


def test_clients_that_vanish_leave_no_traceback(tmp_path: Path) -> None:
    """Clients ask for much at once, read nothing, and reset the connection: nothing of that is a failure."""
    with RunningServer(tmp_path / "data") as server:
        for request in ("GET /api/openapi.json", "GET /api/variants"):
            clients = [connected(server) for _ in range(40)]
            for client in clients:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.sendall(head(request=request) * 5)
            for number, client in enumerate(clients):
                if number % 2:
                    client.recv(1)
                client.close()
        with connected(server) as client:
            assert b" 200 " in send_and_close(client, head(CLOSE))
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text()
        assert "ASGI" not in server.log.read_text()


MASK = b"\0\0\0\0"
TEXT, CONTINUATION, BINARY, GOOD_BYE, PING = 0x81, 0x00, 0x82, 0x88, 0x89
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
            client.sendall(frame(GOOD_BYE, (1000).to_bytes(2, "big")))
        received = send_and_close(client, b"")
    assert (code or 1000).to_bytes(2, "big") in received
    for kind in (b"bad_message", b"pong"):
        count = received.count(b'"%s"' % kind)
        assert count >= answers[kind] if kind in answers else count == 0
