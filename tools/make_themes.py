"""Collects positions of enclosures, exit forts and shieldwalls into tests/themes.

    python tools/make_themes.py copenhagen-11
    python tools/make_themes.py copenhagen-11 --recorded GAMES.jsonl.gz --folder target/themes

The positions are taken some plies before the event, from self-play games in which the defenders play with
fewer nodes, and some random moves. Some enclosures, and all forts and shieldwalls, which are rare in such
games, are composed (`puzzle_rings.py`, `theme_positions.py`). With `--recorded`, they come from the
Copenhagen games of a collection instead, one of each game for a theme and a task.

- Enclosure or fort, `make`: the prover proves a win that ends in it. All moves that it proves to win are best
  moves, at most `MOST_BEST`; the others are not proven with `EFFORT` times the effort of the win.
- Enclosure or fort, `prevent`: all moves but the best ones lose, proven; the best moves are not proven to
  lose with `EFFORT` times the effort.
- Shieldwall: a search of `JUDGE_NODES` nodes is the judge. It prefers the best moves to all others by
  `LEAST_MARGIN`. They capture a row of two or more, or do so two plies later in its line (`make`); or they
  leave the other side no such capture, which it would have if it were to move (`prevent`).

Searches run in one thread, so that the same seeds give the same positions.
"""

import argparse
import functools
import itertools
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from decided_games import MAX_PLIES, canonical, from_position
from measure_themes import FOLDER, VARIANTS, Task, Theme, ThemePosition, read
from theme_positions import composed_forts, composed_rings, composed_shieldwalls

from hnefi import Game, Move, Reason, Side, Variant, variant
from hnefi._core import Searcher
from hnefi.checking import Checker
from hnefi.engine.weights import weights_for
from hnefi.formats import find_format, read_games
from hnefi.formats.registry import opened

HEAD = (
    "# position | theme | task | best moves | plies of the proof at most | margin of the judging search | "
    "source\n"
)
# Positions of a theme and a task for each side that can have it.
WANTED = {
    (Theme.ENCLOSURE, Task.MAKE, Side.ATTACKERS): 45,
    (Theme.ENCLOSURE, Task.PREVENT, Side.DEFENDERS): 25,
    (Theme.EXIT_FORT, Task.MAKE, Side.DEFENDERS): 40,
    (Theme.EXIT_FORT, Task.PREVENT, Side.ATTACKERS): 25,
    (Theme.SHIELDWALL, Task.MAKE, Side.ATTACKERS): 20,
    (Theme.SHIELDWALL, Task.MAKE, Side.DEFENDERS): 20,
    (Theme.SHIELDWALL, Task.PREVENT, Side.ATTACKERS): 15,
    (Theme.SHIELDWALL, Task.PREVENT, Side.DEFENDERS): 15,
}
Kind = tuple[Theme, Task, Side]
ENDS = {Reason.ENCLOSURE: Theme.ENCLOSURE, Reason.EXIT_FORT: Theme.EXIT_FORT}
PLIES_BEFORE_END = (9, 7, 5, 3)
# The share of the wins of a theme that may take only so many plies.
SHORT, SHARE_SHORT = 3, 0.4
MOST_BEST = 6
# Positions the prover may expand: for a win, for a first test of each of the other moves, and the least for
# the second.
PROOF_NODES = 1_000
FIRST_TEST_NODES = 200
SECOND_TEST_NODES = 500
EFFORT = 1
# The judge of shieldwalls, in a first look and at the end.
FIRST_JUDGE_NODES = 20_000
JUDGE_NODES = 300_000
LEAST_MARGIN = 80
JUDGED_LINES = 5
# Nodes for each move of the two sides in the games, and the share of random moves of the defenders.
ATTACKERS, DEFENDERS = (1_000, 2_000, 2_000), (100, 100, 300)
RANDOM_MOVES = (0.05, 0.1, 0.2)


class Candidate(NamedTuple):
    """A position that may show a theme."""

    theme: Theme
    task: Task
    game: Game

    @property
    def kind(self) -> Kind:
        """Theme, task and the side to move."""
        return self.theme, self.task, self.game.position.turn


