"""Test harness for rooms: a fake clock, an opponent that plays at once, a store in a folder."""

import asyncio
import heapq
import itertools
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar

import pytest
from sqlalchemy import Connection

from hnefi import variant
from hnefi._core import CalledGame, Move
from hnefi.errors import EngineError
from hnefi.server.events import Created, NoClock
from hnefi.server.games.actions import Action
from hnefi.server.games.clocks import DAY_US
from hnefi.server.games.commands import CommandRequest, MoveRequest, NewGameRequest
from hnefi.server.games.expiry import delete_expired
from hnefi.server.games.games import Games
from hnefi.server.games.room import Room
from hnefi.server.games.rooms import Rooms
from hnefi.server.games.time import Leads
from hnefi.server.messages.views import MessageEncoder
from hnefi.server.refusals import Refused
from hnefi.server.store import reading
from hnefi.server.store.database import sqlite_url
from hnefi.server.store.rows import NotSaved, StoredGame, Write
from hnefi.server.store.store import Store
from hnefi.workers.engines import EnginePool
from hnefi.workers.fair_queue import Owner

ANA, BRAN, EVE = "a" * 64, "b" * 64, "e" * 64
ATTACKERS, DEFENDERS = frozenset({0}), frozenset({1})
_ids = itertools.count()
P = ParamSpec("P")
T = TypeVar("T")
_stores: set["TrackedStore"] = set()
_PAUSE_S = 0.001
_IDLE_ITERATIONS = 50
"""The number of event-loop iterations without a pending write after which `settle` returns."""


class FakeClock:
    """A clock that advances on demand."""

    def __init__(self, now_us: int = 1_700_000_000_000_000) -> None:
        self._now_us = now_us
        self.error_us = 0
        """How far the clock of the machine is ahead of it."""
        self.leads = Leads()
        self._waiting: list[tuple[int, int, asyncio.Handle]] = []
        self._number = itertools.count()

    def now_us(self) -> int:
        return self._now_us

    def machine_us(self) -> int:
        return self._now_us + self.error_us

    def call_at(self, t_us: int, callback: Callable[[str], None], game: str) -> asyncio.Handle:
        loop = asyncio.get_running_loop()
        if t_us <= self._now_us:
            return loop.call_soon(callback, game)
        handle = asyncio.Handle(callback, (game,), loop)
        heapq.heappush(self._waiting, (t_us, next(self._number), handle))
        return handle

    async def advance(self, us: int) -> None:
        """Advances the clock and makes every call on the way."""
        until = self._now_us + us
        await settle()
        while self._waiting and self._waiting[0][0] <= until:
            t_us, _, handle = heapq.heappop(self._waiting)
            if handle.cancelled():
                continue
            self._now_us = max(self._now_us, t_us)
            handle._run()
            await settle()
        self._now_us = until
        await settle()


async def settle() -> None:
    """Runs the event loop until it is idle and all writes are committed; the clock does not advance."""
    idle = 0
    while idle < _IDLE_ITERATIONS:
        is_busy = any(store.is_busy for store in _stores)
        await asyncio.sleep(_PAUSE_S if is_busy else 0)
        idle = 0 if is_busy else idle + 1


