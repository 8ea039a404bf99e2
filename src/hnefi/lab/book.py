"""Builds opening books: the leaves of a tree of moves are searched again and again, the cheapest first.

A position costs what the moves that lead to it lose against the best ones, and a little for each ply
(drop-out expansion). Its best moves get the scores of the positions after them by minimax. Then the engine
plays games against itself from the book, and their results are counted.
"""

import hashlib
import heapq
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from hnefi._core import Book, Game, Move, Rules, Searcher, derived_weights
from hnefi.engine import weights_for
from hnefi.engine.analysis import PROVEN_LEAST
from hnefi.engine.book import FORMAT
from hnefi.lab.append_log import AppendLog
from hnefi.lab.folder import made_by
from hnefi.lab.recorded import RecordedGame
from hnefi.lab.selfplay import play_self_play_game
from hnefi.pieces import Side
from hnefi.variants.model import Variant

_LOG_FORMAT = "hnefi book building 1"
_TABLE_MIB = 16
# Leaves that are searched before the next ones are chosen: the same for any number of jobs.
_BATCH = 8
# Moves that are compared at a position.
_LINES = 4
# In hundredths of a soldier: what a ply costs, what a move that was often played costs at most, and the
# greatest loss of a move whose position is searched, and of one that is kept in the file.
_PLY_COST = 5
_RECORDED_COST = 10
_MAX_LOSS = 100
_MAX_KEPT_LOSS = 30
# Recorded games count up to this ply, and a move of them is searched if at least so many have it.
_RECORDED_PLIES = 30
_LEAST_RECORDED = 2
# Games of self-play leave the best moves more often than levels do, so that more moves have results.
_SELF_PLAY_MARGIN = 30
_SELF_PLAY_SHARE = 20
_LEAST_SELF_PLAY_NODES = 200
_RESULTS = ("attackers", "draw", "defenders", "*")

OnProgress = Callable[[str, int, int], object]
"""Called with a step (`searching`, `playing`), the amount done, and the total."""


