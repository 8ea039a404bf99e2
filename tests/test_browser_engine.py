"""The rules and the engine in the browser are those of Python: a page's module and its worker, run by Node.

Both are compiled from one source; what is compared is the way between: numbers of 32 bits, JSON, and the
types of TypeScript.
"""

import json
import random
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

import node
import pytest

from hnefi import (
    CalledGame,
    Capture,
    Game,
    IllegalMove,
    Move,
    Position,
    Rules,
    Side,
    Square,
    VariantError,
    random_game,
    variant,
)
from hnefi.cli.lab.signature import searched_games
from hnefi.engine import Engine, book_for, calibrated_ids, level, weights_for
from hnefi.variants.switches import CALL_SWITCHES
from tests.deep.lockstep import tree_of
from tests.facts import call_facts
from tests.pages import MANIFEST, ROOT, STATIC
from tests.test_cli_signature import expected
from tests.timeouts import timeout_s

# Of every size of board, and of every way to win.
SIGNED = (
    *("ard-ri-globe", "brandub-globe", "brandub-breyer", "tablut-geoludie"),
    *("tablut-geoludie-slow", "copenhagen-11"),
)
PLAYED = ("brandub-globe", "tablut-kouvia", "gwezboell-globe", "copenhagen-11")
# Levels without a time limit, of which the lowest are quick on any board.
LEVELS = range(1, 6)
# The largest download of rules and engine together, in Brotli as servers send it.
MOST_BYTES = 400_000

Worker = tuple[IO[str], IO[str]]


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with browser_program("browser_engine.mjs") as started:
        yield started


def tell(worker: Worker, request: Mapping[str, object]) -> Any:
    worker[0].write(json.dumps(request) + "\n")
    worker[0].flush()
    return json.loads(worker[1].readline())


def answer_of(worker: Worker, game: Game, **request: object) -> Any:
    moves = [str(ply.move) for ply in game.plies]
    received = tell(worker, {"tree": game.rules.to_json(), "moves": moves, **request})
    assert "answer" in received, received
    return received["answer"] | {"reports": received["reports"]}


@pytest.mark.parametrize("name", SIGNED)
def test_the_signature_is_that_of_the_native_engine(worker: Worker, name: str) -> None:
    found = 0
    for game, depth in searched_games(variant(name)):
        analysis = answer_of(worker, game, do="analyse", depth=depth, table_mib=4, starts_empty=True)
        assert analysis["reports"] > 0
        found += analysis["nodes"]
    assert found == expected()[name]


@pytest.mark.parametrize("name", PLAYED)
def test_levels_choose_the_moves_of_the_native_engine(worker: Worker, name: str) -> None:
    with Engine(table_mib=1) as engine:
        for number in LEVELS:
            for seed, plies in ((1, 0), (2, 3), (3, 9)):
                game = random_game(variant(name).rules, seed, plies)
                if game.turn is None:
                    continue
                expected_move = engine.play(game, level(number), seed=seed)
                chosen = answer_of(worker, game, do="move", level=number, seed=str(seed))
                assert chosen["move"] == str(expected_move), (name, number, seed)


@pytest.mark.parametrize("name", PLAYED)
def test_strong_levels_play_the_moves_of_the_same_book(worker: Worker, name: str) -> None:
    games = [variant(name).new_game()]
    book = book_for(games[0].rules)
    assert book is not None
    games.append(games[0].play(book.moves(games[0].position)[0].moves[-1]))
    with Engine(table_mib=1) as engine:
        for number, game in zip((8, 10), games, strict=True):
            for seed in range(4):
                chosen = answer_of(worker, game, do="move", level=number, seed=str(seed))
                assert chosen["move"] == str(engine.play(game, level(number), seed=seed))
                assert chosen["analysis"]["nodes"] == 0


def test_scores_have_the_calibration_of_their_rules(worker: Worker) -> None:
    games = [variant(name).new_game() for name in ("brandub-globe", "gwezboell-globe")]
    games += [
        variant("brandub-globe").with_switches({"quiet_limit": limit}).new_game() for limit in ("40", "0")
    ]
    for game in games:
        line = answer_of(worker, game, do="analyse", depth=3, lines=2)["lines"][1]
        calibration = weights_for(game.rules).calibration
        assert line["chances"] == pytest.approx(calibration.chances(line["score"]))
        assert line["spread"] == calibration.spread


