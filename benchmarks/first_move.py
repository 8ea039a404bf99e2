"""Benchmark of the first move of the low levels in a new process: the time a child waits for it."""

import resource
import subprocess
import sys
from typing import NamedTuple

from hnefi.variants.built_in import booklet_ids

LEVELS = range(1, 6)
LIMIT_MS = 300.0
ROUNDS = 2
# As in `hnefi play --against computer`: the process has loaded nothing, read no weights and allocated no
# table.
_PROGRAM = """
import sys
from hnefi import variant
from hnefi.engine import Engine, level
with Engine() as engine:
    print(engine.play(variant(sys.argv[1]).new_game(), level(int(sys.argv[2]))))
"""


class FirstMove(NamedTuple):
    """The processor time of a whole process that plays one move, the start of Python included."""

    rules: str
    level: int
    value_ms: float
    limit_ms: float = LIMIT_MS

    @property
    def is_met(self) -> bool:
        return self.value_ms <= self.limit_ms


def measure() -> list[FirstMove]:
    """Measures all low levels in all booklet variants, the best of some rounds each."""
    return [
        FirstMove(name, number, min(_spent_ms(name, number) for _ in range(ROUNDS)))
        for name in booklet_ids()
        for number in LEVELS
    ]


def show(moves: list[FirstMove]) -> None:
    """Prints the table, a row for each variant."""
    print(f"\nFirst move from a fresh process, its whole time in milliseconds (≤ {LIMIT_MS:.0f}), by level")
    print(f"{'':<22}" + "".join(f"{number:>7}" for number in LEVELS))
    for name in booklet_ids():
        row = [move for move in moves if move.rules == name]
        mark = "ok" if all(move.is_met for move in row) else "MISSED"
        print(f"{name:<22}" + "".join(f"{move.value_ms:>7.0f}" for move in row) + f"  {mark}")


def _spent_ms(name: str, number: int) -> float:
    before = _children_s()
    subprocess.run([sys.executable, "-c", _PROGRAM, name, str(number)], check=True, capture_output=True)
    return 1e3 * (_children_s() - before)


def _children_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
