"""Pools of workers that share the jobs of an experiment: processes of this machine, or of a Ray cluster."""

import time
from abc import abstractmethod
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from multiprocessing.connection import wait
from typing import Any

from hnefi.closing import Closing
from hnefi.workers.worker import Handler, MakeHandler, Worker, WorkerExited

MOST_TRIES = 3
"""A job whose worker ended is given to another one, until so many workers have had it."""

# An idle process ends by itself; one that plays would first finish its game.
_GRACE_S = 0.5


class Pool(Closing):
    """Workers with the same handler, each with one job at a time."""

    @abstractmethod
    def answers(self, jobs: Iterator[object]) -> Iterator[tuple[int, Any]]:
        """Iterates over the answers as they come, each with the number of its job, from 0.

        A job is taken only when a worker is free. If a worker ends, another one gets its job.

        Raises:
            HnefiError: If a handler raised it.
            WorkerExited: If every worker that had a job has ended (see `MOST_TRIES`).
        """

    def run(self, jobs: Iterator[object]) -> Iterator[Any]:
        """Iterates over the answers as they come; see `answers`."""
        for _, answer in self.answers(jobs):
            yield answer

    def run_in_order(self, jobs: Iterator[object]) -> Iterator[Any]:
        """Iterates over the answers in the order of the jobs; see `answers`."""
        early: dict[int, Any] = {}
        expected = 0
        for number, answer in self.answers(jobs):
            early[number] = answer
            while expected in early:
                yield early.pop(expected)
                expected += 1


def open_pool(jobs: int, ray: str | None, most: int, make_handler: MakeHandler, *args: object) -> Pool:
    """Starts a pool of workers.

    Args:
        ray: The address of a Ray cluster, of which each processor gets a worker instead; None for none.

    Raises:
        HnefiError: `missing_extra`, `ray_unreachable`, `ray_other_build`.
    """
    if ray is None:
        return WorkerPool(min(jobs, most), make_handler, *args)
    from hnefi.workers.ray_pool import RayPool

    return RayPool(ray, most, make_handler, *args)


def answers_in_order(
    jobs: int, ray: str | None, most: int, answer: Handler, tasks: Iterator[object]
) -> Generator[Any]:
    """Iterates over the answers to at most so many tasks in their order; see `open_pool`.

    One job, or one task, is done in this process.
    """
    if most <= 1 or (jobs == 1 and ray is None):
        yield from map(answer, tasks)
        return
    with open_pool(jobs, ray, most, nullcontext, answer) as pool:
        yield from pool.run_in_order(tasks)


class WorkerPool(Pool):
    """Worker processes of this machine. They end with the process that started them."""

    def __init__(self, count: int, make_handler: MakeHandler, *args: object) -> None:
        """Starts the workers."""
        self._make_handler, self._args = make_handler, args
        self._workers = [self._start() for _ in range(count)]

    def _start(self) -> Worker:
        return Worker(self._make_handler, *self._args)

    def close(self) -> None:
        """Ends the workers, also those that are at a job."""
        for worker in self._workers:
            worker.connection.close()
        deadline = time.monotonic() + _GRACE_S
        for worker in self._workers:
            worker.process.join(max(deadline - time.monotonic(), 0))
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.close()

    def answers(self, jobs: Iterator[object]) -> Iterator[tuple[int, Any]]:
        """Iterates over the answers as they come, each with the number of its job; see `Pool.answers`."""
        numbered = enumerate(jobs)
        busy: dict[object, tuple[Worker, int, object, int]] = {}

        def send(worker: Worker, number: int, job: object, tries: int) -> None:
            worker.send(job)
            busy[worker.connection] = worker, number, job, tries

        for worker, (number, job) in zip(self._workers, numbered, strict=False):
            send(worker, number, job, 1)
        while busy:
            for connection in wait([worker.connection for worker, *_ in busy.values()]):
                worker, number, job, tries = busy.pop(connection)
                try:
                    answer = worker.receive()
                except WorkerExited:
                    if tries == MOST_TRIES:
                        raise
                    send(self._replace(worker), number, job, tries + 1)
                    continue
                if (following := next(numbered, None)) is not None:
                    send(worker, *following, 1)
                yield number, answer

    def _replace(self, ended: Worker) -> Worker:
        """Starts a worker in the place of one that has ended."""
        ended.close()
        started = self._start()
        self._workers[self._workers.index(ended)] = started
        return started
