"""Tests of the fitting of weights: tuning, stored stages, calibration."""

import json
import math
import random
from itertools import islice
from pathlib import Path

import pytest

from hnefi import variant
from hnefi._core import Rules, derived_weights
from hnefi.engine import Calibration
from hnefi.lab import tuning
from hnefi.lab.calibration import ScoreSample, bins, calibrate, score_samples, split
from hnefi.lab.errors import LabError
from hnefi.lab.fitting import Fitting, Plan
from hnefi.lab.openings import Openings
from hnefi.lab.selfplay import SelfPlayGame, SelfPlayTask, play_self_play_games
from hnefi.lab.tuning import PAIRS, Tuning

ARD_RI = variant("ard-ri-globe")


def quiet(_: int) -> None:
    """Ignores progress."""


def small(games: int = 48, seed: int = 3) -> Plan:
    """Returns a plan of two or three seconds."""
    return Plan(ARD_RI, games, seed, 30, match_games=4, match_nodes=40, calibration_games=16)


# --- Tuning ---------------------------------------------------------------------------------------------


def test_tuning_moves_weights_towards_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    # Whoever fears open roads more wins; nothing else matters.
    def play(_: Rules, starts: list[SelfPlayTask], *__: int) -> list[SelfPlayGame]:
        def fear(weights: str) -> int:
            return -int(json.loads(weights)["terms"]["king_road"])

        return [SelfPlayGame(float(fear(one.attackers) > fear(one.defenders)), ()) for one in starts]

    monkeypatch.setattr(tuning, "play_self_play_games", play)
    found = Tuning(ARD_RI.rules, seed=5, nodes=1)
    before = json.loads(derived_weights(ARD_RI.rules))["terms"]
    for _ in range(10):
        found.step()
    early = found.weights()["terms"]
    assert early["king_road"] < before["king_road"]
    for _ in range(40):
        found.step()
    after = found.weights()["terms"]
    assert after["king_road"] < early["king_road"]
    assert after["king_road"] >= before["king_road"] * (1 + 0.4 * 8)  # so far a term may go
    assert after["attacker"] == before["attacker"] == 100
    assert after["corner_watch"] == 0  # no corners, nothing to watch
    others = set(after) - {"king_road"}
    assert max(abs(after[name] - before[name]) / max(abs(before[name]), 4) for name in others) < 1.5


def test_tuning_finds_piece_square_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    # Whoever likes attackers on the squares of one class more wins; nothing else matters.
    def play(_: Rules, starts: list[SelfPlayTask], *__: int) -> list[SelfPlayGame]:
        def liking(weights: str) -> int:
            return int(json.loads(weights)["squares"]["attacker"][4])

        return [SelfPlayGame(float(liking(one.attackers) > liking(one.defenders)), ()) for one in starts]

    monkeypatch.setattr(tuning, "play_self_play_games", play)
    found = Tuning(ARD_RI.rules, seed=5, nodes=1)
    for _ in range(50):
        found.step()
    squares = found.weights()["squares"]
    assert [len(worths) for worths in squares.values()] == [10, 10, 10]
    worth = squares["attacker"].pop(4)
    assert worth >= 30
    assert max(abs(other) for worths in squares.values() for other in worths) < worth / 2


def test_tuning_is_the_same_for_any_number_of_jobs() -> None:
    one, two = (Tuning(ARD_RI.rules, seed=7, nodes=30) for _ in range(2))
    for _ in range(2):
        one.step(jobs=1)
        two.step(jobs=3)
    assert one.path == two.path
    assert one.games == 4 * PAIRS
    other = Tuning(ARD_RI.rules, seed=8, nodes=30)
    other.step()
    assert other.path[0] != one.path[0]


# --- What is kept ---------------------------------------------------------------------------------------


def test_an_interrupted_fitting_is_continued(tmp_path: Path) -> None:
    whole = Fitting(small())
    for stage in (whole.tune, whole.verify, whole.calibrate):
        stage(quiet)

    def stop(games: int) -> None:
        if games >= 16:
            raise KeyboardInterrupt

    broken = Fitting(small(), tmp_path)
    with pytest.raises(KeyboardInterrupt):
        broken.tune(stop)
    broken.close()
    steps = tmp_path / "steps.jsonl"
    assert len(steps.read_text().splitlines()) == 2
    with steps.open("a") as file:
        file.write('{"terms": [1, 2')
    for _ in range(2):  # the second time everything is there already
        again = Fitting(small(), tmp_path, jobs=2)
        for stage in (again.tune, again.verify, again.calibrate):
            stage(quiet)
        again.close()
        assert again.content() == whole.content()
    assert len(steps.read_text().splitlines()) == 4


def test_the_log_of_another_fitting_is_refused(tmp_path: Path) -> None:
    first = Fitting(small(), tmp_path)
    with pytest.raises(LabError) as caught:
        Fitting(small(), tmp_path)
    assert caught.value.code == "folder_in_use"
    first.close()
    with pytest.raises(LabError, match="seed") as caught:
        Fitting(small(seed=4), tmp_path)
    assert caught.value.code == "other_experiment"
    (tmp_path / "steps.jsonl").write_text("nonsense\n")
    with pytest.raises(LabError) as caught:
        Fitting(small(), tmp_path)
    assert caught.value.code == "bad_folder"


def test_hours_end_the_tuning() -> None:
    fitting = Fitting(small(games=10_000))
    fitting.tune(quiet, hours=1e-6)
    assert fitting.tuned_games <= 2 * PAIRS


@pytest.mark.parametrize("is_better", [True, False])
def test_weights_that_are_not_better_are_not_written(
    monkeypatch: pytest.MonkeyPatch, is_better: bool
) -> None:
    fitting = Fitting(small())
    for stage in (fitting.tune, fitting.verify):
        stage(quiet)
    assert not fitting.is_better  # four games show nothing
    monkeypatch.setattr(Fitting, "is_better", is_better)
    fitting.calibrate(quiet)
    written = fitting.content()
    assert (written["weights"] is not None) == is_better
    assert written["rules"] == ARD_RI.rules.hash


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
    games = play_self_play_games(
        ARD_RI.rules, (SelfPlayTask(opening, text, text) for opening in openings), 100
    )
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
