"""The facts of a game in the words of worked positions, as the core and the reference tell them."""

from collections.abc import Iterable
from typing import Any, TypeVar

from hnefi import CalledGame
from tests.reference import calls as reference
from tests.reference.tafl import count_open_roads, king_in_danger
from tests.worked import Worked

Facts = dict[str, Any]
TOLD = (
    *("after", "captures", "outcome", "legal_moves", "includes", "excludes", "exits", "danger"),
    *("owed", "required", "called", "must_replay", "refused"),
)
"""What an entry may say of the position after its moves."""


def call_facts(called: CalledGame) -> Facts:
    """Returns the state of the calls."""
    return {
        "owed": [square.name for square in called.open_roads],
        "required": called.required,
        "called": called.called,
        "must_replay": called.must_replay.name if called.must_replay else None,
        "refused": called.refused,
    }


def core_facts(called: CalledGame, danger: bool = True) -> Facts:
    """Returns the facts of the core; the danger of the king is optional, as it is slow in the reference."""
    game, position = called.game, called.game.position
    last, outcome = game.last, game.outcome
    return {
        "position": str(position),
        "turn": game.turn.value if game.turn else None,
        "moves": sorted(map(str, called.legal_moves())),
        "captures": [square.name for square in last.captures] if last and not called.refused else [],
        "passed": game.passed,
        "outcome": outcome and (outcome.winner and outcome.winner.value, outcome.reason.value),
        "exits": len(position.open_roads),
        "danger": position.threatened_king if danger else None,
        **call_facts(called),
    }


def reference_facts(called: reference.CalledGame, danger: bool = True) -> Facts:
    """Returns the facts of the reference, without open roads if there are no calls, as in the core."""
    game, looks = called.game, called.mode != "off"
    return {
        "position": game.position,
        "turn": game.turn,
        "moves": sorted(called.legal_moves()),
        "captures": list(called.captures),
        "passed": game.passed,
        "outcome": game.outcome and tuple(game.outcome),
        "exits": count_open_roads(game.rules, game.state),
        "danger": king_in_danger(game.rules, game.state) if danger else None,
        "owed": called.open_roads if looks else [],
        "required": called.required if looks else 0,
        "called": called.called or not looks,
        "must_replay": called.must_replay,
        "refused": called.refused,
    }


Called = TypeVar("Called", CalledGame, reference.CalledGame)


def played(called: Called, moves: Iterable[str]) -> Called:
    """Plays moves, `d1-c1` or, with a call, `d1-c1!2`."""
    for move in moves:
        name, _, call = move.partition("!")
        called = called.play(name, int(call or 0))
    return called


def told(worked: Worked, facts: Facts) -> Facts:
    """Returns the facts of a game for the keys of an entry, and whether a side has passed."""
    moves = facts["moves"]
    found = facts | {
        "after": facts["position"],
        "legal_moves": len(moves),
        "includes": sorted(set(worked.includes) - set(moves)),
        "excludes": sorted(set(worked.excludes) & set(moves)),
    }
    return {key: found[key] for key in TOLD if key in worked.keys} | {"passed": facts["passed"]}


def expected(worked: Worked) -> Facts:
    """Returns the expected facts of an entry; no pass unless it has one."""
    facts = {key: getattr(worked, key) for key in TOLD}
    facts |= {"after": worked.position_after, "includes": [], "excludes": []}
    return {key: facts[key] for key in TOLD if key in worked.keys} | {"passed": worked.passed}
