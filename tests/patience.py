"""How tests wait: for what happens, and never for time to pass.

A machine that is busy with other work, or with other tests, may let a program stand for many seconds. So
whatever has to come may take as long as this; only a test that fails waits to the end of it. What has to be
quick is measured by the work it takes, which does not depend on what else goes on.
"""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

__all__ = [
    "PATIENCE_MS",
    "PATIENCE_S",
    "WORK_IS_SEEN",
    "wait_for_work",
    "wait_until",
    "work_of_children_s",
    "work_s",
]

PATIENCE_S = 120
PATIENCE_MS = PATIENCE_S * 1000
_PAUSE_S = 0.02

WORK_IS_SEEN = Path("/proc/self/stat").exists()
"""Whether the work of other processes can be seen here."""


def wait_until(happens: Callable[[], bool], what: str) -> None:
    """Waits until something happens; fails if it does not."""
    end = time.monotonic() + PATIENCE_S
    while not happens():
        assert time.monotonic() < end, f"this did not happen: {what}"
        time.sleep(_PAUSE_S)


def work_s(process: int) -> float:
    """The processor time that a process has taken, in seconds, all its threads together."""
    _, _, facts = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")
    user, system = facts.split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def work_of_children_s() -> float:
    """The processor time that the processes have taken that this one has started, and that have ended."""
    return os.times().children_user


def wait_for_work(process: "subprocess.Popen[bytes] | subprocess.Popen[str]", seconds: float) -> None:
    """Waits until a process has worked for so long since it began."""
    wait_until(lambda: process.poll() is not None or work_s(process.pid) >= seconds, "it works")
    assert process.poll() is None, "it ended before its time"
