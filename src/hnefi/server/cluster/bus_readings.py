"""The metrics of the bus, read from the ends of a process."""

from collections.abc import Callable, Mapping, Sequence

from hnefi.server.cluster.bus import Bus

__all__ = ["bus_readings"]

_COUNTERS = ("sent", "received", "dropped", "malformed", "gaps", "outages")


def bus_readings(ends: Sequence[Bus]) -> Mapping[str, Callable[[], float]]:
    """Returns what `Metrics.read` takes.

    Args:
        ends: The ends of the bus in this process. It may grow later.
    """

    def counter(name: str) -> Callable[[], float]:
        return lambda: sum(getattr(end.counts, name) for end in ends)

    readings = {f"hnefi_bus_{name}_total": counter(name) for name in _COUNTERS}
    return {**readings, "hnefi_bus_silent": lambda: any(end.is_silent for end in ends)}
