"""The measured balance of variants, from docs/measurements/balance.md (tools/write_balance.py)."""

from dataclasses import dataclass

from hnefi.pieces import Side
from hnefi.variants.built_in import measured
from hnefi.variants.model import Variant


@dataclass(frozen=True, slots=True)
class MeasuredBalance:
    """Games of the engine against itself under the rules of a variant; shares in percent.

    Attributes:
        nodes: The nodes that the engine searched for each move.
        opening_plies: The random plies at the beginning of each game.
        defenders: The games that the king's side won.
        attackers: The games that the attackers won.
        drawn: The drawn games.
        score: The score of the king's side, a draw as half a point.
        low: The lower bound of its 95% confidence interval.
        high: The upper bound.
    """

    nodes: int
    games: int
    opening_plies: int
    defenders: float
    attackers: float
    drawn: float
    score: float
    low: float
    high: float

    @property
    def leaning(self) -> str:
        """The side that these games favour: `defenders`, `attackers`, or `even` if the interval has half."""
        if self.low > 50:
            return "defenders"
        return "attackers" if self.high < 50 else "even"


def measured_balance(variant: Variant) -> tuple[MeasuredBalance, ...]:
    """Returns the measurements of a variant, the weaker player first; none for changed rules.

    >>> from hnefi import variant
    >>> [(one.nodes, one.leaning) for one in measured_balance(variant("tablut-geoludie"))]
    [(3000, 'attackers'), (20000, 'attackers')]
    >>> measured_balance(variant("tablut-geoludie").with_switches({"first": "attackers"}))
    ()
    """
    table, rows = measured(variant, "balance.json")
    return tuple(MeasuredBalance(opening_plies=table["opening_plies"], **row) for row in rows or ())


def harder_side(variant: Variant) -> Side | None:
    """Returns the side that scored less at every measured strength; None without measurements or agreement.

    >>> from hnefi import variant
    >>> harder_side(variant("brandub-globe")), harder_side(variant("copenhagen-11"))
    (<Side.ATTACKERS: 'attackers'>, None)
    """
    favoured = {one.leaning for one in measured_balance(variant)}
    if len(favoured) != 1 or favoured == {"even"}:
        return None
    return Side(favoured.pop()).opponent
