"""The rooms of this process: loads games, and has them watched.

A game is loaded when somebody touches it or its clock runs out, and dropped when nobody has for two minutes,
unless a live clock runs or the computer is choosing a move.
"""

import asyncio
import contextlib
import logging
from typing import Protocol

from hnefi._core import Rules
from hnefi.errors import VariantError
from hnefi.server import events as e
from hnefi.server.games.audience import Attendance
from hnefi.server.games.background import BackgroundTasks
from hnefi.server.games.clocks import GRACE_US, SECOND_US
from hnefi.server.games.computer_moves import ComputerMoves
from hnefi.server.games.deadlines import Deadlines
from hnefi.server.games.expiry import delete_expired
from hnefi.server.games.heartbeat import Heartbeat
from hnefi.server.games.machine_clock import MachineClock
from hnefi.server.games.room import Room
from hnefi.server.games.set_aside import SetAside, rules_of
from hnefi.server.games.state import State
from hnefi.server.games.time import Time
from hnefi.server.refusals import Refused, refused
from hnefi.server.store import changes, processes, reading
from hnefi.server.store.rows import NotSaved, StoredGame
from hnefi.server.store.store import Store
from hnefi.workers.engines import EnginePool

_log = logging.getLogger(__name__)
_IDLE_US = 120 * SECOND_US
"""After how long without a listener a room leaves memory, except one with a live clock."""

_SWEEP_S = 30.0
_SWEEPS_PER_EXPIRY = 120
_SWEEPS_PER_HORIZON = 60
_MOST_RULES = 2_000
_MAX_ROOMS = 100_000


class Encoder(Protocol):
    """Encodes what is sent to listeners; each text is made once for all of them."""

    def event(self, game: str, state: State, event: e.Event) -> str:
        """Returns the message of an event that `state` contains already."""

    def state(self, room: Room, players: frozenset[int]) -> str:
        """Returns the message of the whole state, for a viewer with these seats."""

    def presence(self, game: str, attendance: Attendance) -> str:
        """Returns the message that a player or a spectator came or left."""


