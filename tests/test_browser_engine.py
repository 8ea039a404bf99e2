"""The engine in the browser: its worker searches the positions and chooses the moves of the native engine."""

import json
from collections.abc import Iterator, Mapping
from typing import IO, Any

import pytest

from hnefi import Game, random_game, variant
from hnefi.cli.lab.signature import searched_games
from hnefi.engine import Engine, book_for, calibrated_ids, level, weights_for
from tests.pages import MANIFEST, STATIC
from tests.test_browser_rules import browser_program
from tests.test_cli_lab import expected

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


def ask(worker: Worker, game: Game, **request: object) -> Any:
    moves = [str(ply.move) for ply in game.plies]
    received = tell(worker, {"tree": game.rules.to_json(), "moves": moves, **request})
    assert "answer" in received, received
    return received["answer"] | {"reports": received["reports"]}


@pytest.mark.parametrize("name", SIGNED)
def test_the_signature_is_that_of_the_native_engine(worker: Worker, name: str) -> None:
    found = 0
    for game, depth in searched_games(variant(name)):
        analysis = ask(worker, game, do="analyse", depth=depth, table_mib=4, starts_empty=True)
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
                chosen = ask(worker, game, do="move", level=number, seed=str(seed))
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
                chosen = ask(worker, game, do="move", level=number, seed=str(seed))
                assert chosen["move"] == str(engine.play(game, level(number), seed=seed))
                assert chosen["analysis"]["nodes"] == 0


def test_scores_have_the_calibration_of_their_rules(worker: Worker) -> None:
    games = [variant(name).new_game() for name in ("brandub-globe", "gwezboell-globe")]
    games += [
        variant("brandub-globe").with_switches({"quiet_limit": limit}).new_game() for limit in ("40", "0")
    ]
    for game in games:
        line = ask(worker, game, do="analyse", depth=3, lines=2)["lines"][1]
        calibration = weights_for(game.rules).calibration
        assert line["chances"] == pytest.approx(calibration.chances(line["score"]))
        assert line["spread"] == calibration.spread


def test_a_proven_win_has_its_length(worker: Worker) -> None:
    rules = variant("brandub-globe").rules
    request = {
        "do": "analyse",
        "tree": rules.to_json(),
        "setup": "7/7/7/6t/3K3/7/7 d 0",
        "moves": [],
        "depth": 6,
    }
    line = tell(worker, request)["answer"]["lines"][0]
    assert (line["win_in"], line["chances"]) == (-3, 0.0)


def test_a_finished_game_has_no_lines_and_no_move(worker: Worker) -> None:
    rules = variant("brandub-globe").rules
    over = {"tree": rules.to_json(), "setup": "7/7/7/K6/7/7/t5t d", "moves": ["a4-a7"]}
    assert tell(worker, {**over, "do": "analyse", "depth": 2})["answer"]["lines"] == []
    assert tell(worker, {**over, "do": "move", "level": 1, "seed": "1"})["answer"] is None


def test_only_the_given_moves_are_considered(worker: Worker) -> None:
    game = variant("brandub-globe").new_game()
    analysis = ask(worker, game, do="analyse", depth=3, lines=5, of=["d1-c1", "d2-c2"])
    assert sorted(line["moves"][0] for line in analysis["lines"]) == ["d1-c1", "d2-c2"]


def test_a_search_ends_by_its_time(worker: Worker) -> None:
    analysis = ask(worker, variant("copenhagen-11").new_game(), do="analyse", time_ms=30)
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
