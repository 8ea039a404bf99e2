"""Analyses, their lines, and scores with their calibration to winning chances."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hnefi._core import Move, win_rates
from hnefi.pieces import Side

SCORE_BOUNDS: Mapping[str, float] = {"even": 0.57, "slight": 0.7, "better": 0.87}
"""The expected result of the better side below which a score is called so; from the last on it is winning."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Converts scores to winning chances under some rules. Measured by `hnefi lab calibrate`, or a default.

    Attributes:
        scale: The difference in score that multiplies the odds of a win by e (2.7).
        offset: The score at which both sides have the same expected result.
        margin: The distance above the offset at which the attackers win half of the games, below it the
            defenders.
        spread: The root mean square between the chances and the results of held-out games, from 0 to 1. None
            if no games of these rules were measured: the chances are then only an estimate.

    >>> even = Calibration(250.0)
    >>> even.chances(0), round(even.chances(250), 2)
    (0.5, 0.73)
    >>> drawish = Calibration(250.0, margin=1_000.0)
    >>> round(drawish.chances(250), 2), round(drawish.holds(0) - drawish.wins(0), 2)
    (0.52, 0.96)
    """

    scale: float
    offset: float = 0.0
    margin: float = 0.0
    spread: float | None = None

    def wins(self, value: float) -> float:
        """Returns how often the attackers win at a score, from 0 to 1."""
        return win_rates(value, self.scale, self.offset, self.margin)[0]

    def holds(self, value: float) -> float:
        """Returns how often the attackers win or draw at a score, from 0 to 1."""
        return win_rates(value, self.scale, self.offset, self.margin)[1]

    def chances(self, value: float) -> float:
        """Returns the expected result of the attackers, draws counting half. It rises with the score."""
        return sum(win_rates(value, self.scale, self.offset, self.margin)) / 2


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a position, always for the attackers.

    Attributes:
        value: In hundredths of a soldier.
        calibration: The calibration for the rules.
        win_in: Plies to a proven win of the attackers, negative for the defenders; None if nothing is proven.

    >>> Score(0, Calibration(250.0)).chances
    0.5
    >>> won = Score.proven(Side.DEFENDERS, 3)
    >>> won.winner, won.wins_in, won.chances
    (<Side.DEFENDERS: 'defenders'>, 3, 0.0)
    """

    value: int
    calibration: Calibration
    win_in: int | None = None

    @classmethod
    def proven(cls, winner: Side, plies: int) -> "Score":
        """Returns the score of a proven win in at most `plies` plies."""
        sign = 1 if winner is Side.ATTACKERS else -1
        return cls(sign * (PROVEN_VALUE - plies), _CERTAIN, sign * plies)

    @property
    def is_proven(self) -> bool:
        """Whether a forced win of one side is proven."""
        return self.win_in is not None

    @property
    def winner(self) -> Side | None:
        """The side whose forced win is proven, None if nothing is proven."""
        if self.win_in is None:
            return None
        return Side.ATTACKERS if self.value > 0 else Side.DEFENDERS

    @property
    def wins_in(self) -> int | None:
        """The plies to the proven win at most; None if nothing is proven."""
        return None if self.win_in is None else abs(self.win_in)

    @property
    def chances(self) -> float:
        """The expected result of the attackers, from 0 (lost) to 1 (won), draws counting half."""
        if self.win_in is not None:
            return 1.0 if self.value > 0 else 0.0
        return self.calibration.chances(self.value)

    @property
    def spread(self) -> float | None:
        """The uncertainty of the chances (`Calibration.spread`); 0 if a win is proven.

        None if no games of these rules were measured. Programs then do not show `chances` as a percentage:
        they are only an estimate.
        """
        return 0.0 if self.is_proven else self.calibration.spread

    @property
    def size(self) -> str:
        """Returns how much better the better side is: `even`, `slight`, `better` or `winning`.

        It is never `winning` where the chances are only an estimate.

        >>> Score(900, Calibration(100.0)).size, Score(900, Calibration(100.0, spread=0.05)).size
        ('better', 'winning')
        """
        better = max(self.chances, 1 - self.chances)
        size = next((word for word, bound in SCORE_BOUNDS.items() if better < bound), "winning")
        return "better" if size == "winning" and self.spread is None else size

    def chances_for(self, side: Side) -> float:
        """Returns the expected result of a side, from 0 to 1."""
        return self.chances if side is Side.ATTACKERS else 1.0 - self.chances

    def value_for(self, side: Side) -> int:
        """Returns the value from the point of view of a side."""
        return self.value if side is Side.ATTACKERS else -self.value


_CERTAIN = Calibration(1.0)
PROVEN_VALUE = 32_000
"""The value of a game that is won; a win in n plies is worth n less."""
PROVEN_LEAST = PROVEN_VALUE - 1_000
"""The least value of a proven win."""


@dataclass(frozen=True, slots=True)
class AnalysisLine:
    """One line of an analysis: a score and the principal variation.

    Attributes:
        score: The score of its first move.
        moves: The moves that the engine expects, the scored one first.
    """

    score: Score
    moves: tuple[Move, ...]

    @property
    def move(self) -> Move:
        """The first move, which is scored."""
        return self.moves[0]


@dataclass(frozen=True, slots=True)
class Analysis:
    """The state of an analysis.

    Attributes:
        lines: The best moves, best first for the side to move; none if the game is over.
        depth: The depth to which all lines were searched, in plies.
        deepest: The deepest line visited (selective depth), in plies.
        nodes: Positions visited.
        time_ms: Time spent, in milliseconds.
        is_final: Whether it is the last one of its stream.
    """

    lines: tuple[AnalysisLine, ...] = ()
    depth: int = 0
    deepest: int = 0
    nodes: int = 0
    time_ms: int = 0
    is_final: bool = False

    @property
    def best(self) -> AnalysisLine | None:
        """The best line, None if the game is over."""
        return self.lines[0] if self.lines else None

    @property
    def nodes_per_second(self) -> int:
        """The speed, in positions a second."""
        return self.nodes * 1000 // max(self.time_ms, 1)


OnAnalysis = Callable[[Analysis], None]
