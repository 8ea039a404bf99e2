"""Differential testing of the browser rules against Python, over random games of variants and random rules.

Both are compiled from one source; what is compared is the way between: numbers of 32 bits, JSON, and the
types of TypeScript. Node runs the module that pages load.
"""

import json
import random
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

import node
import pytest

from hnefi import CalledGame, Capture, Game, IllegalMove, Move, Position, Rules, Side, Square, VariantError
from tests.deep.lockstep import tree_of
from tests.pages import ROOT, STATIC
from tests.test_worked_core import call_facts
from tests.timeouts import timeout_s

Browser = tuple[IO[str], IO[str]]


@contextmanager
def browser_program(name: str = "browser_rules.mjs") -> Iterator[Browser]:
    """Starts Node with a program that runs what browsers run; it answers on its standard output."""
    environment = node.node_environment({}, may_install=False)
    program = ["node", str(ROOT / "tests" / name), str(STATIC)]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdin, process.stdout
        process.stdin.close()
        assert process.wait(timeout_s()) == 0


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_program() as started:
        yield started


def ask(browser: Browser, question: Mapping[str, object]) -> Any:
    browser[0].write(json.dumps(question) + "\n")
    browser[0].flush()
    answer = json.loads(browser[1].readline())
    assert isinstance(answer, list), answer
    return answer


# --- What Python says, in the form of the browser --------------------------------------------------------


def names(squares: tuple[Square, ...]) -> list[str]:
    return [square.name for square in squares]


def step(move: Move) -> dict[str, str]:
    return {"from": move.from_square.name, "to": move.to_square.name}


def captures(found: tuple[Capture, ...]) -> list[dict[str, object]]:
    return [
        {"square": one.square.name, "piece": one.piece.value, "how": one.how, "by": names(one.by)}
        for one in found
    ]


def description(position: Position, move: Move) -> dict[str, object]:
    found = position.describe(move)
    return {
        **step(move),
        "piece": found.piece.value,
        "captures": captures(found.captures),
        "text": str(found),
    }


def legal(called: CalledGame) -> dict[str, list[dict[str, object]]]:
    position = called.game.position
    moves: dict[str, list[dict[str, object]]] = {}
    for move in called.legal_moves():
        taken = [capture.square.name for capture in position.describe(move).captures]
        entry: dict[str, object] = {"to": move.to_square.name, "captures": taken}
        moves.setdefault(move.from_square.name, []).append(entry)
    return moves


def last(game: Game) -> dict[str, object] | None:
    if game.last is None or game.parent is None:
        return None
    ply, before = game.last, game.parent.position
    found = before.describe(ply.move)
    return {
        **step(ply.move),
        "side": ply.side.value,
        "piece": found.piece.value,
        "captures": captures(found.captures),
        "passed": ply.passed,
        "text": str(ply),
    }


def core_facts(called: CalledGame) -> dict[str, object]:
    """Returns everything but what only the browser has: hostile squares and the closed sides of the king."""
    game = called.game
    position, outcome = game.position, game.outcome
    return {
        "position": str(position.setup),
        "turn": game.turn.value if game.turn else None,
        "ply": game.ply_count,
        "quiet": game.quiet,
        "repetitions": game.repetitions,
        "passed": game.passed,
        "last": last(game),
        "outcome": outcome
        and {"winner": outcome.winner.value if outcome.winner else None, "reason": outcome.reason.value},
        "king": position.king.name if position.king else None,
        "going": position.going.name if position.going else None,
        "may_stop": position.may_end_turn,
        "roads": [step(move) for move in position.open_roads],
        "calls": {"mode": called.mode, **call_facts(called)},
        "legal": legal(called),
    }


def refusal(called: CalledGame, text: str) -> dict[str, object] | None:
    try:
        called.play(text)
    except IllegalMove as error:
        return {"code": error.code, "facts": dict(error.parameters)}
    return None


def closed_by_hand(
    position: Position, tree: Mapping[str, Any], hostile: Mapping[str, list[str]]
) -> list[str]:
    """Returns the closed sides of the king, by the rules and the hostile squares."""
    king = position.king
    assert king is not None
    around = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
    closed = []
    for side, (across, up) in around.items():
        file, rank = king.file + across, king.rank + up
        if not (0 <= file < position.setup.size and 0 <= rank < position.setup.size):
            beyond = tree["hostility"]["edge_hostile_king"] and four_sides(position, tree)
            closed += [side] if beyond else []
            continue
        square = Square.at(file, rank)
        piece = position.piece_at(square)
        if (piece is not None and piece.side is Side.ATTACKERS) or "king" in hostile.get(square.name, []):
            closed.append(side)
    return closed


