"""What a process of ours may take when it works for the server: little priority, so much memory and time."""

import os
import sys

__all__ = ["limit_process"]

_NICENESS = 10


def limit_process(memory_mib: int, cpu_s: int) -> None:
    """Gives way to everything else, and makes sure that no more memory or time is taken."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory_mib * 2**20, memory_mib * 2**20))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
