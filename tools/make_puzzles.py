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
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from positions import canonical, from_position
from puzzle_proofs import Prover, TooLongError, refuting_replies, solution_tree, tempting_moves
from puzzle_rings import has_rings, ring_positions

from hnefi import Game, Move, Reason, Setup, Side, Variant, variant
from hnefi._core import Searcher

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
OPENING_PLIES = 4
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
Maker = Callable[[Game, Searcher, Wanted], dict[str, Any] | None]
THEMES = {
    Reason.CORNER: "king_out",
    Reason.EDGE: "king_out",
    Reason.KING_CAPTURED: "trap",
    Reason.ENCLOSURE: "ring",
}


def play_game(one: Variant, seed: int, searcher: Searcher) -> Game:
    """Plays a game between two weak players."""
    rng = random.Random(f"puzzle/{one.id}/{seed}")
    searcher.clear()
    game = one.new_game()
    nodes = {side: rng.choice(PLAY_NODES) for side in Side}
    while (side := game.turn) is not None and game.ply_count < MAX_PLIES:
        if game.ply_count < OPENING_PLIES or rng.random() < 0.03:
            game = game.play(rng.choice(game.legal_moves()))
        else:
            game = game.play(searcher.analyse(game, nodes=nodes[side]).lines[0].moves[0])
    return game


def positions(game: Game) -> Iterator[Game]:
    """Iterates over the positions of a game from the end, each as the start of a game of its own."""
    before = game.parent
    while before is not None and before.ply_count >= OPENING_PLIES:
        yield from_position(before)
        before = before.parent


def winning_puzzle(game: Game, searcher: Searcher, is_wanted: Wanted) -> dict[str, Any] | None:
    """Returns the puzzle of a position that the side to move wins by exactly one move in time."""
    side = game.turn
    assert side is not None
    answer, _, proof = searcher.prove(game, side, nodes=PROOF_NODES, table_mib=4)
    if answer != "proven" or proof is None or proof[2] % 2 == 0 or proof[2] > 2 * LONGEST - 1:
        return None
    moves = (proof[2] + 1) // 2
    end = Game.replay(game.rules, game.start, proof[1]).outcome
    theme = THEMES.get(end.reason) if end is not None else None
    if theme is None or not is_wanted(theme, moves):
        return None
    prover = Prover(side)
    if prover.wins_within(game, moves - 1):
        return None
    winning = prover.winning_moves(game, moves)
    if len(winning) != 1 or wins_elsewhere(game, winning[0], searcher):
        return None
    tree = solution_tree(prover, game, moves)
    return puzzle(game, theme, moves, winning[0], tree or {"right": {str(winning[0]): None}, "wrong": []})


def wins_elsewhere(game: Game, move: Move, searcher: Searcher) -> bool:
    """Checks whether the prover finds another move that wins, in however many moves."""
    side = game.turn
    assert side is not None
    for other in game.legal_moves():
        if other != move:
            answer, _, _ = searcher.prove(game.play(other), side, nodes=OTHER_NODES, table_mib=1)
            if answer == "proven":
                return True
    return False


def only_move_puzzle(game: Game, searcher: Searcher, is_wanted: Wanted) -> dict[str, Any] | None:
    """Returns the puzzle of a position in which all moves but one lose in one or two moves."""
    side = game.turn
    assert side is not None
    moves = game.legal_moves()
    if len(moves) < LEAST_MOVES or not (is_wanted("only_move", 1) or is_wanted("only_move", 2)):
        return None
    prover = Prover(side.opponent)
    left = [move for move in moves if not prover.wins_within(game.play(move), 1)]
    count = 1
    if 1 < len(left) <= 0.5 * len(moves):
        count = 2
        left = safe_moves(prover, game, left)
    if len(left) != 1 or not is_wanted("only_move", count):
        return None
    after = game.play(left[0])
    if after.outcome is not None:
        return None
    answer, _, _ = searcher.prove(after, side.opponent, nodes=LOSS_NODES, table_mib=4)
    if answer == "proven" or prover.wins_within(after, count + 1):
        return None
    wrong = refuting_replies(
        game, {left[0]}, lambda one: one.outcome is not None or wins_rest(prover, one, count)
    )
    return puzzle(game, "only_move", count, left[0], {"right": {str(left[0]): None}, "wrong": wrong})


def safe_moves(prover: Prover, game: Game, moves: list[Move]) -> list[Move]:
    """Returns the moves after which the other side does not win in two moves, at most two of them."""
    safe: list[Move] = []
    for move in moves:
        if not prover.wins_within(game.play(move), 2):
            safe.append(move)
            if len(safe) == 2:
                break
    return safe


def wins_rest(prover: Prover, game: Game, count: int) -> bool:
    """Checks whether the side wins with the moves that are left after its first."""
    return count > 1 and prover.wins_within(game, count - 1)


def puzzle(game: Game, theme: str, moves: int, solution: Move, tree: dict[str, Any]) -> dict[str, Any]:
    """Returns the record of a puzzle."""
    return {
        "position": " ".join(str(game.position.setup).split()[:2]),
        "theme": theme,
        "moves": moves,
        "legal": len(game.legal_moves()),
        "tempting": tempting_moves(game, {solution}),
        "tree": tree,
        "key": canonical(game),
    }