IsWanted = Callable[[Kind], bool]
Judged = tuple[tuple[Move, ...], int | None, int | None]


def prove(game: Game, side: Side, nodes: int) -> tuple[str, int, tuple[list[Move], int] | None]:
    """Searches for a forced win; returns the answer, the expansions, and the line with its plies."""
    answer, expanded, proof = Searcher(table_mib=1).prove(game, side, nodes=nodes, table_mib=8)
    return answer, expanded, (proof[1], proof[2]) if proof is not None else None


def ends_in(game: Game, line: list[Move], theme: Theme) -> bool:
    """Checks whether a line ends the game by a theme."""
    for move in line:
        game = game.play(move)
    return game.outcome is not None and ENDS.get(game.outcome.reason) is theme


def made(one: Candidate) -> Judged | None:
    """Returns the moves that win by a theme; None if there is no proof, or there are too many."""
    side = one.game.position.turn
    answer, effort, proof = prove(one.game, side, PROOF_NODES)
    if answer != "proven" or proof is None or not ends_in(one.game, proof[0], one.theme):
        return None
    best, others = [proof[0][0]], [move for move in one.game.legal_moves() if move != proof[0][0]]
    for nodes in (FIRST_TEST_NODES, max(SECOND_TEST_NODES, EFFORT * effort)):
        for move in list(others):
            if prove(one.game.play(move), side, nodes)[0] == "proven":
                others.remove(move)
                best.append(move)
                if len(best) > MOST_BEST:
                    return None
    return tuple(best), proof[1], None


def prevented(one: Candidate) -> Judged | None:
    """Returns the only moves that do not lose, if all others do; None if there are none, or too many."""
    winner = one.game.position.turn.opponent
    threat = after_pass(one.game)
    if threat.turn is not winner or prove(threat, winner, FIRST_TEST_NODES)[0] != "proven":
        return None
    best: list[Move] = list(one.game.legal_moves())
    random.Random(str(one.game.position.setup)).shuffle(best)
    longest, most_effort, is_theme = 0, 0, False
    for nodes in (FIRST_TEST_NODES, PROOF_NODES):
        tried, best = best, []
        for move in tried:
            after = one.game.play(move)
            _, effort, proof = prove(after, winner, nodes)
            if proof is None:
                best.append(move)
                if len(best) > (MOST_BEST if nodes == PROOF_NODES else 3 * MOST_BEST):
                    return None
                continue
            longest, most_effort = max(longest, proof[1]), max(most_effort, effort)
            is_theme = is_theme or ends_in(after, proof[0], one.theme)
    harder = max(SECOND_TEST_NODES, EFFORT * most_effort, EFFORT * PROOF_NODES)
    if not best or not is_theme:
        return None
    if any(prove(one.game.play(move), winner, harder)[0] == "proven" for move in best):
        return None
    return tuple(best), longest, None


def shieldwalls(game: Game) -> list[Move]:
    """Returns the moves of the side to move that capture a row of two or more."""

    def row(move: Move) -> int:
        return sum(capture.how == "shieldwall" for capture in game.position.describe(move).captures)

    return [move for move in game.legal_moves() if row(move) >= 2]


def after_pass(game: Game) -> Game:
    """Returns the position with the other side to move."""
    return from_position(game, game.position.turn.opponent)


def judged_wall(one: Candidate) -> Judged | None:
    """Returns the moves that a search prefers to all others because of a shieldwall; None if it does not."""
    is_threat = bool(shieldwalls(after_pass(one.game) if one.task is Task.PREVENT else one.game))
    if one.task is Task.PREVENT and not is_threat:
        return None
    sign = 1 if one.game.position.turn is Side.ATTACKERS else -1
    weights = weights_for(one.game.rules).text
    best: list[Move] = []
    margin = 0
    for nodes in (FIRST_JUDGE_NODES, JUDGE_NODES):
        searcher = Searcher(table_mib=16)
        lines = searcher.analyse(one.game, nodes=nodes, lines=JUDGED_LINES, weights=weights).lines
        if lines[0].win_in is not None or len(lines) < 2:
            return None
        scores = [sign * line.score for line in lines]
        gaps = [before - after for before, after in itertools.pairwise(scores)]
        margin = max(gaps)
        count = 1 + gaps.index(margin)
        best = [line.moves[0] for line in lines[:count]]
        if margin < LEAST_MARGIN or not all(_shows(one, line.moves) for line in lines[:count]):
            return None
    return tuple(best), None, margin


