"""CPU priority, memory and time limits of worker processes."""

import os
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a process.

    Attributes:
        memory_mib: Its address space, in MiB.
        cpu_s: The processor time it may use, in seconds.
        niceness: How much lower its priority is than that of the server, 0 to 19.
    """

    memory_mib: int
    cpu_s: int = 24 * 3600
    niceness: int = 10


def limit_process(limits: Limits) -> None:
    """Lowers the priority of this process and sets its limits; on Windows it does nothing."""
    if hasattr(os, "nice"):
        os.nice(limits.niceness)
    if sys.platform != "win32":
        import resource

        memory = limits.memory_mib * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
