"""Collects positions of enclosures, exit forts and shieldwalls into tests/themes.

    python tools/make_themes.py copenhagen-11
    python tools/make_themes.py copenhagen-11 --recorded GAMES.jsonl.gz --folder target/themes

The positions are taken some plies before the event, from self-play games in which the defenders play with
fewer nodes, and some random moves. Some enclosures, and all forts and shieldwalls, which are rare in such
games, are composed (`compositions.py`). With `--recorded`, they come from the
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
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from hnefi import Game, Move, Reason, Side, Variant, variant
from hnefi._core import Searcher
from hnefi.engine.weights import weights_for
from hnefi.formats import SuiteEntry
from hnefi.lab.compositions import composed_forts, composed_rings, composed_shieldwalls
from hnefi.lab.positions import SuiteFile, from_position, play_on, prove, searched
from hnefi.lab.recorded import recorded_games

FOLDER = Path(__file__).parents[1] / "tests" / "themes"
ENCLOSURE, EXIT_FORT, SHIELDWALL = "enclosure", "exit_fort", "shieldwall"
MAKE, PREVENT = "make", "prevent"
Kind = tuple[str, str, Side]
# Positions of a theme and a task for each side that can have it.
WANTED: dict[Kind, int] = {
    (ENCLOSURE, MAKE, Side.ATTACKERS): 45,
    (ENCLOSURE, PREVENT, Side.DEFENDERS): 25,
    (EXIT_FORT, MAKE, Side.DEFENDERS): 40,
    (EXIT_FORT, PREVENT, Side.ATTACKERS): 25,
    (SHIELDWALL, MAKE, Side.ATTACKERS): 20,
    (SHIELDWALL, MAKE, Side.DEFENDERS): 20,
    (SHIELDWALL, PREVENT, Side.ATTACKERS): 15,
    (SHIELDWALL, PREVENT, Side.DEFENDERS): 15,
}
ENDS = {Reason.ENCLOSURE: ENCLOSURE, Reason.EXIT_FORT: EXIT_FORT}
COMPOSERS = {ENCLOSURE: composed_rings, EXIT_FORT: composed_forts, SHIELDWALL: composed_shieldwalls}
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

    theme: str
    task: str
    game: Game

    @property
    def kind(self) -> Kind:
        """Theme, task and the side to move."""
        return self.theme, self.task, self.game.position.turn


class Judged(NamedTuple):
    """The best moves, the most plies of the proof, and the margin of the judge; 0 without one."""

    best: list[Move]
    plies: int = 0
    margin: int = 0


def kind_of(entry: SuiteEntry) -> Kind:
    """Returns theme, task and the side to move of a position of the suite."""
    theme, task = entry.id.split()
    return theme, task, entry.setup.turn


def ends_in(game: Game, line: Iterable[Move], theme: str) -> bool:
    """Checks whether a line ends the game by a theme."""
    for move in line:
        game = game.play(move)
    return game.outcome is not None and ENDS.get(game.outcome.reason) == theme


def made(one: Candidate) -> Judged | None:
    """Returns the moves that win by a theme; None if there is no proof, or there are too many."""
    side = one.game.position.turn
    proof = prove(one.game, side, PROOF_NODES)
    if not proof.line or not ends_in(one.game, proof.line, one.theme):
        return None
    best = [proof.line[0]]
    for nodes in (FIRST_TEST_NODES, max(SECOND_TEST_NODES, EFFORT * proof.effort)):
        for move in one.game.legal_moves():
            if move not in best and prove(one.game.play(move), side, nodes).answer == "proven":
                best.append(move)
                if len(best) > MOST_BEST:
                    return None
    return Judged(best, proof.plies)


def prevented(one: Candidate) -> Judged | None:
    """Returns the only moves that do not lose, if all others do; None if there are none, or too many."""
    winner = one.game.position.turn.opponent
    threat = after_pass(one.game)
    if threat.turn is not winner or prove(threat, winner, FIRST_TEST_NODES).answer != "proven":
        return None
    best = list(one.game.legal_moves())
    random.Random(str(one.game.position.setup)).shuffle(best)
    longest, most_effort, is_theme = 0, 0, False
    for nodes, most in ((FIRST_TEST_NODES, 3 * MOST_BEST), (PROOF_NODES, MOST_BEST)):
        tried, best = best, []
        for move in tried:
            after = one.game.play(move)
            proof = prove(after, winner, nodes)
            if proof.answer != "proven":
                best.append(move)
                if len(best) > most:
                    return None
                continue
            longest, most_effort = max(longest, proof.plies), max(most_effort, proof.effort)
            is_theme = is_theme or ends_in(after, proof.line, one.theme)
    harder = max(SECOND_TEST_NODES, EFFORT * most_effort, EFFORT * PROOF_NODES)
    if not best or not is_theme:
        return None
    if any(prove(one.game.play(move), winner, harder).answer == "proven" for move in best):
        return None
    weights = weights_for(one.game.rules).text
    win_in = Searcher(table_mib=16).analyse(one.game, nodes=JUDGE_NODES, weights=weights).lines[0].win_in
    if win_in is not None and (win_in > 0) is (winner is Side.ATTACKERS):
        return None
    return Judged(best, longest)


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
    if one.task == PREVENT and not shieldwalls(after_pass(one.game)):
        return None
    sign = 1 if one.game.position.turn is Side.ATTACKERS else -1
    weights = weights_for(one.game.rules).text
    found = None
    for nodes in (FIRST_JUDGE_NODES, JUDGE_NODES):
        searcher = Searcher(table_mib=16)
        lines = searcher.analyse(one.game, nodes=nodes, lines=JUDGED_LINES, weights=weights).lines
        if lines[0].win_in is not None or len(lines) < 2:
            return None
        gaps = [sign * (before.score - after.score) for before, after in itertools.pairwise(lines)]
        best = lines[: 1 + gaps.index(max(gaps))]
        if max(gaps) < LEAST_MARGIN or not all(_shows(one, line.moves) for line in best):
            return None
        found = Judged([line.moves[0] for line in best], 0, max(gaps))
    return found


def _shows(one: Candidate, line: tuple[Move, ...]) -> bool:
    """Checks whether a line makes a shieldwall within three plies, or leaves the other side none."""
    if one.task == PREVENT:
        after = one.game.play(line[0])
        return after.turn is not None and not shieldwalls(after)
    game = one.game
    for index, move in enumerate(line[:3]):
        if index % 2 == 0 and move in shieldwalls(game):
            return True
        game = game.play(move)
    return False


def of_game(game: Game) -> Iterator[Candidate]:
    """Iterates over the positions of a finished game some plies before its end or a shieldwall."""
    history = [game]
    while (before := history[-1].parent) is not None:
        history.append(before)
    outcome = game.outcome
    theme = ENDS.get(outcome.reason) if outcome is not None else None
    if outcome is not None and theme is not None:
        for plies, task in itertools.product(PLIES_BEFORE_END, (MAKE, PREVENT)):
            at = history[min(plies - (task == PREVENT), len(history) - 1)]
            if plies - (task == PREVENT) < len(history) and (at.turn is outcome.winner) is (task == MAKE):
                yield Candidate(theme, task, from_position(at))
    for back, (after, before) in enumerate(itertools.pairwise(history)):
        last = after.last
        if last is not None and len(last.captures) > 1 and last.move in shieldwalls(before):
            for earlier, task in ((3, MAKE), (2, PREVENT), (1, MAKE)):
                if back + earlier < len(history):
                    yield Candidate(SHIELDWALL, task, from_position(history[back + earlier]))


def self_play_game(one: Variant, seed: int, searchers: dict[Side, Searcher]) -> Game:
    """Plays a game against weaker defenders, so that enclosures are not rare."""
    rng = random.Random(f"themes/{one.id}/{seed}")
    weights = weights_for(one.rules).text
    index = rng.randrange(len(ATTACKERS))
    share = rng.choice(RANDOM_MOVES)
    nodes = {Side.ATTACKERS: ATTACKERS[index], Side.DEFENDERS: DEFENDERS[index]}
    players = {side: searched(searchers[side], nodes[side], weights) for side in Side}

    def choose(game: Game) -> Move:
        side = game.position.turn
        if side is Side.DEFENDERS and rng.random() < share:
            return rng.choice(game.legal_moves())
        return players[side](game)

    return play_on(one.new_game(), choose)


class Collection:
    """The suite of a variant during its collection."""

    def __init__(self, one: Variant, folder: Path, themes: Iterable[str]) -> None:
        self.variant = one
        folder.mkdir(parents=True, exist_ok=True)
        self.suite = SuiteFile(one, folder / f"{one.id}.epd")
        self.counts = Counter(map(kind_of, self.suite.entries))
        self.wanted = {kind: count for kind, count in WANTED.items() if kind[0] in themes}

    def is_wanted(self, kind: Kind) -> bool:
        """Checks whether positions of a kind are missing."""
        return self.counts[kind] < self.wanted.get(kind, 0)

    def sources(self, seed: int) -> Iterator[tuple[str, Iterator[Candidate]]]:
        """Iterates without end over games and composed positions."""
        searchers = {side: Searcher(table_mib=16) for side in Side}
        while True:
            if any(self.is_wanted(kind) for kind in WANTED if kind[0] == ENCLOSURE):
                yield f"game {seed}", of_game(self_play_game(self.variant, seed, searchers))
            for theme, task, side in WANTED:
                if self.is_wanted((theme, task, side)):
                    games = COMPOSERS[theme](self.variant, seed, side, searchers[Side.ATTACKERS])
                    build = functools.partial(Candidate, theme, task)
                    yield f"composed {seed}", (build(game) for game in games if not game.position.open_roads)
            seed += 1

    def recorded(self, path: Path) -> Iterator[tuple[str, Iterator[Candidate]]]:
        """Iterates over recorded games."""
        for number, game in enumerate(recorded_games(path, self.variant), 1):
            yield f"recorded {number}", of_game(Game.replay(self.variant.rules, None, game.moves))

    def add(self, one: Candidate, source: str) -> bool:
        """Adds a candidate if it is suitable; returns whether it was."""
        if not self.is_wanted(one.kind) or self.suite.has(one.game):
            return False
        judge = judged_wall if one.theme == SHIELDWALL else made if one.task == MAKE else prevented
        found = judge(one)
        if found is None or self._is_too_short(one, found.plies):
            return False
        numbers = {name: (str(value),) for name in ("plies", "margin") if (value := getattr(found, name))}
        names = {"id": (f"{one.theme} {one.task}",), "bm": tuple(map(str, found.best))}
        operations = {**names, **numbers, "source": (source,)}
        self.suite.add(SuiteEntry(self.variant.id, one.game.position.setup, operations))
        self.counts[one.kind] += 1
        return True

    def _is_too_short(self, one: Candidate, plies: int) -> bool:
        if one.theme == SHIELDWALL or one.task == PREVENT or plies > SHORT:
            return False
        short = sum(
            kind_of(known) == one.kind and int(known.operations["plies"][0]) <= SHORT
            for known in self.suite.entries
        )
        return plies == 1 or short >= SHARE_SHORT * WANTED[one.kind]


def main() -> None:
    """Collects the positions of the variants of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=["copenhagen-11"])
    parser.add_argument("--themes", choices=COMPOSERS, nargs="+", default=list(COMPOSERS))
    parser.add_argument("--seed", type=int, default=1, help="number of the first game")
    parser.add_argument("--recorded", type=Path, help="a collection of recorded games")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the folder for the files")
    parser.add_argument("--seconds", type=float, default=1e9, help="time limit for each variant")
    options = parser.parse_args()
    for variant_id in options.variants:
        collection = Collection(variant(variant_id), options.folder, options.themes)
        end = time.monotonic() + options.seconds
        recorded = options.recorded
        sources = collection.recorded(recorded) if recorded else collection.sources(options.seed)
        for source, candidates in sources:
            added = set()
            for one in candidates:
                if one.kind[:2] not in added and collection.add(one, source):
                    added.add(one.kind[:2])
                    print(collection.suite.entries[-1], flush=True)
                if source.startswith("composed") and added:
                    break
            if not any(map(collection.is_wanted, WANTED)) or time.monotonic() > end:
                break


if __name__ == "__main__":
    main()
