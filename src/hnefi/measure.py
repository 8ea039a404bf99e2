"""Statistics of results: score intervals, Elo differences, and the sequential probability ratio test (SPRT).

A result is a number of points from 0 to 1, from the point of view of one player or side. If each opening is
played twice with sides swapped, the two games of a pair are not independent: count pairs in five classes
(0, ½, 1, 1½, 2 points) instead of single games.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

# The count of a class without results, so that few games exclude no possible mean.
_UNSEEN = 1e-3
_TOLERANCE = 1e-10
_STEPS = 60


@dataclass(frozen=True, slots=True)
class Interval:
    """Two bounds, the lower first."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        """Checks whether a number lies between the bounds, inclusive."""
        return isinstance(value, int | float) and self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Tally:
    """Wins, draws and losses from the point of view of one player or side.

    >>> Tally(6, 2, 2).score
    0.7
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per game, ½ if there are no games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def classes(self) -> tuple[int, int, int]:
        """Losses, draws, wins: the results in the order of their points."""
        return self.losses, self.draws, self.wins

    @property
    def reversed(self) -> "Tally":
        """The same games from the point of view of the opponent."""
        return Tally(self.losses, self.draws, self.wins)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


def wilson_interval(wins: int, games: int, *, confidence: float = 0.95) -> Interval:
    """Returns the Wilson score interval of the share of wins among games without draws.

    It stays between 0 and 1 and is accurate for few games. `score_interval` is for games with draws.

    Args:
        wins: Games won, from 0 to `games`.
        games: At least 1.
        confidence: Coverage, between 0 and 1.

    Raises:
        ValueError: If a number is out of its range.

    Source: E. B. Wilson, J. Amer. Statist. Assoc. 22 (1927) 209-212.

    >>> interval = wilson_interval(8, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4902, 0.9433)
    """
    if not 0 <= wins <= games or games < 1:
        raise ValueError(f"wins: {wins} of {games}, expected 0 to games, and a game")
    square = _deviations(confidence) ** 2
    share = wins / games
    middle = share + square / (2 * games)
    width = math.sqrt(square * (share * (1 - share) + square / (4 * games)) / games)
    scale = 1 + square / games
    return Interval(max(0.0, (middle - width) / scale), min(1.0, (middle + width) / scale))


def mean_score(classes: Sequence[int]) -> float:
    """Returns the points per game of results counted in classes, ½ if there are none.

    Args:
        classes: The number of results by points, from 0 to the most in equal steps: three numbers for games
            (losses, draws, wins), five for pairs.

    >>> mean_score([2, 2, 6]), mean_score([0, 0, 3, 1, 0])
    (0.7, 0.5625)
    """
    total = sum(classes)
    return (
        sum(n * points for n, points in zip(classes, _points(classes), strict=True)) / total if total else 0.5
    )


def score_interval(classes: Sequence[int], *, confidence: float = 0.95) -> Interval:
    """Returns the confidence interval of the points per game, with draws and pairs as they occurred.

    The interval is that of the profile likelihood of a multinomial: twice the log likelihood ratio against
    the quantile of χ² with one degree of freedom. It stays between 0 and 1, and is also valid for a player
    who won every game.

    Args:
        classes: As for `mean_score`.
        confidence: Coverage, between 0 and 1.

    Source: A. B. Owen, Biometrika 75 (1988) 237-249, for the means of a sample.

    >>> interval = score_interval([30, 0, 70])
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.606, 0.784)
    >>> score_interval([0, 0, 0])
    Interval(low=0.0, high=1.0)
    """
    if not sum(classes):
        return Interval(0.0, 1.0)
    shares, total = _shares(classes)
    points = _points(classes)
    allowed = _deviations(confidence) ** 2 / (2 * total)
    low = _lowest_mean(shares, points, allowed) if sum(classes[1:]) else 0.0
    high = 1 - _lowest_mean(shares[::-1], points, allowed) if sum(classes[:-1]) else 1.0
    return Interval(low, high)


def elo_of_score(score: float) -> float:
    """Returns the Elo difference with a given expected score; infinite for 0 and 1.

    Source: A. E. Elo, The Rating of Chessplayers, Past and Present (1978), with the logistic curve.

    >>> round(elo_of_score(0.75), 1), elo_of_score(0.5), elo_of_score(1)
    (190.8, 0.0, inf)
    """
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score)) + 0.0


def score_of_elo(elo: float) -> float:
    """Returns the expected score at a given Elo difference.

    >>> round(score_of_elo(100), 4)
    0.6401
    """
    return 1 / (1 + 10 ** (-elo / 400))