def _shows(one: Candidate, line: tuple[Move, ...]) -> bool:
    """Checks whether a line makes a shieldwall within three plies, or leaves the other side none."""
    if one.task is Task.PREVENT:
        after = one.game.play(line[0])
        return after.turn is not None and not shieldwalls(after)
    game = one.game
    for index, move in enumerate(line[:3]):
        if index % 2 == 0 and move in shieldwalls(game):
            return True
        game = game.play(move)
        if game.turn is None:
            break
    return False


def of_game(game: Game) -> Iterator[Candidate]:
    """Iterates over the positions of a finished game some plies before its end or a shieldwall."""
    history = [game]
    while (before := history[-1].parent) is not None:
        history.append(before)
    theme = ENDS.get(game.outcome.reason) if game.outcome is not None else None
    if theme is not None and game.outcome is not None:
        for plies in PLIES_BEFORE_END:
            for back, task in ((plies, Task.MAKE), (plies - 1, Task.PREVENT)):
                if back < len(history) and history[back].turn is not None:
                    is_winner = history[back].turn is game.outcome.winner
                    if is_winner is (task is Task.MAKE):
                        yield Candidate(theme, task, from_position(history[back]))
    for back, after in enumerate(history[:-1]):
        if after.last is not None and len(after.last.captures) > 1 and history[back + 1].turn is not None:
            position = history[back + 1]
            if after.last.move in shieldwalls(position):
                for earlier, task in ((3, Task.MAKE), (2, Task.PREVENT), (1, Task.MAKE)):
                    if back + earlier < len(history):
                        yield Candidate(Theme.SHIELDWALL, task, from_position(history[back + earlier]))


def self_play_game(one: Variant, seed: int, searchers: dict[Side, Searcher]) -> Game:
    """Plays a game against weaker defenders, so that enclosures are not rare."""
    rng = random.Random(f"themes/{one.id}/{seed}")
    weights = weights_for(one.rules).text
    index = rng.randrange(len(ATTACKERS))
    share = rng.choice(RANDOM_MOVES)
    for searcher in searchers.values():
        searcher.clear()
    game = one.new_game()
    while (side := game.turn) is not None and game.ply_count < MAX_PLIES:
        if side is Side.DEFENDERS and rng.random() < share:
            game = game.play(rng.choice(game.legal_moves()))
            continue
        nodes = (ATTACKERS if side is Side.ATTACKERS else DEFENDERS)[index]
        line = searchers[side].analyse(game, nodes=nodes, weights=weights).lines[0]
        game = game.play(line.moves[0])
    return game


def collected(one: Variant, seed: int, is_wanted: IsWanted) -> Iterator[tuple[str, Iterator[Candidate]]]:
    """Iterates without end over sources of candidates."""
    searchers = {side: Searcher(table_mib=16) for side in Side}
    composers = {
        Theme.ENCLOSURE: composed_rings,
        Theme.EXIT_FORT: composed_forts,
        Theme.SHIELDWALL: composed_shieldwalls,
    }
    while True:
        if any(is_wanted(kind) for kind in WANTED if kind[0] is Theme.ENCLOSURE):
            yield f"game {seed}", of_game(self_play_game(one, seed, searchers))
        for theme, compose in composers.items():
            for kind in WANTED:
                if kind[0] is theme and is_wanted(kind):
                    games = compose(one, seed, kind[2], searchers[Side.ATTACKERS])
                    build = functools.partial(Candidate, theme, kind[1])
                    yield f"composed {seed}", map(build, games)
        seed += 1


