"""The rooms of a game worker: what they do for their slots only."""

import asyncio
from pathlib import Path

from hnefi.server.games.clocks import DAY_US
from hnefi.server.store import slot_of
from tests.server.cluster.memory_site import MemorySite
from tests.server.harness import ANA, request, settle


def test_only_the_owner_of_the_first_slot_notes_that_the_clock_was_set(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with MemorySite(tmp_path) as site:
            first, second = site.workers.values()
            await site.hand_over(range(512, 1024), second.number)
            await settle()
            site.time.error_us = 100 * DAY_US
            before = len(await site.store.clock_readings())
            await second.rooms._check_clock()
            assert len(await site.store.clock_readings()) == before
            await first.rooms._check_clock()
            assert len(await site.store.clock_readings()) == before + 1

    asyncio.run(scenario())


def test_deadlines_are_watched_by_the_owner_of_the_game(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with MemorySite(tmp_path) as site:
            first, second = site.workers.values()
            clock = {"kind": "fischer", "initial_s": 60, "increment_s": 0}
            for _ in range(8):
                await first.rooms.create(request(opponent="computer", level=1, clock=clock), ANA)
            await settle()
            games = set(first.rooms.games_loaded())
            leaving = {slot_of(min(games))}
            staying = {game for game in games if slot_of(game) not in leaving}
            await site.hand_over(leaving, second.number)
            await settle()
            assert set(first.rooms.games_loaded()) == staying
            assert set(second.rooms.games_loaded()) == games - staying
            assert await second.rooms._near_deadlines(10**18) == await site.store.deadlines(10**18, leaving)

    asyncio.run(scenario())
