"""Bus servers: found among the installed programs, started in a temporary folder, stopped, killed."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from tests.server.serving import free_port

__all__ = ["KINDS", "BusServer", "find_program"]

KINDS = {"redis": "redis-server", "valkey": "valkey-server", "nats": "nats-server"}
"""The program of each kind of bus, as Debian names it."""

_START_S = 20.0


def find_program(kind: str) -> str | None:
    """Returns the path of the program of a kind of bus, None if it is not installed."""
    return shutil.which(KINDS[kind]) or shutil.which(KINDS[kind], path="/usr/sbin:/usr/bin:/usr/local/bin")


class BusServer:
    """A bus server that keeps nothing on disk, except the JetStream of NATS."""

    def __init__(self, kind: str, folder: Path) -> None:
        program = find_program(kind)
        assert program is not None
        self.kind, self.port = kind, free_port()
        self.url = f"{'nats' if kind == 'nats' else 'redis'}://127.0.0.1:{self.port}"
        (folder / kind).mkdir(exist_ok=True)
        port, data = str(self.port), str(folder / kind)
        if kind == "nats":
            self._words = [program, "-a", "127.0.0.1", "-p", port, "-js", "-sd", data]
        else:
            self._words = [program, "--bind", "127.0.0.1", "--port", port, "--dir", data]
            self._words += ["--save", "", "--appendonly", "no"]
        self.version = _first_line([program, "--version"])
        self.process: subprocess.Popen[bytes]
        self.start()

    def start(self) -> None:
        """Starts it, and waits until it accepts connections."""
        self.process = subprocess.Popen(self._words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + _START_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)

    def cpu_s(self) -> float:
        """Returns its processor time, in seconds."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self) -> float:
        """Returns the memory it occupies."""
        words = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return int(words[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def pause(self, seconds: float) -> None:
        """Stops the process for some seconds (SIGSTOP)."""
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Ends it at once (SIGKILL)."""
        self.process.kill()
        self.process.wait()


def _first_line(words: list[str]) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.split("\n")[0]
