"""Worker processes: each answers jobs one after the other, with low priority and limited memory and time."""

import asyncio
import contextlib
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from hnefi.errors import HnefiError
from hnefi.workers.collector import without_collector
from hnefi.workers.limits import Limits, limit_process

Handler = Callable[[Any], Any]
"""Answers a job. An `HnefiError` that it raises is the answer; any other exception ends the process."""

MakeHandler = Callable[..., AbstractContextManager[Handler]]
"""Creates the handler of a worker, in its process; a function at the top of a module."""

_JOIN_S = 5
_START_S = 60.0
"""How much longer the first job of a process that answers many may take."""


class WorkerExited(HnefiError):
    """Raised if a worker process exits before it responds; the code is `lost_process`."""


class Worker:
    """A process that answers jobs.

    It ends when its connection is closed, so also when the process that started it is killed.

    Attributes:
        process: The process.
        cost_ms: The processor time of the last job; if the process ended in it, the time it took.
    """

    cost_ms = 0.0

    def __init__(self, make_handler: MakeHandler, *args: object, limits: Limits | None = None) -> None:
        """Starts the process.

        Args:
            limits: Its limits, which hold once the handler is there; None for those of this process.

        Raises:
            OSError: If it cannot be started.
        """
        context = multiprocessing.get_context("spawn")
        self.connection, child = context.Pipe()
        self.process = context.Process(
            target=_answer_jobs, args=(child, make_handler, args, limits), daemon=True
        )
        with _without_interruption():
            self.process.start()
        child.close()

    def send(self, job: object) -> None:
        """Sends a job. If the process has ended, `receive` reports it."""
        with contextlib.suppress(OSError):
            self.connection.send(job)

    def receive(self) -> Any:
        """Waits for the answer to a job.

        Raises:
            HnefiError: If the handler raised it.
            WorkerExited: If the process has ended.
        """
        begun = time.monotonic()
        try:
            is_answer, answer, self.cost_ms = self.connection.recv()
        except (EOFError, OSError):
            self.cost_ms = (time.monotonic() - begun) * 1000
            self.process.join(_JOIN_S)
            raise WorkerExited.of_facts("lost_process", status=self.process.exitcode) from None
        if not is_answer:
            raise answer
        return answer

    def run(self, job: object) -> Any:
        """Sends a job and waits for its answer; see `receive`."""
        self.send(job)
        return self.receive()

    def close(self) -> None:
        """Closes the connection, terminates the process and waits for its end."""
        self.connection.close()
        self.process.terminate()
        self.process.join(_JOIN_S)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class AsyncWorker:
    """A worker of an event loop: started when needed, one job at a time, killed if a job takes too long.

    Attributes:
        cost_ms: As for `Worker`.
    """

    def __init__(
        self, make_handler: MakeHandler, limits: Limits, *, timeout_s: float, is_reused: bool = True
    ) -> None:
        """Creates the worker; its process starts with the first job, which may take a minute longer.

        Args:
            timeout_s: How long a job may take.
            is_reused: Whether a process answers many jobs, or a new one each, in the same time.
        """
        self._make_handler = make_handler
        self._limits = limits
        self._timeout_s = timeout_s
        self._is_reused = is_reused
        self._lock = asyncio.Lock()
        self._worker: Worker | None = None
        self._is_fresh = True
        self.cost_ms = 0.0

    @property
    def pid(self) -> int | None:
        """The id of the process, None if there is none."""
        return None if self._worker is None else self._worker.process.pid

    async def run(self, job: object) -> Any:
        """Returns the answer to a job. If a reused process has ended, a new one gets the job, once.

        Raises:
            HnefiError: If the handler raised it; `engine_busy` if there is no answer in time.
        """
        async with self._lock:
            try:
                try:
                    return await self._run(job)
                except WorkerExited:
                    if not self._is_reused:
                        raise
                    await self.stop()
                    return await self._run(job)
            except (WorkerExited, OSError, TimeoutError):
                await self.stop()
                raise HnefiError("engine_busy", "engine_busy") from None
            finally:
                if not self._is_reused:
                    await self.stop()

    def prepare(self) -> None:
        """Starts the process if there is none, since a job will come soon."""
        if self._worker is None:
            with contextlib.suppress(OSError):
                self._start()

    async def stop(self) -> None:
        """Kills the process, even in the middle of a job; the next job starts another."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.process.kill()
            await asyncio.shield(asyncio.to_thread(worker.close))

    def _start(self) -> Worker:
        self._worker, self._is_fresh = Worker(self._make_handler, limits=self._limits), True
        return self._worker

    async def _run(self, job: object) -> Any:
        worker = self._worker or self._start()
        timeout_s = self._timeout_s + (_START_S if self._is_fresh and self._is_reused else 0.0)
        answer = asyncio.ensure_future(asyncio.to_thread(worker.run, job))
        try:
            async with asyncio.timeout(timeout_s):
                found = await asyncio.shield(answer)
        except (TimeoutError, asyncio.CancelledError):
            # The thread returns at once when the process is gone; no other job may get this answer.
            worker.process.kill()
            with contextlib.suppress(HnefiError):
                await answer
            await self.stop()
            raise
        finally:
            self.cost_ms = worker.cost_ms
        self._is_fresh = False
        return found


def _answer_jobs(
    connection: Connection, make_handler: MakeHandler, args: tuple[object, ...], limits: Limits | None
) -> None:
    """Answers jobs until the connection is closed; runs in the worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit)
    with contextlib.ExitStack() as stack:
        with without_collector():
            handler = stack.enter_context(make_handler(*args))
        stack.enter_context(contextlib.suppress(EOFError, OSError))
        if limits is not None:
            limit_process(limits)
        while True:
            job, begun = connection.recv(), time.process_time()
            try:
                answer: tuple[bool, Any] = (True, handler(job))
            except HnefiError as error:
                answer = (False, error)
            connection.send((*answer, (time.process_time() - begun) * 1000))


def _exit(*_: object) -> NoReturn:
    sys.exit(0)


@contextlib.contextmanager
def _without_interruption() -> Iterator[None]:
    """Delays Ctrl+C in this thread; processes that `multiprocessing` starts in the block never get it.

    A process that gets it while it starts would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # Otherwise the first process would start it, which unblocks the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
