"""Jobs of an engine, and the streams of their analyses."""

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Self

from hnefi._core import Game, Move
from hnefi.closing import Closing
from hnefi.engine.analysis import Analysis, OnAnalysis
from hnefi.engine.limits import Limit

if TYPE_CHECKING:
    import asyncio

# Waits are short, so that Ctrl-C interrupts them on every system.
_POLL_S = 0.1


@dataclass(eq=False, slots=True)
class Job:
    """A search to run.

    Attributes:
        game: The game, which is not over.
        moves: The moves to consider; all if there are none.
        starts_empty: Whether it starts with an empty transposition table, so that it can be repeated exactly.
        is_play: Whether its best move is played and its score does not matter, so that a forced move ends it.
        is_stopped: Whether it should end at once, with the analysis so far.
        is_abandoned: Whether its stream was closed.
    """

    game: Game
    moves: tuple[Move, ...]
    limit: Limit
    lines: int
    starts_empty: bool = False
    is_play: bool = False
    is_stopped: bool = False
    is_abandoned: bool = False
    interrupt: Callable[["Job"], None] | None = field(default=None, repr=False)

    def stop(self, *, abandon: bool = False) -> None:
        """Stops the job at once, from any thread."""
        self.is_stopped = True
        self.is_abandoned = self.is_abandoned or abandon
        if self.interrupt is not None:
            self.interrupt(self)


Run = Callable[[Job, OnAnalysis], Analysis]


class _Stream:
    """A search in a thread, whose analyses are put into a queue."""

    def __init__(self, job: Job, run: Run, put: Callable[[Analysis | BaseException], None]) -> None:
        self._job, self._is_over = job, False
        self._thread = threading.Thread(
            target=_into_queue, args=(job, run, put), name="hnefi-analysis", daemon=True
        )
        self._thread.start()

    def _receive(self, item: Analysis | BaseException) -> Analysis:
        self._is_over = isinstance(item, BaseException) or item.is_final
        if isinstance(item, BaseException):
            raise item
        return item

    def stop(self) -> None:
        """Stops the search at once; its last analysis still comes."""
        self._job.stop()

    def __del__(self) -> None:
        self._job.stop(abandon=True)


class AnalysisStream(_Stream, Iterator[Analysis], Closing):
    """An iterator over the analyses of a search, which runs in a thread; the last one is final.

    Leaving a loop over it early, `close`, and the end of a `with` block stop the search at once.
    """

    def __init__(self, job: Job, run: Run) -> None:
        self._queue: SimpleQueue[Analysis | BaseException] = SimpleQueue()
        super().__init__(job, run, self._queue.put)

    def __iter__(self) -> "AnalysisStream":
        return self

    def __next__(self) -> Analysis:
        if self._is_over:
            raise StopIteration
        while True:
            try:
                return self._receive(self._queue.get(timeout=_POLL_S))
            except Empty:
                continue

    def last(self) -> Analysis:
        """Waits for the final analysis and returns it."""
        last = Analysis(is_final=True)
        for analysis in self:
            last = analysis
        return last

    def close(self) -> None:
        """Stops the search at once and waits for its end; no analysis comes any more."""
        self._is_over = True
        self._job.stop(abandon=True)
        self._thread.join()


class AsyncAnalysisStream(_Stream, AsyncIterator[Analysis]):
    """An asynchronous iterator over the analyses of a search in a thread; the last one is final."""

    def __init__(self, job: Job, run: Run) -> None:
        # Imported here, since most programs do without, and it takes longer than all of this package.
        import asyncio

        self._queue: asyncio.Queue[Analysis | BaseException] = asyncio.Queue()
        self._cancelled = asyncio.CancelledError
        super().__init__(job, run, _threadsafe(asyncio.get_running_loop(), self._queue))

    def __aiter__(self) -> "AsyncAnalysisStream":
        return self

    async def __anext__(self) -> Analysis:
        if self._is_over:
            raise StopAsyncIteration
        try:
            return self._receive(await self._queue.get())
        except self._cancelled:
            self._job.stop(abandon=True)
            raise

    async def aclose(self) -> None:
        """Stops the search at once; no analysis comes any more."""
        self._is_over = True
        self._job.stop(abandon=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _into_queue(job: Job, run: Run, put: Callable[[Analysis | BaseException], None]) -> None:
    """Runs a job and puts its analyses into a queue, and an error as the last item."""
    try:
        put(run(job, put))
    except BaseException as error:  # raised again where the stream is read
        put(error)


def _threadsafe(
    loop: "asyncio.AbstractEventLoop", queue: "asyncio.Queue[Analysis | BaseException]"
) -> Callable[[Analysis | BaseException], None]:
    def put(item: Analysis | BaseException) -> None:
        if not loop.is_closed():
            try:
                loop.call_soon_threadsafe(queue.put_nowait, item)
            except RuntimeError:  # the loop was closed just now
                return

    return put
