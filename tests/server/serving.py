"""A real server in a separate process, and HTTP and WebSocket clients."""

import asyncio
import atexit
import contextlib
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import httpx2
from websockets.asyncio.client import ClientConnection, connect

from tests.timeouts import timeout_s, wait_until

ROOT = Path(__file__).parents[2]
_PORTS = range(15_000, 32_000)
_PAUSE_S = 0.005


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


def execute(file: Path, statement: str, **values: str) -> list[Any]:
    """Executes a statement in a database of SQLite, past the store; returns the rows that it selects."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        return connection.execute(statement, values).fetchall()


class ServerProcess:
    """A process that `tests.server.serve` forked; it has the part of `subprocess.Popen` that tests use."""

    _forking: "subprocess.Popen[str] | None" = None
    _lock = threading.Lock()

    def __init__(self, settings: dict[str, object], log: Path) -> None:
        """Starts a server."""
        self.returncode: int | None = None
        request = {"settings": settings, "log": str(log), "environment": dict(os.environ)}
        self.pid = int(self._ask(request))

    @classmethod
    def _ask(cls, request: Mapping[str, object]) -> Any:
        """Returns the answer to a request; the process that answers is started for the first."""
        with cls._lock:
            if cls._forking is None:
                cls._forking = subprocess.Popen(
                    [sys.executable, "-m", "tests.server.serve"],
                    cwd=ROOT,
                    env=environment(),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
                atexit.register(cls._forking.communicate)
            assert cls._forking.stdin is not None
            assert cls._forking.stdout is not None
            cls._forking.stdin.write(json.dumps(request) + "\n")
            cls._forking.stdin.flush()
            return json.loads(cls._forking.stdout.readline())

    def poll(self) -> int | None:
        """Returns the exit code, or None if it runs."""
        if self.returncode is None:
            self.returncode = self._ask({"wait": self.pid})
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Waits for the end, and returns the exit code."""
        end = time.monotonic() + (timeout or timeout_s())
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("a server", timeout or timeout_s())
            time.sleep(_PAUSE_S)
        return code

    def send_signal(self, number: int) -> None:
        """Sends a signal if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)


def environment(*sources: str) -> dict[str, str]:
    """Returns the environment of a process with our modules, after those in some folders."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*sources, str(ROOT), *sys.path])}


def answers(address: str, host: str | None = None) -> int:
    """Returns the status of the answer whether the server is ready; 0 without one."""
    try:
        headers = {"Host": host} if host else {}
        # Without certificates, whose reading takes 40 ms of processor: servers that start are asked often.
        answer = httpx2.get(f"{address}/api/ready", headers=headers, timeout=timeout_s(), verify=False)
    except httpx2.TransportError:
        return 0
    return answer.status_code


class RunningServer:
    """A server process on a data folder; it can be killed and restarted."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self.log = folder.with_name(f"{folder.name}.log")
        self.port = free_port()
        self.settings = settings
        self.process: subprocess.Popen[bytes] | ServerProcess | None = None
        self.sources: list[str] = []
        """Folders with sources that come before those of this copy."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin(self) -> None:
        """Starts the process, without waiting for it."""
        words = {"folder": str(self.folder), "port": self.port, **self.settings}
        if not self.sources:
            self.process = ServerProcess(words, self.log)
            return
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.server.serve", json.dumps(words)],
                cwd=ROOT,
                env=environment(*self.sources),
                stderr=log,
            )

    def start(self) -> Self:
        """Starts the process and waits until it is ready."""
        self.begin()
        self.wait()
        return self

    def wait(self) -> None:
        """Waits until it is ready."""
        wait_until(lambda: self.is_ready() or not self.is_alive(), "the server is ready")
        if not self.is_alive():
            raise RuntimeError(f"the server ended: {self.log.read_text()[-2000:]}")

    def is_alive(self) -> bool:
        """Checks whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def is_ready(self) -> bool:
        """Checks whether games can be played."""
        return answers(self.address) == 200

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def signal(self, number: int) -> None:
        """Sends a signal to the process."""
        assert self.process is not None
        self.process.send_signal(number)

    def end(self) -> int:
        """Waits for its end, and returns its exit code."""
        assert self.process is not None
        return self.process.wait(timeout_s())

    def kill(self) -> None:
        """Kills the process, like a crash."""
        self.signal(signal.SIGKILL)
        self.end()

    def stop(self) -> int:
        """Terminates it, and returns its exit code."""
        self.signal(signal.SIGTERM)
        return self.end()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.is_alive():
            self.kill()


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
        answer = httpx2.request(
            method, self.address + path, json=body, headers=headers, timeout=timeout_s(), verify=False
        )
        is_expected = answer.is_success if expect is None else answer.status_code == expect
        assert is_expected, (method, path, answer.status_code, answer.text)
        return answer.json() if answer.headers["content-type"] == "application/json" else answer.text


class SocketClient:
    """A WebSocket client for one game; it stores the received state and events."""

    def __init__(self, server: RunningServer, game: str, token: str) -> None:
        self.server, self.game = server, game
        self.headers = {"Authorization": f"Bearer {token}"}
        self.socket: ClientConnection | None = None
        self.seq = 0
        self.state: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []

    async def __aenter__(self) -> Self:
        """Connects, and waits for the state of the game."""
        await self.connect()
        await self.receive_until("state")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def connect(self) -> None:
        """Connects and opens the game."""
        self.socket = await connect(
            f"ws://127.0.0.1:{self.server.port}/ws", additional_headers=self.headers, compression=None
        )
        await self.send(type="hello", v=1, game=self.game, since=None)

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
