"""Who owns which slot, as one process knows it: a copy of the table in the database."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple, Protocol

from hnefi.server.store import NotSaved

__all__ = ["KnownOwner", "OwnerTable", "StoredOwner"]

_log = logging.getLogger(__name__)
_LEAST_GAP_S = 0.25
_REGULAR_S = 5.0


class StoredOwner(Protocol):
    """A row of the table: see `hnefi.server.store.leases.Owner`."""

    @property
    def slot(self) -> int:
        """The number of the slot."""

    @property
    def worker(self) -> int | None:
        """The id of the game worker, None if nobody owns it."""

    @property
    def epoch(self) -> int:
        """The fencing counter, which grows with every change of owner."""


class KnownOwner(NamedTuple):
    """The owner of a slot.

    Attributes:
        epoch: The fencing counter; the highest one is right.
        worker: The id of the game worker, None if nobody owns the slot.
    """

    epoch: int
    worker: int | None


_NOBODY = KnownOwner(0, None)


class OwnerTable:
    """The owners of all slots. The highest epoch wins, wherever it comes from.

    Attributes:
        on_change: Called with the slots that have another owner than before.
    """

    def __init__(
        self,
        read: Callable[[], Awaitable[Iterable[StoredOwner]]],
        *,
        least_gap_s: float = _LEAST_GAP_S,
        regular_s: float = _REGULAR_S,
    ) -> None:
        """Creates an empty table.

        Args:
            read: Reads the table of the database.
            least_gap_s: The least time between two reads.
            regular_s: After which time it is read without a reason.
        """
        self._read = read
        self.on_change: Callable[[set[int]], None] = lambda _: None
        self._least_gap_s, self._regular_s = least_gap_s, regular_s
        self._owners: dict[int, KnownOwner] = {}
        self._is_due = asyncio.Event()

    def of(self, slot: int) -> KnownOwner:
        """Returns the owner of a slot, as far as it is known."""
        return self._owners.get(slot, _NOBODY)

    @property
    def has_any(self) -> bool:
        """Whether somebody owns a slot."""
        return any(owner.worker is not None for owner in self._owners.values())

    def note(self, owners: Iterable[tuple[int, int | None, int]]) -> None:
        """Notes owners: for each the slot, the worker or None, and the epoch; old news changes nothing."""
        changed = set()
        for slot, worker, epoch in owners:
            known = self.of(slot)
            # With the same epoch, a slot without owner is the newer one: its owner has given it up.
            if epoch > known.epoch or (epoch == known.epoch and worker is None and known.worker is not None):
                self._owners[slot] = KnownOwner(epoch, worker)
                changed.add(slot)
        if changed:
            self.on_change(changed)

    def doubt(self) -> None:
        """Reads the table soon: there is a reason to think that it has changed."""
        self._is_due.set()

    async def read(self) -> None:
        """Reads the table.

        Raises:
            NotSaved: If the database cannot be read.
        """
        self._is_due.clear()
        self.note((owner.slot, owner.worker, owner.epoch) for owner in await self._read())

    async def run(self) -> None:
        """Reads the table regularly, and soon after doubts."""
        while True:
            await asyncio.sleep(self._least_gap_s)
            try:
                async with asyncio.timeout(self._regular_s):
                    await self._is_due.wait()
            except TimeoutError:
                pass
            try:
                await self.read()
            except NotSaved as error:
                _log.warning("could not read who owns which games: %s", error)
                self._is_due.set()
