"""Benchmark of the Python library, in processor time."""

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hnefi import Game, random_game, variant
from hnefi.checking import Checker
from hnefi.formats import read_games
from hnefi.formats.game_types import parse_game_types

ROUNDS = 7

_GAME_TYPE = """
[[type]]
number = 7
name = "Ours"
status = "games"
variant = "gwezboell-globe"
switches = ["quiet_limit=0"]
"""


class Figure(NamedTuple):
    """One figure with its limit; more is better if `is_rate`."""

    name: str
    value: float
    limit: float
    unit: str
    is_rate: bool = False

    @property
    def is_met(self) -> bool:
        return self.value >= self.limit if self.is_rate else self.value <= self.limit


def best_us(task: Callable[[], object], times: int) -> float:
    """Returns the shortest time of one call over several rounds, in microseconds."""
    shortest = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(times):
            task()
        shortest = min(shortest, (time.process_time() - start) / times)
    return shortest * 1e6


def start_ms(program: str) -> float:
    """Returns the time of a short program in a new process, in milliseconds; the best of many."""

    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def run(code: str) -> float:
        start = spent()
        subprocess.run([sys.executable, "-c", code], check=True)
        return spent() - start

    shortest = min(run(program) for _ in range(2 * ROUNDS))
    return 1e3 * (shortest - min(run("pass") for _ in range(2 * ROUNDS)))


def random_plies_a_second(start: Game, plies: int) -> float:
    """Plays random games with moves as Python values; returns the best rate of several rounds."""

    def run(seed: int) -> float:
        choose = random.Random(seed).choice
        played, begin = 0, time.process_time()
        while played < plies:
            game = start
            while moves := game.legal_moves():
                game = game.play(choose(moves))
                played += 1
        return played / (time.process_time() - begin)

    return max(run(seed) for seed in range(ROUNDS))


def replayed_plies_a_second(games: int) -> float:
    """Returns how many plies of recorded games a second are read from a file, played and compared."""
    rules = variant("gwezboell-globe").rules
    table = parse_game_types(_GAME_TYPE)
    lines = []
    for seed in range(games):
        game = random_game(rules, seed, 60)
        moves = [str(ply).replace("/", "x") for ply in game.plies]
        facts = {"id": f"7-1-{seed}", "type": 7, "variant": "Ours", "moves": moves, "winner": "Ongoing"}
        lines.append(json.dumps(facts))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        path.write_text("\n".join(lines), "utf-8")

        def run() -> float:
            checker = Checker({one.number: one for one in table})
            begin = time.process_time()
            for raw_game in read_games(path):
                checker.check_game(path.name, raw_game)
            (row,) = checker.tallies.values()
            assert row.clean == games
            return row.plies / (time.process_time() - begin)

        return max(run() for _ in range(ROUNDS))


def beside_chess() -> list[Figure]:
    """Measures importing, a first list of moves and random games beside python-chess, in the same run.

    Chess and tafl differ: the limits say only that Hnefi costs no more. Without python-chess, which is no
    dependency, nothing is compared.
    """
    try:
        import chess
    except ImportError:
        print("python-chess is not installed: nothing is compared with it.", file=sys.stderr)
        return []

    def chess_plies_a_second(seed: int, plies: int = 4000) -> float:
        choose = random.Random(seed).choice
        played, begin = 0, time.process_time()
        while played < plies:
            board = chess.Board()
            while not board.is_game_over():
                board.push(choose(list(board.legal_moves)))
                played += 1
        return played / (time.process_time() - begin)

    first = "import hnefi; hnefi.variant('brandub-globe').new_game().legal_moves()"
    first_of_chess = "import chess; list(chess.Board().legal_moves)"
    brandub = variant("brandub-globe").new_game()
    rates = random_plies_a_second(brandub, 50_000), max(chess_plies_a_second(seed) for seed in range(ROUNDS))
    return [
        Figure("import, beside python-chess", start_ms("import hnefi"), start_ms("import chess"), "ms"),
        Figure("first moves, beside python-chess", start_ms(first), start_ms(first_of_chess), "ms"),
        Figure("random plies, beside python-chess", *rates, "a second", is_rate=True),
    ]


def measure() -> list[Figure]:
    """Measures all figures."""
    tablut = variant("gwezboell-globe").new_game()
    brandub = variant("brandub-globe").new_game()
    move = brandub.legal_moves()[0]
    return [
        Figure("import hnefi", start_ms("import hnefi"), 43, "ms"),
        Figure("72 legal moves of the Tablut start", best_us(tablut.legal_moves, 2000), 10, "µs"),
        Figure("play a move", best_us(lambda: brandub.play(move), 5000), 1, "µs"),
        Figure(
            "random Brandub plies",
            random_plies_a_second(brandub, 50_000),
            300_000,
            "a second",
            is_rate=True,
        ),
        Figure(
            "plies of recorded games, from a file",
            replayed_plies_a_second(400),
            200_000,
            "a second",
            is_rate=True,
        ),
        *beside_chess(),
    ]
