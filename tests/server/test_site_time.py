"""The time of the site, and clocks of the database that are set by 100 days."""

import asyncio

import pytest

from hnefi.server.events import ClockReading
from hnefi.server.games.clocks import DAY_US, SECOND_US
from hnefi.server.games.site_time import SiteTime
from hnefi.server.store.processes import ClockSample

SECOND_NS = 1_000_000_000
BEGIN_NS = 5_000 * SECOND_NS
BEGIN_US = 1_700_000_000 * SECOND_US
"""What the clock of the database shows at the beginning."""


class Database:
    """A clock of a database that is asked over a network, and a monotonic clock, which advance on demand."""

    def __init__(self) -> None:
        self.steady_ns = BEGIN_NS
        self.begin_us = BEGIN_US - BEGIN_NS // 1_000
        self.lead_us = 0
        self.beat_us: int | None = None

    @property
    def now_us(self) -> int:
        return self.begin_us + self.steady_ns // 1_000

    def advance(self, seconds: float) -> None:
        self.steady_ns += int(seconds * SECOND_NS)

    def site(self) -> SiteTime:
        return SiteTime(lambda: self.steady_ns)

    async def read(self) -> ClockSample:
        return self.sample()

    def sample(self, there_us: int = 100, back_us: int = 100) -> ClockSample:
        """Asks; the way there and back takes microseconds."""
        sent_ns = self.steady_ns
        self.steady_ns += there_us * 1_000
        shown_us = self.now_us
        self.steady_ns += back_us * 1_000
        return ClockSample(sent_ns, self.steady_ns, shown_us, 0, self.lead_us, self.beat_us)


async def started(database: Database, not_before_us: int = 0) -> SiteTime:
    time = database.site()
    await time.start(database.read, not_before_us, sleep=lambda _: asyncio.sleep(0))
    return time


async def test_the_sample_with_the_shortest_way_counts() -> None:
    database = Database()
    time = database.site()
    time.note(database.sample(there_us=400_000, back_us=2_000))
    await time.start(database.read)
    for there_us, back_us in ((300_000, 1_000), (2_000, 2_000), (1_000, 900_000), (10, 30)):
        database.advance(1)
        time.note(database.sample(there_us, back_us))
    assert abs(time.now_us() - database.now_us) <= 20
    for _ in range(10):
        database.advance(1)
        time.note(database.sample(there_us=70_000, back_us=500))
        assert abs(time.now_us() - database.now_us) <= 20


async def test_a_small_correction_back_lets_the_time_stand() -> None:
    database = Database()
    time = await started(database)
    before_us = time.now_us()
    database.begin_us -= 2 * SECOND_US
    time.note(database.sample())
    assert before_us <= time.now_us() <= before_us + 1_000
    database.advance(1.5)
    assert time.now_us() <= before_us + 1_000
    database.advance(1.5)
    assert time.now_us() == database.now_us > before_us


@pytest.mark.parametrize("days", [100, -100])
async def test_a_clock_that_is_set_moves_the_time_only_by_its_lead(days: int) -> None:
    database = Database()
    time = await started(database)

    def expected_us() -> int:
        return BEGIN_US + (database.steady_ns - BEGIN_NS) // 1_000

    database.begin_us += days * DAY_US
    for _ in range(100):
        database.advance(0.5)
        time.note(database.sample())
        assert abs(time.now_us() - expected_us()) < 1_000
    # The clock of the machine shows the step, so that the lead can be noted.
    assert abs(time.machine_us() - database.now_us) < 1_000
    database.lead_us = time.now_us() - time.machine_us()
    database.advance(0.5)
    time.note(database.sample())
    assert abs(time.now_us() - expected_us()) < 1_000
    # Somebody who starts later has the same time.
    assert abs((await started(database)).now_us() - time.now_us()) < 1_000


@pytest.mark.parametrize("days", [100, -100])
async def test_a_worker_that_starts_before_the_lead_is_noted_has_the_time_of_the_others(days: int) -> None:
    database = Database()
    database.beat_us = BEGIN_US
    database.begin_us += days * DAY_US
    time = database.site()

    async def beat(seconds: float) -> None:
        database.advance(seconds)
        database.beat_us = BEGIN_US + int(seconds * SECOND_US)

    await time.start(database.read, BEGIN_US, sleep=beat)
    assert abs(time.now_us() - (BEGIN_US + SECOND_US)) < SECOND_US


async def test_a_machine_that_was_suspended_gets_the_time_of_the_others() -> None:
    """Its monotonic clock stood for an hour; the clock of the database was not set."""
    database = Database()
    time = await started(database)
    database.begin_us += 3_600 * SECOND_US
    database.beat_us = time.now_us()  # its own
    time.note(database.sample())
    assert abs(database.now_us - time.now_us() - 3_600 * SECOND_US) < 1_000
    database.beat_us = database.now_us - SECOND_US // 2  # that of another worker
    time.note(database.sample())
    assert abs(database.now_us - time.now_us()) < 1_000


async def test_after_a_night_the_time_is_that_of_the_database_and_never_before_the_last_heartbeat() -> None:
    """The last worker was killed: its beat is old, and it does not beat any more."""
    database = Database()
    database.beat_us = BEGIN_US - DAY_US
    time = await started(database, BEGIN_US - DAY_US)
    assert abs(time.now_us() - database.now_us) < 1_000
    time = await started(Database(), BEGIN_US + DAY_US)
    assert 0 < time.now_us() - (BEGIN_US + DAY_US) < 1_000


def test_leads_are_learned_in_any_order_and_shown_times_are_without_them() -> None:
    time = SiteTime()
    time._floor_us = 3 * 10**9
    steps: list[int] = []
    time.on_step = lambda: steps.append(len(time.leads._leads_us))
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
