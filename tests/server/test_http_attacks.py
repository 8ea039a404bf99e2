"""Hostile clients that speak HTTP badly: endless heads, slow requests, too many connections.

The client is a bare TCP socket, since no library sends what these send.
"""

import contextlib
import json
import socket
import struct
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest

from hnefi.i18n import text
from hnefi.server.assets import Assets
from hnefi.server.http.protocol import MAX_CONNECTIONS
from tests.server.clients import FRIENDLY
from tests.server.serving import HttpClient, RunningServer, memory_mib
from tests.timeouts import HAS_PROC_STAT, timeout_s, wait_until

KIB, MIB = 2**10, 2**20
MOST_MIB = 30
"""How much the memory of the server may grow during an attack."""

WEBSOCKET = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
CLOSE = "Connection: close\r\n"
PAUSE_S = 0.02


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with RunningServer(tmp_path_factory.mktemp("http")) as server:
        yield server


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that waits for a quarter of a second where others wait for many; longer on a busy machine."""
    waits_s = timeout_s() / 240
    with RunningServer(tmp_path_factory.mktemp("impatient"), http_timeouts_s=waits_s) as server:
        yield server


@contextlib.contextmanager
def connected(running: RunningServer) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", running.port), timeout_s()) as opened:
        yield opened


def head(running: RunningServer, more: str = "", request: str = "GET /api/health") -> bytes:
    """Returns the head of a request."""
    return f"{request} HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\n{more}\r\n".encode()


def send_and_close(opened: socket.socket, data: bytes) -> bytes:
    """Sends data, and returns all that the server sends until it closes the connection."""
    with contextlib.suppress(ConnectionError):
        opened.sendall(data)
    return read_all(opened)


def read_all(opened: socket.socket) -> bytes:
    """Returns all that the server sends until it closes the connection."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while data := opened.recv(65_536):
            received += data
    return received


def read_response(opened: socket.socket) -> tuple[int, bytes]:
    """Returns the status and the body of a response."""
    received = b""
    while b"\r\n\r\n" not in received:
        data = opened.recv(65_536)
        assert data, "the server closed the connection"
        received += data
    first, _, body = received.partition(b"\r\n\r\n")
    lines = dict(line.lower().split(b": ", 1) for line in first.split(b"\r\n")[1:])
    while len(body) < int(lines[b"content-length"]):
        body += opened.recv(65_536)
    return int(first.split()[1]), body


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


def is_refused(received: bytes, status: HTTPStatus, code: str) -> bool:
    """Checks whether a response refuses a request; nothing else was sent."""
    head, _, body = received.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 %d " % status):
        return False
    expected = {"code": code, "message": text(f"error.{code}", "en"), "facts": {}}
    return bool(json.loads(body) == expected)


@pytest.mark.parametrize("more", ["", WEBSOCKET], ids=["request", "upgrade"])
@pytest.mark.parametrize(
    "long",
    [
        "X-Long: " + "a" * 40 * KIB + "\r\n",
        "".join(f"X-{number}: {'a' * 500}\r\n" for number in range(80)),
        "".join(f"X-{number}: a\r\n" for number in range(150)),
        "X-Unfinished: " + "a" * 48 * KIB,
    ],
    ids=["a long header", "long headers", "many headers", "an unfinished header"],
)
def test_a_large_head_is_refused(running: RunningServer, long: str, more: str) -> None:
    end = -2 if "Unfinished" in long else None
    with connected(running) as opened:
        received = send_and_close(opened, head(running, more + long)[:end])
    assert is_refused(received, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "head_too_large"), received


def test_a_long_address_is_refused(running: RunningServer) -> None:
    with connected(running) as opened:
        received = send_and_close(opened, head(running, request="GET /" + "a" * 40 * KIB))
    assert is_refused(received, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "head_too_large"), received


