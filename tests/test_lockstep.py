"""Differential testing: the compiled core against the Python reference, over random games and rules."""

import json
import random
from typing import Any

import pytest

from hnefi import CalledGame, Game, Rules, Setup, variant_ids
from hnefi.variants.built_in import booklet_ids
from tests.facts import core_facts, reference_facts
from tests.reference import tafl
from tests.reference.calls import CalledGame as Reference
from tests.reference.random_rules import random_tree
from tests.samples import deep, sampled
from tests.worked import variant_tree


def walk_together(
    tree: dict[str, Any], seed: int, plies: int, start: str | None = None, danger_every: int = 1
) -> int:
    """Plays one random game on both and compares everything at every ply; returns the number of plies.

    Whether the king is in danger is compared at every so many plies only.
    """
    rng = random.Random(seed)
    rules = Rules(json.dumps(tree))
    core = Game(rules, Setup(start) if start else None)
    reference = tafl.Game(tafl.Rules(tree), start)
    for ply in range(plies):
        danger = ply % danger_every == 0
        moves = compare(core, reference, f"seed {seed}, ply {ply}: {json.dumps(tree)}", danger)
        assert core.zobrist == core.position.zobrist
        if not moves:
            return ply
        move = choose(rng, moves, core)
        core = core.play(move)
        reference = reference.play(move)
    compare(core, reference, f"seed {seed}, end: {json.dumps(tree)}")
    return plies


def compare(core: Game, reference: tafl.Game, where: str, danger: bool = True) -> list[str]:
    """Compares everything but calls; returns the legal moves."""
    facts = core_facts(CalledGame(core, "off"), danger)
    assert facts == reference_facts(Reference(reference, "off"), danger), where
    moves: list[str] = facts["moves"]
    return moves


def choose(rng: random.Random, moves: list[str], game: Game) -> str:
    """Picks a move, half of the time one that captures, so that captures are not rare."""
    if rng.random() < 0.5:
        position = game.position
        capturing = [str(move) for move in game.legal_moves() if position.describe(move).captures]
        if capturing:
            return rng.choice(sorted(capturing))
    return rng.choice(moves)


@pytest.mark.parametrize("variant", sampled(variant_ids()))
def test_core_and_reference_play_the_same_games_of_the_texts(variant: str) -> None:
    """Plays three games of each rule set of the booklets, one of each other, more if short."""
    tree = variant_tree(variant)
    games = 3 if variant in booklet_ids() else 1
    plies = 0
    for seed in range(3 * games):
        plies += walk_together(tree, seed, 60, danger_every=1 if games > 1 else 10)
        if seed + 1 >= games and plies > 10 * games:
            return
    pytest.fail(f"{plies} plies in {3 * games} games")


@pytest.mark.parametrize("seed", [*range(15), *deep(*range(15, 60))])
def test_core_and_reference_play_the_same_games_of_random_rules(seed: int) -> None:
    tree = random_tree(random.Random(seed))
    assert walk_together(tree, seed, 40) >= 0


@pytest.mark.parametrize("result", ["draw", "draw_in_a_row"])
def test_core_and_reference_count_positions_alike(result: str) -> None:
    """Plays games in which both sides go to and fro, in and out of step; some have forced passes."""
    tree = variant_tree("ard-ri-globe")
    tree["ends"] |= {"repetition": {"count": 3, "result": result}, "quiet_limit": 0}
    tree["movement"]["range"] = dict.fromkeys(("attackers", "defenders", "king"), 1)
    lengths = []
    for seed in range(60):
        rng = random.Random(seed)
        start = rng.choice(["7/7/2K4/7/7/7/3t3 d", "7/7/2K4/7/7/1T5/1tT3t d", "7/7/7/3K3/7/1T5/1tT4 d"])
        core = Game(Rules(json.dumps(tree)), Setup(start))
        reference = tafl.Game(tafl.Rules(tree), start)
        while core.outcome is None and core.ply_count < 120:
            moves = sorted(map(str, core.legal_moves()))
            move = rng.choice(moves if rng.random() < 0.1 else moves[:2])
            core, reference = core.play(move), reference.play(move)
            compare(core, reference, f"seed {seed}, {move}", danger=False)
        lengths.append(core.ply_count)
    assert len(set(lengths)) > 10
