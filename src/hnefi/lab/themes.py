"""Positions of enclosures, exit forts and shieldwalls, from games or composed, with the moves that are right.

The positions are taken some plies before the event, from self-play games in which the defenders play with
fewer nodes, and some random moves. Some enclosures, and all forts and shieldwalls, which are rare in such
games, are composed.

- Enclosure or fort, `make`: the prover proves a win that ends in it. All moves that it proves to win are best
  moves, at most `_MOST_BEST`; the others are not proven with `_EFFORT` times the effort of the win.
- Enclosure or fort, `prevent`: all moves but the best ones lose, proven; the best moves are not proven to
  lose with `_EFFORT` times the effort.
- Shieldwall: a search of `_JUDGE_NODES` nodes is the judge. It prefers the best moves to all others by
  `_LEAST_MARGIN`. They capture a row of two or more, or do so two plies later in its line (`make`); or they
  leave the other side no such capture, which it would have if it were to move (`prevent`).

Searches run in one thread, so that the same seeds give the same positions.
"""

import functools
import itertools
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hnefi._core import Game, Move, Searcher
from hnefi.engine.weights import weights_for
from hnefi.formats import SuiteEntry
from hnefi.lab.compositions import composed_forts, composed_rings, composed_shieldwalls
from hnefi.lab.positions import SuiteFile, from_position, number_of, play_on, prove, searched
from hnefi.lab.recorded import RecordedGame
from hnefi.pieces import Reason, Side
from hnefi.variants.model import Variant

ENCLOSURE, EXIT_FORT, SHIELDWALL = THEMES = "enclosure", "exit_fort", "shieldwall"
MAKE, PREVENT = "make", "prevent"
Kind = tuple[str, str, Side]
# Positions of a theme and a task for each side that can have it.
_WANTED: dict[Kind, int] = {
    (ENCLOSURE, MAKE, Side.ATTACKERS): 45,
    (ENCLOSURE, PREVENT, Side.DEFENDERS): 25,
    (EXIT_FORT, MAKE, Side.DEFENDERS): 40,
    (EXIT_FORT, PREVENT, Side.ATTACKERS): 25,
    (SHIELDWALL, MAKE, Side.ATTACKERS): 20,
    (SHIELDWALL, MAKE, Side.DEFENDERS): 20,
    (SHIELDWALL, PREVENT, Side.ATTACKERS): 15,
    (SHIELDWALL, PREVENT, Side.DEFENDERS): 15,
}
_ENDS = {Reason.ENCLOSURE: ENCLOSURE, Reason.EXIT_FORT: EXIT_FORT}
_COMPOSERS = {ENCLOSURE: composed_rings, EXIT_FORT: composed_forts, SHIELDWALL: composed_shieldwalls}
_PLIES_BEFORE_END = (9, 7, 5, 3)
# The share of the wins of a theme that may take only so many plies.
_SHORT, _SHARE_SHORT = 3, 0.4
_MOST_BEST = 6
# Positions the prover may expand: for a win, for a first test of each of the other moves, and the least for
# the second.
_PROOF_NODES, _FIRST_TEST_NODES, _SECOND_TEST_NODES, _EFFORT = 1_000, 200, 500, 1
# The judge of shieldwalls, in a first look and at the end.
_FIRST_JUDGE_NODES, _JUDGE_NODES, _LEAST_MARGIN, _JUDGED_LINES = 20_000, 300_000, 80, 5
# Nodes for each move of the two sides in the games, and the share of random moves of the defenders.
_ATTACKERS, _DEFENDERS = (1_000, 2_000, 2_000), (100, 100, 300)
_RANDOM_MOVES = (0.05, 0.1, 0.2)


class _Candidate(NamedTuple):
    """A position that may show a theme."""

    theme: str
    task: str
    game: Game

    @property
    def kind(self) -> Kind:
        """Theme, task and the side to move."""
        return self.theme, self.task, self.game.position.turn


class _Judged(NamedTuple):
    """The best moves, the most plies of the proof, and the margin of the judge; 0 without one."""

    best: list[Move]
    plies: int = 0
    margin: int = 0


def kind_of(entry: SuiteEntry) -> Kind:
    """Returns theme, task and the side to move of a position of the suite."""
    theme, _, task = entry.id.partition(" ")
    return theme, task, entry.setup.turn


def ends_in(game: Game, line: Iterable[Move], theme: str) -> bool:
    """Checks whether a line ends the game by a theme."""
    for move in line:
        game = game.play(move)
    return game.outcome is not None and _ENDS.get(game.outcome.reason) == theme


