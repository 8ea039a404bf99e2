"""The time of the site, and clocks of the database that are set by 100 days."""

import asyncio

import pytest

from hnefi.server.cluster.site_time import SiteTime
from hnefi.server.events import ClockReading
from hnefi.server.games.clocks import DAY_US, SECOND_US
from hnefi.server.games.machine_clock import MachineClock
from hnefi.server.store import SLOTS
from hnefi.server.store.leases import ClockSample
from tests.server.cluster.game_workers import BEGIN_US, DatabaseClock, GameWorker, SteadyClock, beat_all


class Database:
    """A clock of a database that is asked over a network."""

    def __init__(self) -> None:
        self.steady = SteadyClock()
        self.begin_us = BEGIN_US - self.steady.now_ns // 1_000
        self.lead_us = 0
        self.beat_us: int | None = None

    @property
    def now_us(self) -> int:
        return self.begin_us + self.steady.now_ns // 1_000

    async def read(self) -> ClockSample:
        return self.sample()

    def sample(self, there_us: int = 100, back_us: int = 100) -> ClockSample:
        """Asks; the way there and back takes microseconds."""
        sent_ns = self.steady.now_ns
        self.steady.now_ns += there_us * 1_000
        shown_us = self.now_us
        self.steady.now_ns += back_us * 1_000
        return ClockSample(sent_ns, self.steady.now_ns, shown_us, 0, self.lead_us, self.beat_us)


async def started(database: Database, not_before_us: int = 0) -> SiteTime:
    time = SiteTime(database.steady)
    await time.start(database.read, not_before_us, sleep=lambda _: asyncio.sleep(0))
    return time


def test_the_sample_with_the_shortest_way_counts() -> None:
    async def scenario() -> None:
        database = Database()
        time = SiteTime(database.steady)
        time.note(database.sample(there_us=400_000, back_us=2_000))
        await time.start(database.read)
        for there_us, back_us in ((300_000, 1_000), (2_000, 2_000), (1_000, 900_000), (10, 30)):
            database.steady.advance(1)
            time.note(database.sample(there_us, back_us))
        assert abs(time.now_us() - database.now_us) <= 20
        for _ in range(10):
            database.steady.advance(1)
            time.note(database.sample(there_us=70_000, back_us=500))
            assert abs(time.now_us() - database.now_us) <= 20

    asyncio.run(scenario())


def test_a_small_correction_back_lets_the_time_stand() -> None:
    async def scenario() -> None:
        database = Database()
        time = await started(database)
        before_us = time.now_us()
        database.begin_us -= 2 * SECOND_US
        time.note(database.sample())
        assert before_us <= time.now_us() <= before_us + 1_000
        database.steady.advance(1.5)
        assert time.now_us() <= before_us + 1_000
        database.steady.advance(1.5)
        assert time.now_us() == database.now_us > before_us

    asyncio.run(scenario())


@pytest.mark.parametrize("days", [100, -100])
def test_a_clock_that_is_set_moves_the_time_only_by_its_lead(days: int) -> None:
    async def scenario() -> None:
        database = Database()
        time = await started(database)

        def expected_us() -> int:
            return BEGIN_US + (database.steady.now_ns - SteadyClock().now_ns) // 1_000

        database.begin_us += days * DAY_US
        for _ in range(100):
            database.steady.advance(0.5)
            time.note(database.sample())
            assert abs(time.now_us() - expected_us()) < 1_000
        # The clock of the machine shows the step, so that the lead can be noted.
        assert abs(time.machine_us() - database.now_us) < 1_000
        database.lead_us = time.now_us() - time.machine_us()
        database.steady.advance(0.5)
        time.note(database.sample())
        assert abs(time.now_us() - expected_us()) < 1_000
        # Somebody who starts later has the same time.
        assert abs((await started(database)).now_us() - time.now_us()) < 1_000

    asyncio.run(scenario())


@pytest.mark.parametrize("days", [100, -100])
def test_a_worker_that_starts_before_the_lead_is_noted_has_the_time_of_the_others(days: int) -> None:
    async def scenario() -> None:
        database = Database()
        database.beat_us = BEGIN_US
        database.begin_us += days * DAY_US
        time = SiteTime(database.steady)

        async def beat(seconds: float) -> None:
            database.steady.advance(seconds)
            database.beat_us = BEGIN_US + int(seconds * SECOND_US)

        await time.start(database.read, BEGIN_US, sleep=beat)
        assert abs(time.now_us() - (BEGIN_US + SECOND_US)) < SECOND_US

    asyncio.run(scenario())


