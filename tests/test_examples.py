"""The example of each rule: it shows a difference, the reference sees the same one, and words say it."""

import json

import pytest

from hnefi import variant
from hnefi.errors import VariantError
from hnefi.examples import Effect, Example, example, example_text
from hnefi.switches import schema
from tests.reference import tafl
from tests.reference.board import square_name

# Boards of all sizes, with and without throne, corners, camps and ranks.
BOARDS = (
    "ard-ri-globe",
    "berserk-11",
    "brandub-breyer",
    "copenhagen-11",
    "gwezboell-globe",
    "sea-battle-9",
    "tablut-geoludie",
    "tablut-kouvia",
)
# No single move shows these.
SILENT = {"size", "start", "first"}


def shown(name: str, leaf: str, value: str | None = None) -> Example:
    found = example(variant(name), leaf, value)
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
    said = effect.outcome and (
        effect.outcome.winner and effect.outcome.winner.value,
        effect.outcome.reason.value,
    )
    assert said == (after.outcome and tuple(after.outcome))
    assert (effect.position, effect.passed) == (after.position, after.passed)


@pytest.mark.parametrize("name", BOARDS)
def test_the_reference_plays_each_example_alike(name: str) -> None:
    for leaf in schema():
        found = example(variant(name), leaf)
        if found is not None:
            check(found)
            for lang in ("en", "fr"):
                assert example_text(found, lang)


def test_an_unknown_rule_or_value_is_refused() -> None:
    for leaf, value in (("nothing", None), ("king_armed", "perhaps"), ("throne", "none,none")):
        with pytest.raises(VariantError):
            example(variant("brandub-globe"), leaf, value)
