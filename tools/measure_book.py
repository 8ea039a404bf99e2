"""Measures what an opening book is worth: the engine with it against the engine without, at equal nodes.

    python tools/measure_book.py brandub-globe --nodes 20000 --games 150

The games begin at positions of the book from which it goes on, the first of the file first. Each is played
with both sides.
"""

import argparse
import json
from pathlib import Path

from hnefi import Game, Move, variant
from hnefi.engine import book_for
from hnefi.lab.games import Experiment, Task, play_game
from hnefi.lab.openings import Openings
from hnefi.lab.players import parse_player
from hnefi.lab.report import match_facts
from hnefi.lab.results import Results
from hnefi.variants.model import Variant

ROOT = Path(__file__).parents[1]
LEAST_SEARCHES = 4


def openings(played: Variant) -> list[tuple[Move, ...]]:
    """Returns the lines of the book that go on by a move that levels may play."""
    content = json.loads((ROOT / "src/hnefi/books" / f"{played.id}.json").read_text(encoding="utf-8"))
    lines = [line for line, rows in content["positions"].items() if rows and rows[0][2] >= LEAST_SEARCHES]
    return [tuple(map(Move, line.split())) for line in lines]


def measure(played: Variant, nodes: int, games: int) -> Results:
    """Plays the games and returns their results; the first player has the book."""
    players = parse_player(f"book:{nodes}"), parse_player(f"nodes:{nodes}")
    experiment = Experiment(played.rules, *players, Openings(plies=0))
    results = Results(experiment)
    created = players[0].create(), players[1].create()
    lines = openings(played)
    for number in range(min(games, 2 * len(lines))):
        line = lines[number // 2]
        results.add(play_game(experiment, Task(number, line), created))
    return results


def main() -> None:
    """Measures the variants of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variants", nargs="+")
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    for name in options.variants:
        played = variant(name)
        book = book_for(Game(played.rules).position.rules)
        results = measure(played, options.nodes, options.games)
        facts = {
            "variant": name,
            "nodes": options.nodes,
            "positions": len(book or ()),
            **match_facts(results),
        }
        print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    main()
