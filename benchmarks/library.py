"""The speed of the library as a Python program sees it, in time of the processor."""

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from hnefi import Game, variant

ROUNDS = 7


class Figure(NamedTuple):
    """One measured figure beside its limit; `is_rate` says that more is better."""

    name: str
    value: float
    limit: float
    unit: str
    is_rate: bool = False

    @property
    def is_met(self) -> bool:
        return self.value >= self.limit if self.is_rate else self.value <= self.limit


def best_us(task: Callable[[], object], times: int) -> float:
    """Gives the shortest time of one call over several rounds, in microseconds."""
    shortest = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(times):
            task()
        shortest = min(shortest, (time.process_time() - start) / times)
    return shortest * 1e6


def import_ms(module: str) -> float:
    """Gives how much longer Python takes if it imports a module, in milliseconds; the best of many."""

    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def run(code: str) -> float:
        start = spent()
        subprocess.run([sys.executable, "-c", code], check=True)
        return spent() - start

    shortest = min(run(f"import {module}") for _ in range(2 * ROUNDS))
    return 1e3 * (shortest - min(run("pass") for _ in range(2 * ROUNDS)))


def random_plies_a_second(start: Game, plies: int) -> float:
    """Plays random games with moves as Python values, and gives the best rate of several rounds."""

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


def measure() -> list[Figure]:
    """Measures everything that has a limit."""
    tablut = variant("gwezboell-globe").new_game()
    brandub = variant("brandub-globe").new_game()
    move = brandub.legal_moves()[0]
    return [
        Figure("import hnefi", import_ms("hnefi"), 43, "ms"),
        Figure("72 legal moves of the Tablut start", best_us(tablut.legal_moves, 2000), 10, "µs"),
        Figure("play a move", best_us(lambda: brandub.play(move), 5000), 1, "µs"),
        Figure(
            "random Brandub plies",
            random_plies_a_second(brandub, 50_000),
            300_000,
            "a second",
            is_rate=True,
        ),
    ]
