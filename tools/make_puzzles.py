"""Collects puzzles from self-play games, proves them, and selects those of the package.

    python tools/make_puzzles.py collect --folder build/puzzles
    python tools/make_puzzles.py rings --folder build/rings
    python tools/make_puzzles.py select --folder build/puzzles

`collect` appends puzzles to one file for each variant, a game of each variant in turn, and goes on after the
last game of each file when it is started again. `rings` does the same, in a folder of its
own, with composed positions in which the attackers are about to enclose the king's side, where that wins.
`select` adds what a folder has to `src/hnefi/puzzles/data`.

Each puzzle is exact: the solution is the only move that wins within the stated number of moves, and no move
wins in fewer; or it is the only move after which the other side does not win within the stated number of
moves. Beyond that, no other move is known to win, and the only move is not known to lose, by the prover.
"""

import argparse
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hnefi import Game, Move, Reason, Setup, Side, Variant, variant
from hnefi._core import Searcher
from hnefi.lab.compositions import has_rings, ring_positions
from hnefi.lab.positions import OPENING_PLIES, canonical, from_position, play_on, prove, searched
from hnefi.lab.puzzle_proofs import (
    Prover,
    TooLongError,
    refuting_replies,
    solution_tree,
    squares,
    tempting_moves,
)

VARIANTS = (
    "brandub-globe",
    "ard-ri-globe",
    "tablut-geoludie",
    "gwezboell-globe",
    "tablut-kouvia",
    "hist-brandubh-7",
    "hist-tablut-9",
    "copenhagen-11",
)
DATA = Path(__file__).parents[1] / "src" / "hnefi" / "puzzles" / "data"
# How many puzzles of a kind are wanted, relative to one of the others.
SHARES = {
    ("king_out", 2): 5,
    ("king_out", 3): 5,
    ("king_out", 4): 3,
    ("trap", 2): 5,
    ("trap", 3): 5,
    ("trap", 4): 3,
    ("ring", 1): 2,
    ("ring", 2): 4,
    ("ring", 3): 4,
    ("only_move", 1): 3,
    ("only_move", 2): 4,
}
MAX_PLIES = 160
# Positions that the searches of a game may visit for each move: weak players leave more to find.
PLAY_NODES = (60, 200, 600, 2_000)
# Positions the prover may expand for the win, for each of the other moves, and to prove that the only move
# loses.
PROOF_NODES = 1_500
OTHER_NODES = 500
LOSS_NODES = 20_000
LONGEST = 4
LEAST_MOVES = 8
Wanted = Callable[[str, int], bool]
Record = dict[str, Any]
THEMES = {
    Reason.CORNER: "king_out",
    Reason.EDGE: "king_out",
    Reason.KING_CAPTURED: "trap",
    Reason.ENCLOSURE: "ring",
}


def weak_game(one: Variant, seed: int) -> Game:
    """Plays a game between two weak players."""
    rng, searcher = random.Random(f"puzzle/{one.id}/{seed}"), Searcher(table_mib=8)
    players = {side: searched(searcher, rng.choice(PLAY_NODES)) for side in Side}

    def choose(game: Game) -> Move:
        if game.ply_count < OPENING_PLIES or rng.random() < 0.03:
            return rng.choice(game.legal_moves())
        return players[game.position.turn](game)

    return play_on(one.new_game(), choose, MAX_PLIES)


def positions(game: Game) -> Iterator[Game]:
    """Iterates over the positions of a game from the end, each as the start of a game of its own."""
    before = game.parent
    while before is not None and before.ply_count >= OPENING_PLIES:
        yield from_position(before)
        before = before.parent


def winning_puzzle(game: Game, is_wanted: Wanted) -> Record | None:
    """Returns the puzzle of a position that the side to move wins by exactly one move in time."""
    side = game.position.turn
    proof = prove(game, side, PROOF_NODES, 4)
    if proof.plies % 2 == 0 or proof.plies > 2 * LONGEST - 1:
        return None
    moves = (proof.plies + 1) // 2
    end = Game.replay(game.rules, game.start, proof.line).outcome
    theme = THEMES.get(end.reason) if end is not None else None
    prover = Prover(side)
    if theme is None or not is_wanted(theme, moves) or prover.wins_within(game, moves - 1):
        return None
    winning = prover.winning_moves(game, moves)
    others = (move for move in game.legal_moves() if move not in winning)
    if len(winning) != 1 or any(wins(game.play(move), side, OTHER_NODES, 1) for move in others):
        return None
    return record(game, theme, moves, winning[0], solution_tree(prover, game, moves))


def wins(game: Game, side: Side, nodes: int, table_mib: int) -> bool:
    """Checks whether the prover finds a win, in however many moves."""
    return prove(game, side, nodes, table_mib).answer == "proven"


def only_move_puzzle(game: Game, is_wanted: Wanted) -> Record | None:
    """Returns the puzzle of a position in which all moves but one lose in one or two moves."""
    opponent, moves = game.position.turn.opponent, game.legal_moves()
    if len(moves) < LEAST_MOVES or not (is_wanted("only_move", 1) or is_wanted("only_move", 2)):
        return None
    prover, count = Prover(opponent), 1
    left = [move for move in moves if not prover.wins_within(game.play(move), 1)]
    if 1 < len(left) <= 0.5 * len(moves):
        count = 2
        safe = (move for move in left if not prover.wins_within(game.play(move), 2))
        left = list(itertools.islice(safe, 2))
    if len(left) != 1 or not is_wanted("only_move", count):
        return None
    after = game.play(left[0])
    if after.outcome is not None:
        return None
    if wins(after, opponent, LOSS_NODES, 4) or prover.wins_within(after, count + 1):
        return None

    def is_refuted(one: Game) -> bool:
        return one.outcome is not None or (count > 1 and prover.wins_within(one, count - 1))

    tree = [{squares(left[0]): None}, refuting_replies(game, left, is_refuted)]
    return record(game, "only_move", count, left[0], tree)


