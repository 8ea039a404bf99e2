"""Puzzles from games between weak players or around composed rings, proved exactly.

The solution is the only move that wins within the stated number of moves, and no move wins in fewer; or it is
the only move after which the other side does not win within the stated number of moves. Beyond that, no other
move is known to win, and the only move is not known to lose, by the prover.
"""

import itertools
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hnefi._core import Game, Move, Searcher, Setup
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
from hnefi.pieces import Reason, Side
from hnefi.puzzles.files import check_keys
from hnefi.variants.model import Variant

# How many puzzles of a theme are wanted, in one move, two, and so on, relative to those of others.
_SHARES = {"king_out": [1, 5, 5, 3], "trap": [1, 5, 5, 3], "ring": [2, 4, 4, 1], "only_move": [3, 4]}
_MAX_PLIES = 160
# Positions that the searches of a game may visit for each move: weak players leave more to find.
_PLAY_NODES = (60, 200, 600, 2_000)
# Positions the prover may expand for the win, for each of the other moves, and to prove that the only move
# loses.
_PROOF_NODES, _OTHER_NODES, _LOSS_NODES = 1_500, 500, 20_000
# The most moves of a win, and the fewest moves there are to choose from if only one does not lose.
LONGEST, _LEAST_MOVES = 4, 8
_Wanted = Callable[[str, int], bool]
Record = dict[str, Any]
THEMES_OF_ENDS = {
    Reason.CORNER: "king_out",
    Reason.EDGE: "king_out",
    Reason.KING_CAPTURED: "trap",
    Reason.ENCLOSURE: "ring",
}


def _weak_game(one: Variant, seed: int) -> Game:
    """Plays a game between two weak players."""
    rng, searcher = random.Random(f"puzzle/{one.id}/{seed}"), Searcher(table_mib=8)
    players = {side: searched(searcher, rng.choice(_PLAY_NODES)) for side in Side}

    def choose(game: Game) -> Move:
        if game.ply_count < OPENING_PLIES or rng.random() < 0.03:
            return rng.choice(game.legal_moves())
        return players[game.position.turn](game)

    return play_on(one.new_game(), choose, _MAX_PLIES)


def _positions(game: Game) -> Iterator[Game]:
    """Iterates over the positions of a game from the end, each as the start of a game of its own."""
    before = game.parent
    while before is not None and before.ply_count >= OPENING_PLIES:
        yield from_position(before)
        before = before.parent


def _winning_puzzle(game: Game, is_wanted: _Wanted) -> Record | None:
    """Returns the puzzle of a position that the side to move wins by exactly one move in time."""
    side = game.position.turn
    proof = prove(game, side, _PROOF_NODES, 4)
    if proof.plies % 2 == 0 or proof.plies > 2 * LONGEST - 1:
        return None
    moves = (proof.plies + 1) // 2
    end = Game.replay(game.rules, game.start, proof.line).outcome
    theme = THEMES_OF_ENDS.get(end.reason) if end is not None else None
    prover = Prover(side)
    if theme is None or not is_wanted(theme, moves) or prover.wins_within(game, moves - 1):
        return None
    winning = prover.winning_moves(game, moves)
    if len(winning) != 1 or other_winner(game, winning) is not None:
        return None
    return record_of(game, theme, moves, winning[0], solution_tree(prover, game, moves))


def other_winner(game: Game, winning: Sequence[Move]) -> Move | None:
    """Returns a move besides these after which the prover finds a win, in however many moves."""
    side = game.position.turn
    others = (move for move in game.legal_moves() if move not in winning)
    return next((move for move in others if _wins(game.play(move), side, _OTHER_NODES, 1)), None)


def _wins(game: Game, side: Side, nodes: int, table_mib: int) -> bool:
    """Checks whether the prover finds a win, in however many moves."""
    return prove(game, side, nodes, table_mib).answer == "proven"


def only_move_puzzle(game: Game, is_wanted: _Wanted) -> Record | None:
    """Returns the puzzle of a position in which all moves but one lose in one or two moves."""
    opponent, moves = game.position.turn.opponent, game.legal_moves()
    if len(moves) < _LEAST_MOVES or not (is_wanted("only_move", 1) or is_wanted("only_move", 2)):
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
    if _wins(after, opponent, _LOSS_NODES, 4) or prover.wins_within(after, count + 1):
        return None

    def is_refuted(one: Game) -> bool:
        return one.outcome is not None or (count > 1 and prover.wins_within(one, count - 1))

    tree = [{squares(left[0]): None}, refuting_replies(game, left, is_refuted)]
    return record_of(game, "only_move", count, left[0], tree)


def record_of(game: Game, theme: str, moves: int, solution: Move, tree: list[Any] | None) -> Record:
    """Returns the record of a puzzle."""
    return {
        "position": " ".join(str(game.position.setup).split()[:2]),
        "theme": theme,
        "moves": moves,
        "solution": str(solution),
        "tempting": tempting_moves(game, solution),
        "tree": tree or [{squares(solution): None}, []],
        "key": canonical(game),
    }


