"""The balance of games: the same player on both sides, from many openings, and what each side scores.

All experiments of a folder go into one report, so that several strengths can be measured one after the other.
"""

from pathlib import Path

from hnefi.lab.games import Experiment
from hnefi.lab.openings import Openings
from hnefi.lab.players import PlayerSpec
from hnefi.variant import Variant

__all__ = ["balance_experiment", "subfolder"]


def balance_experiment(rules: Variant, player: PlayerSpec, openings: Openings, max_plies: int) -> Experiment:
    """Gives the experiment: one game from each opening, which the same player would play the same again."""
    return Experiment(rules.rules, player, player, openings, both_sides=False, max_plies=max_plies)


def subfolder(folder: Path, rules: Variant, player: PlayerSpec) -> Path:
    """Gives where the experiment of a variant is kept."""
    own = f"-{rules.rules.hash[:8]}" if rules.switches else ""
    written = "".join(sign if sign.isalnum() else "-" for sign in str(player))
    return folder / f"{rules.id}{own}-{written[:60]}"
