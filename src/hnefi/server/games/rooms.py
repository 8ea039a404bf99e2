"""All rooms: how games are made, joined and forgotten, their deadlines, the moves of the computer."""

import asyncio
import hmac
import logging
from collections.abc import Coroutine
from typing import Any, Protocol

from hnefi._core import CalledGame, Move, Rules, Setup
from hnefi.errors import HnefiError
from hnefi.match import MatchFormat, TieBreak
from hnefi.pieces import Side
from hnefi.server import events as e
from hnefi.server.events import Fischer
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.commands import Play, begin, lot_of
from hnefi.server.games.room import Room
from hnefi.server.games.seats import hash_of, new_game_id, new_secret
from hnefi.server.games.state import State, Status
from hnefi.server.games.time import Time
from hnefi.server.games.timers import Timers
from hnefi.server.messages.http import NewGameRequest
from hnefi.server.refusals import Refused, refused
from hnefi.server.store import Conflict, Expiry, Kept, Link, NewGame, NotSaved, Seat, Store, Write
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

__all__ = ["EXPIRY", "Opponents", "Rooms"]

_log = logging.getLogger(__name__)
EXPIRY: Expiry = {"waiting": 7, "playing": 60, "between_legs": 60, "over": 90, "aborted": 1}
"""For how many days without any event games are kept, by what has become of them."""

_LINK_US = 15 * 60 * SECOND_US
_IDLE_US = 120 * SECOND_US
_SWEEP_S = 30.0
_EXPIRE_EVERY = 120
_BEAT_S = 1.0
_MOST_ROOMS = 100_000
_RETRY_S = 2.0


class Opponents(Protocol):
    """Who plays the computer's moves."""

    async def choose(self, game: CalledGame, level: int, seed: str, left_ms: int | None) -> Move:
        """Chooses a move.

        Args:
            game: The game; the computer is to move.
            level: How strong it plays, 1 to 10.
            seed: What its chance depends on.
            left_ms: What it has left on its clock, None without a clock.

        Raises:
            HnefiError: If no move could be found.
        """


