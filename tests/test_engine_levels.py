"""Tests of the ten levels: legal, fast, varied and repeatable moves, and growing strength."""

import random
import time
from dataclasses import replace

import pytest

from hnefi import Game, Setup, Side, random_game, variant
from hnefi.engine import Engine, Level, level, levels
from hnefi.engine.move_choice import Candidate, choose_move
from hnefi.variants.built_in import booklet_ids

QUICK = range(1, 6)


@pytest.fixture(name="engine", scope="module")
def _engine() -> object:
    with Engine(table_mib=2, proves=False) as engine:
        yield engine


def test_there_are_ten_levels_of_growing_strength() -> None:
    assert [one.number for one in levels()] == list(range(1, 11))
    for weaker, stronger in zip(levels(), levels()[1:], strict=False):
        assert weaker.short_sight >= stronger.short_sight
        assert weaker.margin >= stronger.margin
        assert (weaker.nodes or 10**9) <= (stronger.nodes or 10**9)
    with pytest.raises(ValueError, match="1 to 10"):
        level(11)


@pytest.mark.parametrize("name", booklet_ids())
@pytest.mark.parametrize("number", QUICK)
def test_the_first_move_comes_quickly(engine: Engine, name: str, number: int) -> None:
    game = variant(name).new_game()
    began = time.process_time()
    move = engine.play(game, level(number), seed=1)
    assert time.process_time() - began < 0.3
    assert game.is_legal(move)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 7])
def test_a_seed_repeats_the_move_and_other_seeds_vary(engine: Engine, number: int) -> None:
    game = variant("tablut-kouvia").new_game()
    chosen = [engine.play(game, level(number), seed=seed) for seed in range(6)]
    assert chosen == [engine.play(game, level(number), seed=seed) for seed in range(6)]
    assert len(set(chosen)) >= 2


def test_no_move_is_worse_than_the_margin_allows() -> None:
    game = variant("brandub-globe").new_game()
    moves = game.legal_moves()
    candidates = [Candidate(move, -20 * index) for index, move in enumerate(moves)]
    later = replace(level(3), capture=0, king=0)
    for seed in range(200):
        move = choose_move(game, candidates, later, random.Random(seed))
        assert -20 * moves.index(move) >= -later.margin


def test_a_known_win_is_played() -> None:
    game = Game(variant("brandub-globe").rules, Setup("7/7/7/K6/7/7/t5t d"))
    with Engine(table_mib=1) as engine:
        for number in (1, 3, 5, 7):
            for seed in range(3):
                assert game.play(engine.play(game, level(number), seed=seed)).outcome is not None


def test_preferences_are_followed() -> None:
    game = variant("brandub-globe").new_game().play("d2-c2")
    king = [move for move in game.legal_moves() if move.from_square == game.position.king]
    others = [move for move in game.legal_moves() if move not in king]
    assert others
    fond = replace(level(2), king=500, temperature=5.0)
    candidates = [Candidate(move, 0) for move in game.legal_moves()]
    chosen = choose_move(game, candidates, fond, random.Random(1))
    assert (chosen in king) or not king


def points(engine: Engine, name: str, weaker: Level, stronger: Level, games: int) -> float:
    """Returns the points of the stronger level against the weaker one, with alternating sides."""
    total = 0.0
    for number in range(games):
        game = variant(name).new_game()
        side = Side.ATTACKERS if number % 2 else Side.DEFENDERS
        while game.turn and game.ply_count < 200:
            one = stronger if game.turn is side else weaker
            game = game.play(engine.play(game, one, seed=f"{number}/{one.number}"))
        winner = game.outcome.winner if game.outcome else None
        total += 0.5 if winner is None else float(winner is side)
    return total


def test_a_much_higher_level_wins(engine: Engine) -> None:
    for name in ("brandub-globe", "ard-ri-globe"):
        assert points(engine, name, level(1), level(6), 10) >= 8


def test_level_one_beats_random_play_and_can_be_beaten(engine: Engine) -> None:
    wins = losses = 0
    for seed in range(20):
        game = random_game(variant("brandub-globe").rules, seed, 0)
        rng = random.Random(seed)
        side = Side.ATTACKERS if seed % 2 else Side.DEFENDERS
        while game.turn and game.ply_count < 200:
            if game.turn is side:
                game = game.play(engine.play(game, level(1), seed=seed))
            else:
                game = game.play(rng.choice(game.legal_moves()))
        winner = game.outcome.winner if game.outcome else None
        wins += winner is side
        losses += winner is not None and winner is not side
    assert wins > losses