def _kind(one: Record) -> tuple[str, int]:
    """Returns theme and length of a puzzle."""
    return one["theme"], one["moves"]


def read_lines(path: Path | None) -> list[Any]:
    """Returns what a file of JSON lines has; nothing if there is none."""
    is_file = path is not None and path.exists()
    return [*map(json.loads, path.read_text(encoding="utf-8").splitlines())] if path and is_file else []


def read_records(path: Path | None) -> list[Record]:
    """Returns the lines of a file of collected puzzles, if there is one.

    Raises:
        PuzzleError: `bad_puzzle`, for the first line that lacks a key.
        ValueError, TypeError: If it is another file.
    """
    records = read_lines(path)
    if path is None:
        return records
    for line, one in enumerate(records, start=1):
        check_keys(path, line, one)
    return records


def json_line(one: object) -> str:
    """Formats a line of a file."""
    return json.dumps(one, separators=(",", ":"))


class PuzzleCollection:
    """The puzzles of a variant in a file, to which others are added, none symmetric to another."""

    def __init__(self, variant: Variant, path: Path | None = None) -> None:
        """Reads the file, if there is one; without a path, the puzzles are nowhere else."""
        self.variant, self._path = variant, path
        records = [one for one in read_records(path) if one["variant"] == variant.id]
        self._seed = 1 + max((one.get("seed", 0) for one in records), default=0)
        self._keys = {one["key"] for one in records if "key" in one}
        self._counts = Counter(_kind(one) for one in records if "key" in one)

    @property
    def count(self) -> int:
        """How many puzzles there are."""
        return self._counts.total()

    def add(self, record: Record) -> bool:
        """Adds a composed puzzle; returns whether neither it nor a symmetric one was there."""
        if record["key"] in self._keys:
            return False
        self._keys.add(record["key"])
        self._counts[_kind(record)] += 1
        self._append([record])
        return True

    def collect(self, positions: int, most: int, *, is_ring: bool = False) -> Iterator[list[Record]]:
        """Adds puzzles until there are so many, and yields those of each game, or of each composed ring.

        A game gives at most one of each theme and length, of which there are to be `most`. The file is
        continued after its last game. A variant in which enclosing does not win has no rings.
        """
        while self.count < positions and (has_rings(self.variant) or not is_ring):
            yield self._collect_next(most, is_ring=is_ring)

    def _collect_next(self, most: int, *, is_ring: bool) -> list[Record]:
        records: dict[tuple[str, int], Record] = {}

        def is_wanted(theme: str, moves: int) -> bool:
            is_open = (theme, moves) not in records and self._counts[theme, moves] < most
            return is_open and (theme == "ring" or not is_ring)

        one, seed = self.variant, self._seed
        games = ring_positions(one, seed) if is_ring else _positions(_weak_game(one, seed))
        makers = (_winning_puzzle,) if is_ring else (_winning_puzzle, only_move_puzzle)
        for game, maker in itertools.product(games, makers):
            try:
                found = maker(game, is_wanted) if game.turn is not None else None
            except TooLongError:
                continue
            if found is not None and found["key"] not in self._keys:
                records[_kind(found)] = {"variant": one.id, "seed": seed, **found}
                self._keys.add(found["key"])
        self._counts.update([*records])
        self._seed += 1
        self._append([*records.values()] or [{"variant": one.id, "seed": seed}])
        return [*records.values()]

    def _append(self, records: Sequence[Record]) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.writelines(f"{json_line(record)}\n" for record in records)


class PackageFile:
    """The puzzles of a variant in a folder of the package, and collected ones that are not in it yet."""

    def __init__(self, variant: Variant, folder: Path, collected: Iterable[Record]) -> None:
        self.path = folder / f"{variant.id}.jsonl"
        self.entries: list[list[Any]] = read_lines(self.path)
        known = {canonical(Game(variant.rules, Setup(entry[1]))) for entry in self.entries}
        self._kinds = Counter((entry[2], entry[3]) for entry in self.entries)
        self.candidates = [one for one in collected if one.get("key", "") not in {"", *known}]
        self.candidates.sort(key=lambda one: (-min(one["tempting"], 6), one.get("seed", 0)))

    def add(self) -> None:
        """Adds a puzzle of the kind that is rarest, relative to its share."""

        def excess(one: Record) -> float:
            theme, moves = _kind(one)
            return (self._kinds[theme, moves] + 1) / _SHARES[theme][moves - 1]

        rarest = min(self.candidates, key=excess)
        self.candidates.remove(rarest)
        self._kinds[_kind(rarest)] += 1
        number = 1 + max((entry[0] for entry in self.entries), default=0)
        names = ("position", "theme", "moves", "tempting", "tree")
        self.entries.append([number, *(rarest[name] for name in names)])


def select(files: Sequence[PackageFile], puzzles: int) -> None:
    """Adds collected puzzles to those of a package until there are so many, where they are fewest."""
    for _ in range(puzzles - sum(len(file.entries) for file in files)):
        open_files = [file for file in files if file.candidates]
        if open_files:
            min(open_files, key=lambda file: len(file.entries)).add()
