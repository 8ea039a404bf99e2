"""Measures how long games are and how many moves there are; writes src/hnefi/variants/lengths.json.

The engine plays both sides of every variant. Where enough games of people are recorded, the length is that of
their games: `python tools/measure_lengths.py [RECORDED_GAMES.jsonl.gz]`.
"""

import gzip
import json
import random
import statistics
import sys
from pathlib import Path
from typing import Any

from hnefi import Game, Move
from hnefi.engine import Engine, Limit
from hnefi.lab.positions import play_on
from hnefi.variants.built_in import built_in_ids, built_in_variant
from hnefi.variants.model import Variant

TARGET = Path(__file__).parents[1] / "src" / "hnefi" / "variants" / "lengths.json"

NODES = 1000
GAMES = 16
OPENING_PLIES = 4
LONGEST = 300
FEWEST_RECORDED = 20
# Shorter records are of games that somebody left.
SHORTEST_RECORDED = 8


def main(arguments: list[str]) -> None:
    """Measures all variants and writes the file."""
    recorded = _recorded(Path(arguments[0])) if arguments else _kept()
    rows = {}
    with Engine(table_mib=4) as engine:
        for variant_id in built_in_ids():
            row = _row(built_in_variant(variant_id), engine)
            rows[variant_id] = row | recorded.get(variant_id, {})
            print(variant_id, rows[variant_id], flush=True)
    content = {"nodes": NODES, "opening_plies": OPENING_PLIES, "variants": rows}
    TARGET.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _row(one: Variant, engine: Engine) -> dict[str, Any]:
    """Returns the row of self-play games: median number of plies, games, and mean number of moves."""
    source, choices = random.Random(one.id), list[int]()

    def choose(game: Game) -> Move:
        legal = game.position.legal_moves()
        choices.append(len(legal))
        is_random = game.ply_count < OPENING_PLIES
        return source.choice(legal) if is_random else engine.play(game, Limit(nodes=NODES))

    plies = [play_on(one.new_game(), choose, LONGEST).ply_count for _ in range(GAMES)]
    return _lengths(plies, "engine") | {"choices": round(statistics.mean(choices), 1)}


def _lengths(plies: list[int], by: str) -> dict[str, Any]:
    return {"plies": round(statistics.median(plies)), "games": len(plies), "by": by}


def _kept() -> dict[str, dict[str, Any]]:
    """Returns what the file has of recorded games."""
    rows = json.loads(TARGET.read_text(encoding="utf-8"))["variants"] if TARGET.exists() else {}
    return {
        key: {name: row[name] for name in ("plies", "games", "by")}
        for key, row in rows.items()
        if row["by"] == "people"
    }


def _recorded(collection: Path) -> dict[str, dict[str, Any]]:
    """Returns the median lengths of recorded games by variant, where there are enough of them."""
    by_name = {
        name.casefold(): variant_id
        for variant_id in built_in_ids()
        for name in built_in_variant(variant_id).about.get("elsewhere", {}).get("aagenielsen", [])
    }
    lengths: dict[str, list[int]] = {}
    with gzip.open(collection, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            variant_id = by_name.get(record["variant"].casefold())
            moves = [move for move in record["moves"] if move[:1].isalpha() and move[1:2].isdigit()]
            if variant_id and record.get("winner") and len(moves) >= SHORTEST_RECORDED:
                lengths.setdefault(variant_id, []).append(len(moves))
    return {key: _lengths(found, "people") for key, found in lengths.items() if len(found) >= FEWEST_RECORDED}


if __name__ == "__main__":
    main(sys.argv[1:])
