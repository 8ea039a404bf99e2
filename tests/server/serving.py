"""A real server in a separate process, and HTTP and WebSocket clients."""

import asyncio
import contextlib
import json
import os
import random
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect

from tests.timeouts import timeout_s, wait_until

ROOT = Path(__file__).parents[2]
_PORTS = range(15_000, 32_000)


def free_port() -> int:
    """Finds a free port that is unlikely to be taken before it is used.

    It lies below the range of ephemeral ports. Binding to port 0 would return a port of that range, which the
    system may assign to another connection as soon as it is released.
    """
    chance = random.SystemRandom()
    while True:
        port = chance.choice(_PORTS)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def memory_mib(process: int) -> float:
    """Returns the memory that a process occupies."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


class RunningServer:
    """A server process on a data folder; it can be killed and restarted."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self.log = folder.with_name(f"{folder.name}.log")
        self.port = free_port()
        self.settings = settings
        self.process: subprocess.Popen[bytes] | None = None
        self.sources: list[str] = []
        """Folders with sources that come before those of this copy."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin(self) -> None:
        """Starts the process, without waiting for it."""
        words = {"folder": str(self.folder), "port": self.port, **self.settings}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.server.serve", json.dumps(words)],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([*self.sources, str(ROOT), *sys.path])},
                stderr=log,
            )

    def start(self) -> Self:
        """Starts the process and waits until it is ready."""
        self.begin()
        self.wait()
        return self

    def start_anew(self) -> None:
        """Starts the process again; waits until it is ready if it has pages."""
        self.begin()
        if self.settings.get("role") not in ("games", "engine"):
            self.wait()

    def wait(self) -> None:
        """Waits until it is ready."""
        wait_until(lambda: self.is_ready() or self._has_ended(), "the server is ready")
        if self._has_ended():
            raise RuntimeError(f"the server ended: {self.log.read_text()[-2000:]}")

    def is_alive(self) -> bool:
        """Checks whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def _has_ended(self) -> bool:
        assert self.process is not None
        return self.process.poll() is not None

    def is_ready(self) -> bool:
        """Checks whether games can be played."""
        try:
            with urllib.request.urlopen(f"{self.address}/api/ready", timeout=timeout_s()) as answer:
                return bool(answer.status == 200)
        except urllib.error.HTTPError as error:
            error.close()
            return False
        except OSError:
            return False

    def kill(self) -> None:
        """Kills the process, like a crash."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Terminates it, and returns its exit code."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(timeout_s())

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class HttpClient:
    """An HTTP client with the token of a visitor."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self.address = address
        self.token = token or self.request("POST", "/api/visitors")["token"]

    def request(self, method: str, path: str, body: object = None, expect: int | None = None) -> Any:
        """Sends a request, checks the status (a success if not given), and returns the body."""
        headers = {"Content-Type": "application/json"}
        if getattr(self, "token", None):
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=timeout_s()) as answer:
                status, kind, text = answer.status, answer.headers["content-type"], answer.read()
        except urllib.error.HTTPError as error:
            with error:
                status, kind, text = error.code, error.headers["content-type"], error.read()
        if expect is None and status >= 400:
            raise AssertionError(f"{method} {path}: {status} {text.decode()}")
        if expect is not None:
            assert status == expect, (method, path, status, text.decode())
        return json.loads(text) if kind == "application/json" else text.decode()


@contextlib.contextmanager
def running(folder: Path, **settings: object) -> Iterator[RunningServer]:
    """Runs a server within a `with` block."""
    with RunningServer(folder, **settings) as server:
        yield server


class SocketClient:
    """A WebSocket client for one game; it stores the received state and events."""

    def __init__(self, server: RunningServer, game: str, token: str) -> None:
        self.server, self.game = server, game
        self.headers = {"Authorization": f"Bearer {token}"}
        self.socket: ClientConnection | None = None
        self.seq = 0
        self.state: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []

    async def connect(self, since: int | None = None) -> None:
        """Connects and opens the game."""
        self.socket = await connect(
            f"ws://127.0.0.1:{self.server.port}/ws",
            additional_headers=self.headers,
            compression=None,
        )
        await self.send(type="hello", v=1, game=self.game, since=since)

    async def close(self) -> None:
        """Aborts the connection without a closing handshake, since the server may be dead."""
        if self.socket is not None:
            self.socket.transport.abort()
            await self.socket.wait_closed()

    async def send(self, **message: object) -> None:
        assert self.socket is not None
        await self.socket.send(json.dumps(message))

    async def receive(self) -> dict[str, Any]:
        """Returns the next message, and stores its state or event."""
        assert self.socket is not None
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), timeout_s()))
        if message["type"] == "state":
            self.state, self.seq = message, message["seq"]
        elif message["type"] == "event":
            self.events.append(message)
            self.seq = message["seq"]
        return message

    async def receive_until(self, kind: str) -> dict[str, Any]:
        """Returns the next message of a type."""
        while (message := await self.receive())["type"] != kind:
            pass
        return message