def record(game: Game, theme: str, moves: int, solution: Move, tree: list[Any] | None) -> Record:
    """Returns the record of a puzzle."""
    return {
        "position": " ".join(str(game.position.setup).split()[:2]),
        "theme": theme,
        "moves": moves,
        "tempting": tempting_moves(game, solution),
        "tree": tree or [{squares(solution): None}, []],
        "key": canonical(game),
    }


def kind(one: Record) -> tuple[str, int]:
    """Returns theme and length of a puzzle."""
    return one["theme"], one["moves"]


def read_records(path: Path) -> list[Record]:
    """Returns the records of a collected file: puzzles, and games without one."""
    return list(map(json.loads, path.read_text(encoding="utf-8").splitlines())) if path.exists() else []


class Collection:
    """The file of a variant during its collection."""

    def __init__(self, variant_id: str, folder: Path) -> None:
        self.variant = variant(variant_id)
        self.path = folder / f"{variant_id}.jsonl"
        records = read_records(self.path)
        self.seed = 1 + max((one["seed"] for one in records), default=0)
        self.keys = {one["key"] for one in records if "key" in one}
        self.counts = Counter(kind(one) for one in records if "theme" in one)

    def collect(self, most: int, *, is_ring: bool) -> None:
        """Adds puzzles of a game or around one area: at most one of each theme and length."""
        records: dict[tuple[str, int], Record] = {}

        def is_wanted(theme: str, moves: int) -> bool:
            is_open = (theme, moves) not in records and self.counts[theme, moves] < most
            return is_open and (theme == "ring" or not is_ring)

        one, seed = self.variant, self.seed
        games = ring_positions(one, seed) if is_ring else positions(weak_game(one, seed))
        makers = (winning_puzzle,) if is_ring else (winning_puzzle, only_move_puzzle)
        for game, maker in itertools.product(games, makers):
            try:
                found = maker(game, is_wanted) if game.turn is not None else None
            except TooLongError:
                continue
            if found is not None and found["key"] not in self.keys:
                records[kind(found)] = found
                self.keys.add(found["key"])
        self.counts.update(list(records))
        with self.path.open("a", encoding="utf-8") as file:
            for found in records.values() or ({},):
                file.write(json.dumps({"seed": seed, **found}, separators=(",", ":")) + "\n")
        self.seed += 1


def collect(options: argparse.Namespace) -> None:
    """Collects from a game of each variant in turn, or from a ring of each that has rings."""
    is_ring = options.command == "rings"
    options.folder.mkdir(parents=True, exist_ok=True)
    names = [one for one in options.variants or VARIANTS if not is_ring or has_rings(variant(one))]
    collections = [Collection(one, options.folder) for one in names]
    begin = time.monotonic()
    while time.monotonic() - begin < options.seconds:
        for one in collections:
            one.collect(options.most, is_ring=is_ring)
            print(one.variant.id, one.seed, one.counts, f"{time.monotonic() - begin:.0f} s", flush=True)


# --- The puzzles of the package --------------------------------------------------------------------------


def select(options: argparse.Namespace) -> None:
    """Adds collected puzzles to those of the package until there are enough; none is removed."""
    files = [PackageFile(name, options.folder) for name in VARIANTS]
    for _ in range(options.puzzles - sum(len(file.entries) for file in files)):
        open_files = [file for file in files if file.candidates]
        if open_files:
            min(open_files, key=lambda file: len(file.entries)).add()
    for file in files:
        text = "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in file.entries)
        file.path.write_text(text, encoding="utf-8")
        size = f"{len(file.entries):4} puzzles, {len(text) / 1000:5.1f} kB"
        print(f"{file.path.stem:16} {size}, {dict(file.kinds)}")


class PackageFile:
    """The puzzles of a variant in the package, and the collected ones that are not in it yet."""

    def __init__(self, variant_id: str, folder: Path) -> None:
        self.path = DATA / f"{variant_id}.jsonl"
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        self.entries: list[list[Any]] = list(map(json.loads, text.splitlines()))
        rules = variant(variant_id).rules
        known = {canonical(Game(rules, Setup(entry[1]))) for entry in self.entries}
        self.kinds = Counter((entry[2], entry[3]) for entry in self.entries)
        records = read_records(folder / f"{variant_id}.jsonl")
        self.candidates = [one for one in records if one.get("key", "") not in {"", *known}]
        self.candidates.sort(key=lambda one: (-min(one["tempting"], 6), one["seed"]))

    def add(self) -> None:
        """Adds a puzzle of the kind that is rarest, relative to its share."""
        one = min(self.candidates, key=lambda one: (self.kinds[kind(one)] + 1) / SHARES.get(kind(one), 1))
        self.candidates.remove(one)
        self.kinds[kind(one)] += 1
        number = 1 + max((entry[0] for entry in self.entries), default=0)
        names = ("position", "theme", "moves", "tempting", "tree")
        self.entries.append([number, *(one[name] for name in names)])


def main() -> None:
    """Runs the command of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["collect", "rings", "select"])
    parser.add_argument("variants", nargs="*")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--most", type=int, default=60, help="most puzzles of a theme and length")
    parser.add_argument("--puzzles", type=int, default=500, help="puzzles of the package")
    options = parser.parse_args()
    (select if options.command == "select" else collect)(options)


if __name__ == "__main__":
    main()
