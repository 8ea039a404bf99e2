"""What a process tells the others on the same PostgreSQL, and hears from them.

Notices only wake: events and connections are compared every two seconds for games that somebody follows
here, and whenever somebody begins to follow a game. One that nobody follows is compared when it is asked for.
"""

import asyncio
import contextlib
import logging
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from hnefi.errors import HnefiError
from hnefi.server.games.room import Room
from hnefi.server.presence import PeopleHere
from hnefi.server.refusals import Refused
from hnefi.server.store import processes, reading
from hnefi.server.store.notices import Listening, Notice, events_of
from hnefi.server.store.rows import Conflict, Counts, NotSaved, Write

if TYPE_CHECKING:
    from hnefi.server.games.rooms import Rooms

_log = logging.getLogger(__name__)
_LOOK_S = 2.0
_WATCH_S = 1.0
_FLUSH_S = 0.05
"""How long connections that come and go are gathered before others are told."""


class Sharing:
    """The other processes, as this one sees them.

    Attributes:
        here: Who is connected to each of them.
        alive: How many processes are alive, this one among them.
    """

    def __init__(self, rooms: "Rooms") -> None:
        """Creates it for the games of this process; `start` listens."""
        self._store, self._time, self._rooms, self._tasks = rooms.store, rooms.time, rooms, rooms.tasks
        self._listening: Listening | None = None
        self._me = 0
        self._ended: set[int] = set()
        self._is_known = False
        self._dirty: dict[str, None] = {}
        self._is_flushing = False
        self.here: list[PeopleHere] = []
        self.alive = 1
        self._noticed = 0
        """How many notices of others were received."""

    async def start(self, me: int) -> None:
        """Listens to the others, and watches over them."""
        loop = asyncio.get_running_loop()
        _log.info("this is process %d of its database", me)

        def on_notice(notice: Notice | None) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._hear, notice)

        self._listening = Listening(self._store.url, me, on_notice)
        self.set_process(me)
        for work in (self._look(), self._watch()):
            self._tasks.spawn(work)

    def set_process(self, me: int) -> None:
        """Sets the id of this process, which is a new one after others have taken it for dead."""
        self._me = me
        self._store.writer.process = me
        if self._listening is not None:
            self._listening.me = me
        self.note_presence(name for name in self._rooms.loaded if any(self._here(name)))

    async def stop(self) -> None:
        """Stops listening."""
        if self._listening is not None:
            await asyncio.to_thread(self._listening.close)

    # What others have committed

    def _hear(self, notice: Notice | None) -> None:
        """Takes over what another process has committed; None if something may have been missed."""
        if notice is None:
            self._tasks.spawn(self.check_all(list(self._rooms.loaded)))
            return
        self._noticed += 1
        self._store.writer.process = self._me
        if notice.is_busy:
            self._tasks.spawn(self._claim())
        for game, rows in notice.events.items():
            if (room := self._rooms.loaded.get(game)) is not None and not self._absorbs(room, rows):
                self._tasks.spawn(self._catch_up(room))
        for game in notice.changed:
            if (room := self._rooms.loaded.get(game)) is not None:
                self._tasks.spawn(self._catch_up(room))
        for game, counts in notice.present.items():
            if (room := self._rooms.loaded.get(game)) is not None:
                room.audience.set_elsewhere_at(notice.process, counts)

    def _absorbs(self, room: Room, rows: Iterable[Sequence[Any]]) -> bool:
        """Takes over events if that is possible now, and nothing is missing."""
        if room.lock.locked():
            return False
        # If it fails, the game is read again, and set aside.
        with contextlib.suppress(HnefiError, TypeError, ValueError, LookupError, AssertionError):
            room.absorb(events_of(rows))
            return True
        return False

    async def _claim(self) -> None:
        with contextlib.suppress(NotSaved, Conflict):
            await self._rooms.computer.take()

    async def _catch_up(self, room: Room) -> None:
        try:
            await room.catch_up()
        except (NotSaved, Refused) as error:
            _log.warning("could not read what others did in %s: %s", room.id, error)

    async def check(self, room: Room) -> None:
        """Has a room show nothing older than the database: its process may have died before it told anybody.

        Raises:
            Refused: `unknown_game`, `damaged_game`.
            NotSaved: If the database cannot be read.
        """
        await room.catch_up()
        elsewhere = await self._store.read(processes.present_elsewhere, self._me, (room.id,))
        room.audience.set_elsewhere(elsewhere.get(room.id, {}))

    async def check_all(self, games: Collection[str]) -> None:
        """Reads those of some games again that are behind, and who is connected to them elsewhere."""
        if not games:
            return
        try:
            heads = await self._store.read(reading.last_events, games)
            elsewhere = await self._store.read(processes.present_elsewhere, self._me, games)
        except NotSaved as error:
            _log.warning("could not look at what others did: %s", error)
            return
        for game in games:
            room = self._rooms.loaded.get(game)
            if room is None:
                continue
            room.audience.set_elsewhere(elsewhere.get(game, {}))
            if heads.get(game, 0) > room.state.seq:
                await self._catch_up(room)

    async def _look(self) -> None:
        """Looks at the games that somebody follows here: a notice may have been lost."""
        while True:
            await asyncio.sleep(_LOOK_S)
            await self.check_all(
                [name for name, room in self._rooms.loaded.items() if not room.audience.is_empty]
            )

    # Who is connected here

    def note_presence(self, games: Iterable[str]) -> None:
        """Has others learn soon how many connections this process has to games."""
        self._dirty.update(dict.fromkeys(games))
        if self._dirty and not self._is_flushing:
            self._is_flushing = True
            self._tasks.spawn(self._flush())

    async def _flush(self) -> None:
        """Writes the counts of what has changed, until that succeeds."""
        try:
            while self._dirty:
                await asyncio.sleep(_FLUSH_S)
                games, self._dirty = self._dirty, {}
                counts = {name: self._here(name) for name in games}
                followed = [name for name, one in counts.items() if any(one)]
                work = partial(processes.set_present, me=self._me, counts=counts)
                try:
                    await self._store.submit(Write(work=work, present=counts))
                    self._tasks.spawn(self._check_soon(followed))
                except (NotSaved, Conflict):
                    self._dirty = {**games, **self._dirty}
                    await asyncio.sleep(_WATCH_S)
        finally:
            self._is_flushing = False

    async def _check_soon(self, games: Collection[str]) -> None:
        """Reads what others added to games before they knew that somebody follows them here."""
        await asyncio.sleep(_FLUSH_S)
        await self.check_all(games)

    def _here(self, game: str) -> Counts:
        room = self._rooms.loaded.get(game)
        return Counts() if room is None else room.audience.here

    # Who is alive

    async def _watch(self) -> None:
        is_failing = False
        while True:
            await asyncio.sleep(_WATCH_S)
            try:
                await self.look_at_others()
                is_failing = False
            except (NotSaved, Conflict) as error:
                if not is_failing:
                    _log.warning("could not look at the other processes: %s", error)
                is_failing = True

    async def look_at_others(self) -> None:
        """Reads who is connected elsewhere, and takes over the games of processes that have died or ended."""
        now_us = self._time.now_us()
        noticed = self._noticed
        others = await self._store.read(processes.read_others, self._me)
        self.here = [here for one in others if (here := _people(one.here)) is not None]
        # After an outage of the database everybody was silent for a while.
        heartbeat, patience_us = self._rooms.heartbeat, 2 * processes.SILENT_US
        is_steady = not heartbeat.is_outage and heartbeat.steady_since_us < now_us - patience_us
        silent_us = now_us - processes.SILENT_US
        if is_steady and any(not one.has_ended and one.beat_us < silent_us for one in others):
            for silent in await self._store.change(processes.claim_silent, self._me, now_us):
                await self._take_over(silent)
        # One that starts says so by a notice.
        is_alone = all(one.has_ended for one in others)
        self._store.writer.process = None if is_alone and noticed == self._noticed else self._me
        ended = {one.id for one in others if one.has_ended}
        if ended - self._ended and self._is_known:
            # It watched over deadlines that it alone knew.
            await self._rooms.deadlines.read()
        self._ended, self._is_known = ended, True
        self.alive = 1 + len(others) - len(ended)
        await self._rooms.computer.take()

    async def _take_over(self, silent: processes.Silent) -> None:
        """Charges the silence of a process to no clock of its players, and has others forget it."""
        _log.error("process %d is silent; live games of its players: %d", silent.id, len(silent.games))
        for game, players in silent.games.items():
            try:
                room = await self._rooms.room(game)
                await room.resume(silent.beat_us, players, f"resumed-{silent.id}")
            except Refused:  # deleted, or damaged, which is logged
                continue
        await self._store.change(processes.bury, silent.id)
        await self._rooms.deadlines.read()
        self._tasks.spawn(self.check_all(list(self._rooms.loaded)))


def _people(here: str) -> PeopleHere | None:
    with contextlib.suppress(ValueError):  # nobody yet, or of another version
        return PeopleHere.model_validate_json(here)
    return None
