"""The games of an experiment as records, which `hnefi replay` reads."""

from collections.abc import Iterator

from hnefi._core import Game, Outcome
from hnefi.lab.games import PlayedGame
from hnefi.lab.results import Results
from hnefi.pieces import Side
from hnefi.record import Record, variant_headers
from hnefi.variants.model import Variant

__all__ = ["record_games"]


def record_games(results: Results, variant: Variant) -> Iterator[Record]:
    """Gives the records of all games, in the order of their numbers."""
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
    """Plays a game once more; what the rules did not end was ended from outside."""
    game = Game.replay(results.experiment.rules, None, played.moves)
    return (
        game if game.outcome is not None else game.end(Outcome(played.outcome.winner, played.outcome.reason))
    )
