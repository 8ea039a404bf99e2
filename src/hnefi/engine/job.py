"""One thing an engine is asked to think about, and the streams in which its answers come."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Self

from hnefi._core import Game, Move
from hnefi.engine.analysis import Analysis, Tell
from hnefi.engine.limits import Limit

__all__ = ["AnalysisStream", "AsyncAnalysisStream", "Job"]

# Waiting is done in steps, so that Ctrl-C gets through on every system.
_STEP_S = 0.1


@dataclass(eq=False, slots=True)
class Job:
    """One thing to think about.

    Attributes:
        game: The game; somebody is to move in it.
        moves: The moves to consider; all if there are none.
        limit: When to stop.
        lines: How many best moves are wanted.
        forgets: Whether it begins without anything remembered and can be done again exactly so.
        is_stopped: Whether it is to end at once, with what is known.
        is_abandoned: Whether nobody waits for it any more.
    """

    game: Game
    moves: tuple[Move, ...]
    limit: Limit
    lines: int
    forgets: bool = False
    is_stopped: bool = False
    is_abandoned: bool = False
    interrupt: Callable[["Job"], None] | None = field(default=None, repr=False)

    def stop(self, *, abandon: bool = False) -> None:
        """Ends it at once, from any thread."""
        self.is_stopped = True
        self.is_abandoned = self.is_abandoned or abandon
        if self.interrupt is not None:
            self.interrupt(self)


Run = Callable[[Job, Tell], Analysis]


class AnalysisStream(Iterator[Analysis]):
    """Analyses that get better and better, from a search in a thread of its own; the last one is final.

    Leaving a loop over it early, `close`, and the end of a `with` block stop the search at once.
    """

    def __init__(self, job: Job, run: Run) -> None:
        self._job = job
        self._queue: SimpleQueue[Analysis | BaseException] = SimpleQueue()
        self._is_over = False
        self._thread = threading.Thread(
            target=_into_queue, args=(job, run, self._queue.put), name="hnefi-analysis", daemon=True
        )
        self._thread.start()

    def __iter__(self) -> "AnalysisStream":
        return self

    def __next__(self) -> Analysis:
        if self._is_over:
            raise StopIteration
        while True:
            try:
                return self._taken(self._queue.get(timeout=_STEP_S))
            except Empty:
                continue

    def _taken(self, found: Analysis | BaseException) -> Analysis:
        self._is_over = isinstance(found, BaseException) or found.is_final
        if isinstance(found, BaseException):
            raise found
        return found

    def last(self) -> Analysis:
        """Waits for the final analysis and gives it."""
        found = Analysis(is_final=True)
        for analysis in self:
            found = analysis
        return found

    def stop(self) -> None:
        """Ends the search at once; what it knows still comes."""
        self._job.stop()

    def close(self) -> None:
        """Ends the search at once and waits until it is over; nothing comes any more."""
        self._is_over = True
        self._job.stop(abandon=True)
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self._job.stop(abandon=True)


class AsyncAnalysisStream(AsyncIterator[Analysis]):
    """The same for `async for`: nothing of it blocks the event loop."""

    def __init__(self, job: Job, run: Run) -> None:
        self._job = job
        self._is_over = False
        self._queue: asyncio.Queue[Analysis | BaseException] = asyncio.Queue()
        put = _threadsafe(asyncio.get_running_loop(), self._queue)
        thread = threading.Thread(
            target=_into_queue, args=(job, run, put), name="hnefi-analysis", daemon=True
        )
        thread.start()

    def __aiter__(self) -> "AsyncAnalysisStream":
        return self

    async def __anext__(self) -> Analysis:
        if self._is_over:
            raise StopAsyncIteration
        try:
            found = await self._queue.get()
        except asyncio.CancelledError:
            self._job.stop(abandon=True)
            raise
        self._is_over = isinstance(found, BaseException) or found.is_final
        if isinstance(found, BaseException):
            raise found
        return found

    def stop(self) -> None:
        """Ends the search at once; what it knows still comes."""
        self._job.stop()

    async def aclose(self) -> None:
        """Ends the search at once; nothing comes any more."""
        self._is_over = True
        self._job.stop(abandon=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __del__(self) -> None:
        self._job.stop(abandon=True)


def _into_queue(job: Job, run: Run, put: Callable[[Analysis | BaseException], None]) -> None:
    """Does a job and puts what comes of it into a queue, an error as the last thing."""
    try:
        put(run(job, put))
    except BaseException as error:  # it is raised again where the stream is read
        put(error)


def _threadsafe(
    loop: asyncio.AbstractEventLoop, queue: "asyncio.Queue[Analysis | BaseException]"
) -> Callable[[Analysis | BaseException], None]:
    def put(found: Analysis | BaseException) -> None:
        if not loop.is_closed():
            try:
                loop.call_soon_threadsafe(queue.put_nowait, found)
            except RuntimeError:  # it was closed just now: nobody waits any more
                return

    return put
