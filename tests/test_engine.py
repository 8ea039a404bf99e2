"""Tests of the engine in Python: streams, stopping, threads, limits, calibration."""

import asyncio
import gc
import json
import random
import threading

import pytest

from hnefi import CalledGame, Game, Move, Rules, Setup, Side, random_game, variant
from hnefi.engine import Analysis, Calibration, Clock, Engine, EngineError, Limit, Score, level
from hnefi.variants.built_in import booklet_ids
from tests.codes import has_code
from tests.reference.random_rules import random_tree
from tests.timeouts import timeout_s, wait_until

# A search looks at its limits after so many positions.
POLL_INTERVAL = 512
# The king on a4 has the road to the corner a7.
WON_IN_ONE = "7/7/7/K6/7/7/t5t d"


@pytest.fixture(name="engine")
def _engine() -> object:
    with Engine(table_mib=4) as engine:
        yield engine


def start(name: str = "brandub-globe") -> Game:
    return variant(name).new_game()


def searches() -> list[str]:
    return [
        one.name for one in threading.enumerate() if one.name.startswith(("hnefi-analysis", "hnefi-prov"))
    ]


def assert_quiet() -> None:
    """Waits for the end of searches that would never end by themselves."""
    wait_until(lambda: not searches(), "all searches are over")


# --- Streams --------------------------------------------------------------------------------------------


def test_analyses_become_deeper_and_the_last_one_is_final(engine: Engine) -> None:
    found = list(engine.analyse(start(), Limit(depth=4), lines=2))
    assert [one.depth for one in found] == [1, 2, 3, 4, 4]
    assert [one.is_final for one in found] == [False] * 4 + [True]
    for one in found:
        assert len(one.lines) == 2
        assert one.lines[0].score.value >= one.lines[1].score.value
        assert all(start().is_legal(line.move) for line in one.lines)
    assert found[-1].nodes > found[0].nodes


def test_leaving_the_loop_stops_the_search_at_once(engine: Engine) -> None:
    for analysis in engine.analyse(start("tablut-kouvia")):
        if analysis.depth == 3:
            break
    assert_quiet()


def test_closing_and_stopping_end_a_search_at_once(engine: Engine) -> None:
    with engine.analyse(start()) as stream:
        next(stream)
    assert list(stream) == []
    stream = engine.analyse(start())
    next(stream)
    stream.stop()
    assert stream.last().is_final
    assert_quiet()


def test_an_unread_stream_stops_when_it_is_deleted(engine: Engine) -> None:
    engine.analyse(start())
    gc.collect()
    assert_quiet()


def test_closing_the_engine_stops_all_searches() -> None:
    engine = Engine(table_mib=1)
    streams = [engine.analyse(start()) for _ in range(3)]
    engine.close()
    engine.close()
    assert_quiet()
    with pytest.raises(EngineError, match="closed", check=has_code("engine_closed")):
        engine.analyse(start())
    assert all(list(stream)[-1].is_final for stream in streams)


def test_stop_makes_play_return_at_once(engine: Engine) -> None:
    def stop() -> None:
        wait_until(lambda: bool(searches()), "it thinks")
        engine.stop()

    threading.Thread(target=stop).start()
    move = engine.play(start(), Limit(time_ms=3_600_000))
    assert start().is_legal(move)


def test_a_game_that_is_over_has_no_lines_and_no_move(engine: Engine) -> None:
    over = Game(variant("brandub-globe").rules, Setup("K6/7/7/7/7/7/t6 a"))
    assert over.outcome
    assert list(engine.analyse(over)) == [Analysis(is_final=True)]
    with pytest.raises(EngineError, check=has_code("nothing_to_play")):
        engine.play(over, Limit(depth=1))


def test_a_move_without_any_limit_is_refused(engine: Engine) -> None:
    with pytest.raises(ValueError, match="expected one of depth"):
        engine.play(start(), Limit())
    with pytest.raises(TypeError, match="expected Level"):
        engine.play(start(), 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="time_ms: '200', expected int"):
        Limit(time_ms="200")  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["start", variant("brandub-globe"), None])
def test_what_is_no_game_is_refused(engine: Engine, game: object) -> None:
    with pytest.raises(TypeError, match="expected Game or CalledGame"):
        engine.analyse(game)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected Game or CalledGame"):
        engine.play(game, Limit(nodes=9))  # type: ignore[arg-type]


def test_only_the_given_moves_are_considered(engine: Engine) -> None:
    wanted = [Move("d2-c2"), Move("d1-c1")]
    last = engine.analyse(start(), Limit(depth=2), lines=9, moves=wanted).last()
    assert {line.move for line in last.lines} == set(wanted)
    with pytest.raises(ValueError, match="legal"):
        engine.analyse(start(), moves=[Move("d4-a4")])
    with pytest.raises(ValueError, match="lines"):
        engine.analyse(start(), lines=0)


