"""The audience of a game: the connections that follow it here, and the count of those to other processes."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from hnefi.server.games.background import BackgroundTasks
from hnefi.server.store import Counts

_log = logging.getLogger(__name__)
_BATCH = 64


class Listener(Protocol):
    """A connection that follows a game."""

    players: frozenset[int]
    """The seats of its visitor; none for a spectator."""

    def send(self, text: str) -> None:
        """Sends a message without waiting for it to arrive."""


class Audience:
    """The connections that follow a game.

    Attributes:
        tasks: What is sent in the background; the room of the game waits for its end.
    """

    def __init__(self) -> None:
        """Creates an empty audience."""
        self._listeners: dict[Listener, None] = {}
        self._elsewhere: dict[int, Counts] = {}
        self._here = [0, 0, 0]
        self._spectators_lock = asyncio.Lock()
        self.tasks = BackgroundTasks(_log, "a background task of a game failed")

    def __len__(self) -> int:
        return len(self._listeners)

    @property
    def here(self) -> Counts:
        """The connections to this process."""
        return Counts(*self._here)

    @property
    def counts(self) -> Counts:
        """All connections."""
        if not self._elsewhere:
            return Counts(*self._here)
        return Counts(*map(sum, zip(self._here, *self._elsewhere.values(), strict=True)))

    def has(self, player: int) -> bool:
        """Checks whether a player is connected."""
        return self._here[player] > 0 or any(counts[player] for counts in self._elsewhere.values())

    def add(self, listener: Listener) -> None:
        """Adds a connection."""
        self._listeners[listener] = None
        self._count(listener, 1)

    def remove(self, listener: Listener) -> bool:
        """Removes a connection; returns False if it is not there."""
        if self._listeners.pop(listener, self) is self:
            return False
        self._count(listener, -1)
        return True

    def _count(self, listener: Listener, change: int) -> None:
        for place in listener.players or (2,):
            self._here[place] += change

    def set_elsewhere(self, counts: Mapping[int, Counts]) -> None:
        """Sets the counts of the connections to other processes, by their ids."""
        self._elsewhere = {process: one for process, one in counts.items() if any(one)}

    def with_elsewhere(self, process: int, counts: Counts) -> dict[int, Counts]:
        """Returns the counts at other processes, with those of one of them changed."""
        return {**self._elsewhere, process: counts}

    def send(self, text: str) -> None:
        """Sends a message to the players at once, and to spectators after them."""
        spectators = []
        for listener in self._listeners:
            if listener.players:
                listener.send(text)
            else:
                spectators.append(listener)
        if len(spectators) <= _BATCH and not self._spectators_lock.locked():
            for listener in spectators:
                listener.send(text)
        else:
            self.tasks.spawn(self._send_in_batches(spectators, text))

    def send_states(self, state_for: Callable[[frozenset[int]], str]) -> None:
        """Sends the whole state to everybody, as it is for viewers with their seats."""
        for listener in self._listeners:
            listener.send(state_for(listener.players))

    async def _send_in_batches(self, spectators: Sequence[Listener], text: str) -> None:
        """Sends to many spectators in batches, so that moves of other games are handled in between."""
        async with self._spectators_lock:
            for begin in range(0, len(spectators), _BATCH):
                for listener in spectators[begin : begin + _BATCH]:
                    listener.send(text)
                await asyncio.sleep(0)