def _made(one: _Candidate) -> _Judged | None:
    """Returns the moves that win by a theme; None if there is no proof, or there are too many."""
    side = one.game.position.turn
    proof = prove(one.game, side, _PROOF_NODES)
    if not proof.line or not ends_in(one.game, proof.line, one.theme):
        return None
    best = [proof.line[0]]
    for nodes in (_FIRST_TEST_NODES, max(_SECOND_TEST_NODES, _EFFORT * proof.effort)):
        for move in one.game.legal_moves():
            if move not in best and prove(one.game.play(move), side, nodes).answer == "proven":
                best.append(move)
                if len(best) > _MOST_BEST:
                    return None
    return _Judged(best, proof.plies)


def _prevented(one: _Candidate) -> _Judged | None:
    """Returns the only moves that do not lose, if all others do; None if there are none, or too many."""
    winner = one.game.position.turn.opponent
    threat = after_pass(one.game)
    if threat.turn is not winner or prove(threat, winner, _FIRST_TEST_NODES).answer != "proven":
        return None
    best = list(one.game.legal_moves())
    random.Random(str(one.game.position.setup)).shuffle(best)
    longest, most_effort, is_theme = 0, 0, False
    for nodes, most in ((_FIRST_TEST_NODES, 3 * _MOST_BEST), (_PROOF_NODES, _MOST_BEST)):
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
    harder = max(_SECOND_TEST_NODES, _EFFORT * most_effort, _EFFORT * _PROOF_NODES)
    if not best or not is_theme:
        return None
    if any(prove(one.game.play(move), winner, harder).answer == "proven" for move in best):
        return None
    weights = weights_for(one.game.rules).text
    win_in = Searcher(table_mib=16).analyse(one.game, nodes=_JUDGE_NODES, weights=weights).lines[0].win_in
    if win_in is not None and (win_in > 0) is (winner is Side.ATTACKERS):
        return None
    return _Judged(best, longest)


def shieldwalls(game: Game) -> list[Move]:
    """Returns the moves of the side to move that capture a row of two or more."""

    def row(move: Move) -> int:
        return sum(capture.how == "shieldwall" for capture in game.position.describe(move).captures)

    return [move for move in game.legal_moves() if row(move) >= 2]


def after_pass(game: Game) -> Game:
    """Returns the position with the other side to move."""
    return from_position(game, game.position.turn.opponent)


def _judged_wall(one: _Candidate) -> _Judged | None:
    """Returns the moves that a search prefers to all others because of a shieldwall; None if it does not."""
    if one.task == PREVENT and not shieldwalls(after_pass(one.game)):
        return None
    sign = 1 if one.game.position.turn is Side.ATTACKERS else -1
    weights = weights_for(one.game.rules).text
    found = None
    for nodes in (_FIRST_JUDGE_NODES, _JUDGE_NODES):
        searcher = Searcher(table_mib=16)
        lines = searcher.analyse(one.game, nodes=nodes, lines=_JUDGED_LINES, weights=weights).lines
        if lines[0].win_in is not None or len(lines) < 2:
            return None
        gaps = [sign * (before.score - after.score) for before, after in itertools.pairwise(lines)]
        best = lines[: 1 + gaps.index(max(gaps))]
        if max(gaps) < _LEAST_MARGIN or not all(_shows(one, line.moves) for line in best):
            return None
        found = _Judged([line.moves[0] for line in best], 0, max(gaps))
    return found


def _shows(one: _Candidate, line: tuple[Move, ...]) -> bool:
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


def _of_game(game: Game) -> Iterator[_Candidate]:
    """Iterates over the positions of a finished game some plies before its end or a shieldwall."""
    history = [game]
    while (before := history[-1].parent) is not None:
        history.append(before)
    outcome = game.outcome
    theme = _ENDS.get(outcome.reason) if outcome is not None else None
    if outcome is not None and theme is not None:
        for plies, task in itertools.product(_PLIES_BEFORE_END, (MAKE, PREVENT)):
            at = history[min(plies - (task == PREVENT), len(history) - 1)]
            if plies - (task == PREVENT) < len(history) and (at.turn is outcome.winner) is (task == MAKE):
                yield _Candidate(theme, task, from_position(at))
    for back, (after, before) in enumerate(itertools.pairwise(history)):
        last = after.last
        if last is not None and len(last.captures) > 1 and last.move in shieldwalls(before):
            for earlier, task in ((3, MAKE), (2, PREVENT), (1, MAKE)):
                if back + earlier < len(history):
                    yield _Candidate(SHIELDWALL, task, from_position(history[back + earlier]))


