"""Computer opponents: the choice of their moves, and which visitor is charged for it."""

from collections import OrderedDict
from typing import Protocol

from hnefi._core import CalledGame, Move
from hnefi.pieces import Side
from hnefi.server.games.commands import MoveRequest
from hnefi.server.games.room import Room
from hnefi.workers.fair_queue import Owner

_MOST_VISITORS = 50_000


class Opponents(Protocol):
    """Chooses the moves of computer opponents."""

    @property
    def places(self) -> int:
        """How many searches can be carried out at the same time."""

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


async def choose_move(opponents: Opponents, room: Room, owner: Owner) -> MoveRequest:
    """Chooses the move of the computer, which is to move in a room; `owner` is charged for the search."""
    state = room.state
    leg, side = state.leg, state.leg.turn
    assert side is not None
    left_ms = None
    if state.created.clock.kind == "fischer":
        left_ms = leg.clocks.left_us(side, room.now_us()) // 1000
    level = state.created.level or 1
    move = await opponents.choose(leg.called, level, f"{room.id}/{state.board_seq}", left_ms, owner)
    call = 0
    if leg.called.mode == "manual" and side is Side.DEFENDERS:
        call = leg.called.play(move).required
    return MoveRequest(id=f"computer-{state.board_seq}", seq=state.seq, move=str(move), call=call)