class Collection:
    """The file of a variant during its collection."""

    def __init__(self, variant_id: str, folder: Path) -> None:
        self.variant = variant(variant_id)
        self.path = folder / f"{variant_id}.jsonl"
        self.searcher = Searcher(table_mib=8)
        self.prover = Searcher(1, 1)
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        records = [json.loads(line) for line in lines]
        self.seed = 1 + max((record["seed"] for record in records), default=0)
        self.keys = {record["key"] for record in records if "key" in record}
        self.counts: Counter[str] = Counter()
        for record in records:
            self._count(record)

    def _count(self, record: dict[str, Any]) -> None:
        name = f"{record.get('theme', '')}{record.get('moves', '')}"
        if name:
            self.counts[name] += 1

    def collect_from_game(self, most: int) -> None:
        """Plays a game and adds its puzzles: at most one win of each length and side, and one only move."""
        game = play_game(self.variant, self.seed, self.searcher)
        self._collect(positions(game), (winning_puzzle, only_move_puzzle), lambda _: True, most)

    def collect_from_ring(self, most: int) -> None:
        """Composes positions around one area and adds its puzzles: at most one ring of each length."""
        games = ring_positions(self.variant, self.seed)
        self._collect(games, (winning_puzzle,), lambda theme: theme == "ring", most)

    def _collect(
        self, games: Iterator[Game], makers: Sequence[Maker], is_open: Callable[[str], bool], most: int
    ) -> None:
        """Adds puzzles from positions that belong together: at most one of each theme and length."""
        records: dict[str, dict[str, Any]] = {}

        def is_wanted(theme: str, moves: int) -> bool:
            name = f"{theme}{moves}"
            return is_open(theme) and name not in records and self.counts[name] < most

        for one in games:
            if one.turn is None:
                continue
            for make in makers:
                try:
                    found = make(one, self.prover, is_wanted)
                except TooLongError:
                    continue
                if found is None or found["key"] in self.keys:
                    continue
                if is_wanted(found["theme"], found["moves"]):
                    records[f"{found['theme']}{found['moves']}"] = found
                    self.keys.add(found["key"])
        lines = [{"seed": self.seed, **record} for record in records.values()]
        with self.path.open("a", encoding="utf-8") as file:
            for line in lines or [{"seed": self.seed}]:
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
                self._count(line)
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
            (one.collect_from_ring if is_ring else one.collect_from_game)(options.most)
            print(one.variant.id, one.seed, one.counts, f"{time.monotonic() - begin:.0f} s", flush=True)


# --- The puzzles of the package --------------------------------------------------------------------------


def select(options: argparse.Namespace) -> None:
    """Adds collected puzzles to those of the package until there are enough; none is removed."""
    DATA.mkdir(parents=True, exist_ok=True)
    files = {name: PackageFile(name, options.folder) for name in VARIANTS}
    missing = options.puzzles - sum(len(file.lines) for file in files.values())
    while missing > 0:
        open_files = [file for file in files.values() if file.candidates]
        if not open_files:
            break
        min(open_files, key=lambda file: len(file.lines)).add()
        missing -= 1
    for name, file in files.items():
        text = "".join(f"{line}\n" for line in file.lines)
        (DATA / f"{name}.jsonl").write_text(text, encoding="utf-8")
        print(f"{name:16} {len(file.lines):4} puzzles, {len(text) / 1000:5.1f} kB, {dict(file.kinds)}")


class PackageFile:
    """The puzzles of a variant in the package, and the collected ones that are not in it yet."""

    def __init__(self, variant_id: str, folder: Path) -> None:
        path = DATA / f"{variant_id}.jsonl"
        rules = variant(variant_id).rules
        self.lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        entries = [json.loads(line) for line in self.lines]
        known = {canonical(Game(rules, Setup(entry[1]))) for entry in entries}
        self.kinds = Counter((entry[2], entry[3]) for entry in entries)
        self.number = max((entry[0] for entry in entries), default=0)
        self.candidates = [
            record for record in read_records(folder / f"{variant_id}.jsonl") if record["key"] not in known
        ]
        self.candidates.sort(key=lambda record: (-min(record["tempting"], 6), record["seed"]))

    def add(self) -> None:
        """Adds a puzzle of the kind that is rarest, relative to its share."""

        def need(record: dict[str, Any]) -> float:
            kind = record["theme"], record["moves"]
            return float((self.kinds[kind] + 1) / SHARES.get(kind, 1))

        record = min(self.candidates, key=need)
        self.candidates.remove(record)
        self.kinds[record["theme"], record["moves"]] += 1
        self.number += 1
        entry = [self.number, record["position"], record["theme"], record["moves"], record["tempting"]]
        self.lines.append(json.dumps([*entry, compact(record["tree"])], separators=(",", ":")))


def read_records(path: Path) -> list[dict[str, Any]]:
    """Returns the puzzles of a collected file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [record for record in map(json.loads, lines) if "theme" in record]


def compact(tree: dict[str, Any]) -> list[Any]:
    """Returns the answers as a list, with moves as two squares."""
    right: dict[str, list[Any] | None] = {}
    for move, continuation in tree["right"].items():
        if continuation is None:
            right[squares(move)] = None
        else:
            reply, left, node = continuation
            right[squares(move)] = [squares(reply), left, node and compact(node)]
    return [right, [[squares(move) for move in group] for group in tree["wrong"]]]


def squares(move: str) -> str:
    """Returns the two squares of a move."""
    one = Move(move)
    return f"{one.from_square.name}{one.to_square.name}"


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
