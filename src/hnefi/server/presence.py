"""Who is here: people with a connection, and those who have asked for a page lately."""

from collections import OrderedDict
from collections.abc import Callable, Collection
from time import monotonic

from pydantic import BaseModel

HERE_S = 25.0
"""For how long somebody counts as here after a request, which pages repeat every few seconds."""

_MOST_SEEN = 20_000


class PeopleHere(BaseModel):
    """What a process tells others of the people connected to it."""

    people: int
    members: dict[str, list[int]]
    """The members among them by the codes of their classes."""

    posters: list[str]
    """The visitors who wait for somebody to take their challenges with a clock."""


def person_of_visitor(visitor: str) -> str:
    """Returns who a visitor counts as; `person_of` names clients that are none, too."""
    return f"visitor {visitor}"


class Presence:
    """The people who are here, as `person_of` names them.

    >>> presence = Presence(connected=lambda: ["visitor a"])
    >>> presence.note("visitor b")
    >>> presence.count(), presence.is_here("visitor b"), presence.is_here("visitor c")
    (2, True, False)
    """

    def __init__(self, connected: Callable[[], Collection[str]]) -> None:
        self._connected = connected
        self._seen: OrderedDict[str, float] = OrderedDict()

    def note(self, person: str) -> None:
        """Notes a request of somebody."""
        self._seen[person] = monotonic()
        self._seen.move_to_end(person)
        if len(self._seen) > _MOST_SEEN:
            self._seen.popitem(last=False)

    def rename(self, before: str, now: str) -> None:
        """Counts somebody by another name: as a visitor, who was a browser at an address before."""
        if before != now:
            self._seen.pop(before, None)
            self.note(now)

    def is_here(self, person: str) -> bool:
        """Checks whether somebody is connected or has sent a request lately."""
        seen_s = self._seen.get(person)
        return (seen_s is not None and seen_s > monotonic() - HERE_S) or person in self._connected()

    def count(self) -> int:
        """Returns how many people are here."""
        before_s = monotonic() - HERE_S
        while self._seen and next(iter(self._seen.values())) < before_s:
            self._seen.popitem(last=False)
        return len(self._seen.keys() | set(self._connected()))