class Rooms:
    """The games of this server that somebody plays or looks at. It is the owner of their events."""

    def __init__(self, store: Store, time: Time, opponents: Opponents, expiry: Expiry | None = None) -> None:
        """Begins without any room.

        Args:
            store: Where games are kept.
            time: What tells the time.
            opponents: Who plays for the computer.
            expiry: For how many days games are kept; `EXPIRY` if None.
        """
        self._store = store
        self._time = time
        self._opponents = opponents
        self._expiry = EXPIRY if expiry is None else expiry
        self._rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._rules: dict[str, Rules] = {}
        self._thinking: dict[str, tuple[int, asyncio.Task[None]]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.timers = Timers(time, self._due)

    def __len__(self) -> int:
        return len(self._rooms)

    # Its life

    async def start(self) -> None:
        """Begins: clocks that ran when it was last alive go on, and are not charged for the time since."""
        away_since_us = await self._store.last_heartbeat() or 0
        for game in await self._store.running():
            room = await self.room(game)
            async with room.lock:
                leg = room.state.leg
                if leg.clocks.side is not None:
                    since = max(away_since_us, room.state.t_us)
                    await room.happen([e.Resumed(away_since_us=since)])
        for work in (self.timers.run(), self._beat_for_ever(), self._sweep_for_ever()):
            self._spawn(work)

    async def stop(self) -> None:
        """Ends: nothing is done any more, and what is being kept is waited for."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.beat()

    async def beat(self) -> None:
        """Notes that the server is alive, where a clock depends on it."""
        if len(self.timers):
            try:
                await self._store.write(Write(heartbeat_us=self._time.now_us()))
            except NotSaved:
                _log.warning("no heartbeat could be kept")

    async def _beat_for_ever(self) -> None:
        while True:
            await self.beat()
            await asyncio.sleep(_BEAT_S)

    async def _sweep_for_ever(self) -> None:
        count = 0
        while True:
            await asyncio.sleep(_SWEEP_S)
            self.close_idle()
            count += 1
            if count % _EXPIRE_EVERY == 1:
                try:
                    await self.expire()
                except NotSaved:
                    _log.warning("expired games could not be deleted")

    def close_idle(self) -> None:
        """Closes rooms that nobody needs at the moment; what is in them is kept."""
        before = self._time.now_us() - _IDLE_US
        for game, room in list(self._rooms.items()):
            idle = room.is_empty and room.used_us < before and not room.lock.locked()
            if idle and not self.timers.has(game) and game not in self._thinking:
                del self._rooms[game]

    async def expire(self) -> int:
        """Deletes games that are no longer to be kept, and gives how many."""
        games = await self._store.expired(self._time.now_us(), self._expiry)
        games = [game for game in games if game not in self._rooms or self._rooms[game].is_empty]
        if games:
            await self._store.write(Write(deletes=tuple(games)))
        for game in games:
            self._rooms.pop(game, None)
            self.timers.set(game, None)
        return len(games)

    # Finding and making

    async def room(self, game: str) -> Room:
        """Gives a room, opening it if it is not.

        Raises:
            Refused: `unknown_game`.
        """
        if (found := self._rooms.get(game)) is not None:
            return found
        lock = self._opening.setdefault(game, asyncio.Lock())
        try:
            async with lock:
                if (found := self._rooms.get(game)) is not None:
                    return found
                kept = await self._store.load(game)
                if kept is None:
                    raise refused("unknown_game", game=game)
                return self._open(kept)
        finally:
            if not lock.locked():
                self._opening.pop(game, None)

    def _open(self, kept: Kept) -> Room:
        if len(self._rooms) >= _MOST_ROOMS:
            raise refused("server_full")
        created = kept.events[0].body
        assert isinstance(created, e.Created)
        rules = self._rules.get(created.rules)
        if rules is None:
            rules = self._rules[created.rules] = Rules(kept.tree)
        room = Room(kept, rules, self._store, self._time, on_change=self._changed, next_game=self._next_game)
        self._rooms[kept.id] = room
        self._changed(room)
        return room

    async def create(self, request: NewGameRequest, visitor: str) -> tuple[Room, str | None]:
        """Makes a game for a visitor, by the hash of his secret.

        Returns:
            The room, and the secret of the invitation if a friend is to come.

        Raises:
            Refused: If it cannot be played like this; VariantError, SetupError.
        """
        found = _variant_of(request)
        seed = new_secret() if request.side == "lot" else None
        created = _created(request, found, None if seed is None else lot_of(seed))
        invite = new_secret() if request.opponent == "friend" else None
        game = new_game_id()
        write = self._new(game, created, found.rules, seed, invite, {0: [visitor]})
        await self._store.write(write)
        return await self.room(game), invite

    def _new(
        self,
        game: str,
        created: e.Created,
        rules: Rules,
        seed: str | None,
        invite: str | None,
        visitors: dict[int, list[str]],
        other_name: str | None = None,
    ) -> Write:
        """Gives what is to be written for a new game; it begins at once if nobody has to come."""
        now_us = self._time.now_us()
        first = e.Event(1, now_us, 0, None, created)
        events, bodies = [first], list[e.Body]()
        if created.opponent != "friend":
            bodies = [e.Joined(name=other_name or "")]
        elif other_name is not None:
            bodies = [e.Joined(name=other_name)]
        if bodies:
            bodies += begin(State.begin(first, rules), seed)
            events += [
                e.Event(number, now_us, None, None, body) for number, body in enumerate(bodies, start=2)
            ]
        if created.opponent == "same_device":
            visitors = {0: visitors[0], 1: visitors[0]}
        self._rules.setdefault(created.rules, rules)
        return Write(
            game,
            tuple(events),
            new=NewGame(
                game,
                created.rules,
                rules.to_json(),
                created.clock.kind,
                now_us,
                None if invite is None else hash_of(invite),
                None if bodies else seed,
            ),
            status="playing" if bodies else None,
            seats=tuple(Seat(game, player, one) for player, own in visitors.items() for one in own),
        )

    def _next_game(self, room: Room) -> Write:
        """Gives what is to be written for the rematch of a game: the same again with the sides swapped."""
        state = room.state
        side = "defenders" if state.legs[0].attackers == 0 else "attackers"
        created = state.created.model_copy(update={"side": side, "lot": None, "after": room.id})
        visitors: dict[int, list[str]] = {0: [], 1: []}
        for seat in room.seat_list():
            visitors[seat.player].append(seat.visitor)
        rules = self._rules[created.rules]
        return self._new(new_game_id(), created, rules, None, None, visitors, state.names[1])

    async def join(self, game: str, visitor: str, invite: str, name: str) -> Room:
        """Takes the free seat of a game for a visitor, by the hash of his secret.

        Raises:
            Refused: `seat_taken`, `bad_invite`, `own_game`, `unknown_game`.
        """
        room = await self.room(game)
        async with room.lock:
            if 1 in room.players_of(visitor):
                return room
            if room.state.status is not Status.WAITING or room.invite is None:
                raise refused("seat_taken")
            if not hmac.compare_digest(room.invite, hash_of(invite)):
                raise refused("bad_invite")
            if room.players_of(visitor):
                raise refused("own_game")
            seed = room.seed
            bodies: list[e.Body] = [e.Joined(name=name), *begin(room.state, seed)]
            frame = Write(seats=(Seat(game, 1, visitor),), closes_invite=True)
            await room.happen(bodies, actor=1, frame=frame)
            room.invite = room.seed = None
            room.seated(visitor, 1)
        return room

    async def make_link(self, game: str, visitor: str) -> tuple[str, int]:
        """Makes a secret that carries a visitor's seat to another device, once, and says until when.

        Raises:
            Refused: `no_seat`, `unknown_game`.
        """
        room = await self.room(game)
        own = room.players_of(visitor)
        if not own:
            raise refused("no_seat")
        secret = new_secret()
        player = 2 if len(own) > 1 else min(own)
        link = Link(hash_of(secret), game, player, self._time.now_us() + _LINK_US)
        await self._store.write(Write(game, link=link))
        return secret, link.until_us

    async def use_link(self, secret: str, visitor: str) -> Room:
        """Gives a visitor the seat that a link carries.

        Raises:
            Refused: `bad_link`, if it was used before or is too old.
        """
        link = await self._store.find_link(hash_of(secret))
        if link is None or link.until_us < self._time.now_us():
            raise refused("bad_link")
        room = await self.room(link.game)
        players = (0, 1) if link.player == 2 else (link.player,)
        async with room.lock:
            seats = tuple(Seat(link.game, player, visitor) for player in players)
            try:
                await self._store.write(Write(link.game, seats=seats, uses_link=link.secret))
            except Conflict:
                raise refused("bad_link") from None
            for player in players:
                room.seated(visitor, player)
        return room

    async def rooms_of(self, visitor: str) -> list[Room]:
        """Lists the games of a visitor, the newest first."""
        games = dict.fromkeys(seat.game for seat in await self._store.games_of(visitor))
        found = []
        for game in games:
            try:
                found.append(await self.room(game))
            except Refused:
                continue
        return found

    # Deadlines and the computer

    def _changed(self, room: Room) -> None:
        state = room.state
        playing = state.status is Status.PLAYING
        self.timers.set(room.id, state.leg.clocks.deadline_us if playing else None)
        if state.has_computer:
            self._let_think(room)

    async def _due(self, game: str) -> None:
        room = self._rooms.get(game)
        if room is not None:
            self._spawn(self._flag(room))

    async def _flag(self, room: Room) -> None:
        try:
            await room.flag()
        except (NotSaved, Conflict):
            await asyncio.sleep(_RETRY_S)
            self._changed(room)

    def _let_think(self, room: Room) -> None:
        """Has the computer think where it is to move, and no longer about what has changed."""
        wanted = room.state.board_seq if room.state.mover == 1 else None
        thinking = self._thinking.get(room.id)
        if thinking is not None and thinking[0] != wanted:
            del self._thinking[room.id]
            if thinking[1] is not asyncio.current_task():
                thinking[1].cancel()
            thinking = None
        if wanted is not None and thinking is None:
            self._thinking[room.id] = (wanted, self._spawn(self._think(room, wanted)))

    async def _think(self, room: Room, board_seq: int) -> None:
        """Plays a move for the computer; tries again as long as that fails and the board is the same."""
        while room.state.board_seq == board_seq and room.state.mover == 1:
            try:
                play = await self._choose(room)
                now_us = self._time.now_us()
                await room.act(frozenset({1}), play, f"computer-{board_seq}", room.state.seq, now_us)
                return
            except (HnefiError, NotSaved) as error:
                _log.warning("computer in %s: %s", room.id, error)
                await asyncio.sleep(_RETRY_S)

    async def _choose(self, room: Room) -> Play:
        state = room.state
        leg, side = state.leg, state.leg.turn
        assert side is not None
        left_ms = None
        if state.created.clock.kind == "fischer":
            left_ms = leg.clocks.left_us(side, self._time.now_us()) // 1000
        level = state.created.level or 1
        move = await self._opponents.choose(leg.called, level, f"{room.id}/{state.board_seq}", left_ms)
        call = 0
        if leg.called.mode == "manual" and side is Side.DEFENDERS:
            call = leg.called.play(move).required
        return Play(str(move), call)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a task of the games failed", exc_info=error)


def _variant_of(request: NewGameRequest) -> Variant:
    """Finds the variant, its switches applied, and checks that it can be played like this."""
    found = variant(request.variant).with_switches(request.switches)
    if (request.opponent == "computer") != (request.level is not None):
        raise refused("bad_level", opponent=request.opponent)
    if isinstance(request.clock, Fischer) and request.opponent == "same_device":
        raise refused("clock_for_one", opponent=request.opponent)
    setup = None if request.start is None else Setup(request.start)
    game = found.new_game(setup)
    if game.turn is None:
        raise refused("start_is_over")
    return found


def _created(request: NewGameRequest, found: Variant, lot: str | None) -> e.Created:
    calls = found.calls
    return e.Created(
        variant=found.id,
        revision=found.revision,
        rules=found.rules.hash,
        switches=dict(found.switches),
        start=request.start,
        calls="off" if calls is None else request.calls,
        sanction="none" if calls is None else calls["sanction"],
        replay="same_piece" if calls is None else calls["replay"],
        form=MatchFormat(request.form).value,
        clock=request.clock,
        opponent=request.opponent,
        level=request.level,
        side=request.side,
        name=request.name,
        lot=lot,
        tie_break=TieBreak.of(found).value,
    )
