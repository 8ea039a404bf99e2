"""Processes that talk over the bus: gateways that send commands, workers that answer and publish."""

import asyncio
import multiprocessing
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import uvloop

from benchmarks.bus.clients import Bus, connect

__all__ = ["Node", "quantile"]

COMMAND_BYTES, REPLY_BYTES, EVENT_BYTES = 300, 150, 500
REPEAT_S = 1.0
"""A command without reply is sent again after this time, with the same id."""

_WAIT_S = 120.0


def quantile(values: Sequence[float], share: float) -> float:
    """Returns the value that a share of the values does not exceed; 0 without values."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


class Node:
    """A process with a connection to the bus, which carries out calls of its parent."""

    def __init__(self, name: str, url: str, gap_s: float = 0.0) -> None:
        context = multiprocessing.get_context("spawn")
        self.name = name
        self._pipe, theirs = context.Pipe()
        self.process = context.Process(target=_run, args=(theirs, name, url, gap_s), daemon=True)
        self.process.start()
        self.call("cpu_s")

    def begin(self, method: str, *arguments: object) -> None:
        """Begins a call; `result` waits for its end."""
        self._pipe.send((method, arguments))

    def result(self) -> Any:
        """Returns the result of the oldest call."""
        if not self._pipe.poll(_WAIT_S):
            raise TimeoutError(self.name)
        result = self._pipe.recv()
        if isinstance(result, BaseException):
            raise result
        return result

    def call(self, method: str, *arguments: object) -> Any:
        """Calls a method of the process."""
        self.begin(method, *arguments)
        return self.result()

    def kill(self) -> None:
        """Ends the process at once."""
        self.process.kill()
        self.process.join()


def _run(pipe: Connection, name: str, url: str, gap_s: float) -> None:
    uvloop.run(_serve(pipe, name, url, gap_s))


async def _serve(pipe: Connection, name: str, url: str, gap_s: float) -> None:
    calls, tasks = _Calls(name, await connect(url, gap_s)), set[asyncio.Task[None]]()

    async def carry_out(method: str, arguments: Sequence[Any]) -> None:
        try:
            pipe.send(await getattr(calls, method)(*arguments))
        except Exception as error:
            pipe.send(RuntimeError(f"{name}: {method}: {error!r}"))

    while True:
        # In a thread: uvloop would make the pipe non-blocking, and a long message would fail.
        try:
            method, arguments = await asyncio.to_thread(pipe.recv)
        except EOFError:
            os._exit(0)
        task = asyncio.get_running_loop().create_task(carry_out(method, arguments))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


@dataclass
class _Pending:
    """A command that waits for its reply."""

    subject: str
    payload: bytes
    begin_s: float
    sent_s: float
    sends: int = 1


@dataclass
class _Calls:
    """The methods that the parent can call."""

    name: str
    bus: Bus
    pending: dict[bytes, _Pending] = field(default_factory=dict)
    replies: list[tuple[float, float, int]] = field(default_factory=list)
    delays_ms: list[float] = field(default_factory=list)
    carried_out: set[bytes] = field(default_factory=set)
    repeated: int = 0
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def cpu_s(self) -> float:
        """Returns the processor time of this process."""
        return time.process_time()

    # Commands: a gateway sends them, a worker replies

    async def answer(self) -> None:
        """Replies to all commands; counts those that came before."""

        def reply(message: bytes) -> None:
            sender, number, _ = message.split(b" ", 2)
            key = sender + number
            self.repeated += key in self.carried_out
            self.carried_out.add(key)
            self.bus.publish(sender.decode(), (number + b" ").ljust(REPLY_BYTES, b"."))

        await self.bus.subscribe(self.name, reply)

    async def count_repeated(self) -> int:
        """Returns how many commands came a second time since the last call."""
        count, self.repeated = self.repeated, 0
        return count

    async def listen(self) -> None:
        """Receives the replies to commands."""

        def receive(message: bytes) -> None:
            pending = self.pending.pop(message.split(b" ", 1)[0], None)
            if pending is not None:
                self.replies.append((pending.begin_s, time.monotonic(), pending.sends))

        await self.bus.subscribe(self.name, receive)

    async def command(self, workers: Sequence[str], per_s: float, seconds: float) -> Any:
        """Sends commands at a steady rate; returns when each was sent and answered, and how often sent."""
        self.replies.clear()
        repeating = asyncio.create_task(self._repeat())
        begin, head = time.monotonic(), f"{self.name} "
        for number in range(int(per_s * seconds)):
            wait_s = begin + number / per_s - time.monotonic()
            if wait_s > 0:
                await asyncio.sleep(wait_s)
            now, key = time.monotonic(), f"{int(begin)}-{number}"
            payload = f"{head}{key} ".ljust(COMMAND_BYTES, ".").encode()
            subject = workers[number % len(workers)]
            self.pending[key.encode()] = _Pending(subject, payload, now, now)
            self.bus.publish(subject, payload)
        until = time.monotonic() + 10
        while self.pending and time.monotonic() < until:
            await asyncio.sleep(0.05)
        repeating.cancel()
        lost = len(self.pending)
        self.pending.clear()
        return self.replies, lost

    async def _repeat(self) -> None:
        """Sends commands again that have no reply."""
        while True:
            await asyncio.sleep(0.1)
            now = time.monotonic()
            for pending in self.pending.values():
                if now - pending.sent_s >= REPEAT_S:
                    pending.sent_s = now
                    pending.sends += 1
                    self.bus.publish(pending.subject, pending.payload)

    # Events: a worker publishes them, gateways follow

    async def follow(self, subjects: Sequence[str]) -> tuple[float, float]:
        """Subscribes to events; returns the time and the processor time it took, in seconds."""
        begin_s, cpu_s = time.monotonic(), time.process_time()

        def receive(message: bytes) -> None:
            self.delays_ms.append((time.monotonic() - float(message.split(b" ", 1)[0])) * 1000)

        for subject in subjects:
            await self.bus.subscribe(subject, receive)
        return time.monotonic() - begin_s, time.process_time() - cpu_s

    async def unfollow(self, subjects: Sequence[str]) -> tuple[float, float]:
        """Ends subscriptions; returns the time and the processor time it took, in seconds."""
        begin_s, cpu_s = time.monotonic(), time.process_time()
        for subject in subjects:
            await self.bus.unsubscribe(subject)
        return time.monotonic() - begin_s, time.process_time() - cpu_s

    async def publish_events(self, subjects: Sequence[Sequence[str]], per_s: float, seconds: float) -> int:
        """Publishes events at a steady rate, each to all subjects of a game; returns how many events."""
        begin, count = time.monotonic(), int(per_s * seconds)
        for number in range(count):
            wait_s = begin + number / per_s - time.monotonic()
            if wait_s > 0:
                await asyncio.sleep(wait_s)
            event = f"{time.monotonic():.6f} ".ljust(EVENT_BYTES, ".").encode()
            for subject in subjects[number % len(subjects)]:
                self.bus.publish(subject, event)
        await asyncio.sleep(0.5)
        return count

    async def delays(self) -> list[float]:
        """Returns the delays of all events received since the last call, in milliseconds."""
        delays, self.delays_ms = self.delays_ms, []
        return delays

    # Jobs: a game worker asks, engine workers answer

    async def prepare_jobs(self, queue: str) -> None:
        """Creates a queue of jobs."""
        await self.bus.prepare_jobs(queue)

    async def work(self, queue: str) -> None:
        """Begins to take jobs. A job names who asks, its number, and how long it takes."""

        async def carry_out(job: bytes) -> None:
            sender, number, wait_s, _ = job.split(b" ", 3)
            await asyncio.sleep(float(wait_s))
            self.bus.publish(sender.decode(), (number + b" ").ljust(REPLY_BYTES, b"."))

        self.tasks.append(asyncio.create_task(self.bus.take_jobs(queue, self.name, carry_out)))

    async def ask(
        self, queue: str, waits_s: Sequence[float], per_s: float, repeat_s: float | None = None
    ) -> Any:
        """Adds jobs at a steady rate; returns when each was added and answered.

        Args:
            queue: The kind of queue.
            waits_s: How long each job takes.
            per_s: How many jobs are added a second.
            repeat_s: After how long a job without answer is added again; None for never.
        """
        self.replies.clear()
        begin = time.monotonic()
        for number, wait in enumerate(waits_s):
            if (wait_s := begin + number / per_s - time.monotonic()) > 0:
                await asyncio.sleep(wait_s)
            now, key = time.monotonic(), f"{begin:.3f}-{number}"
            payload = f"{self.name} {key} {wait} ".ljust(COMMAND_BYTES, ".").encode()
            self.pending[key.encode()] = _Pending(queue, payload, now, now)
            await self.bus.put_job(queue, payload)
        until = time.monotonic() + 8
        while self.pending and time.monotonic() < until:
            await asyncio.sleep(0.02)
            for pending in list(self.pending.values()):
                if repeat_s is not None and time.monotonic() > pending.sent_s + repeat_s:
                    pending.sent_s, pending.sends = time.monotonic(), pending.sends + 1
                    await self.bus.put_job(queue, pending.payload)
        lost = len(self.pending)
        self.pending.clear()
        return self.replies, lost
