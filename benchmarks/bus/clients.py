"""Clients of the buses behind one interface: publish, subscribe, and a queue of jobs.

Messages published in one iteration of the event loop, or in a gap of some milliseconds, go out together:
those for the same subject as one message of the bus.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

__all__ = ["QUEUES", "Bus", "Job", "connect"]

OnMessage = Callable[[bytes], None]
Job = Callable[[bytes], Awaitable[None]]

QUEUES = {"redis": ["stream"], "valkey": ["stream"], "nats": ["queue group", "JetStream"]}
"""The kinds of job queues of each bus."""

_RETRY_S = 0.1
_PING_S = 1
_SILENT_S = 3.0
ACK_WAIT_S = 1.0
"""After this time without acknowledgement a job is given to another worker."""

_MOST_WAITING = 10_000
_SEPARATOR = b"\n"


class Bus(Protocol):
    """A connection to a bus."""

    async def subscribe(self, subject: str, on_message: OnMessage) -> None:
        """Subscribes to a subject."""

    async def unsubscribe(self, subject: str) -> None:
        """Ends a subscription."""

    def publish(self, subject: str, payload: bytes) -> None:
        """Publishes without waiting. A message may be lost."""

    async def prepare_jobs(self, queue: str) -> None:
        """Creates a queue of jobs."""

    async def put_job(self, queue: str, payload: bytes) -> None:
        """Adds a job."""

    async def take_jobs(self, queue: str, name: str, work: Job) -> None:
        """Works on jobs, one at a time, and acknowledges each; never returns."""

    async def close(self) -> None:
        """Closes the connection."""


class _Outbox:
    """Messages that wait for the next iteration of the event loop, and for the end of a gap."""

    def __init__(self, send: Callable[[list[tuple[str, bytes]]], Awaitable[None]], gap_s: float) -> None:
        self._waiting: dict[str, list[bytes]] = {}
        self._count = 0
        self._send = send
        self._gap_s, self._sent_s = gap_s, 0.0
        self._task: asyncio.Task[None] | None = None

    def add(self, subject: str, payload: bytes) -> None:
        if self._count < _MOST_WAITING:
            self._waiting.setdefault(subject, []).append(payload)
            self._count += 1
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting:
                if (early_s := self._sent_s + self._gap_s - time.monotonic()) > 0:
                    await asyncio.sleep(early_s)
                self._sent_s = time.monotonic()
                batch, self._waiting, self._count = self._waiting, {}, 0
                await self._send([(subject, _SEPARATOR.join(parts)) for subject, parts in batch.items()])
        finally:
            self._task = None


class RedisBus:
    """Redis or Valkey: PUBLISH and SUBSCRIBE, and a stream with a consumer group for jobs."""

    def __init__(self, url: str, gap_s: float = 0.0) -> None:
        from redis.asyncio import Redis
        from redis.exceptions import RedisError

        # uvloop raises RuntimeError when a closed connection is written to.
        self._errors = (RedisError, OSError, RuntimeError)
        self.client: Any = Redis.from_url(url, protocol=2, socket_timeout=2.0, socket_connect_timeout=1.0)
        # The subscriber reads without a limit of time; a PING every second shows whether the server is there.
        reading = Redis.from_url(url, protocol=2, socket_timeout=None, socket_connect_timeout=1.0)
        self._pubsub: Any = reading.pubsub()
        self._handlers: dict[bytes, OnMessage] = {}
        self._outbox = _Outbox(self._send, gap_s)
        self._tasks: list[asyncio.Task[None]] = []
        self._received_s = 0.0
        self._out: Any = None

    async def subscribe(self, subject: str, on_message: OnMessage) -> None:
        self._handlers[subject.encode()] = on_message
        await self._pubsub.subscribe(subject)
        if not self._tasks:
            self._received_s = time.monotonic()
            self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._ping())]

    async def unsubscribe(self, subject: str) -> None:
        self._handlers.pop(subject.encode(), None)
        await self._pubsub.unsubscribe(subject)

    async def _read(self) -> None:
        while True:
            with contextlib.suppress(*self._errors):
                # `listen` costs half of `get_message` with a timeout. It subscribes again after a loss.
                async for message in self._pubsub.listen():
                    self._received_s = time.monotonic()
                    handler = self._handlers.get(message["channel"])
                    if handler is not None and message["type"] == "message":
                        for part in message["data"].split(_SEPARATOR):
                            handler(part)
            await asyncio.sleep(_RETRY_S)

    async def _ping(self) -> None:
        """Pings every second, and drops a connection that is silent for too long."""
        while True:
            await asyncio.sleep(_PING_S)
            with contextlib.suppress(*self._errors):
                if time.monotonic() > self._received_s + _SILENT_S:
                    self._received_s = time.monotonic()
                    await self._drop_out()
                    await self._pubsub.connection.disconnect()
                await self._pubsub.ping()

    def publish(self, subject: str, payload: bytes) -> None:
        self._outbox.add(subject, payload)

    async def _send(self, batch: list[tuple[str, bytes]]) -> None:
        try:
            if self._out is None:
                self._out = await self._open_out()
            packed = self._out.pack_commands([("PUBLISH", subject, payload) for subject, payload in batch])
            await self._out.send_packed_command(packed, check_health=False)
        except self._errors:
            await self._drop_out()

    async def _open_out(self) -> Any:
        """Opens a connection that gets no replies: to wait for them takes a quarter of the processor time."""
        out = self.client.connection_pool.make_connection()
        await out.connect()
        await out.send_command("CLIENT", "REPLY", "OFF", check_health=False)
        return out

    async def _drop_out(self) -> None:
        out, self._out = self._out, None
        if out is not None:
            with contextlib.suppress(*self._errors):
                await out.disconnect(nowait=True)

    async def prepare_jobs(self, queue: str) -> None:
        await self.client.xgroup_create(f"jobs.{queue}", "engines", mkstream=True)

    async def put_job(self, queue: str, payload: bytes) -> None:
        await self.client.xadd(f"jobs.{queue}", {"job": payload}, maxlen=10_000)

    async def take_jobs(self, queue: str, name: str, work: Job) -> None:
        stream, loop = f"jobs.{queue}", asyncio.get_running_loop()
        idle_ms, claimed_at = int(ACK_WAIT_S * 1000), loop.time()
        while True:
            jobs: list[Any] = []
            if loop.time() > claimed_at + ACK_WAIT_S / 4:
                claimed_at = loop.time()
                jobs = (await self.client.xautoclaim(stream, "engines", name, idle_ms, count=1))[1]
            if not jobs:
                new = await self.client.xreadgroup("engines", name, {stream: ">"}, count=1, block=250)
                jobs = new[0][1] if new else []
            for number, fields in jobs:
                await work(fields[b"job"])
                pipeline = self.client.pipeline(transaction=False)
                pipeline.xack(stream, "engines", number)
                pipeline.xdel(stream, number)
                await pipeline.execute()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self._drop_out()
        await self._pubsub.aclose()
        await self.client.aclose()


class NatsBus:
    """NATS: subjects, and either a queue group or a JetStream work queue for jobs."""

    def __init__(self, url: str, gap_s: float = 0.0) -> None:
        self._url = url
        self.client: Any = None
        self._subscriptions: dict[str, Any] = {}
        self._outbox = _Outbox(self._send, gap_s)

    async def open(self) -> "NatsBus":
        import nats

        async def ignore(_: Exception) -> None:
            return None

        self.client = await nats.connect(
            self._url,
            error_cb=ignore,
            max_reconnect_attempts=-1,
            reconnect_time_wait=_RETRY_S,
            connect_timeout=1,
            ping_interval=_PING_S,
            max_outstanding_pings=2,
        )
        return self

    async def subscribe(self, subject: str, on_message: OnMessage) -> None:
        async def receive(message: Any) -> None:
            for part in message.data.split(_SEPARATOR):
                on_message(part)

        self._subscriptions[subject] = await self.client.subscribe(subject, cb=receive)

    async def unsubscribe(self, subject: str) -> None:
        await self._subscriptions.pop(subject).unsubscribe()

    def publish(self, subject: str, payload: bytes) -> None:
        self._outbox.add(subject, payload)

    async def _send(self, batch: list[tuple[str, bytes]]) -> None:
        import nats.errors

        with contextlib.suppress(nats.errors.Error, OSError):
            for subject, payload in batch:
                await self.client.publish(subject, payload)

    async def prepare_jobs(self, queue: str) -> None:
        if queue == "JetStream":
            from nats.js.api import RetentionPolicy, StorageType

            await self.client.jetstream().add_stream(
                name="jobs", subjects=["js"], retention=RetentionPolicy.WORK_QUEUE, storage=StorageType.MEMORY
            )

    async def put_job(self, queue: str, payload: bytes) -> None:
        if queue == "JetStream":
            await self.client.jetstream().publish("js", payload)
        else:
            await self.client.publish("jobs", payload)

    async def take_jobs(self, queue: str, name: str, work: Job) -> None:  # noqa: ARG002
        if queue == "JetStream":
            await self._pull(work)
        subscription = await self.client.subscribe("jobs", queue="engines")
        async for message in subscription.messages:
            await work(message.data)

    async def _pull(self, work: Job) -> None:
        import nats.errors
        from nats.js.api import ConsumerConfig

        config = ConsumerConfig(ack_wait=ACK_WAIT_S)
        jobs = await self.client.jetstream().pull_subscribe("js", durable="engines", config=config)
        while True:
            with contextlib.suppress(nats.errors.TimeoutError):
                for message in await jobs.fetch(1, timeout=1):
                    await work(message.data)
                    await message.ack()

    async def close(self) -> None:
        await self.client.close()


async def connect(url: str, gap_s: float = 0.0) -> Bus:
    """Connects to a bus, by its URL; sends at least `gap_s` apart, so that messages share one."""
    return await NatsBus(url, gap_s).open() if url.startswith("nats:") else RedisBus(url, gap_s)
