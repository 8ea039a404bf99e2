"""Trials of the prover: how many wins it proves some plies before the end of self-play games."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

from hnefi.lab.positions import before_end, decided_games, prove
from hnefi.variants.model import Variant

_TABLE_MIB, _LARGE_TABLE_MIB = 32, 256


@dataclass(slots=True)
class ProverTrial:
    """The answers of the prover at the positions of a variant.

    Attributes:
        quick: How many wins it proved within a second of processor time.
        disproven: Positions without a forced win: the loser erred later.
        unknown: Positions that are unclear even with the larger limit.
        short: Games that ended before they had so many plies, and count for nothing else.
        efforts: For each win that was proved with the smaller limit, the positions expanded.
        expanded: Positions expanded with the smaller limit, in `seconds` of processor time.
    """

    variant: str
    quick: int = 0
    proven: int = 0
    disproven: int = 0
    unknown: int = 0
    short: int = 0
    efforts: list[int] = field(default_factory=list)
    expanded: int = 0
    seconds: float = 0.0


def prover_trial(
    variant: Variant,
    games: int,
    *,
    back: int = 9,
    play_nodes: int = 20_000,
    nodes: int = 300_000,
    large_nodes: int = 2_000_000,
    seed: int = 1,
    on_game: Callable[[int], None] = lambda _: None,
) -> ProverTrial:
    """Has wins proved, `back` plies before the ends of so many decided games; it takes seconds a game.

    The games are played with `play_nodes` positions a move; `seed` is the number of the first one. The prover
    expands `nodes` positions at most, and tries what is unclear again with `large_nodes`. `on_game` is called
    with the number of games so far.
    """
    trial = ProverTrial(variant.id)
    for done, (_, game, winner) in enumerate(islice(decided_games(variant, seed, play_nodes), games), 1):
        if (earlier := before_end(game, back)) is None:
            trial.short += 1
        else:
            begin = time.thread_time()
            proof = prove(earlier, winner, nodes, _TABLE_MIB)
            spent = time.thread_time() - begin
            trial.seconds, trial.expanded = trial.seconds + spent, trial.expanded + proof.effort
            if proof.answer == "proven":
                trial.quick += spent < 1
                trial.efforts.append(proof.effort)
            elif proof.answer == "unknown":
                proof = prove(earlier, winner, large_nodes, _LARGE_TABLE_MIB)
            setattr(trial, proof.answer, getattr(trial, proof.answer) + 1)
        on_game(done)
    return trial