def test_the_duty_to_play_a_piece_again_is_respected(engine: Engine) -> None:
    setup = Setup("9/9/9/9/2K6/9/9/9/6t2 d")
    called = CalledGame(
        Game(variant("gwezboell-globe").rules, setup), "manual", sanction="replay", replay="same_piece"
    )
    called = called.play("c5-a5").play("g1-g2").play("a5-a9")
    assert called.refused
    assert called.must_replay is not None
    moves = set(called.legal_moves())
    assert moves < set(called.game.legal_moves()) or len(called.game.legal_moves()) == len(moves)
    last = engine.analyse(called, Limit(depth=2), lines=50).last()
    assert {line.move for line in last.lines} <= moves
    for seed in range(5):
        assert engine.play(called, level(1), seed=seed) in moves


# --- Asynchronous ---------------------------------------------------------------------------------------


async def test_async_analysis_does_not_block_the_loop(engine: Engine) -> None:
    stream = engine.analyse_async(start())

    async def stop() -> None:
        for _ in range(3):
            await asyncio.sleep(0.01)
        stream.stop()

    # The search has no limit: it ends only because the loop runs beside it.
    stopping = asyncio.create_task(stop())
    depths = [one.depth async for one in stream]
    await stopping
    assert depths == sorted(depths)


async def test_async_early_break_and_cancelling_stop_the_search(engine: Engine) -> None:
    async for one in engine.analyse_async(start()):
        if one.depth == 2:
            break
    assert_quiet()

    async def read() -> None:
        async for _ in engine.analyse_async(start()):
            pass

    async def play() -> None:
        await engine.play_async(start(), Limit(depth=100))

    for search in (read, play):
        task = asyncio.create_task(search())
        while not searches():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert_quiet()
    assert start().is_legal(await engine.play_async(start(), Limit(nodes=100)))


# --- Threads --------------------------------------------------------------------------------------------


def test_many_threads_may_use_one_engine(engine: Engine) -> None:
    games = [random_game(variant(name).rules, 3, 6) for name in booklet_ids()]
    games = [game for game in games if game.turn]
    answers: list[tuple[Game, Move]] = []
    threads = [
        threading.Thread(
            target=lambda game=game: answers.append((game, engine.play(game, Limit(nodes=2000))))
        )
        for game in games * 3
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout_s())
    assert len(answers) == len(games) * 3
    assert all(game.is_legal(move) for game, move in answers)


def test_search_releases_the_interpreter_lock(engine: Engine) -> None:
    with engine.analyse(start()) as stream:
        next(stream)
        # Many times the interval at which threads are switched, beside a search that never ends.
        for _ in range(1_000_000):
            pass
        assert searches()


def test_a_search_by_nodes_is_repeatable() -> None:
    def found() -> list[tuple[int, int, Move]]:
        with Engine(table_mib=2) as engine:
            last = engine.analyse(start("tablut-geoludie"), Limit(nodes=20_000), lines=3).last()
        return [(last.nodes, line.score.value, line.move) for line in last.lines]

    assert found() == found()


# --- Limits ---------------------------------------------------------------------------------------------


def test_a_search_never_exceeds_its_clock(engine: Engine) -> None:
    for clock in (Clock(10_000), Clock(1_000), Clock(200, 20), Clock(1), Clock(0), Clock(500, 5_000)):
        assert clock.budget_ms == 1 or clock.budget_ms <= 0.4 * clock.remaining_ms
    for clock in (Clock(1_000), Clock(200, 20), Clock(1), Clock(0)):
        assert start().is_legal(engine.play(start(), Limit(clock=clock)))


def test_a_clock_that_has_nearly_run_out_allows_few_positions(engine: Engine) -> None:
    for clock, most in ((Clock(1), 50), (Clock(0), 50), (Clock(20), 500)):
        found = engine.analyse(start("tablut-kouvia"), Limit(clock=clock), lines=1).last()
        assert found.best is not None
        assert found.nodes <= most + POLL_INTERVAL


def test_more_time_is_used_for_an_increment() -> None:
    assert Clock(60_000, 1_000).budget_ms > Clock(60_000).budget_ms > Clock(30_000).budget_ms
    assert Clock(60_000, 1_000).usual_ms > Clock(60_000).usual_ms > Clock(30_000).usual_ms