def recorded(one: Variant, path: Path) -> Iterator[tuple[str, Iterator[Candidate]]]:
    """Iterates over the games of a variant in a collection that are played without a fault."""
    checker = Checker()
    with path.open("rb") as raw, opened(raw) as stream:
        for found in read_games(stream, file_format=find_format("jsonl")):
            result = checker.check_game(path.name, found).result
            if result.game is None or result.fault or result.variant is None or result.variant.id != one.id:
                continue
            # The type of the game may differ in a switch, such as that of repetition.
            game = one.new_game()
            for ply in result.game.plies:
                if game.is_legal(ply.move):
                    game = game.play(ply.move)
            yield f"line {found.line}", of_game(game)


class Collection:
    """The file of a variant during its collection."""

    def __init__(self, variant_id: str, folder: Path, themes: Sequence[Theme]) -> None:
        self.wanted = {kind: count for kind, count in WANTED.items() if kind[0] in themes}
        self.path = folder / f"{variant_id}.txt"
        self.positions: list[ThemePosition] = read(variant_id, folder) if self.path.exists() else []
        self.known = {canonical(one.game) for one in self.positions}
        if not self.positions:
            folder.mkdir(parents=True, exist_ok=True)
            self.path.write_text(HEAD, encoding="utf-8")

    @property
    def counts(self) -> Counter[Kind]:
        """How many positions there are of each kind."""
        return Counter((one.theme, one.task, one.turn) for one in self.positions)

    def is_wanted(self, kind: Kind) -> bool:
        """Checks whether positions of a kind are missing."""
        return self.counts[kind] < self.wanted.get(kind, 0)

    def add(self, one: Candidate, source: str) -> bool:
        """Adds a candidate if it is suitable; returns whether it was."""
        if not self.is_wanted(one.kind) or canonical(one.game) in self.known:
            return False
        judges = {Task.MAKE: made, Task.PREVENT: prevented}
        judged = (judged_wall if one.theme is Theme.SHIELDWALL else judges[one.task])(one)
        if judged is None or self._is_too_short(one, judged[1]):
            return False
        self.known.add(canonical(one.game))
        self.positions.append(ThemePosition(one.game, one.theme, one.task, *judged, source))
        with self.path.open("a", encoding="utf-8") as file:
            file.write(self.positions[-1].line + "\n")
        return True

    def _is_too_short(self, one: Candidate, plies: int | None) -> bool:
        if plies is None or one.task is Task.PREVENT or plies > SHORT:
            return False
        short = sum(
            (known.theme, known.task) == (one.theme, one.task) and (known.plies or 0) <= SHORT
            for known in self.positions
        )
        return plies == 1 or short >= SHARE_SHORT * WANTED[one.kind]


def main() -> None:
    """Collects the positions of the variants of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=VARIANTS)
    parser.add_argument("--themes", type=Theme, nargs="+", help="themes to collect; all by default")
    parser.add_argument("--seed", type=int, default=1, help="number of the first game")
    parser.add_argument("--recorded", type=Path, help="a collection of recorded games")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the folder for the files")
    parser.add_argument("--seconds", type=float, default=1e9, help="time limit for each variant")
    options = parser.parse_args()
    for variant_id in options.variants:
        one, collection = (
            variant(variant_id),
            Collection(variant_id, options.folder, options.themes or list(Theme)),
        )
        begin = time.monotonic()
        sources = (
            recorded(one, options.recorded)
            if options.recorded
            else collected(one, options.seed, collection.is_wanted)
        )
        for source, candidates in sources:
            added: set[tuple[Theme, Task]] = set()
            for candidate in candidates:
                if candidate[:2] not in added and collection.add(candidate, source):
                    added.add(candidate[:2])
                    print(f"{time.monotonic() - begin:.0f} s: {collection.positions[-1].line}", flush=True)
                if source.startswith("composed") and added:
                    break
            is_full = not any(collection.is_wanted(kind) for kind in WANTED)
            if is_full or time.monotonic() - begin > options.seconds:
                break


if __name__ == "__main__":
    main()
