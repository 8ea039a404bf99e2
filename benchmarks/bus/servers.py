"""Bus servers of the benchmark: those of the tests, NATS, and what they take."""

import shutil
import subprocess
from pathlib import Path

from tests.server.cluster.bus_servers import PROGRAMS, BusServer, ServerProcess
from tests.server.cluster.bus_servers import find_program as find_redis
from tests.server.serving import free_port, memory_mib
from tests.timeouts import cpu_time_s

__all__ = ["KINDS", "MeasuredServer", "find_program"]

KINDS = {**PROGRAMS, "nats": "nats-server"}
"""The program of each kind of bus, as Debian names it."""


def find_program(kind: str) -> str | None:
    """Returns the path of the program of a kind of bus, None if it is not installed."""
    return find_redis(kind) if kind in PROGRAMS else shutil.which(KINDS[kind])


class MeasuredServer:
    """A bus server; only the JetStream of NATS keeps anything on disk."""

    def __init__(self, kind: str, folder: Path) -> None:
        """Starts the program of a kind of bus."""
        program = find_program(kind)
        assert program is not None
        self.server: ServerProcess
        if kind == "nats":
            port = free_port()
            self.url = f"nats://127.0.0.1:{port}"
            words = [program, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", str(folder / kind)]
            self.server = ServerProcess(words, port)
        else:
            self.server = bus = BusServer(kind, folder)
            self.url = bus.url
        shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        self.version = shown.split("\n")[0]

    def cpu_s(self) -> float:
        """Returns its processor time, in seconds."""
        return cpu_time_s(self.server.process.pid)

    def memory_mib(self) -> float:
        """Returns the memory it occupies."""
        return memory_mib(self.server.process.pid)