def test_the_usual_time_is_less_than_the_most_unless_all_may_be_used() -> None:
    for clock in (Clock(60_000), Clock(60_000, 1_000), Clock(60_000, 0, 10)):
        assert 2 * clock.usual_ms < clock.budget_ms
    assert Clock(60_000, 0, 1).usual_ms == Clock(60_000, 0, 1).budget_ms
    assert Limit(time_ms=500).usual_ms == 500
    assert Limit(time_ms=500, clock=Clock(3_000)).usual_ms == Clock(3_000).usual_ms


@pytest.mark.parametrize("bad", [(0, None, None), (None, -1, None), (None, None, 0)])
def test_invalid_limits_are_refused(bad: tuple[int | None, int | None, int | None]) -> None:
    with pytest.raises(ValueError, match="expected 1 to"):
        Limit(*bad)


# --- Scores ---------------------------------------------------------------------------------------------


def test_a_forced_win_is_reported_as_proven(engine: Engine) -> None:
    game = Game(variant("brandub-globe").rules, Setup(WON_IN_ONE))
    best = engine.analyse(game, Limit(depth=4)).last().best
    assert best is not None
    assert best.score.is_proven
    assert (best.score.winner, best.score.wins_in, best.score.chances) == (Side.DEFENDERS, 1, 0.0)
    assert game.play(best.move).outcome is not None


def test_the_proof_search_finds_wins_beyond_the_search() -> None:
    # Every win the prover names has to hold against the deeper search.
    game = Game(variant("brandub-globe").rules, Setup("7/7/7/2K4/7/7/t5t d"))
    with Engine(table_mib=8) as engine:
        best = engine.analyse(game, Limit(time_ms=600_000), lines=1).last().best  # ends when proven
    assert best is not None
    assert best.score.winner is Side.DEFENDERS
    with Engine(table_mib=8, proves=False) as engine:
        again = engine.analyse(game, Limit(depth=8), lines=1).last().best
    assert again is not None
    assert again.score.winner is Side.DEFENDERS


def test_chances_rise_with_the_score() -> None:
    chances = [Score(value, Calibration(200.0)).chances for value in (-30_000, -200, 0, 200, 30_000)]
    assert chances == sorted(chances)
    assert chances[2] == 0.5
    assert chances[3] == pytest.approx(0.731, abs=1e-3)
    one = Score(100, Calibration(200.0))
    assert one.chances_for(Side.DEFENDERS) == pytest.approx(1 - one.chances)


def test_chances_follow_a_calibration() -> None:
    lopsided = Calibration(100.0, offset=300.0, margin=50.0)
    chances = [Score(value, lopsided).chances for value in range(-2_000, 2_001, 50)]
    assert chances == sorted(chances)
    assert Score(300, lopsided).chances == 0.5
    assert lopsided.wins(350) == lopsided.holds(250) == 0.5
    assert Score(-100, lopsided, win_in=3).chances == 0.0


def test_an_estimate_never_calls_a_side_winning() -> None:
    sizes = [Score(value, Calibration(100.0)).size for value in (0, 50, 150, 2_000)]
    assert sizes == ["even", "slight", "better", "better"]
    assert Score(2_000, Calibration(100.0, spread=0.05)).size == "winning"
    assert Score.proven(Side.DEFENDERS, 5).size == "winning"


# --- Random rules ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_no_move_is_illegal_under_random_rules(engine: Engine, seed: int) -> None:
    rng = random.Random(seed)
    rules = Rules(json.dumps(random_tree(rng, rng.choice([5, 7, 9, 11]))))
    game = random_game(rules, seed, rng.randrange(10))
    for _ in range(30):
        if game.turn is None:
            break
        strength = level(rng.randint(1, 6)) if rng.random() < 0.5 else Limit(nodes=300)
        # `play` refuses what is not legal.
        game = game.play(engine.play(game, strength, seed=seed))


def test_a_search_stopped_before_its_first_line_still_has_a_move(engine: Engine) -> None:
    # So full a board has too many captures to look at in so few positions.
    rng = random.Random(5877)
    game = Game(Rules(json.dumps(random_tree(rng, rng.choice([5, 7, 9, 11, 13])))))
    for lines in (1, 3):
        found = engine.analyse(game, Limit(nodes=20), lines=lines).last()
        assert len(found.lines) == lines
    assert game.is_legal(engine.play(game, level(1), seed=1))


async def test_a_move_can_be_awaited_while_other_coroutines_run() -> None:
    ticks: list[int] = []

    async def tick() -> None:
        while True:
            ticks.append(len(ticks))
            await asyncio.sleep(0)

    with Engine(table_mib=1) as engine, Engine(table_mib=1) as other:
        ticking = asyncio.create_task(tick())
        move = await engine.play_async(start(), Limit(nodes=20_000))
        ticking.cancel()
        assert move == other.play(start(), Limit(nodes=20_000))
    assert len(ticks) > 1