def test_heads_of_usual_sizes_are_served_one_after_the_other(running: RunningServer) -> None:
    """Sends more than the limit in all, on one connection: each request counts for itself."""
    with connected(running) as opened:
        for _ in range(5):
            opened.sendall(head(running, "Cookie: " + "a" * 20 * KIB + "\r\n"))
            assert read_response(opened)[0] == HTTPStatus.OK
        opened.sendall(b"\r\n\r\n" + head(running))
        assert read_response(opened)[0] == HTTPStatus.OK


@pytest.mark.skipif(not HAS_PROC_STAT, reason="measured in /proc")
@pytest.mark.parametrize("begin", ["head", "upgrade", "trailers"])
def test_endless_headers_take_no_memory(running: RunningServer, begin: str) -> None:
    assert running.process is not None
    before_mib = memory_mib(running.process.pid)
    kinds = {
        "head": head(running)[:-2],
        "upgrade": head(running, WEBSOCKET)[:-2],
        "trailers": head(
            running,
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
            request="POST /api/visitors",
        )
        + b"0\r\n",
    }
    block = b"".join(b"X-%d: %s\r\n" % (number, b"a" * 100) for number in range(1_000))
    with connected(running) as opened:
        opened.sendall(kinds[begin])
        most_mib = 0.0
        with contextlib.suppress(ConnectionError):
            for _ in range(150 * MIB // len(block)):
                opened.sendall(block)
                most_mib = max(most_mib, memory_mib(running.process.pid))
        assert most_mib - before_mib < MOST_MIB
        read_all(opened)


@pytest.mark.skipif(not HAS_PROC_STAT, reason="measured in /proc")
def test_requests_sent_ahead_take_no_memory(running: RunningServer) -> None:
    """Sends requests after one whose response goes on for ever."""
    assert running.process is not None
    game = HttpClient(running.address).request("POST", "/api/games", FRIENDLY)["game"]
    before_mib = most_mib = memory_mib(running.process.pid)
    with connected(running) as opened:
        opened.sendall(head(running, request=f"GET /api/games/{game}/events"))
        assert opened.recv(65_536).startswith(b"HTTP/1.1 200 ")
        with contextlib.suppress(ConnectionError):
            for _ in range(20):
                opened.sendall(head(running) * 1_000)
                most_mib = max(most_mib, memory_mib(running.process.pid))
        read_all(opened)
    assert most_mib - before_mib < MOST_MIB


def test_a_slow_head_is_refused(impatient: RunningServer) -> None:
    with connected(impatient) as opened:
        opened.sendall(head(impatient)[:-2] + b"X-Slow: ")
        received = trickle(opened, b"a")
    assert is_refused(received, HTTPStatus.REQUEST_TIMEOUT, "request_too_slow"), received


def test_a_slow_upgrade_is_refused(impatient: RunningServer) -> None:
    with connected(impatient) as opened:
        opened.sendall(head(impatient, WEBSOCKET)[:-2] + b"X-Slow: ")
        received = trickle(opened, b"a")
    assert is_refused(received, HTTPStatus.REQUEST_TIMEOUT, "request_too_slow"), received


def test_a_slow_body_is_refused(impatient: RunningServer) -> None:
    more = "Content-Type: application/json\r\nContent-Length: 60000\r\n"
    with connected(impatient) as opened:
        opened.sendall(head(impatient, more, request="POST /api/games"))
        received = trickle(opened, b" ")
    assert is_refused(received, HTTPStatus.REQUEST_TIMEOUT, "request_too_slow"), received


def test_a_body_after_the_response_ends_in_time(impatient: RunningServer) -> None:
    more = "Content-Type: text/plain\r\nContent-Length: 60000\r\n"
    with connected(impatient) as opened:
        opened.sendall(head(impatient, more, request="POST /api/games"))
        received = trickle(opened, b" ")
    assert received.startswith(b"HTTP/1.1 415 ")
    assert received.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("data", [b"", b"\r\n"], ids=["nothing", "empty lines"])
@pytest.mark.parametrize("is_first", [True, False], ids=["before a request", "after a request"])
def test_idle_connections_are_closed(impatient: RunningServer, data: bytes, is_first: bool) -> None:
    with connected(impatient) as opened:
        if not is_first:
            opened.sendall(head(impatient))
            assert read_response(opened)[0] == HTTPStatus.OK
        assert trickle(opened, data) == b""


def test_clients_that_never_read_are_disconnected(impatient: RunningServer) -> None:
    """Requests a large response until all buffers are full, and reads nothing."""
    engine = head(impatient, request=f"GET {Assets.load().url('engine.wasm')}")
    with socket.socket() as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        opened.settimeout(timeout_s())
        opened.connect(("127.0.0.1", impatient.port))
        end = time.monotonic() + timeout_s()
        with contextlib.suppress(ConnectionError):
            while time.monotonic() < end:
                opened.sendall(engine)
                time.sleep(PAUSE_S)
            raise AssertionError("the server did not hang up")


def test_connections_of_one_address_are_limited(tmp_path: Path) -> None:
    with (
        RunningServer(tmp_path / "data", sockets_per_address=2) as running,
        contextlib.ExitStack() as stack,
    ):
        slow = [stack.enter_context(connected(running)) for _ in range(MAX_CONNECTIONS + 2)]
        for opened in slow:
            opened.sendall(head(running)[:-2])
        with connected(running) as one_more:
            assert send_and_close(one_more, b"GET ") == b""
        # A request that is complete in time is served, and its place is free when it is over.
        slow[0].sendall(b"Connection: close\r\n\r\n")
        assert read_all(slow[0]).startswith(b"HTTP/1.1 200 ")

        def is_served() -> bool:
            with connected(running) as again:
                return send_and_close(again, head(running, "Connection: close\r\n")).startswith(
                    b"HTTP/1.1 200 "
                )

        wait_until(is_served, "a place is free again")


def test_connections_of_trusted_proxies_are_not_limited(tmp_path: Path) -> None:
    with (
        RunningServer(tmp_path / "data", trusted_proxies="127.0.0.1", sockets_per_address=1) as running,
        contextlib.ExitStack() as stack,
    ):
        for opened in [stack.enter_context(connected(running)) for _ in range(MAX_CONNECTIONS + 9)]:
            opened.sendall(head(running))
            assert read_response(opened)[0] == HTTPStatus.OK


def test_clients_that_vanish_leave_no_traceback(tmp_path: Path) -> None:
    """Clients ask for much at once, read nothing, and reset the connection: nothing of that is a failure."""
    with RunningServer(tmp_path / "data") as server:
        for request in ("GET /api/openapi.json", "GET /api/variants"):
            clients = [socket.create_connection(("127.0.0.1", server.port), timeout_s()) for _ in range(40)]
            for client in clients:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.sendall(head(server, request=request) * 15)
            for number, client in enumerate(clients):
                if number % 2:
                    client.recv(1)
                client.close()
        with socket.create_connection(("127.0.0.1", server.port), timeout_s()) as client:
            assert b" 200 " in send_and_close(client, head(server, "Connection: close\r\n"))
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text()
        assert "ASGI" not in server.log.read_text()


@pytest.mark.parametrize("more", ["", WEBSOCKET], ids=["request", "upgrade"])
@pytest.mark.parametrize("path", ["/api/health", "/en/", "/ws"])
def test_a_request_with_two_hosts_is_refused(running: RunningServer, path: str, more: str) -> None:
    """A proxy may have decided by one of them, and the server by the other."""
    for host in ("evil.example", f"127.0.0.1:{running.port}"):
        with connected(running) as opened:
            request = head(running, f"Host: {host}\r\n{more or CLOSE}", f"GET {path}")
            received = send_and_close(opened, request)
        if more:
            assert received.startswith((b"HTTP/1.1 403", b"HTTP/1.1 400"))
        else:
            assert is_refused(received, HTTPStatus.BAD_REQUEST, "repeated_host")
