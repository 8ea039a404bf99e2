"""CPU priority, memory and time limits of worker processes."""

import os
import sys
from dataclasses import dataclass

__all__ = ["Limits", "limit_process"]

_NICENESS = 10


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a process.

    Attributes:
        memory_mib: Its address space, in MiB.
        cpu_s: The processor time it may use, in seconds.
    """

    memory_mib: int
    cpu_s: int


def limit_process(limits: Limits) -> None:
    """Lowers the priority of this process and sets its limits; on Windows it does nothing."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    if sys.platform != "win32":
        import resource

        memory = limits.memory_mib * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
