"""A room: one game in memory of this process. All changes here go through its room, one at a time.

Other processes may have rooms of the same game. The key of the events, `(game, seq)`, decides between them:
who is late reads what others have added, and tries again.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from hnefi._core import CalledGame, Rules
from hnefi.errors import HnefiError
from hnefi.server import events as e
from hnefi.server.games.audience import Audience
from hnefi.server.games.commands import Actor, CommandRequest, MoveRequest, decide, is_repeated
from hnefi.server.games.new_game import rematch_row
from hnefi.server.games.state import State, Status, fold
from hnefi.server.refusals import Refused, refused
from hnefi.server.store import changes, reading
from hnefi.server.store.rows import UNCHANGED, Change, Conflict, NotSaved, Seat, StoredGame, Write

if TYPE_CHECKING:
    from hnefi.server.games.rooms import Rooms

_log = logging.getLogger(__name__)
T = TypeVar("T")

MOST_MISSED = 64
"""A listener that missed more events than these gets the whole state."""

_ATTEMPTS = 5
"""How often a change is tried while other processes are faster."""

_BEAT_US = 1_500_000
"""After its last beat a process may have lived for so long."""


class Room:
    """One game with its seats.

    Attributes:
        audience: Who follows it.
        time: The source of its times.
    """

    def __init__(self, stored: StoredGame, rules: Rules, rooms: "Rooms") -> None:
        self.id = stored.id
        self.lock = asyncio.Lock()
        self._rooms = rooms
        self._store, self.time, self._encoder = rooms.store, rooms.time, rooms.encoder
        self.used_us = self.time.now_us()
        self._is_behind = False
        self._rules = rules
        self._recent: deque[tuple[int, str]] = deque(maxlen=MOST_MISSED)
        self._load(stored)
        # Nobody was seen yet: with a clock players are gone since it was loaded, else since the last event.
        has_clock = self.state.created.clock.kind != "none"
        seen_us = self.used_us if has_clock else self.state.t_us
        self.audience = Audience(
            self.time, seen_us, partial(self._encoder.presence, self.id), self._on_presence
        )

    def _load(self, stored: StoredGame) -> None:
        """Replaces the state in memory by the stored one."""
        restarts = self._rooms.restarts
        self._load_seats(stored)
        self._acted: dict[str, tuple[int, str]] = {}
        self.state: State = fold(stored.events, self._rules, restarts)
        self._back_us = restarts[-1].back_us if restarts else 0
        self._resumed_us, self._acted_us = 0, [0, 0]
        for event in stored.events:
            self._note(event)
        self._recent.clear()
        self._stored_due_us: int | None = None

    def _load_seats(self, stored: StoredGame) -> None:
        self.invite, self.seed = stored.invite, stored.seed
        self._seats: dict[str, frozenset[int]] = {}
        for seat in stored.seats:
            self._seats[seat.visitor] = self._seats.get(seat.visitor, frozenset()) | {seat.player}

    def _note(self, event: e.Event) -> None:
        """Notes what messages did, when clocks went on after a silence, and when each player acted last."""
        body = event.body
        if event.message is not None:
            self._acted[event.message] = event.seq, body.move if isinstance(body, e.Moved) else body.kind
        if event.actor is not None:
            self._acted_us[event.actor] = event.t_us
        elif body.kind == "resumed":
            self._resumed_us = event.t_us

    # Seats and listeners

    def players_of(self, visitor: str | None) -> frozenset[int]:
        """Returns the seats of a visitor, by the hash of the visitor's secret."""
        return self._seats.get(visitor, frozenset()) if visitor is not None else frozenset()

    def seat_list(self) -> list[Seat]:
        """Lists all seats that are taken."""
        return [Seat(self.id, player, visitor) for visitor, seats in self._seats.items() for player in seats]

    def add_seat(self, visitor: str, player: int) -> None:
        """Adds a seat that is stored already; its player was seen when taking it."""
        self._seats[visitor] = self._seats.get(visitor, frozenset()) | {player}
        self.audience.note_seen((player,))

    def _on_presence(self) -> None:
        self.used_us = self.time.now_us()
        if self._rooms.sharing is not None:
            self._rooms.sharing.note_presence([self.id])

    # Messages

    def send_state(self) -> None:
        """Sends the whole state to all listeners, as if they came back after a restart."""
        self._recent.clear()
        self.audience.send_states(lambda players: self._encoder.state(self, players))

    def state_for(self, visitor: str | None) -> str:
        """Returns the message of the whole state, for a visitor."""
        return self._encoder.state(self, self.players_of(visitor))

    def first_messages(self, visitor: str | None, since: int | None) -> list[str]:
        """Returns the messages of the events after `since`; the whole state if that is too long ago, or None.

        The state too if there was no event since the game was loaded: a restart may have changed its clocks.
        """
        if since is not None and self._recent:
            texts = [text for number, text in self._recent if number > since]
            if len(texts) == self.state.seq - since:
                return texts
        return [self.state_for(visitor)]

    # Commands and events

    async def act(
        self,
        players: frozenset[int],
        command: MoveRequest | CommandRequest,
        received_us: int,
        charge_game: Callable[[], None] | None = None,
    ) -> int:
        """Carries out a command of a player, and returns the number of its event once that is stored.

        The id of a command acts once, and is refused for any other (`id_used`). `charge_game` is called once
        before a rematch is created; it raises `Refused` if there are too many new games, and then nothing has
        changed.

        Raises:
            Refused: If it cannot be carried out.
            IllegalMove: If the rules forbid the move.
            NotSaved: If it could not be stored.
        """
        # Two players may use the same id.
        key = f"{''.join(map(str, sorted(players)))}:{command.id}"

        async def try_now() -> int:
            nonlocal charge_game
            if (done := self._acted.get(key)) is not None:
                if not is_repeated(command, done[1]):
                    raise refused("id_used", id=command.id)
                return done[0]
            now_us = max(received_us, self.state.t_us, self._back_us)
            actor = Actor(players, now_us, self.audience.attendance().away_us)
            try:
                player, bodies, played = decide(self.state, actor, command)
            except Refused as error:
                if error.code == "time_over" and self._rooms.heartbeat.is_outage:
                    # It has run out only because the database cannot write, and will be given back.
                    raise NotSaved("the database cannot write") from error
                raise
            work = None
            if isinstance(bodies[0], e.Rematched):
                if charge_game is not None:
                    charge_game()
                    charge_game = None
                row = rematch_row(self.id, self.state, self.seat_list(), self.time.now_us())
                work = partial(changes.add_game, new=row)
                bodies = [e.Rematched(game=row.id)]
            return await self._add(player, bodies, key, actor.now_us, work, played)

        return await self.attempt(try_now, command.seq)

    async def attempt(self, try_now: Callable[[], Awaitable[T]], seen: int = 0) -> T:
        """Adds events by a function, again from the new state if another process was faster.

        Nothing else changes the game here while `try_now` adds them. `seen` is an event that somebody has
        seen, here or at another process.

        Raises:
            Refused: `conflict`, if others are faster every time; and as the function does.
            NotSaved: If they could not be stored.
        """
        async with self.lock:
            self._is_behind |= self._store.is_shared and seen > self.state.seq
            for _ in range(_ATTEMPTS):
                await self._catch_up_if_behind()
                try:
                    return await try_now()
                except Conflict:
                    # Another process was faster, or a commit succeeded that seemed to have failed.
                    self._is_behind = True
            raise refused("conflict")

    async def add_events(
        self,
        bodies: Sequence[e.Body],
        *,
        actor: int | None = None,
        message: str | None = None,
        work: Change | None = None,
    ) -> None:
        """Adds events that follow from no command, such as the end by time, within `attempt`.

        `actor` is the player who causes them, None for the server. They follow from `message`, which acts
        once. `work` makes other changes in the same transaction.

        Raises:
            Conflict: If another process was faster.
        """
        if message is None or message not in self._acted:
            t_us = max(self.time.now_us(), self.state.t_us, self._back_us)
            await self._add(actor, bodies, message, t_us, work)

    async def end_by_time(self) -> None:
        """Ends the leg if the running clock has run out."""

        async def try_now() -> None:
            state = self.state
            if state.status is not Status.PLAYING or not state.leg.clocks.is_over(self.time.now_us()):
                self._rooms.on_change(self)
                return
            side = state.leg.clocks.side
            assert side is not None
            winner = state.leg.side(1 - state.leg.player(side))
            await self.add_events([e.Ended(winner=winner.value, reason="time")])

        await self.attempt(try_now)

    async def adjudicate(self, result: e.Result) -> None:
        """Sets the result for the host of a class, unless the rules have ended the game."""

        async def try_now() -> None:
            if self.state.is_adjudicable and self.state.adjudicated != result:
                await self.add_events([e.Adjudicated(result=result)])

        await self.attempt(try_now)

    async def resume(
        self, away_since_us: int, players: Collection[int] | None = None, message: str | None = None
    ) -> None:
        """Charges a time in which players could not reach the game to no clock.

        Of `players`, None for everybody, only the time of one whose clock runs, and who has not acted since,
        is given back. It follows from the death of a process, `message`, which acts once.
        """

        async def try_now() -> None:
            state = self.state
            # Another process may have done so, or the player whose clock runs may have gone on there.
            mover = state.mover
            is_theirs = players is None or (
                mover is not None and mover in players and self._acted_us[mover] <= away_since_us + _BEAT_US
            )
            if state.deadline_us is None or self._resumed_us > away_since_us or not is_theirs:
                return
            body = e.Resumed(away_since_us=max(away_since_us, state.t_us))
            await self.add_events([body], message=message)

        await self.attempt(try_now)

    async def _add(
        self,
        actor: int | None,
        bodies: Sequence[e.Body],
        message: str | None,
        t_us: int,
        work: Change | None,
        played: CalledGame | None = None,
    ) -> int:
        """Applies events to a copy of the state, stores them, and publishes it after the commit."""
        state, events, texts = self.state, list[e.Event](), list[str]()
        for body in bodies:
            event = e.Event(state.seq + 1, t_us, actor, message if not events else None, body)
            state = state.apply(event, played)
            events.append(event)
            texts.append(self._encoder.event(self.id, state, event))
        if state.status is not self.state.status:
            status = state.status.value
            work = partial(changes.set_status, name=self.id, status=status, t_us=state.t_us, also=work)
        due_us = UNCHANGED if state.keeps_deadline(self._stored_due_us) else state.deadline_us
        computer_us = self._rooms.computer.stored_us(self.id, self.state, state)
        try:
            followers = self.audience.followers
            await self._store.submit(Write(self.id, events, due_us, computer_us, work, followers))
        except Conflict:
            if computer_us not in (None, UNCHANGED):
                # Who was faster has claimed the computer's move.
                self._rooms.computer.drop(self.id)
            raise
        except (asyncio.CancelledError, NotSaved):
            # It may still have been committed.
            self._is_behind = True
            self.audience.tasks.spawn(self._recover())
            raise
        if due_us != UNCHANGED:
            self._stored_due_us = due_us
        self._publish(state, events, texts)
        return events[0].seq

    def _publish(self, state: State, events: Sequence[e.Event], texts: Sequence[str]) -> None:
        """Takes over a state that is stored, and sends its events."""
        self.state = state
        self.used_us = self.time.now_us()
        for event, text in zip(events, texts, strict=True):
            self._note(event)
            self._recent.append((event.seq, text))
            self.audience.send(text)
        self._rooms.on_change(self)

    def absorb(self, events: Sequence[e.Event]) -> None:
        """Takes over events that another process has stored; the caller holds the lock.

        Raises:
            ValueError: If one is missing; the room has to `catch_up` then.
        """
        state, new, texts = self.state, [event for event in events if event.seq > self.state.seq], list[str]()
        for event in new:
            state = state.apply(event)
            texts.append(self._encoder.event(self.id, state, event))
        if new:
            self._stored_due_us = None
            self._publish(state, new, texts)

    async def _recover(self) -> None:
        """Loads the events that were committed, and sends them although no command waits for them."""
        with contextlib.suppress(NotSaved, Refused):
            # When it returns, the writes before it are decided.
            await self._store.change(lambda _: None)
            await self.catch_up()

    async def catch_up(self) -> None:
        """Reads what was stored since the last event that it knows, and sends it.

        Raises:
            Refused: `unknown_game`; `damaged_game`, if it cannot be read any more.
            NotSaved: If the database cannot be read.
        """
        async with self.lock:
            self._is_behind = True
            await self._catch_up_if_behind()

    async def _catch_up_if_behind(self) -> None:
        if not self._is_behind:
            return
        try:
            stored = await self._store.read(reading.load, self.id, self.state.seq)
            if stored is None:
                raise refused("unknown_game", game=self.id)
            self._load_seats(stored)
            self.absorb(stored.events)
        except (HnefiError, ValueError, LookupError, AssertionError) as error:
            if isinstance(error, Refused):
                raise
            _log.error("game %s is damaged: %s", self.id, error)
            raise refused("damaged_game", game=self.id) from error
        self._is_behind = False

    async def begin_anew(self) -> None:
        """Reads the whole game again after a restart of the site, and sends its state to everybody."""
        async with self.lock:
            stored = await self._store.read(reading.load, self.id)
            if stored is None:
                raise refused("unknown_game", game=self.id)
            self._load(stored)
            self._is_behind = False
            self.send_state()
            self._rooms.on_change(self)