def four_sides(position: Position, tree: Mapping[str, Any]) -> bool:
    king, throne, ways = position.king, position.rules.throne, tree["capture"]["king_capture"]
    assert king is not None
    far = abs(king.file - throne.file) + abs(king.rank - throne.rank) if throne else 9
    place = {0: "on_throne", 1: "beside_throne"}.get(far, "elsewhere")
    return bool(ways[place] == "four_sides")


# --- Games ----------------------------------------------------------------------------------------------


def play_game(browser: Browser, seed: int, number: int, plies: int) -> int:
    """Plays a random game on both sides and compares every ply; returns the number of plies."""
    _, tree = tree_of(seed, number)
    rng = random.Random(f"{seed}/{number}/moves")
    mode = rng.choice(["off", "auto", "manual"])
    sanction = rng.choice(["none", "replay", "until_called"])
    replay = rng.choice(["same_piece", "any_piece"])
    protocol = {"sanction": sanction, "replay": replay, "wrong_number": rng.choice(["call", "forgotten"])}
    called = CalledGame(Game(Rules(json.dumps(tree))), mode, **protocol)
    states, written, refusals, descriptions = [called], [], [], []
    for _ in range(plies):
        moves = called.legal_moves()
        if not moves:
            break
        escapes = [move for move in called.game.position.open_roads if move in moves]
        move, call = rng.choice(escapes if escapes and rng.random() < 0.3 else moves), rng.randrange(3)
        refused = [text for text in random_moves(rng, called) if refusal(called, text) is not None]
        refusals.append([refusal(called, text) for text in refused])
        descriptions.append(description(called.game.position, move))
        written.append({"move": str(move), "call": call, "refused": refused})
        called = called.play(move, call)
        states.append(called)
    calls = {"mode": mode, **protocol}
    answers = ask(browser, {"tree": json.dumps(tree), "calls": calls, "plies": written})
    assert len(answers) == len(states)
    for ply, (answer, state) in enumerate(zip(answers, states, strict=True)):
        where = f"game {number} of seed {seed}, ply {ply}"
        found = answer["seen"]
        danger, hostile = found.pop("danger"), found.pop("hostile")
        assert found == core_facts(state), where
        compare_danger(
            danger, {one["square"]: one["to"] for one in hostile}, state.game.position, tree, where
        )
        if ply > 0:
            assert answer["refusals"] == refusals[ply - 1], where
            assert answer["described"] == refusals[ply - 1], where
            assert answer["description"] == descriptions[ply - 1], where
    facts = answers[0]["facts"]
    rules = states[0].game.rules
    assert (facts["hash"], facts["size"], facts["start"]) == (rules.hash, rules.size, str(rules.start))
    assert (facts["corners"], facts["goals"]) == (names(rules.corners), names(rules.goals))
    assert facts["tree"] == json.loads(rules.to_json())
    return len(written)


def compare_danger(
    danger: Any, hostile: Mapping[str, list[str]], position: Position, tree: Mapping[str, Any], where: str
) -> None:
    if position.king is None:
        assert danger is None, where
        return
    assert danger["threatened"] == position.threatened_king, where
    assert danger["closed"] == closed_by_hand(position, tree, hostile), where
    assert danger["count"] <= len(danger["closed"]), where


def random_moves(rng: random.Random, called: CalledGame) -> list[str]:
    """Draws some moves, of which most are not legal."""
    size = called.game.rules.size
    squares = [Square.at(rng.randrange(min(size + 1, 19)), rng.randrange(size)).name for _ in range(6)]
    standing = [one.name for one in called.game.position.setup.pieces] or ["a1"]
    origins = [rng.choice([square, rng.choice(standing)]) for square in squares[3:]]
    return [f"{origin}-{square}" for origin, square in zip(origins, squares, strict=False)]


def test_random_games_are_the_same_in_the_browser(browser: Browser) -> None:
    plies = sum(play_game(browser, 20261120, number, 40) for number in range(5))
    assert plies > 60


@pytest.mark.deep
@pytest.mark.parametrize("chunk", range(10))
def test_thousands_of_random_games_are_the_same_in_the_browser(browser: Browser, chunk: int) -> None:
    seed = random.randrange(2**32)
    first = 500 * chunk
    plies = sum(play_game(browser, seed, number, 80) for number in range(first, first + 500))
    assert plies > 5000, seed


# --- The other answers ----------------------------------------------------------------------------------


def test_faults_of_rules_come_through_whole(browser: Browser) -> None:
    tree = json.dumps({"first": "nobody"})
    with pytest.raises(VariantError) as python:
        Rules(tree)
    faults = ask(browser, {"tree": tree, "plies": []})
    assert len(faults) > 5
    assert faults == [
        {"code": one.code, "kind": one.kind, "path": one.path, "facts": one.facts}
        for one in python.value.faults
    ]
