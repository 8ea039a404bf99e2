"""Streams of jobs, read by a group of engine workers: what the rest of the cluster knows of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from hnefi.workers.searches import SearchKind

__all__ = ["Entry", "EntryId", "Stream", "StreamError"]


class StreamError(Exception):
    """The server of the streams does not answer as it should; it is to be tried again."""


@dataclass(frozen=True, slots=True)
class EntryId:
    """The key of a job in its stream.

    Attributes:
        kind: The kind of the search; there is a stream for each.
        text: The id that the server gave.
    """

    kind: SearchKind
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A job that was taken from a stream.

    Attributes:
        id: Its key.
        job: The job, as JSON.
        age_ms: How long ago it was added, by the clock of the server of the streams.
    """

    id: EntryId
    job: bytes
    age_ms: float


class Stream(Protocol):
    """The streams of jobs for opponents and for analyses. All methods may raise a `StreamError`."""

    async def add(self, kind: SearchKind, job: bytes) -> EntryId:
        """Adds a job."""

    async def remove(self, entry: EntryId) -> None:
        """Removes a job, whether it was taken or not."""

    async def missing(self, entries: Sequence[EntryId]) -> set[EntryId]:
        """Returns those jobs that were finished or removed, or got lost with the server."""

    async def take(self, consumer: str, wait_s: float) -> list[Entry]:
        """Waits for the next job; those for opponents come first. Rarely there are two, one of each kind."""

    async def take_over(self, consumer: str, idle_s: float) -> list[Entry]:
        """Takes a job that another consumer took, and has not kept for this time."""

    async def keep(self, consumer: str, entries: Sequence[EntryId]) -> None:
        """Shows that a consumer still carries out these jobs."""

    async def finish(self, entry: EntryId) -> None:
        """Acknowledges and removes a job."""

    async def close(self) -> None:
        """Closes the connections."""
