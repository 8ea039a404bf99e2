"""Terms of the evaluation, files of weights, built-in weights and calibrations."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
import write_weights

import hnefi
from hnefi import variant
from hnefi._core import derived_weights, evaluate, evaluation_term_names, evaluation_terms
from hnefi.engine import Calibration, Engine, EngineError, Limit, Score, Weights, calibrated_ids, weights_for
from hnefi.engine.weights import DERIVED, hash_without_limit
from hnefi.train.generation import weights_digest
from tests.cli_runs import run
from tests.codes import has_code

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
    if isinstance(content["weights"], str):
        # They have won as they are now.
        tried = content["trained"]
        assert (tried["of"], tried["digest"]) == (
            content["weights"],
            weights_digest(shipped(tried["of"])["weights"]),
        )
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
    weights = weights_for(variant(name).rules).tree
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


def test_weights_are_used_for_their_rules_with_any_quiet_limit(tmp_path: Path) -> None:
    one = variant("brandub-globe")
    weights = json.loads(derived_weights(one.rules))
    weights["terms"]["attacker"] = 321
    content = {
        "rules": one.rules.hash,
        "without_limit": hash_without_limit(one.rules),
        "weights": weights,
        "scale": 222.0,
        "offset": 20,
        "margin": 5,
        "calibration": {"held_out": [{"expected": 0.5, "observed": 0.25, "games": 9}]},
    }
    (tmp_path / "brandub-globe.json").write_text(json.dumps(content), encoding="utf-8")
    found = weights_for(one.rules, tmp_path)
    assert (found.calibration, found.is_fitted) == (Calibration(222.0, 20.0, 5.0, 0.25), True)
    assert found.text is not None
    assert json.loads(found.text)["terms"]["attacker"] == 321
    for limit in ("40", "0"):
        longer = weights_for(one.with_switches({"quiet_limit": limit}).rules, tmp_path)
        assert (longer.text, longer.calibration) == (found.text, Calibration(222.0, 20.0, 5.0))
    other = one.with_switches({"no_move": "draw"}).rules
    assert weights_for(other, tmp_path) == DERIVED
    assert weights_for(one.rules, tmp_path / "absent") == DERIVED
    with Engine(table_mib=1, weights=found) as engine:
        best = engine.analyse(one.new_game(), Limit(depth=1)).last().best
        assert best is not None
        assert best.score.calibration == found.calibration


def test_derived_weights_can_be_calibrated(tmp_path: Path) -> None:
    rules = variant("ard-ri-globe").rules
    content = {"rules": rules.hash, "weights": None, "scale": 150, "offset": -40, "margin": 90}
    (tmp_path / "one.json").write_text(json.dumps(content), encoding="utf-8")
    assert weights_for(rules, tmp_path) == Weights(None, Calibration(150.0, -40.0, 90.0))


def test_the_spread_is_measured_in_held_out_games(tmp_path: Path) -> None:
    rules = variant("ard-ri-globe").rules
    groups = [
        {"score": -50, "expected": 0.25, "observed": 0.25, "games": 30},
        {"score": 50, "expected": 0.75, "observed": 0.55, "games": 10},
    ]
    content = {"rules": rules.hash, "weights": None, "scale": 150, "calibration": {"held_out": groups}}
    (tmp_path / "one.json").write_text(json.dumps(content), encoding="utf-8")
    assert weights_for(rules, tmp_path).calibration.spread == pytest.approx(0.1)
    assert DERIVED.calibration.spread is None


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"rules": "x"}',
        '{"rules": "x", "weights": {}, "scale": 0}',
        '{"rules": "x", "weights": 1, "scale": 100}',
        '{"rules": "x", "weights": {}, "scale": 100, "margin": -1}',
        '{"rules": "x", "weights": {}, "scale": 100, "offset": NaN}',
        '{"rules": "x", "weights": {}, "scale": 100, "mistake_odds": 0}',
        '{"rules": "x", "weights": {}, "scale": true}',
        '{"rules": "x", "weights": null, "scale": 100, "calibration": []}',
        '{"rules": "x", "weights": null, "scale": 100, "calibration": {"held_out": [{}]}}',
    ],
)
def test_invalid_weights_are_reported(tmp_path: Path, content: str) -> None:
    (tmp_path / "bad.json").write_text(content, encoding="utf-8")
    with pytest.raises(EngineError, match=r"bad\.json", check=has_code("bad_weights")):
        weights_for(variant("brandub-globe").rules, tmp_path)


@pytest.mark.parametrize(
    ("content", "lang", "words"),
    [
        ("{", "en", "it is not valid JSON at line 1, column 2; expected here: a key in quotation marks."),
        ("[" * 100_000, "en", "it is not valid JSON; expected: fewer brackets within brackets."),
        ("9" * 10_000, "fr", "ils ne sont pas en JSON valide ; attendu : un nombre"),
        ("[]", "en", '“rules” is missing, or of another kind; expected: "…".'),
        ('{"rules": "x", "weights": "y"}', "en", '“weights” is “y”; expected: {…} | null | "VARIANT".'),
        ('{"rules": "x", "weights": null, "scale": "a"}', "fr", "« a » ; attendu : 1…10000."),
    ],
)
def test_faults_of_weights_are_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, lang: str, words: str
) -> None:
    (tmp_path / "bad.json").write_text(content, encoding="utf-8")
    monkeypatch.setenv("HNEFI_WEIGHTS", str(tmp_path))
    code, _, err = run("hint", "brandub-globe", "--nodes", "1", "--lang", lang)
    assert (code, words in err, "bad.json" in err) == (2, True, True), err


def test_weights_the_core_rejects_are_reported() -> None:
    refused = pytest.raises(EngineError, check=has_code("bad_weights"))
    with Engine(table_mib=1, weights=Weights('{"terms": {}}', Calibration(100.0))) as engine, refused:
        engine.play(variant("brandub-globe").new_game(), Limit(depth=1))
