"""The slots of games that this game worker owns: renewed, taken, balanced and handed over (decision 40)."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Protocol

from hnefi.server.cluster.site_time import SiteTime
from hnefi.server.cluster.slots import PERIOD_S, Watch, share_of, surplus
from hnefi.server.games.clocks import GRACE_US
from hnefi.server.store import LeaseLost, NotSaved, slot_of
from hnefi.server.store.leases import Leases, Taken, WorkerBeats

__all__ = ["Ownership", "OwnershipListener"]

_log = logging.getLogger(__name__)

_LEAST_S = 0.05
"""The least time between two steps, however often somebody wakes it."""

_RELEASED_TOGETHER = 128
"""How many slots are released at once to balance, so that another worker can load their games meanwhile."""


class OwnershipListener(Protocol):
    """What the games of this worker have to do when slots change their owner."""

    def on_taken(self, taken: Taken) -> None:
        """Begins to serve slots: notes their restarts, starts to load their games, announces them."""

    async def on_leaving(self, slots: Collection[int]) -> None:
        """Finishes what was begun in these slots, and drops their rooms.

        `owns` is false for them already, so that no new command comes; writes still succeed until this
        returns.
        """

    def on_released(self, slots: Collection[int]) -> None:
        """Announces that nobody owns these slots, so that others take them at once."""

    async def on_lost(self) -> None:
        """Drops every room, and waits for the end of all that was begun: the lease is lost.

        Nothing is stored any more. When this returns, a new worker begins, without slots.
        """

    def weight(self, slot: int) -> int:
        """Returns how much is going on in a slot, such as its number of rooms; idle slots leave first."""


class Ownership:
    """Owns slots for this process, as one worker after the other.

    `run` needs no more than half a second for a step, or others end this worker: callbacks that take
    longer have to start tasks.

    Attributes:
        losses: How often the lease was lost.
    """

    def __init__(self, leases: Leases, time: SiteTime, listener: OwnershipListener) -> None:
        """Creates it without a worker.

        Args:
            leases: The statements, with the lease with which the store was opened.
            time: The time of the site, which was started; every step reads the clock of the database for it.
            listener: Called when slots change their owner.
        """
        self._leases = leases
        self._lease = leases.lease
        self._time = time
        self._listener = listener
        self._watch = Watch()
        self._slots: dict[int, int] = {}
        self._workers = 1
        self._is_stopping = False
        self._is_failing = False
        self.losses = 0
        self._wake = asyncio.Event()
        self._balancing: asyncio.Task[None] | None = None
        self._changing = asyncio.Lock()
        self._changes = 0

    @property
    def worker(self) -> int | None:
        """The id of this worker; None before `begin`, and while a new one begins after the lease was lost."""
        return self._lease.worker

    @property
    def slots(self) -> Mapping[int, int]:
        """The slots whose commands this worker carries out, with their epochs."""
        return MappingProxyType(self._slots)

    @property
    def readings(self) -> Mapping[str, Callable[[], float]]:
        """Its metrics, as `Metrics.read` takes them."""
        return {"hnefi_slots": lambda: len(self._slots), "hnefi_leases_lost_total": lambda: self.losses}

    def owns(self, game: str) -> bool:
        """Checks whether this worker carries out commands of a game."""
        return slot_of(game) in self._slots

    def epoch(self, slot: int) -> int | None:
        """Returns the epoch of a slot, None if this worker does not own it."""
        return self._slots.get(slot)

    async def begin(self) -> None:
        """Begins a worker without slots.

        Raises:
            NotSaved: If the database cannot write.
        """
        loop = asyncio.get_running_loop()

        def on_lost() -> None:
            loop.call_soon_threadsafe(self._wake.set)

        self._lease.on_lost = on_lost
        worker = await self._leases.begin(self._time.now_us())
        self._watch.reset()
        _log.info("this process is game worker %d (%s)", worker, self._lease.name)

    async def run(self) -> None:
        """Renews the lease, watches the others, takes and releases slots, until `stop`."""
        while not self._is_stopping or self._lease.worker is not None:
            try:
                await self.step()
            except Exception:
                # Without renewals the lease would be lost.
                _log.exception("a step of the game worker failed")
            if self._balancing is None or self._balancing.done():
                self._balancing = asyncio.get_running_loop().create_task(self.balance())
            await asyncio.sleep(_LEAST_S)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PERIOD_S - _LEAST_S):
                    await self._wake.wait()
            self._wake.clear()

    def wake(self) -> None:
        """Makes `run` look at once: slots were released, or a worker leaves."""
        self._wake.set()

    async def step(self) -> None:
        """Renews the lease, ends workers that are silent, and takes free slots up to the share."""
        try:
            if self._lease.worker is None:
                if not self._is_stopping:
                    await self.begin()
                return
            await self._leases.renew(self._time.now_us())
            changes = self._changes
            found = await self._leases.read()
            await self._compare(found, changes)
            await self._end_silent(found)
            if not self._is_stopping:
                await self._take()
            self._is_failing = False
        except LeaseLost:
            if not self._is_stopping:
                await self._begin_anew()
        except NotSaved as error:
            self._watch.reset()
            if not self._is_failing:
                _log.warning("could not renew the lease or take slots: %s", _first_line(error))
            self._is_failing = True

    async def balance(self) -> None:
        """Releases the slots above the share, some at a time."""
        above = surplus(self._slots, self._workers, self._listener.weight)
        if above and not self._is_stopping:
            await self.hand_over(above[:_RELEASED_TOGETHER])

    async def hand_over(self, slots: Collection[int]) -> None:
        """Releases slots, after what was begun in them."""
        async with self._changing:
            self._changes += 1
            worker = self._lease.worker
            leaving = [slot for slot in slots if self._slots.pop(slot, None) is not None]
            if not leaving:
                return
            await self._finish(leaving)
            if self._lease.worker != worker:
                return  # the lease was lost meanwhile
            try:
                await self._leases.hand_over(leaving, self._time.now_us())
            except NotSaved as error:
                # The next step finds out whether they were released.
                _log.warning("could not hand over %d slots: %s", len(leaving), _first_line(error))
                return
            self._listener.on_released(leaving)

    async def stop(self) -> None:
        """Releases all slots, after what was begun in them, and ends this worker; `run` returns.

        Raises:
            NotSaved: If the database cannot write; others then end this worker after 1.5 s.
        """
        self._is_stopping = True
        async with self._changing:
            leaving = list(self._slots)
            self._slots.clear()
            await self._finish(leaving)
            if self._lease.worker is not None:
                with contextlib.suppress(LeaseLost):
                    await self._leases.finish(self._time.now_us())
                self._lease.worker = None
            self._listener.on_released(leaving)
        self._wake.set()

    async def _finish(self, slots: Collection[int]) -> None:
        """Has the listener finish what was begun. If it cannot, the slots are released in any case."""
        try:
            await self._listener.on_leaving(slots)
        except Exception:
            _log.exception("games of %d slots could not be finished", len(slots))

    async def _compare(self, found: WorkerBeats, changes: int) -> None:
        """Adopts what was read: the time, and the slots, which may differ after a write that failed.

        Args:
            found: What was read.
            changes: How often slots had been released before that. What was read meanwhile is out of date.
        """
        if self._time.note(found.clock):
            self._time.learn(await self._leases.store.clock_readings())
        if self._lease.worker not in found.beats:
            raise LeaseLost(f"worker {self._lease.worker} has ended")
        is_current = changes == self._changes and not self._changing.locked()
        if found.slots == self._lease.slots or not is_current:
            return
        if not found.slots.items() >= self._lease.slots.items():
            raise LeaseLost("another worker has some of the slots")
        unknown = {slot: epoch for slot, epoch in found.slots.items() if slot not in self._lease.slots}
        async with self._changing:
            self._note(await self._leases.adopt(unknown))

    async def _end_silent(self, found: WorkerBeats) -> None:
        """Ends the workers that did not beat for a while."""
        others = {worker: beats for worker, beats in found.beats.items() if worker != self._lease.worker}
        clock = found.clock
        self._workers = len(found.beats)
        for worker in self._watch.observe(others, clock.sent_ns / 1e9, clock.received_ns / 1e9):
            if await self._leases.end(worker, others[worker]):
                self._workers -= 1
                _log.warning("game worker %d was silent: its slots are free", worker)

    async def _take(self) -> None:
        """Takes free slots up to the share."""
        missing = share_of(self._workers) - len(self._slots)
        if missing <= 0 or self._changing.locked():
            return
        async with self._changing:
            self._note(await self._leases.take(missing, self._time.now_us(), GRACE_US))

    def _note(self, taken: Taken) -> None:
        if taken.slots:
            self._slots.update(taken.slots)
            self._listener.on_taken(taken)

    async def _begin_anew(self) -> None:
        """Drops everything, and begins a new worker."""
        _log.error("game worker %s lost its lease: all its games are dropped", self._lease.worker)
        self.losses += 1
        self._lease.worker = None
        self._slots.clear()
        self._lease.slots.clear()
        try:
            await self._listener.on_lost()
        except Exception:
            _log.exception("games could not be dropped")
        with contextlib.suppress(NotSaved):  # the next step tries again
            await self.begin()


def _first_line(error: NotSaved) -> str:
    return str(error).partition("\n")[0]
