"""What an engine says about a game: scores that mean something to people, and lines."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from hnefi._core import Move
from hnefi.pieces import Side

__all__ = ["Analysis", "AnalysisLine", "Calibration", "Score", "logistic"]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What scores mean in games by some rules: measured by `hnefi fit`, or derived from the rules.

    >>> even = Calibration(250.0)
    >>> even.chances(0), round(even.chances(250), 2)
    (0.5, 0.73)
    >>> drawish = Calibration(250.0, margin=1_000.0)
    >>> round(drawish.chances(250), 2), round(drawish.holds(0) - drawish.wins(0), 2)
    (0.52, 0.96)
    """

    scale: float
    """How far the score goes up until the odds of a win are 2.7 times what they were."""

    offset: float = 0.0
    """The score at which both sides can expect the same."""

    margin: float = 0.0
    """How far above it the attackers win in half of the games; so far below it the defenders do."""

    def wins(self, value: float) -> float:
        """Gives how often the attackers win with a score, from 0 to 1."""
        return logistic((value - self.offset - self.margin) / self.scale)

    def holds(self, value: float) -> float:
        """Gives how often they win or draw."""
        return logistic((value - self.offset + self.margin) / self.scale)

    def chances(self, value: float) -> float:
        """Gives the result they can expect, draws counting half; it never falls as the score rises."""
        return (self.wins(value) + self.holds(value)) / 2


def logistic(x: float) -> float:
    """Gives 1 / (1 + e⁻ˣ), for large numbers almost 0 or 1."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


@dataclass(frozen=True, slots=True)
class Score:
    """What a position is worth, always from the attackers' side.

    >>> Score(0, Calibration(250.0)).chances
    0.5
    >>> won = Score.proven(Side.DEFENDERS, 3)
    >>> won.winner, won.wins_in, won.chances
    (<Side.DEFENDERS: 'defenders'>, 3, 0.0)
    """

    value: int
    """In hundredths of a soldier."""

    calibration: Calibration
    """What the value means by the rules."""

    win_in: int | None = None
    """If the outcome is proven: in how many plies the attackers win at most, or, negative, the defenders."""

    @classmethod
    def proven(cls, winner: Side, plies: int) -> "Score":
        """Gives the score of a win that is proven, in so many plies at most."""
        sign = 1 if winner is Side.ATTACKERS else -1
        return cls(sign * (PROVEN_VALUE - plies), _CERTAIN, sign * plies)

    @property
    def is_proven(self) -> bool:
        """Whether one side wins by force."""
        return self.win_in is not None

    @property
    def winner(self) -> Side | None:
        """Who wins by force, None if nothing is proven."""
        if self.win_in is None:
            return None
        return Side.ATTACKERS if self.value > 0 else Side.DEFENDERS

    @property
    def wins_in(self) -> int | None:
        """In how many plies the winner wins at most; None if nothing is proven."""
        return None if self.win_in is None else abs(self.win_in)

    @property
    def chances(self) -> float:
        """The attackers' expected result, from 0 (lost) to 1 (won), draws counting half."""
        if self.win_in is not None:
            return 1.0 if self.value > 0 else 0.0
        return self.calibration.chances(self.value)

    def chances_for(self, side: Side) -> float:
        """The expected result of a side, from 0 to 1."""
        return self.chances if side is Side.ATTACKERS else 1.0 - self.chances

    def value_for(self, side: Side) -> int:
        """The value from a side's point of view."""
        return self.value if side is Side.ATTACKERS else -self.value


_CERTAIN = Calibration(1.0)
PROVEN_VALUE = 32_000
"""The value of a game that is won; a win in n plies is worth n less."""


@dataclass(frozen=True, slots=True)
class AnalysisLine:
    """One line: the move it judges comes first."""

    score: Score
    moves: tuple[Move, ...]

    @property
    def move(self) -> Move:
        """The move that is judged."""
        return self.moves[0]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an engine knows so far.

    Attributes:
        lines: The best moves, best first for the side to move; none if the game is over.
        depth: The depth all lines were searched to, in plies.
        deepest: The deepest line looked at, in plies.
        nodes: Positions visited.
        time_ms: Time spent, in milliseconds.
        is_final: Whether nothing more will come.
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
        """The speed so far."""
        return self.nodes * 1000 // max(self.time_ms, 1)


Tell = Callable[[Analysis], None]
