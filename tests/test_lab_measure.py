"""Tests of the statistics of results, against published values and simulations."""

import math
import random
from itertools import pairwise

import pytest

from hnefi.lab.balance import verdict
from hnefi.measure import (
    Interval,
    Sprt,
    Tally,
    elo_of_score,
    log_likelihood_ratio,
    mean_score,
    score_interval,
    score_of_elo,
    wilson_interval,
)

CHI_SQUARE_95 = 3.841459
# From the formula of Wilson's paper, worked out by hand with z = 1.959964.
WILSON = [
    (8, 10, 0.490162, 0.943318),
    (0, 10, 0.0, 0.277533),
    (10, 10, 0.722467, 1.0),
    (50, 100, 0.403832, 0.596168),
    (1, 1, 0.206549, 1.0),
]


@pytest.mark.parametrize(("wins", "games", "low", "high"), WILSON)
def test_wilson_bounds_agree_with_published_values(wins: int, games: int, low: float, high: float) -> None:
    found = wilson_interval(wins, games)
    assert (found.low, found.high) == pytest.approx((low, high), abs=2e-6)


@pytest.mark.parametrize(
    ("won", "drawn", "lost", "told"),
    [
        (1, 0, 0, "The king’s side won the only game. That is too little to show an advantage."),
        (0, 0, 9, "The attackers won all 9 games. At this strength, that is an advantage."),
        (0, 6, 0, "All 6 games were drawn, which shows no advantage for either side."),
        (1, 0, 9, "The games favour the attackers."),
        (1, 0, 1, "The games show no advantage for either side."),
    ],
)
def test_games_have_a_verdict_even_if_all_end_alike(won: int, drawn: int, lost: int, told: str) -> None:
    assert verdict(Tally(won, drawn, lost), "en") == told


@pytest.mark.parametrize(("wins", "games"), [(-1, 5), (6, 5), (0, 0)])
def test_wilson_refuses_invalid_counts(wins: int, games: int) -> None:
    with pytest.raises(ValueError, match="expected 0 to games"):
        wilson_interval(wins, games)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0])
def test_confidence_is_a_share(confidence: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson_interval(1, 2, confidence=confidence)


def test_elo_and_score_agree_with_published_values() -> None:
    assert elo_of_score(0.64) == pytest.approx(99.954, abs=0.01)
    assert elo_of_score(0.75) == pytest.approx(400 * math.log10(3))
    assert (elo_of_score(0.5), elo_of_score(0.0), elo_of_score(1.0)) == (0.0, -math.inf, math.inf)
    for elo in (-700, -35.5, 0, 10, 400):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo)


def test_bounds_of_many_games_are_those_of_a_normal_distribution() -> None:
    classes = (3000, 4000, 5000)
    mean = mean_score(classes)
    deviation = math.sqrt(((4000 / 4 + 5000) / 12000 - mean**2) / 12000)
    found = score_interval(classes)
    assert found.low == pytest.approx(mean - 1.959964 * deviation, abs=1e-4)
    assert found.high == pytest.approx(mean + 1.959964 * deviation, abs=1e-4)


def test_draws_make_the_bounds_narrower() -> None:
    won_and_lost, drawn = score_interval((50, 0, 50)), score_interval((10, 80, 10))
    assert won_and_lost.low < drawn.low < 0.5 < drawn.high < won_and_lost.high


def test_the_score_of_a_player_who_won_every_game_is_bounded() -> None:
    found = score_interval((0, 0, 20))
    assert found.high == 1.0
    # All the doubt lies in exp(-z²/2) = (1 - p)^20, but for what stands for classes never seen.
    assert found.low == pytest.approx(math.exp(-(1.959964**2) / 40), abs=0.002)
    mirrored = score_interval((20, 0, 0))
    assert (mirrored.low, mirrored.high) == pytest.approx((0.0, 1 - found.low))


def test_bounds_contain_the_true_score_as_often_as_stated() -> None:
    chance = random.Random(5)
    weights, true = (0.3, 0.3, 0.4), 0.55
    held = 0
    for _ in range(400):
        drawn = chance.choices((0, 1, 2), weights, k=80)
        held += true in score_interval([drawn.count(one) for one in (0, 1, 2)])
    assert 0.92 < held / 400 < 0.98


