"""Tests of the ten levels: legal, fast, varied and repeatable moves, and growing strength."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from hnefi import Game, Move, Setup, Side, variant
from hnefi._core import LevelChoice
from hnefi.engine import Analysis, Engine, Level, level, levels
from hnefi.engine.analysis import OnAnalysis
from hnefi.engine.streams import Job
from hnefi.engine.weights import DERIVED
from hnefi.lab.beginner import beginner_move
from hnefi.variants.built_in import booklet_ids

QUICK = range(1, 6)
# A search looks at its limits after so many positions.
POLL_INTERVAL = 512


class CountingEngine(Engine):
    """Counts the positions of its searches."""

    def __init__(self) -> None:
        super().__init__(table_mib=2, proves=False)
        self.nodes = 0

    def _search(self, job: Job, on_analysis: OnAnalysis) -> Analysis:
        found = super()._search(job, on_analysis)
        self.nodes += found.nodes
        return found


@pytest.fixture(name="engine", scope="module")
def _engine() -> object:
    with Engine(table_mib=2, proves=False) as engine:
        yield engine


def test_there_are_ten_levels_of_growing_strength() -> None:
    assert [one.number for one in levels()] == list(range(1, 11))
    for weaker, stronger in zip(levels(), levels()[1:], strict=False):
        assert weaker.overlooks >= stronger.overlooks
        assert weaker.random >= stronger.random
        assert weaker.short_sight >= stronger.short_sight
        assert weaker.margin >= stronger.margin
        assert (weaker.nodes or 10**9) <= (stronger.nodes or 10**9)
    with pytest.raises(ValueError, match="1 to 10"):
        level(11)


@pytest.mark.parametrize("name", booklet_ids())
@pytest.mark.parametrize("number", QUICK)
def test_the_first_move_takes_few_positions(name: str, number: int) -> None:
    game = variant(name).new_game()
    with CountingEngine() as engine:
        assert game.is_legal(engine.play(game, level(number), seed=1))
        assert engine.nodes <= (level(number).nodes or 0) + POLL_INTERVAL


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 7])
def test_a_seed_repeats_the_move_and_other_seeds_vary(engine: Engine, number: int) -> None:
    game = variant("tablut-kouvia").new_game()
    chosen = [engine.play(game, level(number), seed=seed) for seed in range(6)]
    assert chosen == [engine.play(game, level(number), seed=seed) for seed in range(6)]
    assert len(set(chosen)) >= 2


def choose_move(game: Game, candidates: list[tuple[Move, int]], chosen: Level, seed: int) -> Move | None:
    moves = [move for move, _ in candidates]
    return LevelChoice(game, moves, chosen.text(), str(seed)).choose(candidates)


def test_no_move_is_worse_than_the_margin_allows() -> None:
    game = variant("brandub-globe").new_game()
    moves = game.legal_moves()
    candidates = [(move, -20 * index) for index, move in enumerate(moves)]
    later = replace(level(3), overlooks=0.0, capture=0, king=0)
    for seed in range(200):
        move = choose_move(game, candidates, later, seed)
        assert move is not None
        assert -20 * moves.index(move) >= -later.margin


def test_a_known_win_is_played() -> None:
    game = Game(variant("brandub-globe").rules, Setup("7/7/7/K6/7/7/t5t d"))
    with Engine(table_mib=1) as engine:
        for number in (4, 5, 7):
            for seed in range(3):
                assert game.play(engine.play(game, level(number), seed=seed)).outcome is not None


@pytest.mark.parametrize("seen", [0.0, 1.0])
@pytest.mark.parametrize("blunders", [0.0, 1.0])
def test_overlooked_wins_are_not_played(engine: Engine, seen: float, blunders: float) -> None:
    """Neither at random, nor by the static evaluation, nor after a search."""
    game = Game(variant("brandub-globe").rules, Setup("7/7/7/K6/7/7/t5t d"))
    blind = replace(level(3), overlooks=1.0, random=blunders, short_sight=seen)
    for seed in range(10):
        assert game.play(engine.play(game, blind, seed=seed)).outcome is None


def test_rules_change_how_often_a_level_makes_mistakes() -> None:
    game = variant("brandub-globe").new_game()
    one = replace(level(2), random=0.2)

    def blind(odds: float) -> dict[int, Move]:
        choices = (
            (seed, LevelChoice(game, game.legal_moves(), one.text(odds), str(seed))) for seed in range(400)
        )
        return {seed: choice.blind for seed, choice in choices if choice.blind is not None}

    assert 55 <= len(blind(1.0)) <= 105
    assert 165 <= len(blind(4.0)) <= 235
    with Engine(table_mib=1, weights=replace(DERIVED, mistake_odds=100.0), proves=False) as engine:
        for seed, move in list(blind(100.0).items())[:9]:
            assert engine.play(game, one, seed=seed) == move


def test_a_win_is_played_if_every_move_wins() -> None:
    game = Game(variant("brandub-globe").rules, Setup("7/7/7/K6/7/7/t5t d"))
    wins = [move for move in game.legal_moves() if game.play(move).outcome is not None]
    blind = replace(level(3), overlooks=1.0).text()
    assert LevelChoice(game, wins, blind, "1").seen == wins
    assert not set(LevelChoice(game, game.legal_moves(), blind, "1").seen) & set(wins)


@pytest.mark.parametrize(
    ("setup", "longest"),
    [
        ("3K1t1/4Tt1/2T2t1/1tT4/t2T2t/6t/3t3 a 12", {"b4-b7"}),  # lost in 4 plies, else in 2
        ("5t1/4T1t/4T2/ttT2tt/3K1T1/t6/3t3 a 10", {"a2-b2"}),  # in 10, else in 6
        ("3t3/2T3t/1T5/4Ttt/1t2T2/5t1/1t1K3 a 10", {"f2-f1"}),  # in 8, else in 2
        ("5t1/3t3/2T1KT1/tt5/7/3t1tt/2Tt3 a 7", {"d6-e6", "f7-e7"}),  # in 10, else in 4
    ],
)
def test_a_lost_game_is_lost_as_late_as_possible(engine: Engine, setup: str, longest: set[str]) -> None:
    game = Game(variant("brandub-globe").rules, Setup(setup))
    assert {str(engine.play(game, level(6), seed=seed)) for seed in range(12)} <= longest


def test_weak_levels_resist_as_long_as_they_see() -> None:
    game = variant("brandub-globe").new_game()
    moves = game.legal_moves()
    candidates = [(move, -32_000 + 2 + 2 * (index % 3)) for index, move in enumerate(moves)]
    weak = replace(level(1), overlooks=0.0)
    chosen = [choose_move(game, candidates, weak, seed) for seed in range(100)]
    assert {dict(candidates)[move] for move in chosen if move is not None} == {-32_000 + 6}
    assert len(set(chosen)) > 3


def test_preferences_are_followed() -> None:
    game = variant("brandub-globe").new_game().play("d2-c2")
    king = [move for move in game.legal_moves() if move.from_square == game.position.king]
    others = [move for move in game.legal_moves() if move not in king]
    assert others
    fond = replace(level(2), king=500, temperature=5.0)
    candidates = [(move, 0) for move in game.legal_moves()]
    chosen = choose_move(game, candidates, fond, 1)
    assert (chosen in king) or not king


Chooses = Callable[[Game, int], Move]
"""Chooses a move in a game of a number."""


def results(name: str, one: Chooses, other: Chooses, games: int) -> tuple[int, int]:
    """Plays games of one player with alternating sides; returns how many it won and lost."""
    wins = losses = 0
    for number in range(games):
        game = variant(name).new_game()
        side = Side.ATTACKERS if number % 2 else Side.DEFENDERS
        while game.turn and game.ply_count < 200:
            game = game.play((one if game.turn is side else other)(game, number))
        winner = game.outcome.winner if game.outcome else None
        wins += winner is side
        losses += winner is side.opponent
    return wins, losses


def of_level(engine: Engine, number: int) -> Chooses:
    return lambda game, played: engine.play(game, level(number), seed=f"{played}/{number}")


@pytest.mark.parametrize("name", ["brandub-globe", "ard-ri-globe"])
def test_a_much_higher_level_wins(engine: Engine, name: str) -> None:
    wins, losses = results(name, of_level(engine, 6), of_level(engine, 1), 10)
    assert wins - losses >= 6


def test_level_one_loses_to_a_beginner_and_level_three_beats_random_play(engine: Engine) -> None:
    chance = random.Random(0)
    wins, losses = results(
        "brandub-globe", of_level(engine, 1), lambda game, _: beginner_move(game, chance), 20
    )
    assert losses >= 15
    assert wins <= 3
    wins, losses = results(
        "brandub-globe", of_level(engine, 3), lambda game, _: chance.choice(game.legal_moves()), 20
    )
    assert wins > losses
