"""Moves of computer opponents: one search a game, for the board as it is, charged to one of its visitors."""

import asyncio
import contextlib
import logging
from collections import OrderedDict
from typing import TYPE_CHECKING

from hnefi.errors import HnefiError
from hnefi.pieces import Side
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.commands import MoveRequest
from hnefi.server.games.room import Room
from hnefi.server.games.state import State
from hnefi.server.store import processes, reading
from hnefi.server.store.processes import CLAIM_US
from hnefi.server.store.rows import UNCHANGED, NotSaved
from hnefi.workers.engines import EnginePool
from hnefi.workers.fair_queue import Owner

if TYPE_CHECKING:
    from hnefi.server.games.rooms import Rooms

_log = logging.getLogger(__name__)

_MOST_VISITORS = 50_000
_RETRY_S = 2.0
_MOST_CLAIMED = 20
_PATIENCE_US = 2 * SECOND_US
"""For how long a process whose engines are busy leaves the computer's moves to others."""


class ComputerMoves:
    """Searches for the games in which the computer is to move, and plays the moves they find.

    Attributes:
        searches: The games for which it searches, with the event that changed the board last.
    """

    def __init__(self, engines: EnginePool, rooms: "Rooms") -> None:
        """Creates it without any search.

        If others share the games, each move is claimed before it is chosen.
        """
        self._engines = engines
        self._rooms = rooms
        self._store, self._time = rooms.store, rooms.time
        self._addresses: OrderedDict[str, str] = OrderedDict()
        self._claiming = asyncio.Lock()
        self._claimed: dict[str, tuple[int, int]] = {}
        """The board for which a move was claimed, and until when that counts as a search."""

        self.searches: dict[str, tuple[int, asyncio.Task[None]]] = {}

    def note_address(self, visitor: str | None, address: str) -> None:
        """Notes the address from which a visitor was last seen; of the last visitors only."""
        if visitor is not None:
            self._addresses[visitor] = address
            self._addresses.move_to_end(visitor)
            if len(self._addresses) > _MOST_VISITORS:
                self._addresses.popitem(last=False)

    def _owner_of(self, room: Room) -> Owner:
        """Returns who is charged for the computer's searches in a game: one of the visitors who play it."""
        visitors = sorted(seat.visitor for seat in room.seat_list()) or [room.id]
        visitor = next((one for one in visitors if one in self._addresses), visitors[0])
        return Owner(self._addresses.get(visitor, visitor), visitor)

    def _free_places(self) -> int:
        """Returns how many more searches could begin at once."""
        now_us = self._time.now_us()
        claimed = {game for game, (_, until_us) in self._claimed.items() if until_us > now_us}
        return max(self._engines.places - len(claimed | self.searches.keys()), 0)

    def stored_us(self, game: str, before: State, after: State) -> int | None:
        """Returns what to store of the move in a new state: until when this process chooses it.

        That is the time of the state if this process has no place, None if no move is due any more.
        """
        is_due = after.has_computer and after.mover == 1
        if is_due and after.board_seq != before.board_seq:
            is_full = self._rooms.has_others() and self._free_places() == 0
            return after.t_us if is_full else self._claim(game, after.board_seq)
        return None if not is_due and before.has_computer and before.mover == 1 else UNCHANGED

    def drop(self, game: str) -> None:
        """Notes that another process chooses the move."""
        self._claimed.pop(game, None)

    def _claim(self, game: str, board_seq: int) -> int:
        """Notes that this process chooses the move on a board; returns until when nobody else may."""
        until_us = self._time.now_us() + CLAIM_US
        self._claimed[game] = (board_seq, until_us)
        return until_us

    def begin(self, room: Room) -> None:
        """Starts the search of a game that this process has claimed in the database, if it is needed."""
        if room.state.has_computer and room.state.mover == 1:
            self._claim(room.id, room.state.board_seq)
            self.update(room)

    async def take_all(self) -> None:
        """Chooses the moves that were due when the server stopped."""
        with contextlib.suppress(NotSaved):
            while await self.take():
                pass

    async def take(self) -> bool:
        """Chooses the moves that no process chooses, and keeps others from those of this one.

        Returns whether there were any.
        """
        if self._claiming.locked():
            return False
        async with self._claiming:
            now_us, limit = self._time.now_us(), _MOST_CLAIMED
            if self._store.is_shared:
                if self.searches:
                    mine, until_us = list(self.searches), now_us + CLAIM_US
                    await self._store.change(processes.keep_computer_moves, mine, until_us)
                limit = self._free_places()
                if limit == 0:
                    # Moves that are left over for long are taken, too: then all processes are busy.
                    limit, now_us = self._engines.places, now_us - _PATIENCE_US
            if not await self._store.read(reading.waiting_for_computer, now_us):
                return False
            games = await self._store.change(processes.claim_computer_moves, now_us, limit)
            for game in games:
                if (room := await self._rooms.load_quietly(game)) is not None:
                    self.begin(room)
            return bool(games)

    def update(self, room: Room) -> None:
        """Starts a search if the computer is to move, and cancels one for a board that has changed."""
        board_seq = room.state.board_seq if room.state.mover == 1 else None
        claimed_seq, _ = self._claimed.get(room.id, (None, 0))
        if self._store.is_shared and claimed_seq != board_seq:
            board_seq = None
        if board_seq is None:
            self._claimed.pop(room.id, None)
        search = self.searches.get(room.id)
        if search is not None and search[0] != board_seq:
            del self.searches[room.id]
            if search[1] is not asyncio.current_task():  # the task that plays the move of the search
                search[1].cancel()
            search = None
        if board_seq is not None and search is None:
            self.searches[room.id] = (board_seq, self._rooms.tasks.spawn(self._play(room, board_seq)))

    async def _play(self, room: Room, board_seq: int) -> None:
        """Plays a move for the computer, and retries while that fails and the board is the same."""
        while room.state.board_seq == board_seq and room.state.mover == 1:
            try:
                play = await _chosen(self._engines, room, self._owner_of(room))
                await room.act(frozenset({1}), play, self._time.now_us())
                return
            except NotSaved:
                await asyncio.sleep(_RETRY_S)
                while self._rooms.heartbeat.is_outage:
                    await asyncio.sleep(_RETRY_S)
            except HnefiError as error:
                _log.warning("computer in %s: %s", room.id, error)
                await asyncio.sleep(_RETRY_S)


async def _chosen(engines: EnginePool, room: Room, owner: Owner) -> MoveRequest:
    """Chooses the move of the computer, which is to move in a room; `owner` is charged for the search."""
    state = room.state
    leg, side = state.leg, state.leg.turn
    assert side is not None
    left_ms = None
    if state.created.clock.kind == "fischer":
        left_ms = leg.clocks.left_us(side, room.time.now_us()) // 1000
    level = state.created.level or 1
    move = await engines.choose(leg.called, level, f"{room.id}/{state.board_seq}", left_ms, owner)
    call = 0
    if leg.called.mode == "manual" and side is Side.DEFENDERS:
        call = leg.called.play(move).required
    return MoveRequest(id=f"computer-{state.board_seq}", seq=state.seq, move=str(move), call=call)
