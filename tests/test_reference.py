"""The plain-Python reference against the worked positions, the known move counts and random rules."""

import json
import random

import pytest

from hnefi import Rules as CompiledRules
from hnefi.variants.schema import completed, schema, value_at
from tests.facts import expected, played, reference_facts, told
from tests.reference.board import SIDE, TURNED, parse_square
from tests.reference.calls import CalledGame
from tests.reference.random_rules import random_tree
from tests.reference.tafl import (
    Game,
    Rules,
    apply_move,
    parse_position,
    perft,
)
from tests.samples import deep, grouped
from tests.worked import Worked, load_worked, variant_tree

WORKED = load_worked()


def begin(worked: Worked) -> CalledGame:
    game = Game(Rules(worked.tree()), worked.position)
    return CalledGame(game, *(worked.calls or ("off",)))


@grouped((worked.source.partition(":")[0], worked) for worked in WORKED)
def test_worked_position(file: str, worked: Worked) -> None:
    called = played(begin(worked), worked.moves[:-1] if worked.illegal else worked.moves)
    if worked.illegal:
        with pytest.raises(ValueError, match="not a move"):
            played(called, worked.moves[-1:])
    assert told(worked, reference_facts(called)) == expected(worked), (file, worked.id)


def test_every_worked_position_has_expected_facts_and_a_unique_id() -> None:
    identities = [worked.id for worked in WORKED]
    assert len(set(identities)) == len(identities) >= 290
    facts = {"after", "illegal", "outcome", "legal_moves", "includes", "excludes", "exits", "danger"}
    assert not [worked.id for worked in WORKED if not worked.keys & facts or not worked.note]


def test_perft_leaves_out_games_that_ended_earlier() -> None:
    # Two of the king's 11 moves win; after each of the 9 others the attacker has 9 moves.
    rules, position = Rules(variant_tree("brandub-globe")), "7/7/7/K6/7/7/3t3 d"
    assert [perft(rules, parse_position(position), depth) for depth in (0, 1, 2)] == [1, 11, 81]
    assert perft(rules, parse_position("7/7/7/7/7/7/K2t3 a"), 1) == 0


@pytest.mark.parametrize("move", ["a1-a2", "d1-d2", "a4-d4", "a4-b5"])
def test_apply_move_refuses_what_is_not_legal(move: str) -> None:
    rules = Rules(variant_tree("brandub-globe"))
    with pytest.raises(ValueError, match="not a legal move of the defenders"):
        apply_move(rules, parse_position("7/7/7/K6/7/7/3t3 d"), move)


def test_game_that_is_over_takes_no_move() -> None:
    game = Game(Rules(variant_tree("brandub-globe")), "7/7/7/K6/7/7/3t3 d").play("a4-a1")
    with pytest.raises(ValueError, match="over"):
        game.play("d1-d2")


@pytest.mark.parametrize("games", [20, *deep(200)])
def test_random_games_on_random_rules_keep_their_promises(games: int) -> None:
    """Plays random games and checks laws after every move."""
    seed = 20261128 if games == 20 else random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    for _ in range(games):
        game = Game(Rules(random_tree(rng, rng.choice([5, 7, 9]))))
        while game.outcome is None and len(game.history) < 80:
            before = game
            game = game.play(rng.choice(game.legal_moves()))
            check_ply(before, game)


def check_ply(before: Game, after: Game) -> None:
    """Checks what one ply may change, and what is true of every game that goes on or has ended."""
    rules, mover = before.rules, before.state.side
    left = dict(after.state.board)
    for square in map(parse_square, after.captures):
        if before.state.board[square] in TURNED:  # he stays, on the other side
            assert left.pop(square) == TURNED[before.state.board[square]]
    gone = sorted(before.state.board.values())
    for piece in left.values():
        gone.remove(piece)
    king_is_gone = "K" in gone
    soldiers = [piece for piece in gone if piece != "K"]
    assert len(soldiers) == len(after.captures)
    assert all(SIDE[piece] != mover for piece in gone)
    origin, target = after.history[-1].move.split("-")
    is_stop = origin == target  # a turn of several captures has ended
    assert not (is_stop and gone)
    assert after.state.quiet == (0 if gone or is_stop else before.state.quiet + 1)
    going = after.state.going
    if going is not None:
        assert soldiers
        assert after.outcome is None
        assert SIDE[after.state.board[going]] == mover
    assert (after.turn is None) == (after.outcome is not None) == (after.legal_moves() == [])
    assert (after.passed or going is not None) == (after.state.side == mover)
    if king_is_gone:
        assert after.outcome is not None
        assert after.outcome.reason == "king_captured"
    if rules.quiet_limit and after.outcome is None:
        assert after.state.quiet < rules.quiet_limit


def test_random_rules_cover_every_value_and_hold_no_contradiction() -> None:
    rng = random.Random(1)
    trees = [random_tree(rng, rng.choice([5, 7])) for _ in range(400)]
    for tree in trees:
        # The core refuses contradictions.
        CompiledRules(json.dumps(tree))
    for leaf, entry in schema().items():
        if entry["kind"] == "choice":
            assert {value_at(completed(tree), leaf) for tree in trees} == {*entry["values"]}, leaf
