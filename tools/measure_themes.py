"""Measures how many of the positions in tests/themes the search solves, by theme and task.

    python tools/measure_themes.py --nodes 5000 50000 500000

A position is solved if the best move at the limit is one of its best moves. The files are made by
`tools/make_themes.py`.
"""

import argparse
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from hnefi import Game, Move, Setup, Side, variant
from hnefi._core import Searcher
from hnefi.engine.weights import weights_for

FOLDER = Path(__file__).parents[1] / "tests" / "themes"
VARIANTS = ("copenhagen-11",)
NODES = (5_000, 50_000, 500_000)


class Theme(Enum):
    """What happens in a position."""

    ENCLOSURE = "enclosure"
    EXIT_FORT = "exit_fort"
    SHIELDWALL = "shieldwall"


class Task(Enum):
    """What the side to move has to do about it."""

    MAKE = "make"
    PREVENT = "prevent"


class ThemePosition(NamedTuple):
    """A line of a file.

    The plies are those of the proof: of the win of the side to move, or of the other side's wins after all
    moves that are not among the best; None if a search was the judge. The margin is then the score by which
    it prefers the best moves to all others.
    """

    game: Game
    theme: Theme
    task: Task
    best: tuple[Move, ...]
    plies: int | None
    margin: int | None
    source: str

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self.game.position.turn

    @property
    def line(self) -> str:
        """The line of the file."""
        parts = [str(self.game.position.setup), self.theme.value, self.task.value]
        parts += [" ".join(str(move) for move in self.best)]
        parts += ["-" if number is None else str(number) for number in (self.plies, self.margin)]
        return " | ".join([*parts, self.source])


def read(variant_id: str, folder: Path = FOLDER) -> list[ThemePosition]:
    """Reads the file of a variant."""
    rules = variant(variant_id).rules
    found = []
    for line in (folder / f"{variant_id}.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            position, theme, task, best, plies, margin, source = (part.strip() for part in line.split("|"))
            moves = tuple(Move(move) for move in best.split())
            game, numbers = Game(rules, Setup(position)), (_number(plies), _number(margin))
            found.append(ThemePosition(game, Theme(theme), Task(task), moves, *numbers, source))
    return found


def _number(text: str) -> int | None:
    return None if text == "-" else int(text)


def is_solved(one: ThemePosition, nodes: int) -> bool:
    """Checks whether a search of so many nodes, with an empty table, finds one of the best moves."""
    searcher = Searcher(table_mib=16)
    report = searcher.analyse(one.game, nodes=nodes, weights=weights_for(one.game.rules).text)
    return report.lines[0].moves[0] in one.best


def measure(positions: Iterable[ThemePosition], limits: Iterable[int]) -> list[int]:
    """Returns how many positions are solved at each limit."""
    kept = list(positions)
    return [sum(is_solved(one, nodes) for one in kept) for nodes in limits]


def main() -> None:
    """Measures the variants of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=VARIANTS)
    parser.add_argument("--nodes", type=int, nargs="+", default=NODES, help="nodes for each position")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the folder with the files")
    options = parser.parse_args()
    for variant_id in options.variants:
        positions = read(variant_id, options.folder)
        for theme in Theme:
            for task in Task:
                for side in Side:
                    row = [one for one in positions if (one.theme, one.task, one.turn) == (theme, task, side)]
                    if row:
                        solved = ", ".join(str(number) for number in measure(row, options.nodes))
                        name = f"{variant_id} {theme.value} {task.value} {side.value}"
                        print(f"{name:45} {len(row):3} positions, solved {solved}", flush=True)


if __name__ == "__main__":
    main()
