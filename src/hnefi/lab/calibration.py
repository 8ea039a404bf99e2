"""Calibration: fits winning chances to the scores and results of self-play games.

Each score of a search is a sample with the result of its game. The model is an ordered logit: the attackers
win with probability σ((score - offset - margin) / scale), and do not lose with
σ((score - offset + margin) / scale), where σ is the logistic function. The expected result is the mean of
both. A part of the games is held out to validate the fit.

Source: P. McCullagh, J. Roy. Statist. Soc. B 42 (1980) 109-142, for ordered results.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hnefi._core import logistic
from hnefi.engine.analysis import Calibration
from hnefi.lab.selfplay import SelfPlayGame

# The greatest number that files of weights hold; games that tell nothing about scores give any number.
_MOST = 9_999.0
# Scores are rounded to multiples of this: it makes no difference, and is faster.
_GRAIN = 10
# Scores are clamped to ± this.
_MAX_SCORE = 3_000
_MIN_SCALE = 20.0
_MIN_SLOPE = 0.05
_MIN_PROBABILITY = 1e-12
# One game in four is held out.
_HELD_OUT = 4
# The last step width of the minimisation.
_TOLERANCE = 1e-3


@dataclass(frozen=True, slots=True)
class ScoreSample:
    """A score of a search, and the result of its game.

    Attributes:
        score: The score for the attackers.
        points: The result for the attackers: 1, ½ or 0.
        weight: The weight of the sample: the samples of a game have the sum 1.
    """

    score: int
    points: float
    weight: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Similar scores, and the results of their games.

    Attributes:
        score: Their mean.
        expected: The expected result of the attackers by the calibration.
        observed: The mean result of the attackers.
        games: The sum of the weights, in games.
    """

    score: float
    expected: float
    observed: float
    games: float


def score_samples(games: Iterable[SelfPlayGame]) -> list[ScoreSample]:
    """Returns the scores of games; each score of a long game weighs less."""
    return [ScoreSample(score, game.points, 1 / len(game.scores)) for game in games for score in game.scores]


def mirrored(samples: Iterable[ScoreSample]) -> list[ScoreSample]:
    """Returns samples with the sides exchanged."""
    return [ScoreSample(-one.score, 1 - one.points, one.weight) for one in samples]


def split(games: Sequence[SelfPlayGame]) -> tuple[list[SelfPlayGame], list[SelfPlayGame]]:
    """Splits games into those to fit to and those that are held out."""
    fitted = [game for number, game in enumerate(games) if number % _HELD_OUT]
    return fitted, list(games[::_HELD_OUT])


def calibrate(samples: Sequence[ScoreSample]) -> Calibration:
    """Returns the calibration with the greatest likelihood.

    A won and a lost game are added at the mean score, so that few games never give certain results.

    >>> results = ((-200, 0.0), (200, 1.0))
    >>> fitted = calibrate([ScoreSample(score, points, 1.0) for score, points in results] * 20)
    >>> fitted.chances(-200) < 0.1 < 0.5 < 0.9 < fitted.chances(200)
    True
    """
    total = math.fsum(one.weight for one in samples) or 1.0
    middle = math.fsum(one.weight * _within(one.score) for one in samples) / total
    spread = math.fsum(one.weight * (_within(one.score) - middle) ** 2 for one in samples) / total
    width = max(math.sqrt(spread), _MIN_SCALE)
    counts: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for one in (*samples, ScoreSample(round(middle), 0.0, 1.0), ScoreSample(round(middle), 1.0, 1.0)):
        counts[round(_within(one.score) / _GRAIN) * _GRAIN][int(2 * one.points)] += one.weight
    rows = [((score - middle) / width, *results) for score, results in sorted(counts.items())]
    slope, hold, gap = _minimise(lambda point: _loss(rows, point), [1.0, 0.5, 1.0])
    scale = min(width / _steep(slope), _MOST)
    offset = middle - scale * (hold - abs(gap) / 2)
    return Calibration(scale, max(-_MOST, min(offset, _MOST)), min(scale * abs(gap) / 2, _MOST))


def bins(samples: Sequence[ScoreSample], calibration: Calibration, count: int = 5) -> list[Bin]:
    """Divides samples into bins of equal weight by score, and compares expected and observed results."""
    ordered = sorted(samples, key=lambda one: one.score)
    total = sum(one.weight for one in ordered)
    groups: list[list[ScoreSample]] = [[] for _ in range(count)]
    before = 0.0
    for one in ordered:
        groups[min(int(count * before / total), count - 1)].append(one)
        before += one.weight
    return [_bin(group, calibration) for group in groups if group]


def _bin(group: Sequence[ScoreSample], calibration: Calibration) -> Bin:
    games = sum(one.weight for one in group)

    def mean(values: Iterable[float]) -> float:
        return sum(one.weight * value for one, value in zip(group, values, strict=True)) / games

    return Bin(
        mean(one.score for one in group),
        mean(calibration.chances(one.score) for one in group),
        mean(one.points for one in group),
        games,
    )


def _within(score: int) -> int:
    return max(min(score, _MAX_SCORE), -_MAX_SCORE)


def _steep(slope: float) -> float:
    """Bounds the slope from below: a greater score is never worse."""
    return max(slope, _MIN_SLOPE)


def _loss(rows: Sequence[tuple[float, ...]], point: Sequence[float]) -> float:
    """Returns the negative log likelihood, regularised; convex in slope, level and width of draws."""
    slope, hold, gap = _steep(point[0]), point[1], abs(point[2])
    loss = 0.001 * (slope**2 + hold**2 + gap**2)
    for score, lost, drawn, won in rows:
        holds, wins = logistic(slope * score + hold), logistic(slope * score + hold - gap)
        loss -= won * math.log(wins) + lost * math.log(1 - holds)
        loss -= drawn * math.log(max(holds - wins, _MIN_PROBABILITY)) if drawn else 0.0
    return loss


def _minimise(loss: Callable[[Sequence[float]], float], point: list[float]) -> list[float]:
    """Returns the minimum by coordinate descent with halving steps."""
    best, width = loss(point), 0.5
    while width > _TOLERANCE:
        for axis in range(len(point)):
            for step in (width, -width):
                candidate = [*point]
                candidate[axis] += step
                if (value := loss(candidate)) < best:
                    best, point = value, candidate
                    break
            else:
                continue
            break
        else:
            width /= 2
    return point
