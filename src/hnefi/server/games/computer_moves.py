"""Moves of computer opponents: one search a game, for the board as it is."""

import asyncio
import contextlib
import logging
from functools import partial
from typing import TYPE_CHECKING

from hnefi.errors import HnefiError
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.opponents import Addresses, Opponents, choose_move
from hnefi.server.games.room import Room
from hnefi.server.store import NotSaved, processes
from hnefi.server.store.processes import CLAIM_US

if TYPE_CHECKING:
    from hnefi.server.games.rooms import Rooms

_log = logging.getLogger(__name__)

_RETRY_S = 2.0
_MOST_CLAIMED = 20
_PATIENCE_US = 2 * SECOND_US
"""For how long a process whose engines are busy leaves the computer's moves to others."""


class ComputerMoves:
    """Searches for the games in which the computer is to move, and plays the moves they find.

    Attributes:
        addresses: The addresses that searches are charged to.
    """

    def __init__(self, opponents: Opponents, rooms: "Rooms") -> None:
        """Creates it without any search.

        Args:
            opponents: Chooses the moves.
            rooms: The games of this process. If others share them, each move is claimed before it is chosen.
        """
        self._opponents = opponents
        self._rooms = rooms
        self._store, self._time = rooms.store, rooms.time
        self.addresses = Addresses()
        self._claiming = asyncio.Lock()
        self._claimed: dict[str, tuple[int, int]] = {}
        """The board for which a move was claimed, and until when that counts as a search."""

        self._searches: dict[str, tuple[int, asyncio.Task[None]]] = {}

    def __contains__(self, game: str) -> bool:
        """Checks whether the computer searches for a game."""
        return game in self._searches

    def games(self) -> list[str]:
        """Lists the games for which the computer searches."""
        return list(self._searches)

    def _free_places(self) -> int:
        """Returns how many more searches could begin at once."""
        now_us = self._time.now_us()
        claimed = {game for game, (_, until_us) in self._claimed.items() if until_us > now_us}
        return max(self._opponents.places - len(claimed | self._searches.keys()), 0)

    def searches_until(self, game: str, board_seq: int) -> int | None:
        """Returns until when this process chooses a move that is due now; None if it has no place."""
        if self._rooms.has_others() and self._free_places() == 0:
            return None
        return self._claim(game, board_seq)

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

        Returns:
            Whether there were any.
        """
        if self._claiming.locked():
            return False
        async with self._claiming:
            return await self._take()

    async def _take(self) -> bool:
        now_us, limit = self._time.now_us(), _MOST_CLAIMED
        if self._store.is_shared:
            if mine := self.games():
                keep = partial(processes.keep_computer_moves, games=mine, until_us=now_us + CLAIM_US)
                await self._store.change(keep)
            limit = self._free_places()
            if limit == 0:
                # Moves that are left over for long are taken, too: then all processes are busy.
                limit, now_us = self._opponents.places, now_us - _PATIENCE_US
        if not await self._store.waiting_for_computer(now_us):
            return False
        claim = partial(processes.claim_computer_moves, now_us=now_us, limit=limit)
        games = await self._store.change(claim)
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
        search = self._searches.get(room.id)
        if search is not None and search[0] != board_seq:
            self.cancel(room.id)
            search = None
        if board_seq is not None and search is None:
            self._searches[room.id] = (board_seq, self._rooms.tasks.spawn(self._play(room, board_seq)))

    def cancel(self, game: str) -> None:
        """Cancels the search for a game, if there is one; not from the task that plays its move."""
        search = self._searches.pop(game, None)
        if search is not None and search[1] is not asyncio.current_task():
            search[1].cancel()

    async def _play(self, room: Room, board_seq: int) -> None:
        """Plays a move for the computer, and retries while that fails and the board is the same."""
        while room.state.board_seq == board_seq and room.state.mover == 1:
            try:
                play = await choose_move(self._opponents, room, self.addresses.owner_of(room))
                await room.act(frozenset({1}), play, self._time.now_us())
                return
            except NotSaved:
                await asyncio.sleep(_RETRY_S)
                await self._rooms.heartbeat.wait_for_store()
            except HnefiError as error:
                _log.warning("computer in %s: %s", room.id, error)
                await asyncio.sleep(_RETRY_S)