@dataclass(frozen=True, slots=True)
class BookPlan:
    """What a book depends on, besides the weights of the engine.

    Attributes:
        positions: The number of positions to search.
        nodes: Nodes of each search.
        games: Games of self-play.
        seed: The seed of the games.
    """

    variant: Variant
    positions: int = 300
    nodes: int = 20_000
    games: int = 100
    seed: int = 1

    @property
    def game_nodes(self) -> int:
        """Nodes of each move of the games after the book."""
        return max(self.nodes // _SELF_PLAY_SHARE, _LEAST_SELF_PLAY_NODES)


@dataclass(slots=True)
class _Candidate:
    """A move at a position: its number, the same for moves equal by symmetry, and the key of the next one.

    The key is None if the move ends the game or is proven to decide it.
    """

    move: Move
    number: int
    score: int
    child: int | None


@dataclass(slots=True)
class _Node:
    line: tuple[Move, ...]
    side: Side
    candidates: list[_Candidate]


class BookBuilding:
    """The building of an opening book; every search and every game may be kept on disk."""

    def __init__(self, plan: BookPlan, recorded: Mapping[str, Sequence[RecordedGame]] | None = None) -> None:
        """Creates a book without positions; `recorded` has the games of files by their names."""
        self._plan = plan
        self._rules = plan.variant.rules
        self._weights = weights_for(self._rules).text or derived_weights(self._rules)
        self._files = {name: len(games) for name, games in (recorded or {}).items()}
        self._nodes: dict[int, _Node] = {}
        self._recorded: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
        self._self_play: dict[tuple[int, int], Counter[str]] = defaultdict(Counter)
        digest = hashlib.sha256()
        for game in (one for games in (recorded or {}).values() for one in games):
            moves = game.moves[:_RECORDED_PLIES]
            digest.update(f"{_text(moves)} {game.result}\n".encode())
            self._count(self._recorded, moves, game.result)
        self._digest = digest.hexdigest()[:16]

    def run(self, on_progress: OnProgress, folder: Path | None = None, jobs: int = 1) -> None:
        """Searches the positions and plays the games, those kept in the folder left out.

        Raises:
            LabError: `other_experiment` if the folder has another book, `bad_folder`, `folder_in_use`.
        """
        log = AppendLog(folder and folder / "book.jsonl", self._settings())
        try:
            entries = list(log.entries)
            for entry in entries:
                for line, scored in entry.get("searched", ()):
                    self._add(tuple(map(Move, line.split())), [(Move(move), score) for move, score in scored])
            games = [entry for entry in entries if "points" in entry]
            # The search releases the interpreter lock.
            with ThreadPoolExecutor(jobs) as pool:
                self._search_all(log, on_progress, pool)
                self._play_all(log, games, on_progress, pool)
        finally:
            log.close()

    def _settings(self) -> dict[str, object]:
        plan = self._plan
        return {
            "format": _LOG_FORMAT,
            "rules": self._rules.hash,
            "weights": hashlib.sha256(self._weights.encode()).hexdigest()[:16],
            "positions": plan.positions,
            "nodes": plan.nodes,
            "seed": plan.seed,
            "recorded": self._digest,
        }

    def _search_all(self, log: AppendLog, on_progress: OnProgress, pool: ThreadPoolExecutor) -> None:
        plan = self._plan
        while True:
            on_progress("searching", len(self._nodes), plan.positions)
            leaves = self._leaves(min(_BATCH, plan.positions - len(self._nodes)))
            if not leaves:
                return
            found = list(pool.map(self._searched, leaves))
            searched = []
            for line, scored in zip(leaves, found, strict=True):
                self._add(line, scored)
                searched.append([_text(line), [[str(move), score] for move, score in scored]])
            # A whole batch at once: one that was cut short would let other leaves follow.
            log.add({"searched": searched})

    def _searched(self, line: tuple[Move, ...]) -> list[tuple[Move, int]]:
        """Searches a position; returns its best moves, and those of recorded games, with scores."""
        game = Game.replay(self._rules, None, line)
        numbered = _numbered(game)
        lines = self._analysed(game, list(numbered.values()), _LINES, self._plan.nodes)
        key = game.position.canonical_key
        known = {move for move, _ in lines}
        missing = [
            move
            for number, move in numbered.items()
            if move not in known and self._recorded_games(key, number) >= _LEAST_RECORDED
        ]
        if missing:
            lines += self._analysed(game, missing, len(missing), self._plan.nodes // 2)
        return lines

    def _analysed(self, game: Game, moves: list[Move], lines: int, nodes: int) -> list[tuple[Move, int]]:
        searcher = Searcher(_TABLE_MIB)
        report = searcher.analyse(
            game, nodes=nodes, lines=min(lines, len(moves)), moves=moves, weights=self._weights
        )
        return [(line.moves[0], line.score) for line in report.lines if line.moves]

    def _add(self, line: tuple[Move, ...], scored: Iterable[tuple[Move, int]]) -> None:
        game = Game.replay(self._rules, None, line)
        assert game.turn is not None
        numbers = {move: number for number, move in _numbered(game).items()}
        candidates = []
        for move, score in scored:
            after = game.play(move)
            is_open = after.turn is not None and abs(score) < PROVEN_LEAST
            child = after.position.canonical_key if is_open else None
            candidates.append(_Candidate(move, numbers[move], score, child))
        self._nodes.setdefault(game.position.canonical_key, _Node(line, game.turn, candidates))

    def _leaves(self, count: int) -> list[tuple[Move, ...]]:
        """Returns the lines of the cheapest positions that were not searched, at most so many."""
        values = self._values()
        start = Game(self._rules).position.canonical_key
        heap: list[tuple[int, int, int, tuple[Move, ...]]] = [(0, 0, start, ())]
        seen: set[int] = set()
        leaves: list[tuple[Move, ...]] = []
        while heap and len(leaves) < count:
            cost, plies, key, line = heapq.heappop(heap)
            if key in seen:
                continue
            seen.add(key)
            node = self._nodes.get(key)
            if node is None:
                leaves.append(line)
                continue
            for candidate in node.candidates:
                loss = _for_side(values[key], node.side) - _for_side(
                    self._value_of(node, candidate, values), node.side
                )
                if self._recorded_games(key, candidate.number) >= _LEAST_RECORDED:
                    loss = min(loss, _RECORDED_COST)
                if candidate.child is not None and loss <= _MAX_LOSS:
                    after = (*node.line, candidate.move)
                    heapq.heappush(heap, (cost + loss + _PLY_COST, plies + 1, candidate.child, after))
        return leaves

    def _values(self) -> dict[int, int]:
        """Returns the scores of all positions by minimax, for the attackers."""
        values: dict[int, int] = {}
        for key in self._deepest_first():
            node = self._nodes[key]
            scores = [self._value_of(node, candidate, values) for candidate in node.candidates]
            values[key] = max(scores) if node.side is Side.ATTACKERS else min(scores)
        return values

    def _deepest_first(self) -> list[int]:
        return sorted(self._nodes, key=lambda key: -len(self._nodes[key].line))

    def _child_of(self, node: _Node, candidate: _Candidate) -> int | None:
        """Returns the key of the position after a move if it was searched and is deeper (no cycles)."""
        child = candidate.child
        if child is None or child not in self._nodes:
            return None
        return child if len(self._nodes[child].line) > len(node.line) else None

    def _value_of(self, node: _Node, candidate: _Candidate, values: Mapping[int, int]) -> int:
        child = self._child_of(node, candidate)
        if child is None:
            return candidate.score
        value = values[child]
        # A win is a ply farther from here.
        return value - (value > 0) + (value < 0) if abs(value) >= PROVEN_LEAST else value

    def _recorded_games(self, key: int, number: int) -> int:
        return self._recorded[key, number].total() if (key, number) in self._recorded else 0

    def _count(self, counts: dict[tuple[int, int], Counter[str]], moves: Sequence[Move], result: str) -> None:
        """Counts a game at each of its positions, once at one that repeats."""
        seen: set[int] = set()
        for key, number in Game.replay(self._rules, None, moves).canonical_line():
            if number is not None and key not in seen:
                seen.add(key)
                counts[key, number][result] += 1

    def _play_all(
        self,
        log: AppendLog,
        played: Sequence[Mapping[str, Any]],
        on_progress: OnProgress,
        pool: ThreadPoolExecutor,
    ) -> None:
        plan = self._plan
        play = partial(play_self_play_game, self._rules, self._weights, plan.game_nodes)
        results = {1.0: "attackers", 0.5: "draw", 0.0: "defenders"}
        for entry in islice(played, plan.games):
            self._count(
                self._self_play, [Move(move) for move in entry["game"].split()], results[entry["points"]]
            )
        book = Book(self._rules, json.dumps(self.content()))
        done = min(len(played), plan.games)
        while True:
            on_progress("playing", done, plan.games)
            numbers = range(done, min(done + _BATCH, plan.games))
            if not numbers:
                return
            openings = [_opening(self._rules, book, f"{plan.seed} {number}") for number in numbers]
            for opening, game in zip(openings, list(pool.map(play, openings)), strict=True):
                log.add({"game": _text(opening), "points": game.points})
                self._count(self._self_play, opening, results[game.points])
            done += len(numbers)

    def content(self) -> dict[str, Any]:
        """Returns the book as the values of its file."""
        values, reached = self._values(), self._reached()
        by_line = sorted(self._nodes, key=lambda key: (len(self._nodes[key].line), self._nodes[key].line))
        plan = self._plan
        return {
            "format": FORMAT,
            "rules": self._rules.hash,
            "variant": plan.variant.id,
            "made": {
                "hnefi": made_by()["hnefi"],
                "nodes": plan.nodes,
                "seed": plan.seed,
                "self_play": {"games": plan.games, "nodes": plan.game_nodes},
                "recorded": [{"file": name, "games": games} for name, games in self._files.items()],
            },
            "positions": {_text(self._nodes[key].line): self._rows(key, values, reached) for key in by_line},
        }

    def _reached(self) -> dict[int, frozenset[int]]:
        """Returns the positions of the book below each, itself included."""
        reached: dict[int, frozenset[int]] = {}
        for key in self._deepest_first():
            node = self._nodes[key]
            below = (self._child_of(node, candidate) for candidate in node.candidates)
            reached[key] = frozenset({key}).union(*(reached[child] for child in below if child is not None))
        return reached

    def _rows(
        self, key: int, values: Mapping[int, int], reached: Mapping[int, frozenset[int]]
    ) -> list[list[Any]]:
        """Returns the moves of a position, the best first."""
        node = self._nodes[key]
        best, rows = _for_side(values[key], node.side), []
        for candidate in node.candidates:
            value = self._value_of(node, candidate, values)
            child = self._child_of(node, candidate)
            self_play = _counts(self._self_play.get((key, candidate.number)))[:3]
            recorded = _counts(self._recorded.get((key, candidate.number)))
            row: list[Any] = [str(candidate.move), value, 0 if child is None else len(reached[child])]
            if any(self_play) or any(recorded):
                row.append(self_play)
            if any(recorded):
                row.append(recorded)
            loss = best - _for_side(value, node.side)
            if len(row) > len(("move", "score", "searches")) or loss <= _MAX_KEPT_LOSS:
                rows.append((loss, row))
        return [row for _, row in sorted(rows, key=lambda one: (one[0], -one[1][2], one[1][0]))]


def format_book(content: Mapping[str, Any]) -> str:
    """Formats a book as JSON, with one line for each position."""
    head = json.dumps({name: value for name, value in content.items() if name != "positions"}, indent=1)
    rows = [
        f"  {json.dumps(line)}: {json.dumps(moves, separators=(',', ':'))}"
        for line, moves in content["positions"].items()
    ]
    return f'{head[:-2]},\n "positions": {{\n' + ",\n".join(rows) + "\n }\n}\n"


def _opening(rules: Rules, book: Book, seed: str) -> tuple[Move, ...]:
    """Returns the moves of a game as long as they are in the book, drawn by a seed and their scores."""
    rng, game = random.Random(seed), Game(rules)
    while (side := game.turn) is not None:
        found = [
            (_for_side(one.score, side), one.moves[0]) for one in book.moves(game.position) if one.searches
        ]
        best = max((value for value, _ in found), default=0)
        near = [(value, move) for value, move in found if value >= best - _SELF_PLAY_MARGIN]
        if not near:
            break
        weights = [math.exp(2 * (value - best) / _SELF_PLAY_MARGIN) for value, _ in near]
        after = game.play(rng.choices([move for _, move in near], weights)[0])
        if after.repetitions > 1:
            break
        game = after
    return tuple(ply.move for ply in game.plies)


def _numbered(game: Game) -> dict[int, Move]:
    """Returns the legal moves by number, of those equal by symmetry the first."""
    legal = game.legal_moves()
    numbered: dict[int, Move] = {}
    for number, move in zip(game.position.canonical_moves(legal), legal, strict=True):
        numbered.setdefault(number, move)
    return numbered


def _text(moves: Iterable[Move]) -> str:
    return " ".join(map(str, moves))


def _for_side(score: int, side: Side) -> int:
    return score if side is Side.ATTACKERS else -score


def _counts(results: Counter[str] | None) -> list[int]:
    return [0 if results is None else results[result] for result in _RESULTS]
