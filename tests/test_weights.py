"""The weights and calibrations that come with Hnefi: whose they are, and whether they are what is claimed."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

import hnefi
from hnefi import variant
from hnefi._core import evaluate
from hnefi.engine import Score, calibrated_ids, weights_for

SHIPPED = Path(hnefi.__file__).parent / "weights"


def shipped(name: str) -> dict[str, Any]:
    """Reads the file of weights of a variant."""
    found: dict[str, Any] = json.loads((SHIPPED / f"{name}.json").read_text(encoding="utf-8"))
    return found


def test_every_variant_is_calibrated() -> None:
    assert sorted(path.stem for path in SHIPPED.glob("*.json")) == sorted(calibrated_ids())
    for name in calibrated_ids():
        assert shipped(name)["rules"] == variant(name).rules.hash


@pytest.mark.parametrize("name", calibrated_ids())
def test_shipped_weights_have_won_their_match(name: str) -> None:
    content = shipped(name)
    match = content["fitted"]["match"]
    assert (content["weights"] is not None) == bool(match and match["sprt"]["accepted"])
    if content["weights"] is not None:
        assert match["first"]["elo_bounds"][0] > 0
        used = weights_for(variant(name).rules)
        assert used.is_fitted
        assert isinstance(evaluate(variant(name).new_game(), used.text), int)


@pytest.mark.parametrize("name", calibrated_ids())
def test_shipped_calibration_agrees_with_games_held_out(name: str) -> None:
    calibration = weights_for(variant(name).rules).calibration
    rising = [Score(value, calibration).chances for value in range(-30_000, 30_001, 50)]
    assert rising == sorted(rising)
    assert rising[0] < rising[-1]
    held_out = shipped(name)["fitted"]["calibration"]["held_out"]
    games = sum(one["games"] for one in held_out)
    assert games >= 40
    for one in held_out:
        # The mean over the scores of a band, which is not the chance at their mean where the band is wide.
        expected = one["expected"]
        # The scores of a game go with one result: as many of them as there are games say something.
        chance = 2 * math.sqrt(expected * (1 - expected) / one["games"])
        assert abs(expected - one["observed"]) <= 0.08 + chance, held_out
    errors = [(abs(one["expected"] - one["observed"]), one["games"]) for one in held_out]
    assert sum(error * count for error, count in errors) / games <= 0.12, held_out
