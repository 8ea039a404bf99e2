"""Timeouts, polling helpers, and the processor time of processes.

Tests wait for events, never for a fixed time: a busy machine may suspend a program for many seconds. The
timeout is long, since only a failing test waits until its end, and longer the busier the machine is when a
wait begins. No test asserts how long anything took.
"""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

TIMEOUT_S = 60
"""The timeout on a machine with nothing else to do; what waits uses `timeout_s()`."""

_MOST_LOAD = 5.0
_PAUSE_S = 0.02

HAS_PROC_STAT = Path("/proc/self/stat").exists()
"""Whether the processor time of other processes can be read here."""


def timeout_s() -> float:
    """Returns the timeout of a wait that begins now: the busier each core is, the longer."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 1.0
    return TIMEOUT_S * min(max(load / (os.cpu_count() or 1), 1.0), _MOST_LOAD)


def timeout_ms() -> float:
    """Returns the same timeout in milliseconds, for browsers."""
    return 1000 * timeout_s()


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Polls a condition until it is true; fails after the timeout."""
    end = time.monotonic() + timeout_s()
    while not condition():
        assert time.monotonic() < end, f"timed out waiting for: {what}"
        time.sleep(_PAUSE_S)


def cpu_time_s(process: int) -> float:
    """Returns the processor time of all threads of a process, in seconds."""
    _, _, facts = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")
    user, system = facts.split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def wait_for_cpu_time(process: "subprocess.Popen[bytes] | subprocess.Popen[str]", seconds: float) -> None:
    """Waits until a process has used a number of seconds of processor time."""
    wait_until(
        lambda: process.poll() is not None or cpu_time_s(process.pid) >= seconds,
        "processor time of the process",
    )
    assert process.poll() is None, "the process ended early"
