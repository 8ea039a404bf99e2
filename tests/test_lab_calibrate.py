"""Tests of calibration: stored games, true parameters, held-out games."""

import math
import random
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from hnefi import variant
from hnefi._core import derived_weights, evaluate
from hnefi.engine import Calibration, weights_for
from hnefi.engine.weights import DERIVED
from hnefi.lab.calibrating import Calibrating
from hnefi.lab.calibration import ScoreSample, bins, calibrate, score_samples, split
from hnefi.lab.errors import LabError
from hnefi.lab.openings import Openings
from hnefi.lab.selfplay import SelfPlayGame, play_self_play_game
from tests.codes import has_code

ARD_RI = variant("ard-ri-globe")


def quiet(_: int) -> None:
    """Ignores progress."""


def small(seed: int = 3, *, text: str | None = None) -> Calibrating:
    """Returns a calibration of a second; of the given weights or the default ones."""
    weights = replace(DERIVED, text=text)
    return Calibrating(ARD_RI, weights, games=48, nodes=40, seed=seed)


# --- What is kept ---------------------------------------------------------------------------------------


def test_an_interrupted_calibration_is_continued(tmp_path: Path) -> None:
    whole = small()
    whole.run(quiet)

    def stop(games: int) -> None:
        if games >= 16:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        small().run(stop, tmp_path)
    games = tmp_path / "games.jsonl"
    assert len(games.read_text().splitlines()) == 17
    with games.open("a") as file:
        file.write('{"points": 1, "sco')
    for _ in range(2):  # the second time everything is there already
        again = small()
        again.run(quiet, tmp_path, jobs=2)
        assert again.content() == whole.content()
    assert len(games.read_text().splitlines()) == 49


def test_the_games_of_another_calibration_are_refused(tmp_path: Path) -> None:
    small().run(quiet, tmp_path)
    with pytest.raises(LabError, match="seed", check=has_code("other_experiment")):
        small(seed=4).run(quiet, tmp_path)
    (tmp_path / "games.jsonl").write_text("nonsense\n")
    with pytest.raises(LabError, check=has_code("bad_folder")):
        small().run(quiet, tmp_path)


def test_weights_of_the_terms_are_changed_so_that_a_score_of_0_is_even() -> None:
    text = derived_weights(ARD_RI.rules)
    free, even = small(), small(text=text)
    for one in (free, even):
        one.run(quiet)
    assert free.calibration is not None
    assert even.calibration is not None
    by = round(free.calibration.offset)
    assert by != 0
    assert even.calibration == replace(free.calibration, offset=0.0)
    assert even.weights.text is not None
    start = ARD_RI.new_game()
    assert evaluate(start, even.weights.text) == evaluate(start, text) - by
    assert [round(one.score) for one in even.held_out] == [round(one.score - by) for one in free.held_out]
    with pytest.raises(ValueError, match="expected one made by run"):
        small().content()


def test_every_built_in_file_says_how_its_calibration_was_measured() -> None:
    used = weights_for(ARD_RI.rules)
    assert used.calibration.spread is not None
    assert used.made


# --- Calibration ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "true", [Calibration(150.0, -80.0, 60.0), Calibration(400.0, 200.0), Calibration(90.0, 0.0, 400.0)]
)
def test_calibration_recovers_the_true_parameters(true: Calibration) -> None:
    chance = random.Random(4)
    seen = []
    for _ in range(8_000):
        score = round(chance.gauss(0, 300))
        drawn = chance.random()
        points = 1.0 if drawn < true.wins(score) else 0.5 if drawn < true.holds(score) else 0.0
        seen.append(ScoreSample(score, points, 1.0))
    found = calibrate(seen)
    for score in range(-600, 601, 100):
        assert found.wins(score) == pytest.approx(true.wins(score), abs=0.03)
        assert found.holds(score) == pytest.approx(true.holds(score), abs=0.03)


def test_scores_of_a_long_game_weigh_less() -> None:
    games = [SelfPlayGame(1.0, (10,) * 90), SelfPlayGame(0.0, (10,)), SelfPlayGame(0.5, ())]
    seen = score_samples(games)
    assert math.fsum(one.weight for one in seen) == pytest.approx(2)
    assert calibrate(seen).chances(10) == pytest.approx(0.5, abs=0.02)


def test_calibration_predicts_held_out_games() -> None:
    text = derived_weights(ARD_RI.rules)
    openings = islice(Openings(4, 11).draw(ARD_RI.rules), 480)
    games = [play_self_play_game(ARD_RI.rules, text, 100, opening) for opening in openings]
    kept, held_out = split(games)
    assert (len(kept), len(held_out)) == (360, 120)
    found = calibrate(score_samples(kept))
    rising = [found.chances(value) for value in range(-2_000, 2_001, 20)]
    assert rising == sorted(rising)
    assert rising[0] < rising[-1]
    compared = bins(score_samples(held_out), found, 3)
    assert sum(one.games for one in compared) == pytest.approx(sum(bool(game.scores) for game in held_out))
    for one in compared:
        assert one.observed == pytest.approx(one.expected, abs=0.15), compared
