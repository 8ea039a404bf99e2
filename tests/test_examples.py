"""Examples of rules: each shows a difference, which the reference confirms and a text describes."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from hnefi import Reason, variant
from hnefi.errors import VariantError
from hnefi.examples import SILENT, Effect, Example, example, example_text
from hnefi.variants.schema import schema
from hnefi.words.values import value_words
from tests.cli_runs import answer, printed, refusal, run
from tests.reference import tafl
from tests.reference.board import square_name
from tests.samples import deep, sampled
from tests.strategies import invented

# Boards of all sizes, with and without throne, corners, camps and ranks.
BOARDS = (
    *("ard-ri-globe", "berserk-11", "brandub-breyer", "copenhagen-11", "gwezboell-globe"),
    *("sea-battle-9", "tablut-geoludie", "tablut-kouvia"),
)


@cache
def example_of(name: str, leaf: str, value: str | None = None) -> Example | None:
    """Returns the example of a rule; it is searched for once."""
    return example(variant(name), leaf, value)


def shown(name: str, leaf: str, value: str | None = None) -> Example:
    found = example_of(name, leaf, value)
    assert found is not None, (name, leaf, value)
    return found


def check(found: Example) -> None:
    """Tests that the reference plays the example to the same two effects."""
    assert found.effect != found.otherwise
    assert found.value != found.other
    rules = (found.rules, found.effect), (found.other_rules, found.otherwise)
    for compiled, effect in rules:
        game = tafl.Game(tafl.Rules(json.loads(compiled.to_json())), found.begins)
        for move in found.history:
            game = game.play(move)
        assert (game.outcome, game.position) == (None, found.position)
        assert (found.move in game.legal_moves()) == effect.legal == (effect.refusal is None)
        if effect.legal:
            check_effect(game, game.play(found.move), effect)


def check_effect(before: tafl.Game, after: tafl.Game, effect: Effect) -> None:
    board, left = before.state.board, after.state.board
    king = next((square for square, piece in board.items() if piece == "K"), None)
    taken = set(after.captures)
    if king is not None and "K" not in left.values():
        taken.add(square_name(king))
    assert {square.name for square in effect.captures} == taken
    described = effect.outcome and (
        effect.outcome.winner and effect.outcome.winner.value,
        effect.outcome.reason.value,
    )
    assert described == (after.outcome and tuple(after.outcome))
    assert (effect.position, effect.passed) == (after.position, after.passed)


@pytest.mark.parametrize("name", sampled(BOARDS, "brandub-globe"))
def test_the_reference_plays_each_example_alike(name: str) -> None:
    for leaf in schema():
        found = example_of(name, leaf)
        if found is not None:
            check(found)
            for lang in ("en", "fr"):
                assert example_text(found, lang)


@pytest.mark.parametrize("step", [4, *deep(1)])
def test_invented_rules_have_examples_too(step: int) -> None:
    (made,) = invented(1, 3, size=7)
    found = [shown for shown in (example(made, leaf) for leaf in list(schema())[::step]) if shown is not None]
    assert len(found) >= 16 // step
    for shown in found:
        check(shown)
        squares = [*shown.crop, *shown.squares]
        assert all(square.file < made.rules.size and square.rank < made.rules.size for square in squares)


def test_an_unknown_rule_or_value_is_refused() -> None:
    for leaf, value in (("nothing", None), ("king_armed", "perhaps"), ("throne_hostile.queen", "never")):
        with pytest.raises(VariantError):
            example(variant("brandub-globe"), leaf, value)


def test_values_that_contradict_the_other_rules_are_refused() -> None:
    with pytest.raises(VariantError):
        example(variant("sea-battle-9"), "camp_hostile", "king")


def test_no_single_move_shows_the_board_or_who_begins() -> None:
    assert [example(variant("brandub-globe"), leaf) for leaf in sorted(SILENT)] == [None, None, None]


def test_a_value_is_shown_although_it_is_not_played() -> None:
    found = shown("brandub-globe", "shieldwall", "pieces")
    assert (found.value, found.other) == ("pieces", "none")
    assert len(found.effect.captures) == 2
    assert found.otherwise.captures == ()
    assert found.rules.hash != variant("brandub-globe").rules.hash
    assert found.other_rules == variant("brandub-globe").rules


def test_one_entry_of_a_map_is_compared_alone() -> None:
    for entry in ("on_throne", "beside_throne", "elsewhere"):
        found = shown("tablut-geoludie", f"king_capture.{entry}")
        trees = [
            json.loads(rules.to_json())["capture"]["king_capture"]
            for rules in (found.rules, found.other_rules)
        ]
        assert [key for key in trees[0] if trees[0][key] != trees[1][key]] == [entry]


def test_examples_of_repetition_and_counters_have_a_history() -> None:
    again = shown("copenhagen-11", "repetition")
    assert len(again.history) == 7
    assert (again.effect.outcome, again.otherwise.outcome) != (None, None)
    late = shown("brandub-globe", "quiet_limit")
    assert late.position.endswith(" a 19")
    assert late.effect.outcome is not None
    assert late.effect.outcome.reason is Reason.QUIET_MOVES
    blocked = shown("brandub-globe", "no_move")
    assert blocked.effect.passed


def test_the_end_of_a_turn_of_several_captures_is_a_move() -> None:
    may, must = (shown("berserk-11", "berserk", value) for value in ("may", "must"))
    assert may.effect.going is not None
    assert must.effect.refusal is not None
    assert must.effect.refusal.code == "must_capture"
    assert "may not end the turn" in example_text(must, "en")


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.deep)])
def test_an_example_is_small_and_the_same_each_time(step: int) -> None:
    script = (
        "from hnefi import variant\nfrom hnefi.examples import example\n"
        "from hnefi.variants.schema import schema\n"
        f"for leaf in list(schema())[::{step}]:\n"
        "    one = example(variant('brandub-globe'), leaf)\n"
        "    print(leaf, one and (one.value, one.other, one.begins, one.history, one.move))\n"
    )
    # The seed of hashes of this process is another one.
    seed = str(int(os.environ.get("PYTHONHASHSEED", "0").replace("random", "0")) + 1)
    env = {**os.environ, "PYTHONHASHSEED": seed}
    run_again = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env
    )
    here = {leaf: example_of("brandub-globe", leaf) for leaf in list(schema())[::step]}
    assert run_again.stdout.splitlines() == [
        f"{leaf} {one and (one.value, one.other, one.begins, one.history, one.move)}"
        for leaf, one in here.items()
    ]
    for leaf in ("throne_stop", "throne_hostile", "corner_hostile", "king_armed", "goal", "range"):
        found = shown("brandub-globe", leaf)
        assert len(found.game.position.pieces) <= 4, leaf


def test_the_words_name_what_happens_and_what_would() -> None:
    found = shown("brandub-globe", "corner_hostile")
    assert example_text(found, "en") == (
        "The defender moves from c6 to c7: b7 is captured. "
        "With “The corners in captures: against attackers: never”: b7 is not captured."
    )
    assert example_text(found, "fr") == (
        "Le défenseur va de c6 en c7\u00a0: b7 est pris. "
        "Avec «\u00a0Les coins dans les prises\u00a0: contre les attaquants\u00a0: jamais\u00a0»\u00a0: "
        "b7 n’est pas pris."
    )


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_value_has_words(lang: str) -> None:
    for leaf, parameter in schema().items():
        values: list[object] = []
        if parameter["kind"] == "choice":
            values += parameter["values"]
        elif leaf == "repetition":
            values += [{"count": 3, "result": one} for one in parameter["keys"]["result"]["values"]]
        elif parameter["kind"] == "map":
            for entry, each in parameter["keys"].items():
                values += [{entry: one} for one in each["values"]]
        elif parameter["kind"] == "kinds":
            values += [[], ["king"], parameter["values"]]
        elif parameter["kind"] == "flag":
            values += [True, False]
        words = [value_words(leaf, value, lang) for value in values]
        assert all(words)
        assert len(set(words)) == len(words), (leaf, words)


@pytest.mark.parametrize(
    ("leaf", "value", "current"),
    [("king_armed", "none", "both"), ("no_move", "draw", "loses"), ("blocked_groups", "groups", "none")],
)
def test_a_value_is_compared_with_that_of_the_variant(leaf: str, value: str, current: str) -> None:
    assert shown("fetlar-11", leaf, value).other == current


def test_the_command_draws_the_board_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    monkeypatch.setenv("HNEFI_LANG", "en")
    out = printed("rules", "brandub-globe", "--example", "king_armed=none")
    assert "Before" in out
    assert "After, with king_armed = both" in out
    assert "▸▲◂" in out
    monkeypatch.setenv("COLUMNS", "50")
    narrow = run("rules", "brandub-globe", "--example", "king_armed=none")[1]
    assert "Before" not in narrow
    assert "▸▲◂" in narrow
    assert run("rules", "brandub-globe", "--example", "size")[1] == "No single move shows this rule here.\n"


def test_the_command_answers_programs() -> None:
    result = answer("rules", "brandub-globe", "--example", "throne_stop")["example"]
    assert result["effect"]["refusal"]["code"] == "throne_no_stop"
    assert result["otherwise"]["legal"]
    assert answer("rules", "brandub-globe", "--example", "first")["example"] is None
    assert refusal("rules", "brandub-globe", "--example", "nothing")["code"] == "bad_switch"
    assert refusal("rules", "brandub-globe", "--example", "goal", "--why")["code"] == "bad_usage"


def test_the_questions_show_examples(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HNEFI_VARIANTS", str(tmp_path))
    monkeypatch.setenv("HNEFI_LANG", "en")
    monkeypatch.setattr("hnefi.cli.variants.new.is_terminal", lambda _: True)
    lines = ["brandub-globe", "", "", "?", "", "? edge", "? nowhere", "", "!", "mine", "Mine"]
    out = printed("variants", "new", stdin="\n".join(lines) + "\n")
    assert "No single move shows this rule here." in out
    assert "the king has escaped. The king’s side wins. With “Where the king wins: in a corner”" in " ".join(
        out.split()
    )
    assert "nowhere" in out
    assert variant("mine").rules == variant("brandub-globe").rules
