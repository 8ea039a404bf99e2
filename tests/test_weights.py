"""Terms of the evaluation, built-in weights and calibrations."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
import write_weights

import hnefi
from hnefi import variant
from hnefi._core import derived_weights, evaluate, evaluation_term_names, evaluation_terms
from hnefi.engine import Score, calibrated_ids, weights_for
from hnefi.engine.weights import hash_without_limit

SHIPPED = Path(hnefi.__file__).parent / "weights"


def shipped(name: str) -> dict[str, Any]:
    """Reads the file of weights of a variant."""
    found: dict[str, Any] = json.loads((SHIPPED / f"{name}.json").read_text(encoding="utf-8"))
    return found


def test_every_variant_is_calibrated() -> None:
    assert sorted(path.stem for path in SHIPPED.glob("*.json")) == sorted(calibrated_ids())
    for name in calibrated_ids():
        rules = variant(name).rules
        assert (shipped(name)["rules"], shipped(name)["without_limit"]) == (
            rules.hash,
            hash_without_limit(rules),
        )


@pytest.mark.parametrize("name", calibrated_ids())
def test_built_in_weights_have_won_their_match(name: str) -> None:
    content = shipped(name)
    matches = content["trained"]["matches"] if "trained" in content else [content["fitted"]["match"]]
    have_won = all(match and match["sprt"]["accepted"] for match in matches)
    assert (content["weights"] is not None) == have_won
    if content["weights"] is not None:
        assert all(match["first"]["elo_bounds"][0] > 0 for match in matches)
        used = weights_for(variant(name).rules)
        assert used.is_fitted
        assert isinstance(evaluate(variant(name).new_game(), used.text), int)


@pytest.mark.parametrize("name", calibrated_ids())
def test_built_in_calibration_agrees_with_held_out_games(name: str) -> None:
    calibration = weights_for(variant(name).rules).calibration
    rising = [Score(value, calibration).chances for value in range(-30_000, 30_001, 50)]
    assert rising == sorted(rising)
    assert rising[0] < rising[-1]
    held_out = shipped(name)["calibration"]["held_out"]
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


def test_documented_files_are_those_of_the_package() -> None:
    write_weights.TABLE.check()


def test_documented_terms_are_those_of_the_core() -> None:
    path = Path(__file__).parents[1] / "docs" / "measurements" / "weights.md"
    documentation = path.read_text(encoding="utf-8")
    for name, counts in evaluation_term_names():
        assert f"| `{name}` | {counts} |" in documentation
    assert documentation.count("\n| `") == len(evaluation_term_names())


@pytest.mark.parametrize("name", calibrated_ids())
def test_built_in_weights_have_known_terms(name: str) -> None:
    names = {name for name, _ in evaluation_term_names()}
    assert set(json.loads(derived_weights(variant(name).rules))["terms"]) == names
    weights = shipped(name)["weights"]
    assert weights is None or set(weights["terms"]) <= names


@pytest.mark.parametrize("name", calibrated_ids())
def test_evaluation_is_the_weighted_sum_of_terms_and_squares(name: str) -> None:
    game = variant(name).new_game()
    weights = weights_for(game.rules).tree or json.loads(derived_weights(game.rules))
    weights.pop("network", None)
    while game.turn is not None and len(game.plies) < 12:
        terms, squares = evaluation_terms(game)
        order = [name for name, _ in evaluation_term_names()]
        expected = sum(
            weights["terms"].get(name, 0) * count for name, count in zip(order, terms, strict=True)
        )
        for piece, counts in zip(("attacker", "defender", "king"), squares, strict=True):
            expected += sum(map(math.prod, zip(weights["squares"][piece], counts, strict=True)))
        assert evaluate(game, json.dumps(weights)) == expected
        game = game.play(game.legal_moves()[len(game.plies) % len(game.legal_moves())])
