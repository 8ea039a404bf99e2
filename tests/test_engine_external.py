"""Tests of other programs as engines (UGI): analysis, moves, faults of the program."""

import sys
import threading
from collections.abc import Iterator

import pytest

from hnefi import Game, Move, Setup, Side, random_game, variant
from hnefi.engine import Clock, EngineError, ExternalEngine, Limit, level
from tests import fake_engine
from tests.cli_runs import COMMAND
from tests.timeouts import timeout_s


@pytest.fixture(name="other", scope="module")
def _other() -> Iterator[ExternalEngine]:
    with ExternalEngine([COMMAND, "engine"], options={"Hash": "4"}) as engine:
        yield engine


def test_an_external_engine_is_used_like_the_native_one(other: ExternalEngine) -> None:
    assert other.name.startswith("Hnefi ")
    assert "MultiPV" in other.options
    for name in ("brandub-globe", "tablut-geoludie"):
        game = random_game(variant(name).rules, 1, 5)
        assert game.turn is not None
        found = list(other.analyse(game, Limit(depth=4), lines=3))
        assert found[-1].is_final
        assert len(found[-1].lines) == 3
        assert found[-1].depth == 4
        assert game.is_legal(other.play(game, Limit(nodes=2_000)))
        assert game.is_legal(other.play(game, level(2), seed=3))
        assert game.is_legal(other.play(game, Limit(clock=Clock(2_000))))


def test_an_external_engine_returns_the_same_analysis(other: ExternalEngine) -> None:
    game = Game(variant("brandub-globe").rules, Setup("7/7/7/K6/7/7/t5t d"))
    best = other.analyse(game, Limit(depth=3), lines=1).last().best
    assert best is not None
    assert (best.score.winner, best.score.wins_in) == (Side.DEFENDERS, 1)


def test_an_external_engine_stops_at_once(other: ExternalEngine) -> None:
    game = variant("tablut-kouvia").new_game()
    for one in other.analyse(game):
        if one.depth >= 2:
            break
    has_played = threading.Event()

    def stop() -> None:
        # The first stop may come before the search has started.
        while not has_played.wait(0.05):
            other.stop()

    stopping = threading.Thread(target=stop)
    stopping.start()
    assert game.is_legal(other.play(game, Limit(time_ms=3_600_000)))
    has_played.set()
    stopping.join()


def test_an_external_engine_plays_custom_rules(other: ExternalEngine) -> None:
    changed = variant("brandub-globe").with_switches({"quiet_limit": "30"})
    assert changed.new_game().is_legal(other.play(changed.new_game(), Limit(depth=2)))


def fake(mode: str, **settings: float) -> ExternalEngine:
    return ExternalEngine([sys.executable, fake_engine.__file__, mode], **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mode", "code"),
    [
        ("illegal", "engine_illegal_move"),
        ("nonsense", "engine_illegal_move"),
        ("never ends", "engine_silent"),
        ("crashes", "engine_died"),
        ("hangs", "engine_silent"),
        ("poor", "engine_lacks_option"),
    ],
)
def test_a_failing_engine_is_reported_and_killed(mode: str, code: str) -> None:
    from hnefi import i18n

    with fake(mode, grace_s=0.2 if code == "engine_silent" else timeout_s(), start_s=timeout_s()) as engine:
        with pytest.raises(EngineError) as caught:
            engine.play(variant("brandub-globe").new_game(), Limit(time_ms=50))
        assert caught.value.code == code
        assert "Fake" in i18n.explain(caught.value, "fr")
        assert ("no more of this" in i18n.explain(caught.value, "en")) == (mode == "crashes")
        with pytest.raises(EngineError):
            engine.play(variant("brandub-globe").new_game(), Limit(time_ms=50))


@pytest.mark.parametrize(("mode", "code"), [("dies", "engine_died"), ("silent", "engine_silent")])
def test_an_engine_that_does_not_start_is_reported(mode: str, code: str) -> None:
    with pytest.raises(EngineError) as caught:
        fake(mode, start_s=0.3 if mode == "silent" else timeout_s())
    assert caught.value.code == code


def test_invalid_output_is_ignored() -> None:
    with fake("babbles") as engine:
        last = engine.analyse(variant("brandub-globe").new_game(), Limit(depth=1)).last()
        assert [line.moves for line in last.lines] == [(Move("d2-c2"),)]


@pytest.mark.parametrize("command", ["/nowhere/engine --fast", [], "", "engine 'left open"])
def test_a_missing_program_is_reported(command: str | list[str]) -> None:
    with pytest.raises(EngineError) as caught:
        ExternalEngine(command)
    assert caught.value.code == "engine_not_started"


def test_a_missing_option_is_reported() -> None:
    with pytest.raises(EngineError) as caught:
        ExternalEngine([COMMAND, "engine"], options={"Contempt": "1"})
    assert caught.value.code == "engine_lacks_option"


def test_option_names_are_case_insensitive() -> None:
    with ExternalEngine([COMMAND, "engine"], options={"hash": "2"}) as engine:
        assert "Hash" in engine.options