def test_a_proven_win_has_its_length_and_a_finished_game_has_no_lines_and_no_move(worker: Worker) -> None:
    tree = variant("brandub-globe").rules.to_json()
    won = {"do": "analyse", "tree": tree, "setup": "7/7/7/6t/3K3/7/7 d 0", "moves": [], "depth": 6}
    line = tell(worker, won)["answer"]["lines"][0]
    assert (line["win_in"], line["chances"]) == (-3, 0.0)
    over = {"tree": tree, "setup": "7/7/7/K6/7/7/t5t d", "moves": ["a4-a7"]}
    assert tell(worker, {**over, "do": "analyse", "depth": 2})["answer"]["lines"] == []
    assert tell(worker, {**over, "do": "move", "level": 1, "seed": "1"})["answer"] is None


def test_only_the_given_moves_are_considered(worker: Worker) -> None:
    game = variant("brandub-globe").new_game()
    analysis = answer_of(worker, game, do="analyse", depth=3, lines=5, of=["d1-c1", "d2-c2"])
    assert sorted(line["moves"][0] for line in analysis["lines"]) == ["d1-c1", "d2-c2"]


def test_a_search_ends_by_its_time(worker: Worker) -> None:
    analysis = answer_of(worker, variant("copenhagen-11").new_game(), do="analyse", time_ms=30)
    assert analysis["lines"]


@pytest.mark.parametrize(
    ("request_part", "message"),
    [
        ({"do": "analyse", "tree": "{}", "moves": []}, "faults"),
        ({"do": "analyse", "moves": ["a1-a9"]}, "refusal"),
        ({"do": "analyse", "moves": [], "weights": "{"}, "weights: "),
        ({"do": "move", "moves": [], "level": 11, "seed": "1"}, "level: 11, expected 1 to 10"),
    ],
)
def test_a_bad_request_is_a_failure(worker: Worker, request_part: dict[str, object], message: str) -> None:
    tree = variant("brandub-globe").rules.to_json()
    assert message in tell(worker, {"tree": tree, **request_part})["failure"]


def test_the_module_fits_its_budget() -> None:
    assert (STATIC / f"{MANIFEST['files']['engine.wasm']}.br").stat().st_size <= MOST_BYTES


def test_weights_of_all_calibrated_variants_are_known_to_the_worker() -> None:
    script = (STATIC / MANIFEST["files"]["engine_worker.js"]).read_text(encoding="utf-8")
    assert all(variant(name).rules.hash in script for name in calibrated_ids())


@contextmanager
def browser_program(name: str = "browser_rules.mjs") -> Iterator[Worker]:
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
def browser() -> Iterator[Worker]:
    with browser_program() as started:
        yield started


def ask(browser: Worker, question: Mapping[str, object]) -> Any:
    answer = tell(browser, question)
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


def play_game(browser: Worker, seed: int, number: int, plies: int) -> int:
    """Plays a random game on both sides and compares every ply; returns the number of plies."""
    _, tree = tree_of(seed, number)
    rng = random.Random(f"{seed}/{number}/moves")
    mode = rng.choice(["off", "auto", "manual"])
    protocol = {name: rng.choice(words) for name, words in CALL_SWITCHES.items()}
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


def test_random_games_are_the_same_in_the_browser(browser: Worker) -> None:
    plies = sum(play_game(browser, 20261120, number, 40) for number in range(5))
    assert plies > 60


@pytest.mark.deep
@pytest.mark.parametrize("chunk", range(10))
def test_thousands_of_random_games_are_the_same_in_the_browser(browser: Worker, chunk: int) -> None:
    seed = random.randrange(2**32)
    first = 500 * chunk
    plies = sum(play_game(browser, seed, number, 80) for number in range(first, first + 500))
    assert plies > 5000, seed


# --- The other answers ----------------------------------------------------------------------------------


def test_faults_of_rules_come_through_whole(browser: Worker) -> None:
    tree = json.dumps({"first": "nobody"})
    with pytest.raises(VariantError) as python:
        Rules(tree)
    faults = ask(browser, {"tree": tree, "plies": []})
    assert len(faults) > 5
    assert faults == [
        {"code": one.code, "kind": one.kind, "path": one.path, "facts": one.facts}
        for one in python.value.faults
    ]
