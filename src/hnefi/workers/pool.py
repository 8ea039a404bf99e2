"""A pool of worker processes that share the jobs of an experiment."""

import time
from collections.abc import Iterator
from multiprocessing.connection import wait
from types import TracebackType
from typing import Any, Self

from hnefi.workers.worker import MakeHandler, Worker

__all__ = ["WorkerPool"]

# An idle process ends by itself; one that plays would first finish its game.
_GRACE_S = 0.5


class WorkerPool:
    """Several workers with the same handler. They end with the process that started them."""

    def __init__(self, count: int, make_handler: MakeHandler, *args: object) -> None:
        """Starts the workers.

        Args:
            count: How many there are.
            make_handler: Creates the handler of each.
            args: The arguments of `make_handler`.
        """
        self._workers = [Worker(make_handler, *args) for _ in range(count)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the workers, also those that are at a job."""
        for worker in self._workers:
            worker.connection.close()
        deadline = time.monotonic() + _GRACE_S
        for worker in self._workers:
            worker.join(max(deadline - time.monotonic(), 0))
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            worker.close()

    def run(self, jobs: Iterator[object]) -> Iterator[Any]:
        """Iterates over the answers as they come. A job is taken only when a worker is free.

        Raises:
            HnefiError: If a handler raised it.
            WorkerExited: If a worker has ended.
        """
        busy = {worker.connection: worker for worker in self._workers if _send_next(worker, jobs)}
        while busy:
            for connection in wait(list(busy)):
                worker = busy[connection]  # type: ignore[index]
                answer = worker.receive()
                if not _send_next(worker, jobs):
                    del busy[worker.connection]
                yield answer


def _send_next(worker: Worker, jobs: Iterator[object]) -> bool:
    """Sends the next job, and returns whether there was one."""
    for job in jobs:
        worker.send(job)
        return True
    return False
