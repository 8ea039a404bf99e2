"""Moves of computer opponents: one search a game, for the board as it is."""

import asyncio
import logging

from hnefi.errors import HnefiError
from hnefi.server.games.background import BackgroundTasks
from hnefi.server.games.heartbeat import Heartbeat
from hnefi.server.games.opponents import Addresses, Opponents, choose_move
from hnefi.server.games.room import Room
from hnefi.server.games.time import Time
from hnefi.server.store import NotSaved
from hnefi.server.store.processes import CLAIM_US

__all__ = ["ComputerMoves"]

_log = logging.getLogger(__name__)

_RETRY_S = 2.0


class ComputerMoves:
    """Searches for the games in which the computer is to move, and plays the moves they find."""

    def __init__(
        self,
        opponents: Opponents,
        addresses: Addresses,
        heartbeat: Heartbeat,
        time: Time,
        tasks: BackgroundTasks,
        *,
        is_shared: bool,
    ) -> None:
        """Creates it without any search.

        Args:
            opponents: Chooses the moves.
            addresses: The addresses that searches are charged to.
            heartbeat: Waits until the store can be written again.
            time: The source of time.
            tasks: The tasks of the games, which end with the server.
            is_shared: Whether another process may choose a move, so that this one has to `claim` it before.
        """
        self._opponents = opponents
        self._addresses = addresses
        self._heartbeat = heartbeat
        self._time = time
        self._tasks = tasks
        self._is_shared = is_shared
        self._claimed: dict[str, tuple[int, int]] = {}
        """The board for which a move was claimed, and until when that counts as a search."""

        self._searches: dict[str, tuple[int, asyncio.Task[None]]] = {}

    def __contains__(self, game: str) -> bool:
        """Checks whether the computer searches for a game."""
        return game in self._searches

    def games(self) -> list[str]:
        """Lists the games for which the computer searches."""
        return list(self._searches)

    @property
    def free_places(self) -> int:
        """How many more searches could begin at once."""
        now_us = self._time.now_us()
        claimed = {game for game, (_, until_us) in self._claimed.items() if until_us > now_us}
        return max(self._opponents.places - len(claimed | self._searches.keys()), 0)

    @property
    def places(self) -> int:
        """How many searches can be carried out at the same time."""
        return self._opponents.places

    def claim(self, game: str, board_seq: int) -> None:
        """Notes that this process is the one that chooses the move on a board."""
        self._claimed[game] = (board_seq, self._time.now_us() + CLAIM_US)

    def update(self, room: Room) -> None:
        """Starts a search if the computer is to move, and cancels one for a board that has changed."""
        board_seq = room.state.board_seq if room.state.mover == 1 else None
        claimed_seq, _ = self._claimed.get(room.id, (None, 0))
        if self._is_shared and claimed_seq != board_seq:
            board_seq = None
        if board_seq is None:
            self._claimed.pop(room.id, None)
        search = self._searches.get(room.id)
        if search is not None and search[0] != board_seq:
            self.cancel(room.id)
            search = None
        if board_seq is not None and search is None:
            self._searches[room.id] = (board_seq, self._tasks.spawn(self._play(room, board_seq)))

    def cancel(self, game: str) -> None:
        """Cancels the search for a game, if there is one; not from the task that plays its move."""
        search = self._searches.pop(game, None)
        if search is not None and search[1] is not asyncio.current_task():
            search[1].cancel()

    async def _play(self, room: Room, board_seq: int) -> None:
        """Plays a move for the computer, and retries while that fails and the board is the same."""
        while room.state.board_seq == board_seq and room.state.mover == 1:
            try:
                play = await choose_move(self._opponents, room, self._addresses.owner_of(room))
                await room.act(frozenset({1}), play, self._time.now_us())
                return
            except NotSaved:
                await asyncio.sleep(_RETRY_S)
                await self._heartbeat.wait_for_store()
            except HnefiError as error:
                _log.warning("computer in %s: %s", room.id, error)
                await asyncio.sleep(_RETRY_S)
