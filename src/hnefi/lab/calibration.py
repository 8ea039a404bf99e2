"""What a score is worth: the chances of a game in which the search sees it, measured.

Of many games of the search against itself, every score that it saw goes with how the game ended. To these is
fitted: the attackers win with σ((score - offset - margin) / scale), and do not lose with
σ((score - offset + margin) / scale), where σ is the logistic function (an ordered logit). What they can
expect is the mean of both. A part of the games is held out, to see whether it holds for other games too.

Source: P. McCullagh, J. Roy. Statist. Soc. B 42 (1980) 109-142, for ordered results.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hnefi.engine.analysis import Calibration, logistic
from hnefi.lab.selfplay import PlayedOut

__all__ = ["Bin", "Seen", "bins", "calibrate", "seen_in", "split"]

# Scores so near to each other are taken together: it makes no difference, and is quick.
_GRAIN = 10
# Beyond this a score says no more.
_MOST = 3_000
_LEAST_SCALE = 20.0
_LEAST_SLOPE = 0.05
_LEAST = 1e-12
# One game in so many is held out.
_HELD_OUT = 4
_FINEST = 1e-3


@dataclass(frozen=True, slots=True)
class Seen:
    """A score that was seen in a game, and how the game ended.

    Attributes:
        score: The score for the attackers.
        points: What they had in the end: 1, ½ or 0.
        weight: What it counts: all scores of a game together count 1.
    """

    score: int
    points: float
    weight: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores that are alike, and what came of them.

    Attributes:
        score: Their mean.
        expected: What the attackers could expect by the calibration.
        observed: What they had.
        games: How many games' worth of scores there are.
    """

    score: float
    expected: float
    observed: float
    games: float


def seen_in(games: Iterable[PlayedOut]) -> list[Seen]:
    """Gives the scores of games; those of a long game count less each."""
    return [Seen(score, game.points, 1 / len(game.scores)) for game in games for score in game.scores]


def split(games: Sequence[PlayedOut]) -> tuple[list[PlayedOut], list[PlayedOut]]:
    """Gives the games to fit to, and those that are held out."""
    kept = [game for number, game in enumerate(games) if number % _HELD_OUT]
    return kept, list(games[::_HELD_OUT])


def calibrate(seen: Sequence[Seen]) -> Calibration:
    """Finds the calibration under which the games are the likeliest.

    A game that is won and one that is lost are added at the mean score: few games are never certain.

    >>> found = calibrate([Seen(score, points, 1.0) for score, points in ((-200, 0.0), (200, 1.0))] * 20)
    >>> found.chances(-200) < 0.1 < 0.5 < 0.9 < found.chances(200)
    True
    """
    total = math.fsum(one.weight for one in seen) or 1.0
    middle = math.fsum(one.weight * _within(one.score) for one in seen) / total
    spread = math.fsum(one.weight * (_within(one.score) - middle) ** 2 for one in seen) / total
    width = max(math.sqrt(spread), _LEAST_SCALE)
    counts: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for one in (*seen, Seen(round(middle), 0.0, 1.0), Seen(round(middle), 1.0, 1.0)):
        counts[round(_within(one.score) / _GRAIN) * _GRAIN][int(2 * one.points)] += one.weight
    rows = [((score - middle) / width, *found) for score, found in sorted(counts.items())]
    slope, hold, gap = _descend(lambda point: _loss(rows, point), [1.0, 0.5, 1.0])
    scale = width / _steep(slope)
    return Calibration(scale, middle - scale * (hold - abs(gap) / 2), scale * abs(gap) / 2)


def bins(seen: Sequence[Seen], calibration: Calibration, count: int = 5) -> list[Bin]:
    """Puts scores into bins of the same weight, in their order, and compares what was expected of them."""
    ordered = sorted(seen, key=lambda one: one.score)
    total = sum(one.weight for one in ordered)
    groups: list[list[Seen]] = [[] for _ in range(count)]
    before = 0.0
    for one in ordered:
        groups[min(int(count * before / total), count - 1)].append(one)
        before += one.weight
    return [_bin(group, calibration) for group in groups if group]


def _bin(group: Sequence[Seen], calibration: Calibration) -> Bin:
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
    return max(min(score, _MOST), -_MOST)


def _steep(slope: float) -> float:
    """Keeps the slope from becoming nothing, or less: more is never worse."""
    return max(slope, _LEAST_SLOPE)


def _loss(rows: Sequence[tuple[float, ...]], point: Sequence[float]) -> float:
    """Gives the logarithm of how unlikely the games are: convex in slope, level and width of draws."""
    slope, hold, gap = _steep(point[0]), point[1], abs(point[2])
    loss = 0.001 * (slope**2 + hold**2 + gap**2)
    for score, lost, drawn, won in rows:
        holds, wins = logistic(slope * score + hold), logistic(slope * score + hold - gap)
        loss -= won * math.log(wins) + lost * math.log(1 - holds)
        loss -= drawn * math.log(max(holds - wins, _LEAST)) if drawn else 0.0
    return loss


def _descend(loss: Callable[[Sequence[float]], float], point: list[float]) -> list[float]:
    """Looks for the least value: along each axis as long as it helps, then in finer steps."""
    best, width = loss(point), 0.5
    while width > _FINEST:
        for axis in range(len(point)):
            for way in (width, -width):
                tried = [*point]
                tried[axis] += way
                if (found := loss(tried)) < best:
                    best, point = found, tried
                    break
            else:
                continue
            break
        else:
            width /= 2
    return point
