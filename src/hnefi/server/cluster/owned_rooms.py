"""The rooms of a game worker, which has only games of the slots that it owns."""

import asyncio
from collections.abc import Callable, Collection
from typing import Any

from hnefi.server.games.opponents import Opponents
from hnefi.server.games.room import Encoder, Room
from hnefi.server.games.rooms import Rooms
from hnefi.server.games.time import Time
from hnefi.server.store import LeaseLost, NotSaved, Store, StoredGame, slot_of
from hnefi.server.store.leases import Taken

__all__ = ["OwnedRooms"]

_FIRST_SLOT = 0
"""Its owner compares the clock of the database, and deletes expired games of the whole site."""

_RETRY_S = 1.0


class OwnedRooms(Rooms):
    """Rooms of slots that come and go. All that concerns a game of another owner raises `LeaseLost`."""

    def __init__(
        self,
        store: Store,
        time: Time,
        opponents: Opponents,
        encoder: Encoder,
        owns: Callable[[str], bool],
        **options: Any,
    ) -> None:
        """Creates it without slots; for the arguments see `Rooms`.

        Args:
            store: The store of games, with the lease of this worker.
            time: The time of the site.
            opponents: Chooses the moves of the computer.
            encoder: Encodes messages.
            owns: Checks whether this worker carries out commands of a game.
            options: Further arguments of `Rooms`.
        """
        super().__init__(store, time, opponents, encoder, **options)
        self._owns = owns
        self._slots: set[int] = set()
        # Only the owner of the first slot deletes.
        self.may_delete = False

    async def start(self) -> None:
        """Starts its tasks. It has no games until slots are taken."""
        for work in (self.timers.run(), self.heartbeat.run(), self._sweep()):
            self._tasks.spawn(work)

    async def stop(self) -> None:
        """Cancels all tasks, and waits for them; the lease ends by itself."""
        await self._end_tasks()

    def take(self, taken: Taken) -> None:
        """Begins to serve slots: loads their live games and near deadlines in the background."""
        self._slots.update(taken.slots)
        self._restarts.replace(taken.slots, taken.restarts)
        self._tasks.spawn(self._load_slots(taken.slots))

    async def _load_slots(self, slots: Collection[int]) -> None:
        while True:
            try:
                if _FIRST_SLOT in slots:
                    await self.machine_clock.start(await self._store.last_heartbeat())
                    self.may_delete = True
                await self._read_deadlines()
                await self._load_live()
                return
            except LeaseLost:
                return
            except NotSaved:
                await asyncio.sleep(_RETRY_S)

    async def release(self, slots: Collection[int] | None = None) -> None:
        """Waits for what was begun in slots that are owned no more, and drops their rooms.

        Args:
            slots: The slots, None for all.
        """
        if slots is None or _FIRST_SLOT in slots:
            self.may_delete = False
        chosen = None if slots is None else frozenset(slots)
        self._slots = set() if chosen is None else self._slots - chosen
        leaving = [room for game, room in self._rooms.items() if chosen is None or slot_of(game) in chosen]
        for room in leaving:
            self._computer.cancel(room.id)
        await asyncio.gather(*map(_finish, leaving))
        for room in leaving:
            if self._rooms.get(room.id) is room:
                del self._rooms[room.id]
        self.timers.keep(self._owns)

    async def room(self, game: str) -> Room:
        """Returns the room of a game of this worker."""
        self._check(game)
        return await super().room(game)

    def _open(self, stored: StoredGame) -> Room:
        # The slot may have been given up while the game was loaded.
        self._check(stored.id)
        return super()._open(stored)

    def _check(self, game: str) -> None:
        if not self._owns(game):
            raise LeaseLost(f"another worker owns the slot of {game}")

    async def _near_deadlines(self, before_us: int) -> list[tuple[str, int]]:
        found = await self._store.deadlines(before_us, self._slots)
        return [(game, due_us) for game, due_us in found if self._owns(game)]

    async def _waiting_games(self) -> tuple[list[str], list[str]]:
        live = await self._store.live(self._slots)
        unknown = await self._store.without_deadline(self._slots)
        return [game for game in live if self._owns(game)], [game for game in unknown if self._owns(game)]

    async def _check_clock(self) -> None:
        """Compares the clock of the database; others learn what the owner of the first slot noted."""
        if _FIRST_SLOT in self._slots:
            await super()._check_clock()

    async def _end_by_time(self, game: str) -> None:
        if self._owns(game):
            await super()._end_by_time(game)


async def _finish(room: Room) -> None:
    """Waits for the commands of a room, one of which may be waiting for a commit."""
    async with room.lock:
        pass
    await room.finish()
