"""The people and members of classes who are connected to other gateways, as those tell now and then."""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping

from hnefi.server.cluster.bus_model import BusModel
from hnefi.server.cluster.messages import ALL, Here

__all__ = ["PeopleElsewhere"]

PERIOD_S = 4.0
_LATE_S = 3 * PERIOD_S
"""After how long without a message the people of a gateway count as gone."""


class PeopleElsewhere:
    """Counts of other gateways. A person who is connected to two of them counts twice."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Creates it without counts.

        Args:
            now: Returns the time in seconds.
        """
        self._now = now
        self._begun_s = now()
        self._counts: dict[str, tuple[float, int]] = {}
        self._members: dict[str, Mapping[str, Collection[int]]] = {}

    def note(self, gateway: str, people: int, members: Mapping[str, Collection[int]]) -> None:
        """Notes the people of a gateway, and its members of classes."""
        self._counts[gateway] = self._now(), people
        self._members[gateway] = members

    def forget(self, gateway: str) -> None:
        """Forgets a gateway that stops."""
        self._counts.pop(gateway, None)
        self._members.pop(gateway, None)

    def count(self) -> int | None:
        """Returns how many there are; None before all others can have told."""
        now_s = self._now()
        if now_s - self._begun_s < _LATE_S / 2:
            return None
        self._counts = {name: one for name, one in self._counts.items() if now_s - one[0] < _LATE_S}
        return sum(people for _, people in self._counts.values())

    def members(self, code: str) -> set[int]:
        """Returns the members of a class who are connected to other gateways."""
        since_s = self._now() - _LATE_S
        known = [name for name, one in self._counts.items() if one[0] > since_s]
        return {number for name in known for number in self._members[name].get(code, ())}

    async def announce(
        self,
        send: Callable[[str, BusModel], None],
        count: Callable[[], int],
        members: Callable[[], dict[str, list[int]]],
    ) -> None:
        """Sends the others forever who is connected here."""
        while True:
            send(ALL, Here(people=count(), members=members()))
            await asyncio.sleep(PERIOD_S)
