"""Processor time of a request: of its steps on the event loop, and of its work in threads."""

import time
from collections.abc import Awaitable, Callable, Generator
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Cost:
    """The processor time of some work, so far in milliseconds."""

    ms: float = 0.0

    def measure(self, work: Callable[[], T]) -> T:
        """Calls a function, and adds the processor time that this thread takes for it."""
        begun = time.thread_time()
        try:
            return work()
        finally:
            self.ms += (time.thread_time() - begun) * 1000


class Meter(Cost):
    """The work of a request, which is done by awaiting it, and measured.

    Work in other tasks, such as that of streams, does not count.
    """

    __slots__ = ("_work",)

    def __init__(self, work: Awaitable[None]) -> None:
        super().__init__()
        self._work = work.__await__()

    def __await__(self) -> Generator[Any, Any, None]:
        """Does the work. Each step between two waits is measured by itself, since others run meanwhile."""
        _meter.set(self)
        error: BaseException | None = None
        while True:
            begun = time.thread_time()
            try:
                awaited = self._work.send(None) if error is None else self._work.throw(error)
            except StopIteration:
                return
            finally:
                self.ms += (time.thread_time() - begun) * 1000
            error = None
            try:
                yield awaited
            except BaseException as thrown:
                error = thrown


_meter = ContextVar[Meter | None]("meter", default=None)


def metered(work: Callable[[], T]) -> Callable[[], T]:
    """Returns a function for a thread: its processor time counts for the request that runs now."""
    meter = _meter.get()
    return work if meter is None else partial(meter.measure, work)
