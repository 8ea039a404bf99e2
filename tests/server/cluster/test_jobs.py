"""Jobs of engines in other processes, with a bus and streams in memory and searches that end on demand."""

import asyncio

import pytest

from hnefi.workers.fair_queue import Owner
from hnefi.workers.searches import AnalysisReport
from tests.server.cluster.job_cluster import JobCluster, process_of, run, until
from tests.server.cluster.memory_bus import settle_bus
from tests.server.fake_engine import GAME, MOVE, FakeProcess, until_begun

pytestmark = pytest.mark.usefixtures("fake_engines")
SCHOOL, HOME = "192.0.2.1", "192.0.2.2"


def test_a_move_is_chosen_by_an_engine_worker_and_its_job_leaves_the_stream() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player_with_engine()
        move = await player.ask("one", 3)
        await until_begun("one")
        assert FakeProcess.requests[0]["rules"] == GAME.game.rules.to_json()
        assert FakeProcess.requests[0]["level"] == 3
        FakeProcess.running[0].finish()
        assert str(await move) == MOVE
        await until(lambda: len(cluster.stream) == 0)

    run(scenario)


def test_the_stream_holds_only_as_many_jobs_as_engine_workers_have_places() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player()
        for number in range(30):
            await player.ask(f"{number}", 1)
        assert cluster.stream.added == 0
        await cluster.engine("e:1", 1)
        await cluster.engine("e:2", 2)
        await until(lambda: len(FakeProcess.running) == 3)
        assert len(player.jobs) == 27
        while FakeProcess.running:
            FakeProcess.running[0].finish()
            await until(lambda: len(FakeProcess.running) == 3 or len(player.jobs) == 0)
        await asyncio.gather(*player.tasks)
        assert cluster.stream.most == 3
        assert cluster.stream.added == 30

    run(scenario)


def test_a_short_search_pauses_a_long_one_which_goes_on_with_the_time_that_is_left() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player_with_engine()
        long = await player.ask("long", 10, SCHOOL)
        await until_begun("long")
        await settle_bus()
        short = await player.ask("short", 1, HOME)
        await until_begun("long", "short")
        FakeProcess.running[0].finish()
        assert str(await short) == MOVE
        await until_begun("long", "short", "long")
        first, _, second = FakeProcess.requests
        assert first["time_ms"] == 3_000
        assert second["time_ms"] <= 3_000
        assert not long.done()
        FakeProcess.running[0].finish()
        assert str(await long) == MOVE

    run(scenario)


def test_a_search_with_little_time_is_paused_too() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player_with_engine()
        found = player.jobs.analyse(GAME.game, lines=1, time_ms=400, visitor="v", address=SCHOOL)
        analysis = asyncio.ensure_future(anext(found))
        await until_begun("analyse")
        await settle_bus()
        await player.ask("one", 1)
        await until_begun("analyse", "one")
        assert FakeProcess.stops == 1
        analysis.cancel()
        await asyncio.gather(analysis, return_exceptions=True)

    run(scenario)


def test_one_of_several_places_is_kept_free_for_short_searches() -> None:
    async def scenario(cluster: JobCluster) -> None:
        await cluster.engine("e:1")
        await cluster.engine("e:2")
        player = await cluster.player()
        await cluster.keep(1)
        for number in range(5):
            await player.ask(f"long {number}", 10, SCHOOL)
        await until_begun("long 0")
        for number in range(20):
            short = await player.ask(f"short {number}", 1, HOME)
            await until(lambda number=number: FakeProcess.begun[-1] == f"short {number}")  # type: ignore[misc]
            process_of(f"short {number}").finish()
            assert str(await short) == MOVE
        assert FakeProcess.stops == 0
        assert not player.tasks[0].done()

    run(scenario)


def test_addresses_are_served_in_turns() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player_with_engine()
        for number in range(3):
            await player.ask(f"school {number}", 10, SCHOOL)
        await player.ask("home", 10, HOME)
        for count, seed in enumerate(["school 0", "home", "school 1", "school 2"], 1):
            await until(lambda count=count: len(FakeProcess.begun) == count)  # type: ignore[misc]
            assert FakeProcess.begun[-1] == seed
            FakeProcess.running[0].finish()
        await asyncio.gather(*player.tasks)
        assert FakeProcess.stops == 0

    run(scenario)


def test_an_engine_worker_can_be_added_and_one_that_stops_returns_its_job_at_once() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player()
        first = await player.ask("one", 10)
        leaving = await cluster.engine("e:1")
        await until_begun("one")
        await cluster.engine("e:2")
        await settle_bus()
        second = await player.ask("two", 1)
        await until_begun("one", "two")
        process_of("two").finish()
        assert str(await second) == MOVE
        cluster.engines.remove(leaving)
        await leaving.stop()
        await until_begun("one", "two", "one")
        assert cluster.stream.now_s == 0
        assert player.jobs.places == 1
        FakeProcess.running[-1].finish()
        assert str(await first) == MOVE

    run(scenario)


def test_an_abandoned_search_is_stopped_and_leaves_its_place() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player_with_engine()
        long = await player.ask("long", 10)
        await until_begun("long")
        await settle_bus()
        following = await player.ask("following", 10)
        long.cancel()
        await until_begun("long", "following")
        assert FakeProcess.stops == 1
        FakeProcess.running[0].finish()
        assert str(await following) == MOVE
        await until(lambda: len(cluster.stream) == 0)

    run(scenario)


