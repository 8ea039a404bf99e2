"""How the slots of games are shared between game workers, and which of these are silent."""

from collections.abc import Callable, Iterable, Mapping

from hnefi.server.store import SLOTS

__all__ = ["PERIOD_S", "Watch", "share_of", "surplus"]

PERIOD_S = 0.5
"""How often a game worker renews its lease, and looks at the others."""

_SILENCE_S = 1.5
"""A worker whose beats stand for so long is ended."""

_LATE_S = 1.0
"""A read that is later than this says nothing about the time before."""


def share_of(workers: int) -> int:
    """Returns how many slots a game worker owns at most.

    >>> share_of(1), share_of(3)
    (1024, 342)
    """
    return -(-SLOTS // max(workers, 1))


def surplus(slots: Iterable[int], workers: int, weight: Callable[[int], int]) -> list[int]:
    """Returns the slots that are above the share of a worker, those with the least weight first."""
    owned = sorted(slots, key=lambda slot: (weight(slot), slot))
    return owned[: max(len(owned) - share_of(workers), 0)]


class Watch:
    """Finds workers whose beats stand, by the monotonic clock of this process only.

    >>> watch = Watch()
    >>> [watch.observe({1: number, 2: 7}, number / 2, number / 2) for number in range(5)]
    [[], [], [], [2], [2]]
    """

    def __init__(self) -> None:
        """Creates it; nobody is silent."""
        self._seen: dict[int, tuple[int, float]] = {}
        self._last_s: float | None = None

    def reset(self) -> None:
        """Forgets what it saw, after an outage: everybody gets the chance to renew."""
        self._seen.clear()
        self._last_s = None

    def observe(self, beats: Mapping[int, int], sent_s: float, received_s: float) -> list[int]:
        """Notes the beats of the workers that have not ended, and returns those that are silent.

        Args:
            beats: The beats of each.
            sent_s: The monotonic clock before they were read.
            received_s: The monotonic clock after that.
        """
        if self._last_s is None or received_s - self._last_s > PERIOD_S + _LATE_S:
            self._seen.clear()
        self._last_s = received_s
        before, self._seen = self._seen, {}
        for worker, number in beats.items():
            seen = before.get(worker)
            self._seen[worker] = seen if seen is not None and seen[0] == number else (number, received_s)
        return [worker for worker, (_, since_s) in self._seen.items() if sent_s - since_s >= _SILENCE_S]