@pytest.mark.parametrize("classes", [(300, 900, 350), (90, 500, 1000, 560, 110), (1000, 10, 900)])
def test_the_likelihood_ratio_is_near_its_approximation(classes: tuple[int, ...]) -> None:
    """For close hypotheses it is N (s1 - s0)(2 s - s0 - s1) / 2 V, with the mean s and the variance V."""
    total, mean = sum(classes), mean_score(classes)
    steps = len(classes) - 1
    variance = sum(n * (index / steps - mean) ** 2 for index, n in enumerate(classes)) / total
    score0, score1 = score_of_elo(0), score_of_elo(5)
    expected = total * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    assert log_likelihood_ratio(classes, score0, score1) == pytest.approx(expected, rel=0.03, abs=0.01)


def test_the_likelihood_ratio_changes_sign_with_hypotheses_and_players() -> None:
    classes = (40, 30, 50, 20, 10)
    ratio = log_likelihood_ratio(classes, 0.45, 0.52)
    assert log_likelihood_ratio(classes, 0.52, 0.45) == pytest.approx(-ratio)
    assert log_likelihood_ratio(classes[::-1], 0.55, 0.48) == pytest.approx(ratio)
    assert log_likelihood_ratio((0, 0, 0, 0, 0), 0.45, 0.52) == 0


def test_pairs_of_equal_results_narrow_the_bounds() -> None:
    """If the side decides every game, pairs have no variance, and nothing indicates a difference."""
    pairs, games = (0, 0, 100, 0, 0), (100, 0, 100)
    for_pairs, for_games = score_interval(pairs), score_interval(games)
    assert for_pairs.high - for_pairs.low < (for_games.high - for_games.low) / 2


def test_sprt_bounds_are_walds() -> None:
    test = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


@pytest.mark.parametrize(
    "values", [(10, 0, 0.05, 0.05), (5, 5, 0.05, 0.05), (0, 5, 0, 0.05), (0, 5, 0.05, 0.5)]
)
def test_sprt_refuses_invalid_hypotheses(values: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Sprt(*values)


@pytest.mark.parametrize(("elo", "least", "most"), [(0.0, 0.0, 0.1), (100.0, 0.9, 1.0)])
def test_sprt_error_rates_are_as_stated(elo: float, least: float, most: float) -> None:
    """Of a hundred tests of a player of one of the two strengths, about 95 are right."""
    chance = random.Random(11)
    test = Sprt(0, 100)
    wins = score_of_elo(elo) - 0.1
    accepted = sum(decide(test, chance, (0.8 - wins, 0.2, wins)) for _ in range(100))
    assert least <= accepted / 100 <= most


def decide(test: Sprt, chance: random.Random, weights: tuple[float, float, float]) -> bool:
    """Simulates pairs of games until the test is decided."""
    pairs = [0] * 5
    while (verdict := test.verdict(pairs)) is None:
        for _ in range(10):
            pairs[sum(chance.choices((0, 1, 2), weights, k=2))] += 1
    return verdict


def test_a_tally_counts_for_both() -> None:
    tally = Tally(5, 2, 1) + Tally(1, 0, 1)
    assert (tally.games, tally.classes, tally.score) == (10, (2, 2, 6), 0.7)
    assert tally.reversed == Tally(2, 2, 6)
    assert Tally().score == 0.5


def test_more_games_make_narrower_bounds() -> None:
    widths = [score_interval((n, n, 2 * n)) for n in (1, 5, 50, 500)]
    assert all(one.high - one.low > other.high - other.low for one, other in pairwise(widths))
    assert 0.3 in Interval(0.3, 0.4)
    assert "x" not in Interval(0.3, 0.4)


@pytest.mark.parametrize(
    "classes", [[1, 0, 0], [0, 0, 7], [3, 1, 2], [0, 900, 1], [10**6, 3, 2 * 10**6], [1, 5, 9, 2, 0]]
)
def test_score_bounds_are_where_the_likelihood_ratio_is_critical(classes: list[int]) -> None:
    found, mean = score_interval(classes), mean_score(classes)
    assert 0 <= found.low <= mean <= found.high <= 1
    for bound in (found.low, found.high):
        if 0 < bound < 1 and 0 < mean < 1:
            fallen = 2 * log_likelihood_ratio(classes, bound, mean)
            assert fallen == pytest.approx(CHI_SQUARE_95, rel=1e-3)
