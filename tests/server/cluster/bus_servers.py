"""Servers of Valkey and Redis for tests: found among the installed programs; started, stopped, killed."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.server.serving import free_port
from tests.timeouts import TIMEOUT_S, wait_until

__all__ = ["PROGRAMS", "BusServer", "ServerProcess", "any_bus_server", "find_program"]

PROGRAMS = {"valkey": "valkey-server", "redis": "redis-server"}
"""The program of each kind of server, as Debian names it."""

_PATHS = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/bin", "/usr/local/bin"))


def find_program(kind: str) -> str | None:
    """Returns the path of the program of a kind of server, None if it is not installed."""
    return shutil.which(PROGRAMS[kind], path=_PATHS)


class ServerProcess:
    """A server on this machine that is waited for, stopped and killed."""

    def __init__(self, words: Sequence[str], port: int) -> None:
        """Starts a program that listens on a port."""
        self.port = port
        self.process: subprocess.Popen[bytes]
        self._words = words
        self.start()

    def start(self) -> None:
        """Starts it, and waits until it accepts connections."""
        self.process = subprocess.Popen(self._words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self._accepts, "the bus server has started")

    def _accepts(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), TIMEOUT_S).close()
        except OSError:
            assert self.process.poll() is None, "the bus server has ended"
            return False
        return True

    def freeze(self) -> None:
        """Stops the process (SIGSTOP): connections stay open and silent."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets the process go on."""
        self.process.send_signal(signal.SIGCONT)

    def pause(self, seconds: float) -> None:
        """Stops the process for some seconds."""
        self.freeze()
        time.sleep(seconds)
        self.thaw()

    def kill(self) -> None:
        """Ends it at once (SIGKILL)."""
        self.process.kill()
        self.process.wait()


class BusServer(ServerProcess):
    """A Valkey or Redis that keeps nothing on disk."""

    def __init__(
        self,
        kind: str,
        folder: Path,
        options: Sequence[str] = (),
        *,
        scheme: str = "redis",
        config: Path | None = None,
    ) -> None:
        """Starts a server, with further options; with the scheme `rediss` they name its certificate."""
        program, port = find_program(kind), free_port()
        assert program is not None
        self.url = f"{scheme}://127.0.0.1:{port}"
        data = folder / kind
        data.mkdir(parents=True, exist_ok=True)
        ports = ["--port", str(port)] if scheme == "redis" else ["--port", "0", "--tls-port", str(port)]
        named = [] if config is None else [str(config)]
        words = [
            program,
            *named,
            "--bind",
            "127.0.0.1",
            *ports,
            "--dir",
            str(data),
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        super().__init__([*words, "--save", "", "--appendonly", "no", *options], port)


def any_bus_server(folder: Path, *options: str) -> BusServer:
    """Starts a server of an installed kind, with further options; skips the test if there is none."""
    pytest.importorskip("redis")
    kind = next((kind for kind in PROGRAMS if find_program(kind)), None)
    if kind is None:
        pytest.skip("neither Valkey nor Redis is installed")
    return BusServer(kind, folder, options)