def test_a_waiting_long_job_gives_way_to_a_short_one() -> None:
    async def scenario(cluster: JobCluster) -> None:
        engine = await cluster.engine("e:1")
        player = await cluster.player()
        await cluster.keep(1)
        await cluster.kill(engine)
        await player.ask("long", 10, SCHOOL)
        await player.ask("short", 1, HOME)
        assert len(cluster.stream) == 1
        await cluster.engine("e:2")
        await until(lambda: FakeProcess.begun[:1] == ["short"])

    run(scenario)


def test_a_search_that_was_abandoned_before_its_announcement_is_stopped_after_it() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player_with_engine()
        await settle_bus()
        cluster.bus.is_holding = True
        long = await player.ask("long", 10)
        await until_begun("long")
        long.cancel()
        await settle_bus()
        assert FakeProcess.stops == 0
        cluster.bus.release()
        await until(lambda: FakeProcess.running == [])

    run(scenario)


def test_the_short_search_of_one_process_pauses_the_long_one_of_another() -> None:
    async def scenario(cluster: JobCluster) -> None:
        await cluster.engine()
        first, second = await cluster.player("w:1"), await cluster.player("w:2")
        await cluster.keep(1)
        for number in range(3):
            await first.ask(f"long {number}", 10, SCHOOL)
        await until_begun("long 0")
        await settle_bus()
        short = await second.ask("short", 1, HOME)
        await until_begun("long 0", "short")
        FakeProcess.running[0].finish()
        assert str(await short) == MOVE
        await until_begun("long 0", "short", "long 0")
        assert FakeProcess.requests[2]["time_ms"] <= 3_000

    run(scenario)


def test_long_searches_of_another_process_occupy_places() -> None:
    async def scenario(cluster: JobCluster) -> None:
        await cluster.engine("e:1", 3)
        first, second = await cluster.player("w:1"), await cluster.player("w:2")
        await cluster.keep(1)
        await first.ask("long", 10, SCHOOL)
        await until_begun("long")
        await settle_bus()
        for number in range(5):
            await second.ask(f"{number}", 1, HOME)
        await until(lambda: len(FakeProcess.begun) == 3)
        assert cluster.stream.most == 3
        assert FakeProcess.stops == 0

    run(scenario)


def test_processes_take_turns_if_nothing_can_be_paused() -> None:
    async def scenario(cluster: JobCluster) -> None:
        await cluster.engine()
        first, second = await cluster.player("w:1"), await cluster.player("w:2")
        await cluster.keep(1)
        for number in range(3):
            await first.ask(f"first {number}", 9, SCHOOL)
        await until_begun("first 0")
        for number in range(2):
            await second.ask(f"second {number}", 9, HOME)
        for count, seed in enumerate(["first 0", "second 0", "first 1", "second 1", "first 2"], 1):
            await until(lambda count=count: len(FakeProcess.begun) == count)  # type: ignore[misc]
            assert FakeProcess.begun[-1] == seed
            FakeProcess.running[0].finish()
        await asyncio.gather(*first.tasks, *second.tasks)
        assert FakeProcess.stops == 0

    run(scenario)


def test_an_analysis_reports_until_it_is_final_and_an_opponent_pauses_it() -> None:
    async def scenario(cluster: JobCluster) -> None:
        await cluster.engine()
        player = await cluster.player("g:1")
        await cluster.keep(1)
        reports: list[AnalysisReport] = []

        async def analyse() -> None:
            found = player.jobs.analyse(GAME.game, lines=1, time_ms=60_000, visitor="v", address=SCHOOL)
            async for report in found:
                assert isinstance(report, AnalysisReport)
                reports.append(report)

        analysis = asyncio.create_task(analyse())
        await until_begun("analyse")
        FakeProcess.running[0].report(7, final=False)
        await until(lambda: len(reports) == 1)
        await player.ask("ten", 10, SCHOOL)
        await until_begun("analyse", "ten")
        FakeProcess.running[0].finish()
        await until_begun("analyse", "ten", "analyse")
        for depth in (3, 7, 8):
            FakeProcess.running[0].report(depth, final=False)
        FakeProcess.running[0].report(9, final=True)
        await analysis
        assert [report.depth for report in reports] == [7, 7, 8, 9]
        assert [report.final for report in reports] == [False, False, False, True]

    run(scenario)


def test_the_clock_of_the_computer_runs_while_its_job_is_in_the_stream() -> None:
    async def scenario(cluster: JobCluster) -> None:
        engine = await cluster.engine()
        player = await cluster.player()
        await cluster.keep(1)
        await cluster.kill(engine)
        choosing = player.jobs.choose(GAME, 1, "one", 100_000, Owner(HOME, "v"))
        player.tasks.append(asyncio.create_task(choosing))
        await until(lambda: cluster.stream.waiting == 1)
        cluster.stream.now_s += 50
        await cluster.engine("e:2")
        await until_begun("one")
        assert 0 < FakeProcess.requests[0]["left_ms"] <= 50_000

    run(scenario)


def test_a_game_worker_that_stops_leaves_no_job_and_no_search() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player_with_engine()
        await player.ask("long", 10)
        await until_begun("long")
        await settle_bus()
        await player.jobs.stop()
        await until(lambda: len(cluster.stream) == 0 and FakeProcess.running == [])

    run(scenario)
