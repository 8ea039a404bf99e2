"""A world for tests: time that only goes on when told, opponents that play at once, a store in a folder."""

import asyncio
import heapq
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import Connection

from hnefi._core import CalledGame, Move
from hnefi.errors import EngineError
from hnefi.server.games.new_game import NewGame
from hnefi.server.games.rooms import Rooms
from hnefi.server.messages.http import NewGameRequest
from hnefi.server.messages.views import MessageEncoder
from hnefi.server.store import Store
from hnefi.server.store.database import sqlite_url
from hnefi.server.store.rows import Write

ANA, BRAN, EVE = "a" * 64, "b" * 64, "e" * 64
T = TypeVar("T")
_stores: set["WatchedStore"] = set()
_PAUSE_S = 0.001
_CALM = 50
"""After how many iterations of the event loop without a waiting write everything has happened."""


class FakeTime:
    """Time that stands still until it is moved."""

    def __init__(self, now_us: int = 1_700_000_000_000_000) -> None:
        self._now_us = now_us
        self._sleeping: list[tuple[int, int, asyncio.Future[None]]] = []
        self._number = itertools.count()

    def now_us(self) -> int:
        return self._now_us

    async def sleep_until(self, t_us: int) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleeping, (t_us, next(self._number), future))
        await future

    async def advance(self, us: int) -> None:
        """Goes on, stopping wherever somebody wakes."""
        until = self._now_us + us
        await settle()
        while self._sleeping and self._sleeping[0][0] <= until:
            t_us, _, future = heapq.heappop(self._sleeping)
            if future.done():
                continue
            self._now_us = max(self._now_us, t_us)
            future.set_result(None)
            await settle()
        self._now_us = until
        await settle()


async def settle() -> None:
    """Waits until everything has happened that needs no time, commits included."""
    calm = 0
    while calm < _CALM:
        is_busy = any(store.is_busy for store in _stores)
        await asyncio.sleep(_PAUSE_S if is_busy else 0)
        calm = 0 if is_busy else calm + 1


class WatchedStore(Store):
    """A store that knows whether somebody waits for it."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._waiting = 0
        _stores.add(self)

    @property
    def is_busy(self) -> bool:
        return self._waiting > 0

    def write(self, write: Write) -> "asyncio.Future[None]":
        self._waiting += 1
        future = super().write(write)
        future.add_done_callback(self._done)
        return future

    async def _read(self, read: Callable[[Connection], T]) -> T:
        self._waiting += 1
        try:
            return await super()._read(read)
        finally:
            self._waiting -= 1

    def _done(self, _: "asyncio.Future[None]") -> None:
        self._waiting -= 1

    def close(self) -> None:
        super().close()
        _stores.discard(self)


class FirstMove:
    """A computer that plays the first legal move."""

    def __init__(self) -> None:
        self.asked = 0
        self.fails = 0

    async def choose(self, game: CalledGame, level: int, seed: str, left_ms: int | None) -> Move:
        assert 1 <= level <= 10
        assert seed
        assert left_ms is None or left_ms >= 0
        self.asked += 1
        if self.fails:
            self.fails -= 1
            raise EngineError("engine_died", "engine_died")
        return game.legal_moves()[0]


class Ear:
    """Somebody who follows a game and remembers everything."""

    def __init__(self, *players: int) -> None:
        self.players = frozenset(players)
        self.heard: list[dict[str, Any]] = []

    def send(self, text: str) -> None:
        self.heard.append(json.loads(text))

    def events(self, kind: str | None = None) -> list[dict[str, Any]]:
        found = [message for message in self.heard if message["type"] == "event"]
        return [message for message in found if kind in (None, message["body"]["kind"])]


class World:
    """Rooms over a store in a folder."""

    def __init__(self, folder: Path, time: FakeTime | None = None) -> None:
        self.time = time or FakeTime()
        self.store = WatchedStore(sqlite_url(folder / "games.db"))
        self.computer = FirstMove()
        self.rooms = Rooms(self.store, self.time, self.computer, MessageEncoder())

    async def __aenter__(self) -> Self:
        await self.rooms.start()
        await settle()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.rooms.stop()
        self.store.close()


def request(**changes: object) -> NewGame:
    """Returns a new game of Brandub between friends, Ana with the attackers."""
    usual = {"variant": "brandub-globe", "opponent": "friend", "side": "attackers", "name": "Ana"}
    return NewGameRequest.model_validate({**usual, **changes}).new_game()


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