def _self_play_game(one: Variant, seed: int, searchers: dict[Side, Searcher]) -> Game:
    """Plays a game against weaker defenders, so that enclosures are not rare."""
    rng = random.Random(f"themes/{one.id}/{seed}")
    weights = weights_for(one.rules).text
    index = rng.randrange(len(_ATTACKERS))
    share = rng.choice(_RANDOM_MOVES)
    nodes = {Side.ATTACKERS: _ATTACKERS[index], Side.DEFENDERS: _DEFENDERS[index]}
    players = {side: searched(searchers[side], nodes[side], weights) for side in Side}

    def choose(game: Game) -> Move:
        side = game.position.turn
        if side is Side.DEFENDERS and rng.random() < share:
            return rng.choice(game.legal_moves())
        return players[side](game)

    return play_on(one.new_game(), choose)


class ThemeCollection:
    """The suite of a variant during its collection of positions with some themes, of those its rules have."""

    def __init__(self, suite: SuiteFile, themes: Iterable[str] = THEMES) -> None:
        self.suite = suite
        self._variant = one = suite.variant
        rules = json.loads(one.rules.to_json())
        words = {**rules["ends"], SHIELDWALL: rules["capture"]["shieldwall"]}
        self._counts = Counter(map(kind_of, suite.entries))
        self._wanted = {
            kind: count for kind, count in _WANTED.items() if kind[0] in themes and words[kind[0]] != "none"
        }

    @property
    def has_themes(self) -> bool:
        """Checks whether the rules have any of the themes."""
        return bool(self._wanted)

    @property
    def missing(self) -> int:
        """How many positions are missing."""
        return sum(max(0, count - self._counts[kind]) for kind, count in self._wanted.items())

    def collect(
        self, seed: int, recorded: Iterable[RecordedGame] | None = None
    ) -> Iterator[list[SuiteEntry]]:
        """Adds positions until none is missing, and yields what each source adds, one of a theme and a task.

        Sources are self-play games and composed positions, numbered from the seed on, or recorded games.
        """
        sources = self._recorded(recorded) if recorded is not None else self._sources(seed)
        for source, candidates in sources:
            added: dict[tuple[str, str], SuiteEntry] = {}
            for one in candidates:
                if (one.theme, one.task) not in added and (entry := self._add(one, source)) is not None:
                    added[one.theme, one.task] = entry
                    if source.startswith("composed"):
                        break
            yield [*added.values()]
            if not self.missing:
                return

    def _is_wanted(self, kind: Kind) -> bool:
        return self._counts[kind] < self._wanted.get(kind, 0)

    def _sources(self, seed: int) -> Iterator[tuple[str, Iterator[_Candidate]]]:
        """Iterates over games and composed positions."""
        searchers = {side: Searcher(table_mib=16) for side in Side}
        while self.missing:
            if any(self._is_wanted(kind) for kind in _WANTED if kind[0] == ENCLOSURE):
                yield f"game {seed}", _of_game(_self_play_game(self._variant, seed, searchers))
            for theme, task, side in _WANTED:
                if self._is_wanted((theme, task, side)):
                    games = _COMPOSERS[theme](self._variant, seed, side, searchers[Side.ATTACKERS])
                    build = functools.partial(_Candidate, theme, task)
                    yield f"composed {seed}", (build(game) for game in games if not game.position.open_roads)
            seed += 1

    def _recorded(self, games: Iterable[RecordedGame]) -> Iterator[tuple[str, Iterator[_Candidate]]]:
        for number, game in enumerate(games, 1):
            yield f"recorded {number}", _of_game(Game.replay(self._variant.rules, None, game.moves))

    def _add(self, one: _Candidate, source: str) -> SuiteEntry | None:
        """Adds a candidate if it is suitable, and returns its position in the suite."""
        if not self._is_wanted(one.kind) or self.suite.has(one.game):
            return None
        judge = _judged_wall if one.theme == SHIELDWALL else _made if one.task == MAKE else _prevented
        found = judge(one)
        if found is None or self._is_too_short(one, found.plies):
            return None
        numbers = {name: (str(value),) for name in ("plies", "margin") if (value := getattr(found, name))}
        names = {"id": (f"{one.theme} {one.task}",), "bm": tuple(map(str, found.best))}
        operations = {**names, **numbers, "source": (source,)}
        entry = SuiteEntry(self._variant.id, one.game.position.setup, operations)
        self.suite.add(entry)
        self._counts[one.kind] += 1
        return entry

    def _is_too_short(self, one: _Candidate, plies: int) -> bool:
        if one.theme == SHIELDWALL or one.task == PREVENT or plies > _SHORT:
            return False
        short = sum(
            kind_of(known) == one.kind and number_of(known, "plies") <= _SHORT for known in self.suite.entries
        )
        return plies == 1 or short >= _SHARE_SHORT * _WANTED[one.kind]