class Rooms:
    """The games that are in memory of this process.

    Attributes:
        loaded: The games in memory.
        tasks: What runs in the background, and ends with the server.
        deadlines: Those of games whose clock runs.
        rules: Compiled rules, by their hash.
        sharing: The other processes; None on SQLite, where there are none.
    """

    def __init__(self, store: Store, time: Time, engines: EnginePool, encoder: Encoder) -> None:
        """Creates the collection without any room."""
        self.store, self.time, self.encoder = store, time, encoder
        self.loaded: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self.rules: dict[str, Rules] = {}
        self.restarts: list[e.Restart] = []
        self.set_aside = SetAside()
        self.tasks = BackgroundTasks()
        self.is_stopping = False
        self.deadlines = Deadlines(self)
        self.heartbeat = Heartbeat(self)
        if store.is_shared:
            # On SQLite the packages for processes that share a database need not be there.
            from hnefi.server.games.sharing import Sharing

            self.sharing: Sharing | None = Sharing(self)
        else:
            self.sharing = None
        self.computer = ComputerMoves(engines, self)
        self.machine_clock = MachineClock(self)

    async def start(self) -> None:
        """Notes the start, for which no clock is charged if nobody was alive, and starts its tasks."""
        await self.machine_clock.start()
        await self._begin()
        if self.sharing is not None:
            await self.sharing.start(self.heartbeat.process)
        await self.deadlines.read()
        for work in (self.heartbeat.run(), self._sweep(), self.computer.take_all()):
            self.tasks.spawn(work)

    async def _begin(self) -> None:
        """Adds this process, and a restart of the site if no other one is alive; reads all restarts."""
        self.heartbeat.begin(await self.store.change(processes.begin, self.time.now_us(), GRACE_US))
        self.restarts[:] = await self.store.read(reading.restarts)

    async def begin_anew(self) -> None:
        """Begins again after others have taken this process for dead."""
        restarts = len(self.restarts)
        await self._begin()
        if self.sharing is not None:
            self.sharing.set_process(self.heartbeat.process)
            # In the background: the heart must not stand still meanwhile.
            if len(self.restarts) > restarts:
                self.tasks.spawn(self._read_all_anew())
            else:
                self.tasks.spawn(self.sharing.check_all(list(self.loaded)))

    async def _read_all_anew(self) -> None:
        for room in list(self.loaded.values()):
            try:
                await room.begin_anew()
            except (NotSaved, Refused, ValueError) as error:
                _log.warning("could not read %s again: %s", room.id, error)

    def has_others(self) -> bool:
        """Checks whether other processes are alive."""
        return self.sharing is not None and self.sharing.alive > 1

    async def load_quietly(self, game: str) -> Room | None:
        """Loads a game in the background; None if that fails."""
        await asyncio.sleep(0)
        try:
            return await self.room(game)
        except Refused:  # deleted meanwhile, or damaged, which is logged
            return None
        except NotSaved as error:
            _log.warning("could not load %s: %s", game, error)
            return None

    async def stop(self) -> None:
        """Cancels all tasks, waits for them, and tells other processes that this one has ended."""
        searches = list(self.computer.searches)
        await self._end_tasks()
        await self.heartbeat.end(searches)

    async def _end_tasks(self) -> None:
        self.is_stopping = True
        if self.sharing is not None:
            await self.sharing.stop()
        await self.tasks.cancel()
        # A write that was cancelled is followed by reading the game again, which needs the store.
        for room in list(self.loaded.values()):
            await room.audience.tasks.wait()

    async def _sweep(self) -> None:
        """Closes idle rooms every half minute, and marks and deletes expired games every hour."""
        count = 0
        while True:
            await asyncio.sleep(_SWEEP_S)
            self.close_idle()
            count += 1
            try:
                await self.machine_clock.check()
                if count % _SWEEPS_PER_HORIZON == 0:
                    await self.deadlines.read()
                if count % _SWEEPS_PER_EXPIRY == 1:
                    await delete_expired(self)
            except NotSaved:
                _log.warning("could not read deadlines or delete expired games")

    def close_idle(self) -> None:
        """Removes rooms unused for two minutes, unless a live clock runs or the computer searches."""
        before_us = self.time.now_us() - _IDLE_US
        for game, room in list(self.loaded.items()):
            is_idle = room.audience.is_empty and room.used_us < before_us and not room.lock.locked()
            is_live = room.state.created.clock.kind == "fischer" and game in self.deadlines.timers
            if is_idle and not is_live and game not in self.computer.searches:
                del self.loaded[game]

    def send_states(self) -> None:
        """Sends the whole state to everybody: the clock of the machine was set, and all times with it."""
        for room in self.loaded.values():
            room.send_state()

    async def room(self, game: str) -> Room:
        """Returns the room of a game, loading it if necessary.

        Raises:
            Refused: `unknown_game`, `server_full`; `damaged_game`, if its events contradict its rules or
                cannot be read. Such a game is set aside, and named in the log once.
        """
        if (room := self.loaded.get(game)) is not None:
            room.used_us = self.time.now_us()  # it stays in memory while the caller uses it
            if self.sharing is None or not room.audience.is_empty:
                return room
        if game in self.set_aside:
            raise refused("damaged_game", game=game)
        lock = self._opening.setdefault(game, asyncio.Lock())
        try:
            async with lock:
                if (room := self.loaded.get(game)) is None:
                    stored = await self.store.read(reading.load, game)
                    if stored is None:
                        raise refused("unknown_game", game=game)
                    # Somebody else may have loaded it meanwhile.
                    room = self.loaded.get(game) or self._open(stored)
                    if stored.is_marked:
                        self.tasks.spawn(self._unmark(game))
                if self.sharing is not None:
                    # What others added while it was loaded, or while nobody followed it here.
                    await self.sharing.check(room)
                return room
        except (ValueError, VariantError) as error:
            self.set_aside.note(game, error)
            self.deadlines.set_timer(game, None)
            raise refused("damaged_game", game=game) from error
        finally:
            if not lock.locked():
                self._opening.pop(game, None)

    async def _unmark(self, game: str) -> None:
        """Takes the mark from an expired game that somebody opened."""
        with contextlib.suppress(NotSaved):
            await self.store.change(changes.mark_games, (game,), None)

    def _open(self, stored: StoredGame) -> Room:
        if len(self.loaded) >= _MAX_ROOMS:
            raise refused("server_full")
        if len(self.rules) > _MOST_RULES:
            self.rules.clear()
        room = Room(stored, rules_of(stored, self.rules), self)
        self.loaded[stored.id] = room
        self.on_change(room)
        return room

    def on_change(self, room: Room) -> None:
        """Sets the timer of a game after every event, and lets the computer move."""
        state = room.state
        self.deadlines.set_timer(room.id, state.deadline_us)
        if state.has_computer and not self.is_stopping:
            self.computer.update(room)
