"""The game worker of a process: its lease and slots, the rooms of these, and its end of the bus."""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable

from hnefi.server.cluster.bus import BusError
from hnefi.server.cluster.calls import address_of_worker
from hnefi.server.cluster.ends import End, Ends
from hnefi.server.cluster.game_worker import GameWorker
from hnefi.server.cluster.messages import ALL, AnyMessage, Leaving, Owners
from hnefi.server.cluster.owned_rooms import OwnedRooms
from hnefi.server.cluster.ownership import Ownership
from hnefi.server.cluster.site_time import SiteTime
from hnefi.server.store import NotSaved, Store, slot_of
from hnefi.server.store.leases import Leases, Taken

__all__ = ["WorkerPart"]

_log = logging.getLogger(__name__)
_RETRY_S = 0.5
_WEIGHTS_S = 0.5


class WorkerPart:
    """Owns slots, and serves their games. If the lease is lost, it goes on as another worker."""

    def __init__(
        self,
        ends: Ends,
        leases: Leases,
        store: Store,
        time: SiteTime,
        rooms_for: Callable[[Callable[[str], bool]], OwnedRooms],
        on_owners: Callable[[Iterable[tuple[int, int | None, int]]], None],
    ) -> None:
        """Creates it; `start` begins.

        Args:
            ends: The ends of the bus in this process.
            leases: The statements about slots.
            store: The store of games, with the lease.
            time: The time of the site.
            rooms_for: Creates the rooms, given what checks whether this worker owns a game.
            on_owners: Called with slots that this worker took or released, with owner and epoch.
        """
        self._ends = ends
        self._time = time
        self._on_owners = on_owners
        self.ownership = Ownership(leases, time, self)
        self.rooms = rooms_for(self.ownership.owns)
        time.on_step = self.rooms.send_states
        self.games = GameWorker(_Nowhere(), self.rooms, store, time, self.ownership.epoch)
        self._end: End | None = None
        self._epochs: dict[int, int] = {}
        self._weights = Counter[int]()
        self._weighed_s = 0.0
        self._running: asyncio.Task[None] | None = None
        self._moving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begins a worker, takes slots if there are free ones, and serves them.

        Raises:
            NotSaved: If the database cannot write.
            BusError: `bus_unreachable`.
        """
        await self.ownership.begin()
        await self._open_end()
        await self.rooms.start()
        await self.ownership.step()
        self._running = asyncio.get_running_loop().create_task(self.ownership.run())
        self._running.add_done_callback(_log_failure)

    async def stop(self) -> None:
        """Hands all slots over, after what was begun in them."""
        with contextlib.suppress(NotSaved):
            await self.ownership.stop()
        for task in (self._running, self._moving):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        await self.games.stop()
        await self.rooms.stop()
        if self._end is not None:
            self._end.send(ALL, Leaving())
            await self._ends.close(self._end)

    async def _open_end(self) -> None:
        """Opens the end at the address of the worker, and closes that of the one before."""
        worker = self.ownership.worker
        if worker is None:
            return
        before, address = self._end, address_of_worker(worker)
        if before is not None and before.address == address:
            return
        end = self._ends.create(address)
        end.bus.on_silence = self.rooms.heartbeat.set_cut_off
        await self._ends.start(end, self.games, self._on_message)
        self._end = self.games.bus = end
        if before is not None:
            await self._ends.close(before)

    def _on_message(self, sender: str, message: AnyMessage, text: str | None) -> None:
        if isinstance(message, Owners | Leaving) and sender.startswith("w:"):
            self.ownership.wake()
        self.games.on_message(sender, message, text)

    # Called by `Ownership`

    def on_taken(self, taken: Taken) -> None:
        """Serves slots, and announces that."""
        self._epochs.update(taken.slots)
        self.rooms.take(taken)
        if self._moving is None or self._moving.done():
            self._moving = asyncio.get_running_loop().create_task(self._announce_taken())

    async def _announce_taken(self) -> None:
        """Announces all slots that this worker owns, once it can be reached."""
        while True:
            try:
                await self._open_end()
                break
            except BusError as error:
                _log.warning("%s", error)
                await asyncio.sleep(_RETRY_S)
        worker = self.ownership.worker
        self._announce((slot, worker, epoch) for slot, epoch in self.ownership.slots.items())

    async def on_leaving(self, slots: Collection[int]) -> None:
        """Finishes what was begun in slots, and drops their rooms."""
        await self.rooms.release(slots)
        self.games.forget(slots)

    def on_released(self, slots: Collection[int]) -> None:
        """Announces that nobody owns slots."""
        self._announce((slot, None, self._epochs.get(slot, 0)) for slot in slots)

    async def on_lost(self) -> None:
        """Drops every room."""
        await self.rooms.release()
        self.games.forget(None)

    def weight(self, slot: int) -> int:
        """Counts the rooms of a slot, about twice a second."""
        now_s = asyncio.get_running_loop().time()
        if now_s - self._weighed_s > _WEIGHTS_S:
            self._weighed_s = now_s
            self._weights = Counter(map(slot_of, self.rooms.games_loaded()))
        return self._weights[slot]

    def _announce(self, owners: Iterable[tuple[int, int | None, int]]) -> None:
        changed = list(owners)
        self._on_owners(changed)
        if self._end is not None and changed:
            self._end.send(ALL, Owners(slots=changed))


class _Nowhere:
    """Stands in for the end of the bus until there is one."""

    def send(self, *_: object) -> None:
        """Sends nothing."""

    def add_peer(self, _: str) -> None:
        """Adds nobody."""

    def forget(self, _: str) -> None:
        """Forgets nobody."""


def _log_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.critical("this process renews its lease no more", exc_info=error)
