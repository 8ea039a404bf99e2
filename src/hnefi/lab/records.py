"""The games of an experiment as records."""

from collections.abc import Iterator

from hnefi._core import Game, Outcome
from hnefi.lab.games import PlayedGame
from hnefi.lab.results import Results
from hnefi.pieces import Side
from hnefi.record import Record, variant_headers
from hnefi.variants.model import Variant


def record_games(results: Results, variant: Variant) -> Iterator[Record]:
    """Iterates over the records of all games, by number."""
    experiment = results.experiment
    for played in sorted(results.games, key=lambda game: game.number):
        names = (str(experiment.first), str(experiment.second))
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


def _game(results: Results, played: PlayedGame) -> Game:
    """Replays a game, and ends it as stored if the rules did not end it."""
    game = Game.replay(results.experiment.rules, None, played.moves)
    return (
        game if game.outcome is not None else game.end(Outcome(played.outcome.winner, played.outcome.reason))
    )
