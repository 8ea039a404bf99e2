"""The compiled core against the worked positions."""

import json

import pytest

from hnefi import CalledGame, Game, IllegalMove, Rules, Setup
from tests.samples import grouped
from tests.test_reference import expected
from tests.worked import Worked, load_worked

WORKED = load_worked()


def begin(worked: Worked) -> CalledGame:
    """Returns the game of an entry before its moves."""
    game = Game(Rules(json.dumps(worked.tree())), Setup(worked.position))
    mode, *more = worked.calls or ("off",)
    return CalledGame(game, mode, **dict(zip(("sanction", "replay", "wrong_number"), more, strict=False)))


def play(called: CalledGame, move: str) -> CalledGame:
    """Plays `d1-c1` or, with a call, `d1-c1!2`."""
    name, _, call = move.partition("!")
    return called.play(name, int(call or 0))


@grouped((worked.source.partition(":")[0], worked) for worked in WORKED)
def test_worked_position(file: str, worked: Worked) -> None:
    called = begin(worked)
    moves = worked.moves[:-1] if worked.illegal else worked.moves
    for move in moves:
        called = play(called, move)
    if worked.illegal:
        with pytest.raises(IllegalMove) as refused:
            play(called, worked.moves[-1])
        assert refused.value.code == worked.code
    assert core_facts(worked, called) == expected(worked), (file, worked.id)


def call_facts(called: CalledGame) -> dict[str, object]:
    """Returns the state of the calls."""
    return {
        "owed": [square.name for square in called.open_roads],
        "required": called.required,
        "called": called.called,
        "must_replay": called.must_replay.name if called.must_replay else None,
        "refused": called.refused,
    }


def core_facts(worked: Worked, called: CalledGame) -> dict[str, object]:
    """Returns the facts of the game for the keys of the entry."""
    game, position = called.game, called.game.position
    last, outcome = game.last, game.outcome
    moves = {str(move) for move in called.legal_moves()}
    captures = [square.name for square in last.captures] if last and not called.refused else []
    winner = outcome.winner.value if outcome and outcome.winner else None
    facts: dict[str, object] = {
        "after": str(position),
        "captures": captures,
        "outcome": (winner, outcome.reason.value) if outcome else None,
        "legal_moves": len(moves),
        "includes": sorted(set(worked.includes) - moves),
        "excludes": sorted(set(worked.excludes) & moves),
        "exits": len(position.open_roads),
        "danger": position.threatened_king,
        **call_facts(called),
    }
    return {key: value for key, value in facts.items() if key in worked.keys} | {"passed": game.passed}
