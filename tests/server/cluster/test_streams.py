"""Streams of jobs: the same behaviour in memory, and in Valkey and Redis where they are installed."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from hnefi.server.cluster.redis_stream import RedisStream
from hnefi.server.cluster.streams import EntryId, Stream, StreamError
from hnefi.workers.searches import SearchKind
from tests.server.cluster.bus_servers import PROGRAMS, BusServer, any_bus_server, find_program
from tests.server.cluster.memory_stream import MemoryStream
from tests.timeouts import TIMEOUT_S

PLAY, ANALYSIS = SearchKind.OPPONENT, SearchKind.ANALYSIS
WAIT_S = 0.05


class Streams:
    """The streams of one server, which can be restarted."""

    def __init__(self, server: BusServer | None) -> None:
        self._server = server
        self._memory = MemoryStream()
        self._opened: list[Stream] = []

    def open(self) -> Stream:
        """Returns the streams as one process sees them."""
        stream = self._memory if self._server is None else RedisStream(self._server.url, "testsite")
        self._opened.append(stream)
        return stream

    def kill(self) -> None:
        """Ends the server, which keeps nothing."""
        if self._server is None:
            self._memory.kill()
        else:
            self._server.kill()

    def restart(self) -> None:
        """Starts the server again."""
        if self._server is None:
            self._memory.restart()
        else:
            self._server.start()

    async def pass_time(self, seconds: float) -> None:
        """Waits, by the clock of the server."""
        self._memory.now_s += seconds
        if self._server is not None:
            await asyncio.sleep(seconds)

    def idle_ms(self, entry: EntryId) -> float:
        """Returns how long nobody has shown that a job is being carried out."""
        if self._server is None:
            return self._memory.idle_ms(entry)
        from redis import Redis

        with Redis.from_url(self._server.url) as client:
            name = "play" if entry.kind is PLAY else "analysis"
            [row] = client.xpending_range(f"hnefi:testsite:jobs:{name}", "engines", entry.text, entry.text, 1)
        return float(row["time_since_delivered"])

    async def close(self) -> None:
        """Closes all connections."""
        for stream in self._opened:
            await stream.close()


@pytest.fixture(params=["memory", *PROGRAMS])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BusServer | None]:
    if request.param == "memory":
        yield None
        return
    pytest.importorskip("redis")
    if find_program(request.param) is None:
        pytest.skip(f"{request.param} is missing")
    running = BusServer(request.param, tmp_path)
    yield running
    running.kill()


def run(server: BusServer | None, scenario: Callable[[Streams], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with opened(server) as streams:
            await asyncio.wait_for(scenario(streams), TIMEOUT_S)

    asyncio.run(whole())


@contextlib.asynccontextmanager
async def opened(server: BusServer | None) -> AsyncIterator[Streams]:
    streams = Streams(server)
    try:
        yield streams
    finally:
        await streams.close()


async def taken(stream: Stream, consumer: str) -> list[bytes]:
    """Takes what is there."""
    return [entry.job for entry in await stream.take(consumer, WAIT_S)]


def test_each_job_is_taken_once_and_those_for_opponents_first(server: BusServer | None) -> None:
    async def scenario(streams: Streams) -> None:
        asking, first, second = streams.open(), streams.open(), streams.open()
        await asking.add(ANALYSIS, b"analysis")
        for number in range(2):
            await asking.add(PLAY, b"play %d" % number)
        assert await taken(first, "e:1") == [b"play 0"]
        assert await taken(second, "e:2") == [b"play 1"]
        assert await taken(first, "e:1") == [b"analysis"]
        assert await taken(second, "e:2") == []

    run(server, scenario)


def test_a_job_is_there_until_it_is_finished_or_removed(server: BusServer | None) -> None:
    async def scenario(streams: Streams) -> None:
        asking, engine = streams.open(), streams.open()
        done, removed, kept = [await asking.add(PLAY, b"%d" % number) for number in range(3)]
        assert await asking.missing([done, removed, kept]) == set()
        assert await taken(engine, "e:1") == [b"0"]
        assert await asking.missing([done, removed, kept]) == set()
        await engine.finish(done)
        await asking.remove(removed)
        assert await asking.missing([done, removed, kept]) == {done, removed}
        assert await taken(engine, "e:1") == [b"2"]

    run(server, scenario)


def test_a_job_is_taken_over_unless_it_is_kept(server: BusServer | None) -> None:
    async def scenario(streams: Streams) -> None:
        asking, first, second = streams.open(), streams.open(), streams.open()
        kept, left = await asking.add(PLAY, b"kept"), await asking.add(ANALYSIS, b"left")
        assert await taken(first, "e:1") == [b"kept"]
        assert await taken(first, "e:1") == [b"left"]
        assert await second.take_over("e:2", TIMEOUT_S) == []
        await streams.pass_time(0.5)
        await first.keep("e:1", [kept])
        kept_ms = streams.idle_ms(kept)
        assert streams.idle_ms(left) - kept_ms >= 400
        await streams.pass_time(0.5)
        for job in (b"kept", b"left"):
            [over] = await second.take_over("e:2", 0.4)
            assert over.job == job
            assert over.age_ms >= 900
            await second.finish(over.id)
        assert await asking.missing([kept, left]) == {kept, left}

    run(server, scenario)


def test_a_removed_job_is_not_taken_over(server: BusServer | None) -> None:
    async def scenario(streams: Streams) -> None:
        asking, first, second = streams.open(), streams.open(), streams.open()
        entry = await asking.add(PLAY, b"removed")
        assert await taken(first, "e:1") == [b"removed"]
        await asking.remove(entry)
        await streams.pass_time(0.1)
        await first.keep("e:1", [entry])
        assert await second.take_over("e:2", 0.0) == []
        await first.finish(entry)

    run(server, scenario)


def test_everything_fails_while_the_server_is_away_and_works_after_its_restart(
    server: BusServer | None,
) -> None:
    async def scenario(streams: Streams) -> None:
        asking, engine = streams.open(), streams.open()
        lost = await asking.add(PLAY, b"lost")
        assert await taken(engine, "e:1") == [b"lost"]
        streams.kill()
        for attempt in (
            asking.add(PLAY, b"never"),
            asking.missing([lost]),
            asking.remove(lost),
            engine.take("e:1", WAIT_S),
            engine.keep("e:1", [lost]),
            engine.take_over("e:1", 0.0),
            engine.finish(lost),
        ):
            with pytest.raises(StreamError):
                await attempt
        streams.restart()
        assert await asking.missing([lost]) == {lost}
        with contextlib.suppress(StreamError):  # the group is created when a job is taken
            await engine.keep("e:1", [lost])
        await asking.add(PLAY, b"again")
        assert await taken(engine, "e:1") == [b"again"]

    run(server, scenario)


def test_a_job_wakes_a_worker_that_waits_for_it(server: BusServer | None) -> None:
    async def scenario(streams: Streams) -> None:
        asking, engine = streams.open(), streams.open()
        assert await taken(engine, "e:1") == []

        async def wait() -> list[bytes]:
            while not (entries := await engine.take("e:1", 1.0)):
                pass
            return [entry.job for entry in entries]

        waiting = asyncio.create_task(wait())
        await asyncio.sleep(WAIT_S)
        await asking.add(ANALYSIS, b"job")
        assert await waiting == [b"job"]

    run(server, scenario)


def test_a_missing_right_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    rules = "hnefi on >correct-horse allkeys allchannels +@all -xadd"
    server = any_bus_server(tmp_path, "--user", *rules.split())

    async def main() -> None:
        stream = RedisStream(server.url.replace("//", "//hnefi:correct-horse@"), "testsite")
        for _ in range(3):
            with pytest.raises(StreamError):
                await stream.add(PLAY, b"{}")
        await stream.close()

    try:
        asyncio.run(main())
    finally:
        server.kill()
    (record,) = [record for record in caplog.records if record.name.endswith(".redis_stream")]
    assert record.levelname == "ERROR"
    assert "xadd" in record.message