def test_a_machine_that_was_suspended_gets_the_time_of_the_others() -> None:
    """Its monotonic clock stood for an hour; the clock of the database was not set."""

    async def scenario() -> None:
        database = Database()
        time = await started(database)
        database.begin_us += 3_600 * SECOND_US
        database.beat_us = time.now_us()  # its own
        time.note(database.sample())
        assert abs(database.now_us - time.now_us() - 3_600 * SECOND_US) < 1_000
        database.beat_us = database.now_us - SECOND_US // 2  # that of another worker
        time.note(database.sample())
        assert abs(database.now_us - time.now_us()) < 1_000

    asyncio.run(scenario())


def test_after_a_night_the_time_is_that_of_the_database() -> None:
    """The last worker was killed: its beat is old, and it does not beat any more."""

    async def scenario() -> None:
        database = Database()
        database.beat_us = BEGIN_US - DAY_US
        time = await started(database, BEGIN_US - DAY_US)
        assert abs(time.now_us() - database.now_us) < 1_000

    asyncio.run(scenario())


def test_the_time_begins_after_the_last_heartbeat() -> None:
    async def scenario() -> None:
        database = Database()
        time = await started(database, BEGIN_US + DAY_US)
        assert 0 < time.now_us() - (BEGIN_US + DAY_US) < 1_000

    asyncio.run(scenario())


def test_leads_are_learned_in_any_order_and_shown_times_are_without_them() -> None:
    time = SiteTime()
    time._floor_us = 3 * 10**9
    steps: list[int] = []
    time.on_step = lambda: steps.append(len(time.leads._since_us))
    readings = [
        ClockReading(100, 100),
        ClockReading(50 * SECOND_US, 20 * SECOND_US),
        ClockReading(10**9, 10**9),
    ]
    for known in (readings[:2], readings, readings[1:], readings):
        time.learn(known)
    assert [time.leads.shown_us(t_us) for t_us in (99, 60 * SECOND_US, 2 * 10**9)] == [
        99,
        30 * SECOND_US,
        2 * 10**9,
    ]
    # The first two have a lead, which the third one takes back.
    assert steps == [2, 3]


async def check_times(workers: list[GameWorker], clock: SteadyClock, tolerance_us: int = 1) -> None:
    """Checks that the time of the site went on as the monotonic clock did."""
    expected_us = BEGIN_US + (clock.now_ns - SteadyClock().now_ns) // 1_000
    for worker in workers:
        assert abs(worker.time.now_us() - expected_us) <= tolerance_us


@pytest.mark.parametrize("days", [100, -100])
def test_no_lease_depends_on_the_clock_of_the_database(
    database_url: str, clock: DatabaseClock, days: int
) -> None:
    """Nobody is ended when it is set, and nobody who is killed stays."""

    async def scenario() -> None:
        workers = [await GameWorker(database_url, clock).begin() for _ in range(2)]
        await beat_all(clock, workers, 4)
        clock.set(days * DAY_US / SECOND_US)
        await beat_all(clock, workers, 10)
        await check_times(workers, clock)
        assert [len(worker.ownership.slots) for worker in workers] == [SLOTS // 2] * 2
        workers.pop().close()
        await beat_all(clock, workers, 3)
        assert len(workers[0].ownership.slots) == SLOTS
        assert workers[0].losses == 0
        workers[0].close()

    asyncio.run(scenario())


@pytest.mark.parametrize("days", [100, -100])
def test_the_time_of_the_site_goes_on_when_the_clock_of_the_database_is_set(
    database_url: str, clock: DatabaseClock, days: int
) -> None:
    async def scenario() -> None:
        workers = [await GameWorker(database_url, clock).begin() for _ in range(2)]
        await beat_all(clock, workers, 4)
        clock.set(days * DAY_US / SECOND_US)
        await beat_all(clock, workers, 1)
        # One starts before anybody has noted the step, and takes the time from the beats of the others.
        late = GameWorker(database_url, clock)

        async def wait(seconds: float) -> None:
            await beat_all(clock, workers[:2], seconds)

        await late.time.start(late.leases.read_clock, await late.store.last_heartbeat() or 0, sleep=wait)
        await late.ownership.begin()
        workers.append(late)
        await beat_all(clock, workers, 4)
        await check_times(workers, clock, SECOND_US // 2)
        # The owner of slot 0 notes it.
        (first,) = [worker for worker in workers if 0 in worker.ownership.slots]
        machine_clock = MachineClock(first.store, first.time, lambda: None)
        await machine_clock.start(first.time.now_us())
        assert machine_clock.is_doubtful
        await beat_all(clock, workers, 2)
        await check_times(workers, clock)
        for worker in workers:
            shown_us = worker.time.leads.shown_us(worker.time.now_us())
            assert shown_us - worker.time.now_us() == days * DAY_US
            worker.close()

    asyncio.run(scenario())
