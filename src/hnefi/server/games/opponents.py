"""Computer opponents: who chooses their moves, and which visitor is charged for it."""

from collections import OrderedDict
from typing import Protocol

from hnefi._core import CalledGame, Move
from hnefi.server.games.room import Room
from hnefi.workers.fair_queue import Owner

__all__ = ["Addresses", "Opponents"]

_MOST_VISITORS = 50_000


class Opponents(Protocol):
    """Chooses the moves of computer opponents."""

    async def choose(
        self, game: CalledGame, strength: int, seed: str, left_ms: int | None, owner: Owner
    ) -> Move:
        """Chooses a move.

        Args:
            game: The game, with the computer to move.
            strength: Its level, 1 to 10.
            seed: The seed of its random choices.
            left_ms: The time left on its clock, None without a clock.
            owner: Who is charged for the search.

        Raises:
            HnefiError: If no move could be found.
        """


class Addresses:
    """The address from which each visitor was last seen; in memory only, and only of the last visitors."""

    def __init__(self) -> None:
        """Creates an empty collection."""
        self._addresses: OrderedDict[str, str] = OrderedDict()

    def note(self, visitor: str | None, address: str) -> None:
        """Notes the address of a visitor."""
        if visitor is not None:
            self._addresses[visitor] = address
            self._addresses.move_to_end(visitor)
            if len(self._addresses) > _MOST_VISITORS:
                self._addresses.popitem(last=False)

    def owner_of(self, room: Room) -> Owner:
        """Returns who is charged for the computer's searches in a game: one of the visitors who play it."""
        visitors = sorted(seat.visitor for seat in room.seat_list())
        known = [visitor for visitor in visitors if visitor in self._addresses]
        if known:
            return Owner(self._addresses[known[0]], known[0])
        visitor = visitors[0] if visitors else room.id
        return Owner(visitor, visitor)
