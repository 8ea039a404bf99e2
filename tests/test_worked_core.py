"""The compiled core against the worked positions."""

import json

import pytest

from hnefi import CalledGame, Game, IllegalMove, Rules, Setup
from tests.facts import core_facts, expected, played, told
from tests.samples import grouped
from tests.worked import Worked, load_worked

WORKED = load_worked()


def begin(worked: Worked) -> CalledGame:
    """Returns the game of an entry before its moves."""
    game = Game(Rules(json.dumps(worked.tree())), Setup(worked.position))
    mode, *more = worked.calls or ("off",)
    return CalledGame(game, mode, **dict(zip(("sanction", "replay", "wrong_number"), more, strict=False)))


@grouped((worked.source.partition(":")[0], worked) for worked in WORKED)
def test_worked_position(file: str, worked: Worked) -> None:
    called = played(begin(worked), worked.moves[:-1] if worked.illegal else worked.moves)
    if worked.illegal:
        with pytest.raises(IllegalMove) as refused:
            played(called, worked.moves[-1:])
        assert refused.value.code == worked.code
    assert told(worked, core_facts(called)) == expected(worked), (file, worked.id)
