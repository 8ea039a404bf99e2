"""Experiments: matches between players, their statistics and tables; fitting and calibration of weights.

>>> from hnefi import variant
>>> from hnefi.lab import Openings, balance_experiment, parse_player
>>> experiment = balance_experiment(variant("brandub-globe"), parse_player("nodes:100"), Openings(seed=1))
>>> str(experiment.first), experiment.both_sides
('nodes:100', False)
"""

from typing import TYPE_CHECKING

from hnefi.lazy import on_first_use as _on_first_use

if TYPE_CHECKING:
    from hnefi.lab.balance import balance_experiment
    from hnefi.lab.games import Experiment, PlayedGame
    from hnefi.lab.openings import Openings
    from hnefi.lab.players import PlayerSpec, parse_player
    from hnefi.lab.report import Table, balance_table, match_table
    from hnefi.lab.results import Results, record_games
    from hnefi.lab.runner import play_games

_NAMES = {
    "balance": ("balance_experiment",),
    "games": ("Experiment", "PlayedGame"),
    "openings": ("Openings",),
    "players": ("PlayerSpec", "parse_player"),
    "report": ("Table", "balance_table", "match_table"),
    "results": ("Results", "record_games"),
    "runner": ("play_games",),
}

__getattr__, __dir__ = _on_first_use(__name__, _NAMES)

__all__ = [
    "Experiment",
    "Openings",
    "PlayedGame",
    "PlayerSpec",
    "Results",
    "Table",
    "balance_experiment",
    "balance_table",
    "match_table",
    "parse_player",
    "play_games",
    "record_games",
]
