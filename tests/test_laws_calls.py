"""Announcements: the core against the reference over random games, and laws of every called game."""

import json
import random
from functools import partial
from typing import Any

import pytest

from hnefi import CalledGame, Game, IllegalMove, Rules
from hnefi.variants.switches import CALL_SWITCHES
from tests import facts
from tests.reference import calls as reference
from tests.reference import tafl
from tests.reference.board import format_rows
from tests.reference.random_rules import random_tree
from tests.samples import deep
from tests.worked import variant_tree

CALLED = ("brandub-globe", "gwezboell-globe", "tablut-geoludie", "tablut-kouvia", "ard-ri-globe")


# Whether the king is in danger is slow to find in the reference.
core_facts = partial(facts.core_facts, danger=False)
reference_facts = partial(facts.reference_facts, danger=False)


def escapes(called: CalledGame, moves: list[str]) -> list[str]:
    """Returns the moves of the king to a goal."""
    king = called.game.position.king
    goals = {goal.name for goal in called.game.rules.goals}
    parts = [move.split("-") for move in moves]
    return ["-".join(part) for part in parts if king and part[0] == king.name and part[1] in goals]


def walk(tree: dict[str, Any], rng: random.Random, plies: int) -> tuple[int, int]:
    """Plays a game with random calls on both; counts positions with open roads, and refused escapes."""
    mode = rng.choice(["manual", "manual", "manual", "auto", "off"])
    protocol = {name: rng.choice(words) for name, words in CALL_SWITCHES.items()}
    core = CalledGame(Game(Rules(json.dumps(tree))), mode, **protocol)
    other = reference.CalledGame(tafl.Game(tafl.Rules(tree)), mode, **protocol)
    roads = refused = 0
    for _ in range(plies):
        assert core_facts(core) == reference_facts(other), (mode, protocol, json.dumps(tree))
        roads, refused = roads + bool(core.open_roads), refused + core.refused
        moves = sorted(str(move) for move in core.legal_moves())
        if not moves:
            break
        check_duty(core)
        out = escapes(core, moves)
        move = rng.choice(out if out and rng.random() < 0.3 else moves)
        call = rng.choice([0, 0, 0, 1, 2])
        core, other = core.play(move, call), other.play(move, call)
    assert core_facts(core) == reference_facts(other)
    return roads, refused


def check_duty(called: CalledGame) -> None:
    """Every other move of the game is refused with `must_replay` while a piece has to be played again."""
    duty = called.must_replay
    for move in called.game.legal_moves():
        if duty is not None and move.from_square != duty:
            with pytest.raises(IllegalMove) as refused:
                called.play(move)
            assert refused.value.code == "must_replay"
            return


@pytest.mark.parametrize("identity", CALLED)
def test_called_games_of_the_texts_go_the_same_way(identity: str) -> None:
    rng = random.Random(identity)
    results = [
        walk(tree, rng, 60) for tree in (variant_tree(identity), sparse(identity, rng)) for _ in range(6)
    ]
    assert sum(roads for roads, _ in results) > 0


def sparse(identity: str, rng: random.Random) -> dict[str, Any]:
    """The rules of a variant, with a start in which the king has much room and few companions."""
    tree = variant_tree(identity)
    size = tree["board"]["size"]
    inner = [(file, rank) for file in range(1, size - 1) for rank in range(1, size - 1)]
    king, *men = rng.sample([square for square in inner if square != (size // 2, size // 2)], 8)
    board = {king: "K"} | {square: "t" if place < 5 else "T" for place, square in enumerate(men)}
    tree["board"]["start"] = format_rows(size, board)
    return tree


@pytest.mark.parametrize("games", [30, *deep(170)])
def test_called_games_of_random_rules_go_the_same_way(games: int) -> None:
    seed = 20261127 if games == 30 else random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    results = [walk(random_tree(rng, rng.choice([5, 7, 7, 9])), rng, 50) for _ in range(games)]
    assert sum(roads for roads, _ in results) > games / 3
    assert sum(refused for _, refused in results) > games / 50


def test_a_called_game_never_changes() -> None:
    """A refused escape is a new value; the old one can be continued otherwise."""
    tree = variant_tree("gwezboell-globe")
    rng = random.Random(5)
    called = CalledGame(Game(Rules(json.dumps(tree))), "manual", sanction="replay")
    for _ in range(60):
        moves = called.legal_moves()
        if not moves:
            break
        before = core_facts(called)
        after = {str(move): core_facts(called.play(move)) for move in moves}
        assert core_facts(called) == before
        assert after == {str(move): core_facts(called.play(str(move))) for move in moves}
        called = called.play(rng.choice(moves), rng.choice([0, 1]))


def test_words_that_are_no_mode_sanction_or_call_are_refused() -> None:
    game = Game(Rules(json.dumps(variant_tree("gwezboell-globe"))))
    wrong = {"mode": "loud", "sanction": "prison", "replay": "no_piece", "wrong_number": "right"}
    for name, word in wrong.items():
        with pytest.raises(ValueError, match=name):
            CalledGame(game, **{"mode": "manual", name: word})
    with pytest.raises(ValueError, match="call"):
        CalledGame(game, "manual").play(game.legal_moves()[0], 3)
