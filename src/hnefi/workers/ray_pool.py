"""A pool of workers in a Ray cluster. Only this module imports Ray, when a pool is created."""

import os
import socket
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

from hnefi.errors import HnefiError
from hnefi.workers.build import core_digest
from hnefi.workers.pool import MOST_TRIES, Pool
from hnefi.workers.worker import MakeHandler, WorkerExited

_CONNECT_S = 5.0
# A worker that has not started by then waits for a processor that is busy with something else, or gone.
_START_S = 120.0
# Workers that end before their first job: the cluster cannot run them.
_MOST_FAILED_STARTS = 3


def connect(address: str) -> Any:
    """Connects to a Ray cluster, once in a process, and returns the module `ray`.

    Args:
        address: `HOST:PORT` or `auto` on a machine of the cluster, `ray://HOST:PORT` elsewhere.

    Raises:
        HnefiError: `missing_extra` if Ray is not installed, `ray_unreachable`.
    """
    # The cluster decides about reports of its use; a client sends none.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise HnefiError.of_facts("missing_extra", package="ray", extra="ray") from None
    if ray.is_initialized():
        return ray
    _keep_quiet(ray)
    try:
        _check_port(address)
        ray.init(address=address, namespace="hnefi", configure_logging=False, log_to_driver=False)
    except (OSError, RuntimeError, ValueError, AssertionError) as error:
        raise HnefiError.of_facts("ray_unreachable", address=address, why=error) from None
    return ray


def _keep_quiet(ray: Any) -> None:
    """Keeps messages about lost machines out of standard output, where JSON goes; no setting of Ray does."""
    worker: Any = getattr(getattr(ray, "_private", None), "worker", None)
    if hasattr(worker, "print_to_stdstream"):
        worker.print_to_stdstream = lambda *_, **__: None


def _check_port(address: str) -> None:
    """Raises an error if nothing listens at an address with a port; Ray itself would try for a minute."""
    host, separator, port = address.removeprefix("ray://").rpartition(":")
    if separator and port.isdigit():
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S):
            pass


class RayWorker:
    """A worker process of a cluster: the counterpart of `Worker`, as a Ray actor."""

    def __init__(self, make_handler: MakeHandler, *args: object) -> None:
        """Creates the worker; `prepare` creates its handler."""
        self._make_handler, self._args = make_handler, args
        self._stack = ExitStack()

    def prepare(self) -> tuple[bool, Any]:
        """Creates the handler; returns the digest of the core, or the error that was raised."""
        try:
            self._handler = self._stack.enter_context(self._make_handler(*self._args))
        except HnefiError as error:
            return False, error
        return True, core_digest()

    def run(self, job: object) -> tuple[bool, Any]:
        """Returns the answer to a job, or the error that the handler raised."""
        try:
            return True, self._handler(job)
        except HnefiError as error:
            return False, error

    def close(self) -> None:
        """Releases what the handler uses."""
        self._stack.close()


@dataclass(slots=True)
class _Task:
    """A job with its number, and the number of workers that have had it."""

    number: int
    job: object
    tries: int = 0


class RayPool(Pool):
    """Actors of a Ray cluster, one for each processor.

    An actor that ends, also with its machine, is replaced, and its job given to another one.
    """

    def __init__(self, address: str, most: int, make_handler: MakeHandler, *args: object) -> None:
        """Starts the actors.

        Raises:
            HnefiError: `missing_extra`, `ray_unreachable`.
        """
        self._ray = connect(address)
        self._address = address
        self._start = self._ray.remote(num_cpus=1)(RayWorker).remote
        self._args = (make_handler, *args)
        self._pending: dict[Any, tuple[Any, _Task | None]] = {}
        """Actors that have a job, or none while they start, by the reference to what they will answer."""
        self._idle: list[Any] = []
        self._failed_starts = 0
        processors = int(self._ray.cluster_resources().get("CPU", 0))
        for _ in range(max(min(processors, most), 1)):
            self._add()

    def _add(self) -> None:
        actor = self._start(*self._args)
        self._pending[actor.prepare.remote()] = actor, None

    def answers(self, jobs: Iterator[object]) -> Iterator[tuple[int, Any]]:
        """Iterates over the answers as they come, each with the number of its job; see `Pool.answers`."""
        tasks = (_Task(*numbered) for numbered in enumerate(jobs))
        again: deque[_Task] = deque()
        while True:
            while self._idle and (task := again.popleft() if again else next(tasks, None)) is not None:
                actor = self._idle.pop()
                task.tries += 1
                self._pending[actor.run.remote(task.job)] = actor, task
            if self._idle and not any(task for _, task in self._pending.values()):
                return
            for reference in self._wait():
                actor, task = self._pending.pop(reference)
                try:
                    is_answer, answer = self._ray.get(reference)
                except self._ray.exceptions.RayTaskError:
                    raise
                except self._ray.exceptions.RayError as error:
                    self._lose(actor, task, error)
                    if task is not None:
                        again.append(task)
                    continue
                self._idle.append(actor)
                if not is_answer:
                    raise answer
                if task is not None:
                    yield task.number, answer
                    continue
                self._failed_starts = 0
                if answer != (expected := core_digest()):
                    raise HnefiError.of_facts("ray_other_build", found=answer, expected=expected)

    def _wait(self) -> list[Any]:
        """Waits until an actor answers."""
        while True:
            done, _ = self._ray.wait(list(self._pending), num_returns=1, timeout=_START_S)
            if done:
                return list(done)
            if not any(task for _, task in self._pending.values()):
                why = f"no worker started within {_START_S:.0f} s"
                raise HnefiError.of_facts("ray_unreachable", address=self._address, why=why)

    def _lose(self, actor: Any, task: _Task | None, error: Exception) -> None:
        """Replaces an actor that has ended."""
        with suppress(Exception):
            self._ray.kill(actor)
        if task is None:
            self._failed_starts += 1
            if self._failed_starts >= _MOST_FAILED_STARTS:
                raise HnefiError.of_facts("ray_unreachable", address=self._address, why=error)
        elif task.tries >= MOST_TRIES:
            raise WorkerExited.of_facts("lost_process", status=error)
        self._add()

    def close(self) -> None:
        """Ends the actors, also those that are at a job; idle ones release what they use first."""
        deadline = time.monotonic() + 1
        with suppress(Exception):
            closing = [actor.close.remote() for actor in self._idle]
            if closing:
                self._ray.wait(closing, num_returns=len(closing), timeout=max(deadline - time.monotonic(), 0))
        for actor in (*self._idle, *(actor for actor, _ in self._pending.values())):
            with suppress(Exception):
                self._ray.kill(actor)
        self._idle.clear()
        self._pending.clear()
