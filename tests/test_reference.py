"""The plain-Python reference against the worked positions, the known move counts and random rules."""

import random

import pytest

from tests.reference.calls import CalledGame
from tests.reference.tafl import Game, Rules, king_in_danger, perft, routes
from tests.worked import Worked, load_worked, variant_tree

WORKED = load_worked()

# Move sequences of one, two and three plies from the start.
PERFT = {
    "ard-ri-globe": [8, 176, 1736],
    "brandub-globe": [40, 960, 39512],
    "brandub-breyer": [40, 960, 39512],
    "tablut-geoludie": [56, 3968, 225224],
    "tablut-geoludie-slow": [56, 3968, 225224],
    "gwezboell-globe": [72, 3944, 285728],
    "tablut-kouvia": [72, 3944, 285728],
}


def begin(worked: Worked) -> CalledGame:
    game = Game(Rules(worked.tree()), worked.position)
    return CalledGame(game, *(worked.calls or ("off",)))


def play(called: CalledGame, move: str) -> CalledGame:
    name, _, call = move.partition("!")
    return called.play(name, int(call or 0))


@pytest.mark.parametrize("worked", WORKED, ids=lambda worked: worked.id)
def test_worked_position(worked: Worked) -> None:
    called = begin(worked)
    moves = worked.moves[:-1] if worked.illegal else worked.moves
    for move in moves:
        called = play(called, move)
    if worked.illegal:
        with pytest.raises(ValueError, match="not a move"):
            play(called, worked.moves[-1])
    assert seen(worked, called) == expected(worked)


def expected(worked: Worked) -> dict[str, object]:
    """What the entry says, and that nobody had to pass unless it says so."""
    told = {
        "after": worked.position_after,
        "captures": worked.captures,
        "outcome": worked.outcome,
        "legal_moves": worked.legal_moves,
        "includes": [],
        "excludes": [],
        "exits": worked.exits,
        "danger": worked.danger,
        "owed": worked.owed,
        "called": worked.called,
        "must_replay": worked.must_replay,
        "refused": worked.refused,
    }
    return {key: value for key, value in told.items() if key in worked.said} | {"passed": worked.passed}


def seen(worked: Worked, called: CalledGame) -> dict[str, object]:
    """The same things as they are in the game."""
    game, moves = called.game, called.legal_moves()
    facts = {
        "after": game.position,
        "captures": called.captures,
        "outcome": game.outcome,
        "legal_moves": len(moves),
        "includes": sorted(set(worked.includes) - set(moves)),
        "excludes": sorted(set(worked.excludes) & set(moves)),
        "exits": routes(game.rules, game.state),
        "danger": king_in_danger(game.rules, game.state),
        "owed": called.owed,
        "called": called.called,
        "must_replay": called.must_replay,
        "refused": called.refused,
    }
    return {key: value for key, value in facts.items() if key in worked.said} | {"passed": game.passed}


def test_every_worked_position_says_something_and_has_its_own_id() -> None:
    identities = [worked.id for worked in WORKED]
    assert len(set(identities)) == len(identities) >= 124
    facts = {"after", "illegal", "outcome", "legal_moves", "includes", "excludes", "exits", "danger"}
    assert not [worked.id for worked in WORKED if not worked.said & facts or not worked.note]


@pytest.mark.parametrize("identity", PERFT)
def test_start_has_the_known_move_counts(identity: str) -> None:
    rules = Rules(variant_tree(identity))
    assert [perft(rules, rules.start, depth) for depth in (1, 2, 3)] == PERFT[identity]
