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
        self._posters: dict[str, Collection[str]] = {}

    def note(self, gateway: str, here: Here) -> None:
        """Notes the people of a gateway, its members of classes, and those who wait for an opponent."""
        self._counts[gateway] = self._now(), here.people
        self._members[gateway] = here.members
        self._posters[gateway] = here.posters

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

    def posters(self) -> set[str]:
        """Returns the visitors at other gateways who wait for somebody to take their challenges."""
        since_s = self._now() - _LATE_S
        known = [name for name, one in self._counts.items() if one[0] > since_s]
        return {visitor for name in known for visitor in self._posters[name]}

    async def announce(self, send: Callable[[str, BusModel], None], here: Callable[[], Here]) -> None:
        """Sends the others forever who is connected here."""
        while True:
            send(ALL, here())
            await asyncio.sleep(PERIOD_S)
