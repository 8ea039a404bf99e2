"""Rows that nobody needs any more are deleted: restarts from before the oldest game, and expired links."""

from pathlib import Path

from hnefi.server import events as e
from hnefi.server.games.clocks import DAY_US
from hnefi.server.secrets import hash_of
from tests.server.harness import ANA, FakeClock, RoomsHarness, request
from tests.server.test_clocks import SECOND, A, D, move, timed

HOUR_US = 3_600 * SECOND


async def expire(harness: RoomsHarness, days: int) -> list[e.Restart]:
    """Waits, marks and deletes what has expired, and returns the restarts that are left."""
    harness.time._now_us += days * DAY_US
    harness.rooms.close_idle()
    await harness.rooms.delete_expired()
    return await harness.store.restarts()


async def test_restarts_are_deleted_that_were_before_the_oldest_game(tmp_path: Path) -> None:
    time = FakeClock()
    async with RoomsHarness(tmp_path, time) as harness:
        await harness.games.create(request(), ANA)  # it expires first, nobody joins
    time._now_us += HOUR_US
    async with RoomsHarness(tmp_path, time) as harness:
        await time.advance(SECOND)
        young = await timed(harness, kind="days", days=14)
        await move(young, time.now_us())
        await move(young, time.now_us())
    time._now_us += HOUR_US
    async with RoomsHarness(tmp_path, time) as harness:
        young = await harness.rooms.room(young.id)
        assert len(await expire(harness, 8)) == 2  # the old game is marked
        await move(young, time.now_us())
        kept = await harness.store.restarts()
        assert await expire(harness, 8) == kept[1:]
        left = [young.state.leg.clocks.left_us(side, time.now_us()) for side in (A, D)]
    async with RoomsHarness(tmp_path, time) as again:
        room = await again.rooms.room(young.id)
        now_us = time.now_us()
        loaded = room.state.leg.clocks
        turn, left_us = room.state.turn, dict(zip((A, D), left, strict=True))
        for side in (A, D):
            assert loaded.left_us(side, now_us) >= left_us[side]
            assert side is turn or loaded.left_us(side, now_us) == left_us[side]


async def test_recent_restarts_are_kept_without_games(tmp_path: Path) -> None:
    time = FakeClock()
    for restarts in range(3):
        async with RoomsHarness(tmp_path, time) as harness:
            assert len(await expire(harness, 0)) == restarts
        time._now_us += HOUR_US
    async with RoomsHarness(tmp_path, time) as harness:
        assert len(await expire(harness, 6)) == 3
        assert await expire(harness, 2) == []


async def test_expired_links_are_deleted_and_others_are_kept(tmp_path: Path) -> None:
    async with RoomsHarness(tmp_path) as harness:
        room, _ = await harness.games.create(request(), ANA)
        old, _ = await harness.games.create_link(room.id, ANA)
        harness.time._now_us += HOUR_US
        young, until_us = await harness.games.create_link(room.id, ANA)
        assert until_us > harness.time.now_us()
        await harness.rooms.delete_expired()
        found = [await harness.store.find_link(hash_of(secret)) for secret in (old, young)]
        assert [link is None for link in found] == [True, False]
        await harness.games.use_link(young, "another device")