class TrackedStore(Store):
    """A store that counts its pending reads and writes."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._waiting = 0
        self.fails = False
        _stores.add(self)

    @property
    def is_busy(self) -> bool:
        return self._waiting > 0

    def submit(self, write: Write) -> "asyncio.Future[None]":
        if self.fails:
            failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            failed.set_exception(NotSaved("no space left on device"))
            return failed
        self._waiting += 1
        future = super().submit(write)
        future.add_done_callback(self._done)
        return future

    async def read(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        self._waiting += 1
        try:
            return await super().read(query, *args, **kwargs)
        finally:
            self._waiting -= 1

    def _done(self, _: "asyncio.Future[None]") -> None:
        self._waiting -= 1

    def close(self) -> None:
        super().close()
        _stores.discard(self)


class FirstMoveEngine(EnginePool):
    """An engine that plays the first legal move, and can fail a number of times."""

    def __init__(self) -> None:
        super().__init__(workers=4, memory_mib=0)
        self.requests = 0
        self.owners: list[Owner] = []
        self.failures = 0

    async def choose(
        self, game: CalledGame, strength: int, seed: str, left_ms: int | None, owner: Owner
    ) -> Move:
        assert 1 <= strength <= 10
        assert seed
        assert left_ms is None or left_ms >= 0
        self.requests += 1
        self.owners.append(owner)
        if self.failures:
            self.failures -= 1
            raise EngineError("engine_died", "engine_died")
        return game.legal_moves()[0]


class RecordingListener:
    """Records every message that is sent to it, as those of a room if it is given."""

    def __init__(self, *players: int, room: Room | None = None) -> None:
        self.players = frozenset(players)
        self.received: list[dict[str, Any]] = []
        if room is not None:
            room.audience.add(self)

    def send(self, text: str) -> None:
        self.received.append(json.loads(text))

    def events(self, kind: str | None = None) -> list[dict[str, Any]]:
        found = [message for message in self.received if message["type"] == "event"]
        return [message for message in found if kind in (None, message["body"]["kind"])]


class RoomsHarness:
    """Rooms with a fake clock, a first-move engine and a store in a folder or at a URL."""

    def __init__(self, at: Path | str, time: FakeClock | None = None) -> None:
        self.time = time or FakeClock()
        url = at if isinstance(at, str) else sqlite_url(at / "games.db")
        self.store = TrackedStore(url).open()
        self.computer = FirstMoveEngine()
        self.time.leads = Leads()
        self.rooms = Rooms(self.store, self.time, self.computer, MessageEncoder(self.time.leads))
        self.games = Games(self.rooms)

    async def __aenter__(self) -> Self:
        await self.rooms.start()
        await settle()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.rooms.stop()
        self.store.close()

    async def expire(self, days: int = 0) -> int:
        """Waits, marks what has expired, and deletes what was marked long before; returns its number."""
        self.time._now_us += days * DAY_US
        self.rooms.close_idle()
        return await delete_expired(self.rooms)


def request(**changes: object) -> NewGameRequest:
    """Returns a new game of Brandub between friends, Ana with the attackers."""
    usual = {"variant": "brandub-globe", "opponent": "friend", "side": "attackers", "name": "Ana"}
    return NewGameRequest.model_validate({**usual, **changes})


def created(**changes: Any) -> Created:
    """Returns the first event of such a game."""
    rules = variant("brandub-globe")
    usual = {"variant": rules.id, "revision": rules.revision, "rules": rules.rules.hash, "switches": {}}
    calls = {"start": None, "calls": "off", "sanction": "none", "replay": "any_piece"}
    sides = {"opponent": "friend", "level": None, "side": "attackers", "name": "Ana", "lot": None}
    return Created(**{**usual, **calls, **sides, "form": "single", "clock": NoClock(), **changes})


class HasGames(Protocol):
    """A process."""

    games: Games


async def friends(process: HasGames, **changes: object) -> Room:
    """Returns a game that Ana and Bran have joined."""
    room, invite = await process.games.create(request(**changes), ANA)
    assert invite is not None
    await process.games.join(room.id, BRAN, invite, "Bran")
    return room


async def play(
    room: Room,
    players: frozenset[int],
    move: object,
    call: int = 0,
    *,
    seq: int | None = None,
    message: str | None = None,
    received_us: int | None = None,
) -> int:
    """Plays a move, which is for the board of now unless an event is given."""
    at = room.state.seq if seq is None else seq
    command = MoveRequest(id=message or f"m{next(_ids)}", seq=at, move=str(move), call=call)
    return await room.act(players, command, received_us or room.time.now_us())


async def do(room: Room, players: frozenset[int], action: Action, seq: int | None = None) -> int:
    """Does what players may do besides moving."""
    at = room.state.seq if seq is None else seq
    return await room.act(players, CommandRequest(id=f"c{next(_ids)}", seq=at, do=action), room.time.now_us())


async def refuses(work: Awaitable[object]) -> str:
    """Returns the code of the refusal of some work."""
    with pytest.raises(Refused) as caught:
        await work
    return caught.value.code


async def load(store: Store, game: str) -> StoredGame:
    """Returns a game that is stored."""
    found = await store.read(reading.load, game)
    assert found is not None
    return found


def refused_escape(called: CalledGame) -> tuple[Move, Move, Move]:
    """Finds a move to an open road, an idle one of the attackers, and the escape that is refused."""
    for first in called.legal_moves():
        if not called.play(first).required:
            continue
        for idle in called.play(first).legal_moves():
            then = called.play(first).play(idle)
            for escape in then.legal_moves():
                if then.play(escape).refused:
                    return first, idle, escape
    raise AssertionError("no escape to refuse")
