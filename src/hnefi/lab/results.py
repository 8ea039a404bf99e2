"""Results of an experiment, counted by player, side, pair and end of the game, and its games as records."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hnefi._core import Game, Outcome
from hnefi.errors import HnefiError
from hnefi.lab.games import Experiment, PlayedGame
from hnefi.measure import Tally
from hnefi.pieces import Side
from hnefi.record import Record, variant_headers
from hnefi.variants.model import Variant


@dataclass(slots=True)
class Results:
    """The finished games of an experiment."""

    experiment: Experiment
    games: list[PlayedGame] = field(default_factory=list)
    _points: dict[int, list[int]] = field(default_factory=dict)
    """The half points of the first player, by pair."""

    def add(self, game: PlayedGame) -> None:
        """Adds a game."""
        self.games.append(game)
        half_points = 1 if game.outcome.winner is None else 2 * (game.outcome.winner is self._side(game))
        self._points.setdefault(self.experiment.pair(game.number), []).append(half_points)

    def _side(self, game: PlayedGame) -> Side:
        return self.experiment.first_side(game.number)

    @property
    def pairs(self) -> tuple[int, int, int, int, int]:
        """Complete pairs by the points of the first player: 0, ½, 1, 1½, 2."""
        counted = Counter(sum(points) for points in self._points.values() if len(points) == 2)
        return counted[0], counted[1], counted[2], counted[3], counted[4]

    @property
    def first(self) -> Tally:
        """All games, from the point of view of the first player."""
        return self.first_with(Side.ATTACKERS) + self.first_with(Side.DEFENDERS)

    def first_with(self, side: Side) -> Tally:
        """Returns the games in which the first player had a side, from the point of view of that player."""
        return _tally((game.outcome for game in self.games if self._side(game) is side), side)

    def second_with(self, side: Side) -> Tally:
        """Returns the games in which the second player had a side, from the point of view of that player."""
        return self.first_with(side.opponent).reversed

    def side(self, side: Side) -> Tally:
        """Returns all games, from the point of view of a side."""
        return _tally((game.outcome for game in self.games), side)

    @property
    def endings(self) -> list[tuple[Outcome, int]]:
        """The ways games ended and how often, the most frequent first."""
        counted = Counter((game.outcome.winner, game.outcome.reason) for game in self.games)
        return [
            (Outcome(*ending), n)
            for ending, n in sorted(counted.items(), key=lambda item: (-item[1], str(item[0])))
        ]

    @property
    def mean_plies(self) -> float:
        """Plies per game, those of the opening included."""
        return sum(len(game.moves) for game in self.games) / len(self.games) if self.games else 0.0

    def mean_depth(self, player: int) -> float:
        """Returns the mean depth of the searches of a player (0 or 1), in plies."""
        depths = [game.depth[player] for game in self.games]
        return sum(depths) / len(depths) if depths else 0.0

    @property
    def faults(self) -> Counter[str]:
        """How often players failed, by error code."""
        return Counter(game.fault for game in self.games if game.fault)

    def failures(self, player: int) -> list[tuple[HnefiError, int]]:
        """Returns the first error of each code with which a player (0 or 1) lost games, and their number."""
        lost = [
            game
            for game in sorted(self.games, key=lambda one: one.number)
            if game.fault and (game.outcome.winner is self._side(game)) == (player == 1)
        ]
        first = {game.fault: game for game in reversed(lost)}
        counted = Counter(game.fault for game in lost)
        return [(HnefiError.of_facts(code, **first[code].fault_facts), n) for code, n in counted.items()]


def _tally(outcomes: Iterable[Outcome], side: Side) -> Tally:
    counted = Counter(outcome.winner for outcome in outcomes)
    return Tally(counted[side], counted[None], counted[side.opponent])


def record_games(results: Results, variant: Variant) -> Iterator[Record]:
    """Iterates over the records of all games, by number."""
    experiment = results.experiment
    for played in sorted(results.games, key=lambda game: game.number):
        names = _names(experiment, played)
        attackers, defenders = (
            names if experiment.first_side(played.number) is Side.ATTACKERS else names[::-1]
        )
        headers = [
            *variant_headers(variant),
            ("Round", str(played.number + 1)),
            ("Attackers", attackers),
            ("Defenders", defenders),
            ("OpeningPlies", str(played.opening_plies)),
        ]
        if played.fault:
            headers.append(("Fault", played.fault))
        yield Record.from_game(_game(results, played), headers)


def _names(experiment: Experiment, played: PlayedGame) -> tuple[str, str]:
    """Returns the names of the players; two engines of one name are numbered."""
    first = played.names[0] or str(experiment.first)
    second = played.names[1] or str(experiment.second)
    return (f"{first} (1)", f"{second} (2)") if first == second and any(played.names) else (first, second)


def _game(results: Results, played: PlayedGame) -> Game:
    """Replays a game, and ends it as stored if the rules did not end it."""
    game = Game.replay(results.experiment.rules, None, played.moves)
    return game if game.outcome is not None else game.end(played.outcome)
