"""The settings of a training, and its progress."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from hnefi.engine.weights import Weights
from hnefi.measure import Tally
from hnefi.train.candidates import Candidate
from hnefi.variants.model import Variant

FORMAT = "hnefi training 2"
# On boards up to this size the weights of soldiers depend on the king's square. On larger ones the terms are
# inputs of the network, and openings are steered until both sides win alike.
_SMALL_UP_TO = 7


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a training.

    Attributes:
        variant: The variant.
        positions: Positions of each generation.
        generations: Generations at most; each is played by the best weights of the one before.
        nodes: Positions a move in self-play.
        seed: The seed of all random choices.
        match_nodes: Positions a move, in the matches that are limited by them.
        match_ms: Milliseconds a move, in the match by the clock.
        match_games: Games of a match at most.
        calibration_games: Games of the calibration.
        result_shares: Shares of the result in what is learned, each tried; none for the default of each kind.
        inputs: What networks see besides the squares of pieces, see `Candidate`; None for what suits the
            board.
        width: The sums of the hidden layer of networks.
        draws: Whether something is learned from drawn games.
        weights_of: The variant whose weights are tried first, as they are; None for none.
    """

    variant: Variant
    positions: int = 500_000
    generations: int = 2
    nodes: int = 1_000
    seed: int = 1
    match_nodes: tuple[int, ...] = (5_000, 20_000)
    match_ms: int = 50
    match_games: int = 1_000
    calibration_games: int = 400
    result_shares: tuple[float, ...] = ()
    inputs: str | None = None
    width: int = 32
    draws: bool = True
    weights_of: Variant | None = None

    @property
    def settings(self) -> dict[str, object]:
        """Everything the positions depend on."""
        return {
            "format": FORMAT,
            "variant": self.variant.id,
            "rules": self.variant.rules.hash,
            "nodes": self.nodes,
            "seed": self.seed,
            **({"steered": True} if self.is_large else {}),
            **({"weights_of": self.weights_of.id} if self.weights_of else {}),
        }

    @property
    def is_large(self) -> bool:
        """Whether openings are steered, and networks have the terms as inputs if nothing else is wanted."""
        return self.variant.rules.size > _SMALL_UP_TO

    def candidates(self, best: Weights) -> tuple[Candidate, ...]:
        """Returns what is learned from games; after a network, terms alone would gain nothing."""
        kinds = ("network",) if "network" in (best.tree or {}) else ("terms", "network")
        inputs = self.inputs or ("terms" if self.is_large else "king")
        return tuple(
            Candidate(kind, share, inputs, self.width, self.draws)
            for kind, share in product(kinds, self.result_shares or (None,))
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a step.

    Attributes:
        step: `playing`, `training`, `match` or `calibrating`.
        done: Positions or games so far.
        total: Positions or games wanted.
        per_second: Positions for each second of this run, while playing.
        loss: The log-loss of what was learned last for games that were held out, while training.
        score: The results of the candidate so far, in a match.
    """

    step: str
    done: int
    total: int
    per_second: float | None = None
    loss: float | None = None
    score: Tally | None = None


OnStep = Callable[[Progress], object]
