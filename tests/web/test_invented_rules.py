"""Differential testing of random rules: the browser and Python agree on every position."""

import json
import random
import time
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from hnefi import CalledGame, Rules, Variant
from hnefi.variants.similarity import as_switches
from tests.deep.report import note
from tests.reference.random_rules import random_tree
from tests.web.conftest import Visitors
from tests.web.game_page import moves, until

MANY, PLIES, SEED = 1_000, 4, 20261120
MATCH = {"legs": 1, "tie_break": "none", "lot": False}


def random_variant(rng: random.Random) -> tuple[Variant, str]:
    """Returns a variant with random rules, and the address of a page to play it."""
    tree = random_tree(rng)
    own = Variant("own", 1, Rules(json.dumps(tree)), tree, {}, {"names": {"en": "Own"}}, None, MATCH, {}, ())
    base, switches = as_switches(own)
    made = base.with_switches(switches)
    assert made.rules == own.rules
    query = {"variant": base.id, **{f"rule.{key}": value for key, value in switches.items()}}
    return made, f"/en/table?{urlencode(query)}"


def compare_play(page: Page, made: Variant, rng: random.Random) -> int:
    """Plays random moves on the page and compares the board after each; returns their number."""
    game = made.new_called_game()
    board = page.locator("tafl-board")
    until(page, lambda: browser_state(page) == python_state(game), "the start position")
    for ply in range(PLIES):
        if game.game.outcome is not None:
            return ply
        move = rng.choice(game.legal_moves())
        game = game.play(str(move))
        assert board.evaluate("(board, text) => board.play(text)", str(move)), str(move)
        expected = python_state(game)
        until(page, lambda expected=expected: browser_state(page) == expected, f"{expected} after {move}")  # type: ignore[misc]
    expect(moves(page)).not_to_have_count(0)
    return PLIES


def browser_state(page: Page) -> list[object]:
    """Returns the state of the board on the page: the rows, the side to move, and the legal moves."""
    shown = page.locator("tafl-board").evaluate(
        "({state}) => state && [state.position.split(' ')[0], state.turn, Object.entries(state.legal ?? {})"
        ".flatMap(([from, all]) => all.map(({to}) => `${from}-${to}`)).sort()]"
    )
    return list(shown or [])


def python_state(game: CalledGame) -> list[object]:
    """Returns the same state from Python."""
    turn = game.game.turn
    legal = sorted({f"{move.from_square}-{move.to_square}" for move in game.legal_moves()})
    return [str(game.game.position).split(" ")[0], turn.value if turn else None, legal]


@pytest.mark.deep
def test_a_thousand_random_rules_agree_with_python(visit: Visitors) -> None:
    started, rng = time.monotonic(), random.Random(SEED)
    page = visit("/en/")
    played = 0
    for _ in range(MANY):
        made, address = random_variant(rng)
        page.goto(address)
        played += compare_play(page, made, rng)
    done = f"{MANY:,} invented rule sets opened in a browser, {played:,} plies played there"
    note(
        "own rules in a browser",
        done,
        "boards and moves as Python has them",
        SEED,
        time.monotonic() - started,
    )