def log_likelihood_ratio(classes: Sequence[int], score0: float, score1: float) -> float:
    """Returns the logarithm of the generalised likelihood ratio of `score1` against `score0`.

    Each likelihood is the greatest that a multinomial with that mean can reach.

    Args:
        classes: As for `mean_score`.
        score0: Points per game under the first hypothesis, between 0 and 1.
        score1: Points per game under the second hypothesis.

    Source: M. Van den Bergh's notes on the generalised SPRT, as Fishtest uses it for pairs of games.

    >>> round(log_likelihood_ratio([100, 300, 130], score_of_elo(0), score_of_elo(10)), 2)
    1.49
    """
    if not sum(classes):
        return 0.0
    shares, total = _shares(classes)
    points = _points(classes)
    return total * (_likelihood_loss(shares, points, score0) - _likelihood_loss(shares, points, score1))


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test: is a player `elo1` stronger (accepted) or only `elo0` (rejected)?

    Source: A. Wald, Ann. Math. Statist. 16 (1945) 117-186.

    >>> test = Sprt(0, 10)
    >>> round(test.lower, 3), round(test.upper, 3)
    (-2.944, 2.944)
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability to accept a player of `elo0` (type I error)."""

    beta: float = 0.05
    """The probability to reject a player of `elo1` (type II error)."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0: {self.elo0}, expected less than elo1 ({self.elo1})")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"alpha, beta: {self.alpha}, {self.beta}, expected between 0 and ½")

    @property
    def lower(self) -> float:
        """The log likelihood ratio at which the player is rejected."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log likelihood ratio at which the player is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, classes: Sequence[int]) -> float:
        """Returns the log likelihood ratio of pairs (five classes) or games (three)."""
        return log_likelihood_ratio(classes, score_of_elo(self.elo0), score_of_elo(self.elo1))

    def verdict(self, classes: Sequence[int]) -> bool | None:
        """Returns whether the player is accepted or rejected; None while the test is undecided.

        >>> Sprt(0, 50).verdict([10, 40, 100, 120, 40])
        True
        """
        llr = self.llr(classes)
        if llr >= self.upper:
            return True
        return False if llr <= self.lower else None


def _deviations(confidence: float) -> float:
    """Returns the half width of a confidence interval, in standard deviations of a normal distribution."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: {confidence}, expected between 0 and 1")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _points(classes: Sequence[int]) -> list[float]:
    return [index / (len(classes) - 1) for index in range(len(classes))]


def _shares(classes: Sequence[int]) -> tuple[list[float], float]:
    """Returns the share of each class, all above 0, and the number of results."""
    counts = [max(count, _UNSEEN) for count in classes]
    total = math.fsum(counts)
    return [count / total for count in counts], total


def _likelihood_loss(shares: Sequence[float], points: Sequence[float], score: float) -> float:
    """Returns how much a fixed mean lowers the greatest log likelihood per result; infinite for 0 and 1.

    With the mean `score` the likeliest shares are `share / (1 + x (point - score))`, where x is the root of a
    decreasing function.
    """
    if not 0 < score < 1:
        return math.inf
    low, high = -1 / (1 - score), 1 / score
    for _ in range(_STEPS):
        x = (low + high) / 2
        slope = math.fsum(
            share * (point - score) / max(1 + x * (point - score), 1e-300)
            for share, point in zip(shares, points, strict=True)
        )
        low, high = (x, high) if slope > 0 else (low, x)
    x = (low + high) / 2
    return math.fsum(
        share * math.log(max(1 + x * (point - score), 1e-300))
        for share, point in zip(shares, points, strict=True)
    )


def _lowest_mean(shares: Sequence[float], points: Sequence[float], allowed: float) -> float:
    """Returns the lowest mean that lowers the log likelihood per result by at most `allowed`.

    The likeliest shares of any lower mean are `share / (a (1 + x point))` for some x above 0, with the `a`
    that makes their sum 1. Both the mean and the loss of likelihood depend on x, and the loss grows with x.
    """

    def scale(x: float) -> float:
        return math.fsum(share / (1 + x * point) for share, point in zip(shares, points, strict=True))

    def is_too_much(x: float) -> bool:
        rest = math.fsum(share * math.log1p(x * point) for share, point in zip(shares, points, strict=True))
        return math.log(scale(x)) + rest > allowed

    high = 1.0
    while not is_too_much(high):
        high *= 2
    while is_too_much(high / 2):
        high /= 2
    low = high / 2
    while high - low > _TOLERANCE * high:
        middle = (low + high) / 2
        low, high = (low, middle) if is_too_much(middle) else (middle, high)
    weighted = (share * point / (1 + low * point) for share, point in zip(shares, points, strict=True))
    return math.fsum(weighted) / scale(low)


def calibration_spread(groups: Iterable[Mapping[str, float]]) -> float | None:
    """Returns the root mean square of the difference between expected and observed results of held-out games.

    Args:
        groups: Groups of games with their number (`games`), and their `expected` and `observed` results.

    Returns:
        None if there are no games.
    """
    counted = [group for group in groups if group["games"] > 0]
    if not counted:
        return None
    square = sum(group["games"] * (group["expected"] - group["observed"]) ** 2 for group in counted)
    return math.sqrt(square / sum(group["games"] for group in counted))
