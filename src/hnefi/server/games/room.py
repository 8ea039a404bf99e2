"""A room: one game as it is played. Nothing else changes its game, and it does one thing at a time."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from hnefi._core import Rules
from hnefi.server import events as e
from hnefi.server.games.commands import Actor, Do, Play, decide
from hnefi.server.games.state import State, Status, fold
from hnefi.server.games.time import Time
from hnefi.server.games.view import Attendance, event_message, game_view
from hnefi.server.messages.socket import GameView, Presence
from hnefi.server.refusals import refused
from hnefi.server.store import Conflict, Kept, NotSaved, Seat, Store, Write

__all__ = ["Listener", "Room"]

MOST_MISSED = 64
"""Who missed more events than these gets the whole state."""

_AT_ONCE = 64
_PRESENCE_S = 1.0
_NOTHING_MORE = Write()
_KEYS = {frozenset({0}): "0", frozenset({1}): "1", frozenset({0, 1}): "01"}
"""What the ids of messages are kept with, by the seats of their sender: two players may use the same id."""


class Listener(Protocol):
    """Somebody who follows a game."""

    players: frozenset[int]
    """The seats he has; none for a spectator."""

    def send(self, text: str) -> None:
        """Sends him a message, without waiting for it to arrive."""


class Room:
    """One game, its seats, and who follows it."""

    def __init__(
        self,
        kept: Kept,
        rules: Rules,
        store: Store,
        time: Time,
        *,
        on_change: Callable[["Room"], None],
        next_game: Callable[["Room"], Write],
    ) -> None:
        """Opens a game as it is kept.

        Args:
            kept: The game.
            rules: Its rules, compiled.
            store: Where its events are kept.
            time: What tells the time.
            on_change: Called after every event.
            next_game: Gives what is to be written to make the rematch.
        """
        self.id = kept.id
        self.invite = kept.invite
        self.seed = kept.seed
        self.lock = asyncio.Lock()
        self.used_us = time.now_us()
        self._store = store
        self._time = time
        self._on_change = on_change
        self._next_game = next_game
        self._is_uncertain = False
        self._rules = rules
        self._listeners: dict[Listener, None] = {}
        self._present = [0, 0]
        self._presence_is_due = False
        self._seen_us: list[int | None] = [None, None]
        self._seats: dict[str, frozenset[int]] = {}
        self._acted: dict[str, int] = {}
        self._recent: deque[tuple[int, str]] = deque(maxlen=MOST_MISSED)
        self._spectators_turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self.state: State
        self._open(kept)

    def _open(self, kept: Kept) -> None:
        """Takes over what is kept, in place of whatever was thought to be."""
        self.invite, self.seed = kept.invite, kept.seed
        self._seats = {}
        for seat in kept.seats:
            self._seats[seat.visitor] = self._seats.get(seat.visitor, frozenset()) | {seat.player}
        self._acted = {event.message: event.seq for event in kept.events if event.message is not None}
        self.state = fold(kept.events, self._rules)
        self._recent.clear()

    # Who is there

    @property
    def is_empty(self) -> bool:
        """Whether nobody follows it."""
        return not self._listeners

    def players_of(self, visitor: str | None) -> frozenset[int]:
        """Gives the seats that a visitor has, by the hash of his secret."""
        return self._seats.get(visitor, frozenset()) if visitor is not None else frozenset()

    def seat_list(self) -> list[Seat]:
        """Lists all seats that are taken."""
        return [Seat(self.id, player, visitor) for visitor, own in self._seats.items() for player in own]

    def seated(self, visitor: str, player: int) -> None:
        """Notes a seat that has been kept."""
        self._seats[visitor] = self._seats.get(visitor, frozenset()) | {player}

    def enter(self, listener: Listener) -> None:
        """Lets somebody follow the game."""
        self._listeners[listener] = None
        for player in listener.players:
            self._present[player] += 1
        self._presence_changed(listener)

    def leave(self, listener: Listener) -> None:
        """Lets somebody go."""
        if self._listeners.pop(listener, self) is self:
            return
        for player in listener.players:
            self._present[player] -= 1
            self._seen_us[player] = self._time.now_us()
        self.used_us = self._time.now_us()
        self._presence_changed(listener)

    def _presence_changed(self, listener: Listener) -> None:
        """Tells of players at once; of spectators, who may be many, not more than once in a while."""
        if listener.players:
            self._tell_presence()
        elif not self._presence_is_due:
            self._presence_is_due = True
            asyncio.get_running_loop().call_later(_PRESENCE_S, self._tell_presence)

    def saw(self, players: Iterable[int]) -> None:
        """Notes that players were heard of without a connection."""
        for player in players:
            self._seen_us[player] = self._time.now_us()

    def attendance(self) -> Attendance:
        """Gives who is there."""
        away = (self._away_us(0), self._away_us(1))
        return Attendance(away, len(self._listeners) - self._players_here())

    def _players_here(self) -> int:
        """Counts the connections of players; one of both seats counts once."""
        return max(self._present) if self.state.created.opponent == "same_device" else sum(self._present)

    def _away_us(self, player: int) -> int:
        """Gives how long a player has been gone; without a clock since his last deed, at the latest."""
        if self._present[player]:
            return 0
        seen = self._seen_us[player]
        if seen is None:
            has_clock = self.state.created.clock.kind != "none"
            seen = self.used_us if has_clock else self.state.t_us
            self._seen_us[player] = seen
        return max(self._time.now_us() - seen, 1)

    def _tell_presence(self) -> None:
        self._presence_is_due = False
        now = self.attendance()
        message = Presence(
            game=self.id,
            present=[away == 0 for away in now.away_us],
            away_ms=[away // 1000 for away in now.away_us],
            watching=now.watching,
        )
        self._send(message.model_dump_json())

    # What is told

    def view(self, you: frozenset[int]) -> GameView:
        """Gives the whole state for somebody who has these seats."""
        return game_view(self.id, self.state, you, self.attendance(), self._time.now_us())

    def missed(self, since: int | None) -> list[str] | None:
        """Gives the events after one, None if there are too many, or it is not known."""
        if since is None or since > self.state.seq:
            return None
        wanted = [text for seq, text in self._recent if seq > since]
        return wanted if len(wanted) == self.state.seq - since else None

    def _send(self, text: str) -> None:
        """Sends to the players at once, and to spectators after them."""
        spectators = []
        for listener in self._listeners:
            if listener.players:
                listener.send(text)
            else:
                spectators.append(listener)
        if len(spectators) <= _AT_ONCE and not self._spectators_turn.locked():
            for listener in spectators:
                listener.send(text)
        else:
            self._later(self._send_in_turn(spectators, text))

    async def _send_in_turn(self, spectators: Sequence[Listener], text: str) -> None:
        """Sends to many, a few at a time: moves of other games come in between."""
        async with self._spectators_turn:
            for begin in range(0, len(spectators), _AT_ONCE):
                for listener in spectators[begin : begin + _AT_ONCE]:
                    listener.send(text)
                await asyncio.sleep(0)

    # What is done

    async def act(
        self,
        players: frozenset[int],
        command: Play | Do,
        message: str,
        seq: int,
        received_us: int,
    ) -> int:
        """Carries out a command of a player, and gives its event once that is kept.

        Args:
            players: The seats of who commands.
            command: What is to be done.
            message: The id of the message; what it asked for is done once.
            seq: The last event its sender had seen.
            received_us: When it came in.

        Raises:
            Refused: If it cannot be done; IllegalMove, if the rules forbid it; NotSaved.
        """
        key = f"{_KEYS.get(players, '')}:{message}"
        async with self.lock:
            for _ in range(2):
                await self._trust()
                if (done := self._acted.get(key)) is not None:
                    return done
                away_us = (self._away_us(0), self._away_us(1))
                actor = Actor(players, seq, max(received_us, self.state.t_us), away_us)
                player, bodies = decide(self.state, actor, command)
                frame = _NOTHING_MORE
                if isinstance(bodies[0], e.Rematched):
                    frame = Write(other=self._next_game(self))
                    assert frame.other is not None
                    bodies = [e.Rematched(game=frame.other.game)]
                try:
                    return await self._add(player, bodies, key, actor.now_us, frame)
                except Conflict:
                    # Another process was faster, or a commit went through that was thought to have failed.
                    self._is_uncertain = True
            raise refused("conflict")

    async def happen(
        self, bodies: Sequence[e.Body], *, actor: int | None = None, frame: Write = _NOTHING_MORE
    ) -> None:
        """Adds what follows from no command, such as the fall of a flag; the caller holds the lock.

        Args:
            bodies: What happens.
            actor: The player who does it, None for the server.
            frame: What is kept together with it.
        """
        await self._trust()
        await self._add(actor, bodies, None, max(self._time.now_us(), self.state.t_us), frame)

    async def flag(self) -> None:
        """Ends the leg if the clock that runs has run out."""
        async with self.lock:
            state = self.state
            if state.status is not Status.PLAYING or not state.leg.clocks.is_over(self._time.now_us()):
                self._on_change(self)
                return
            side = state.leg.clocks.side
            assert side is not None
            winner = state.leg.side(1 - state.leg.player(side))
            await self.happen([e.Ended(winner=winner.value, reason="time")])

    async def _add(
        self, actor: int | None, bodies: Sequence[e.Body], message: str | None, t_us: int, frame: Write
    ) -> int:
        """Adds events: they are tried, kept, and only then true."""
        state, events, told = self.state, list[e.Event](), list[str]()
        for body in bodies:
            event = e.Event(state.seq + 1, t_us, actor, message if not events else None, body)
            state = state.apply(event)
            events.append(event)
            told.append(event_message(self.id, state, event).model_dump_json())
        status = None if state.status is self.state.status else state.status.value
        if frame is _NOTHING_MORE:
            # As it is for every move: made anew, it takes a third of the time of a copy with changes.
            write = Write(self.id, tuple(events), status=status)
        else:
            write = replace(frame, game=self.id, events=tuple(events), status=status)
        await self._keep(write)
        self._take_over(state, events, told)
        return events[0].seq

    def _take_over(self, state: State, events: Sequence[e.Event], told: Sequence[str]) -> None:
        """Makes true, and tells, what has been kept."""
        self.state = state
        self.used_us = self._time.now_us()
        for event, text in zip(events, told, strict=True):
            if event.message is not None:
                self._acted[event.message] = event.seq
            self._recent.append((event.seq, text))
            self._send(text)
        self._on_change(self)

    async def _keep(self, write: Write) -> None:
        """Writes, and waits for it. Where that breaks off, it may have been kept all the same."""
        try:
            await self._store.write(write)
        except (asyncio.CancelledError, NotSaved):
            self._is_uncertain = True
            self._later(self._recover())
            raise

    async def _recover(self) -> None:
        """Finds out what was kept, and tells it, though nobody asks any more."""
        async with self.lock:
            with contextlib.suppress(NotSaved):
                # Nothing is written here; but what was waiting to be written is then decided.
                await self._store.write(Write())
                await self._trust()

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _trust(self) -> None:
        """Reads the game anew where it is not certain what was kept."""
        if not self._is_uncertain:
            return
        kept = await self._store.load(self.id)
        if kept is None:
            raise refused("unknown_game", game=self.id)
        known, state = self.state.seq, self.state
        self._open(kept)
        self._is_uncertain = False
        for event in kept.events[known:]:
            state = state.apply(event)
            text = event_message(self.id, state, event).model_dump_json()
            self._recent.append((event.seq, text))
            self._send(text)
        self._on_change(self)
