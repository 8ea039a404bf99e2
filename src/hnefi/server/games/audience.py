"""The audience of a game: connections here and at other processes, and when its players were there last."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hnefi.server.games.background import BackgroundTasks
from hnefi.server.games.time import Time
from hnefi.server.store.rows import Counts

_BATCH = 64
_PRESENCE_S = 1.0


@dataclass(frozen=True, slots=True)
class Attendance:
    """Presence of players and spectators.

    Attributes:
        away_us: For each player, how long the player has been gone; 0 if present.
    """

    away_us: tuple[int, int] = (0, 0)
    watching: int = 0


class Listener(Protocol):
    """A connection that follows a game."""

    players: frozenset[int]
    """The seats of its visitor; none for a spectator."""

    def send(self, text: str) -> None:
        """Sends a message without waiting for it to arrive."""


class Audience:
    """The connections that follow a game, and the presence of its players.

    Attributes:
        tasks: What is sent in the background; the room of the game waits for its end.
    """

    def __init__(
        self, time: Time, seen_us: int, message: Callable[[Attendance], str], on_change: Callable[[], None]
    ) -> None:
        """Creates an empty audience.

        Its players were there last at `seen_us`. `message` encodes that somebody came or left; `on_change` is
        called when that was at this process.
        """
        self._time, self._message, self._on_change = time, message, on_change
        self._listeners: dict[Listener, None] = {}
        self._elsewhere: dict[int, Counts] = {}
        self._here = [0, 0, 0]
        self._seen_us = [seen_us] * 2
        self._left_us: int | None = None
        self._message_is_due = False
        self._spectators_lock = asyncio.Lock()
        self.tasks = BackgroundTasks()

    @property
    def is_empty(self) -> bool:
        """Whether nobody follows the game here."""
        return not self._listeners

    @property
    def here(self) -> Counts:
        """The connections to this process."""
        return Counts(*self._here)

    @property
    def followers(self) -> Collection[int]:
        """The other processes where somebody follows the game."""
        return self._elsewhere

    @property
    def counts(self) -> Counts:
        """All connections."""
        return Counts(*map(sum, zip(self._here, *self._elsewhere.values(), strict=True)))

    @property
    def players_here(self) -> list[int]:
        """The players who are connected to this process."""
        return [player for player in (0, 1) if self._here[player]]

    def attendance(self) -> Attendance:
        """Returns which players are connected, and the number of spectators."""
        counts = self.counts
        first_us, second_us = (
            0 if counts[player] else max(self._time.now_us() - self._seen_us[player], 1) for player in (0, 1)
        )
        return Attendance((first_us, second_us), counts.spectators)

    @property
    def left_us(self) -> int | None:
        """When the last connected player left; None while one is connected, and if none was."""
        return None if any(self.counts[:2]) else self._left_us

    def note_seen(self, players: Iterable[int]) -> None:
        """Notes that players are there now, with or without a connection."""
        for player in players:
            self._seen_us[player] = self._time.now_us()

    def add(self, listener: Listener) -> None:
        """Adds a connection, and announces it."""
        self._listeners[listener] = None
        self._count(listener, 1)

    def remove(self, listener: Listener) -> None:
        """Removes a connection if it is there, and announces that."""
        if self._listeners.pop(listener, self) is not self:
            self._note_left(listener.players)
            self._count(listener, -1)

    def _count(self, listener: Listener, change: int) -> None:
        for place in listener.players or (2,):
            self._here[place] += change
        self._on_change()
        self._announce(has_player=bool(listener.players))

    def set_elsewhere(self, counts: Mapping[int, Counts]) -> None:
        """Sets the counts of the connections to other processes, by their ids, and announces a change."""
        before = self.counts
        self._elsewhere = {process: one for process, one in counts.items() if any(one)}
        after = self.counts
        self._note_left([player for player in (0, 1) if after[player] < before[player]])
        if after != before:
            self._announce(has_player=after[:2] != before[:2])

    def set_elsewhere_at(self, process: int, counts: Counts) -> None:
        """Sets the counts of the connections to another process."""
        self.set_elsewhere({**self._elsewhere, process: counts})

    def _note_left(self, players: Collection[int]) -> None:
        self.note_seen(players)
        if players:
            self._left_us = self._time.now_us()

    def _announce(self, *, has_player: bool) -> None:
        """Announces players at once, and spectators, who may be many, at most once a second."""
        if has_player:
            self._send_presence()
        elif not self._message_is_due:
            self._message_is_due = True
            asyncio.get_running_loop().call_later(_PRESENCE_S, self._send_presence)

    def _send_presence(self) -> None:
        self._message_is_due = False
        self.send(self._message(self.attendance()))

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
