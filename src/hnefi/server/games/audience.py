"""The audience of a game: the connections that follow it, here and in other processes."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple, Protocol

__all__ = ["Audience", "Counts", "Listener", "Relay"]

_BATCH = 64


class Listener(Protocol):
    """A connection that follows a game."""

    players: frozenset[int]
    """The seats of its visitor; none for a spectator."""

    def send(self, text: str) -> None:
        """Sends a message without waiting for it to arrive."""


class Relay(Protocol):
    """Another process, which sends the messages of a game to its own connections."""

    def send(self, text: str, seq: int | None) -> None:
        """Sends a message, with the number of its event; None if it is about presence."""

    def send_state(self) -> None:
        """Makes the other process send the whole state to its connections."""


class Counts(NamedTuple):
    """How many connections follow a game.

    Attributes:
        first: Those of player 0.
        second: Those of player 1.
        spectators: Those of nobody with a seat.
    """

    first: int = 0
    second: int = 0
    spectators: int = 0


class Audience:
    """The connections that follow a game."""

    def __init__(self) -> None:
        """Creates an empty audience."""
        self._listeners: dict[Listener, None] = {}
        self._relays: dict[Relay, Counts] = {}
        self._here = [0, 0, 0]
        self._spectators_lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._listeners) + len(self._relays)

    @property
    def here(self) -> Counts:
        """The connections in this process."""
        return Counts(*self._here)

    @property
    def counts(self) -> Counts:
        """All connections."""
        if not self._relays:
            return Counts(*self._here)
        return Counts(*map(sum, zip(self._here, *self._relays.values(), strict=True)))

    def has(self, player: int) -> bool:
        """Checks whether a player is connected."""
        return self._here[player] > 0 or any(counts[player] for counts in self._relays.values())

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

    def set_relay(self, relay: Relay, counts: Counts) -> Counts:
        """Adds another process, or sets the counts of its connections; returns those before."""
        before = self._relays.get(relay, Counts())
        self._relays[relay] = counts
        return before

    def has_relay(self, relay: Relay) -> bool:
        """Checks whether another process follows the game."""
        return relay in self._relays

    def remove_relay(self, relay: Relay) -> Counts:
        """Removes another process; returns the counts of its connections."""
        return self._relays.pop(relay, Counts())

    def send(self, text: str, seq: int | None = None) -> None:
        """Sends a message to other processes and to the players at once, and to spectators after them.

        Args:
            text: The message.
            seq: The number of its event; None if it is about presence.
        """
        for relay in self._relays:
            relay.send(text, seq)
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
            self._spawn(self._send_in_batches(spectators, text))

    def send_states(self, state_for: Callable[[frozenset[int]], str]) -> None:
        """Sends the whole state to everybody, as it is for viewers with their seats."""
        for relay in self._relays:
            relay.send_state()
        for listener in self._listeners:
            listener.send(state_for(listener.players))

    async def _send_in_batches(self, spectators: Sequence[Listener], text: str) -> None:
        """Sends to many spectators in batches, so that moves of other games are handled in between."""
        async with self._spectators_lock:
            for begin in range(0, len(spectators), _BATCH):
                for listener in spectators[begin : begin + _BATCH]:
                    listener.send(text)
                await asyncio.sleep(0)

    async def finish(self) -> None:
        """Waits until everything is sent."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
