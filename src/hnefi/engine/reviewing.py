"""Goes over a game that was played: what each position was worth, what was better, where it turned."""

from collections.abc import Iterator
from dataclasses import dataclass

from hnefi._core import Game, Move
from hnefi.engine.analysis import AnalysisLine, Score
from hnefi.engine.base import EngineLike
from hnefi.engine.limits import Limit
from hnefi.errors import EngineError
from hnefi.pieces import Side
from hnefi.record import Record, Replay, Status

__all__ = ["ReviewedPly", "Step", "review", "steps_of"]

# In expected results: a move that gives up so much has a better one beside it.
_BETTER = 0.08
_TURNING = 0.2
# In some games one side can expect no more from the first move on.
_STILL_IN_THE_GAME = 0.25


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a record, and the game before it.

    Attributes:
        index: Where its node stands in the record.
        moves: The moves its player could choose from, where a piece had to be played again; else none.
    """

    index: int
    game: Game
    move: Move
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewedPly:
    """What a move of a game was worth.

    Attributes:
        best: The best line instead of it, or beginning with it.
        after: The score after it; None where it ended the game.
        chances_before: What its player could expect before it, from 0 to 1.
        chances_after: What he could expect after it.
    """

    step: Step
    best: AnalysisLine
    after: Score | None
    chances_before: float
    chances_after: float

    @property
    def loss(self) -> float:
        """How much of the expected result the move gave up, from 0 to 1."""
        if self.best.move == self.step.move:
            return 0.0
        return max(self.chances_before - self.chances_after, 0.0)

    @property
    def has_better(self) -> bool:
        """Whether there was a clearly better move."""
        return self.loss >= _BETTER

    @property
    def is_turning_point(self) -> bool:
        """Whether a game that was not lost before was worse than even after it."""
        return (
            self.loss >= _TURNING and self.chances_before >= _STILL_IN_THE_GAME and self.chances_after < 0.5
        )


def steps_of(record: Record, replay: Replay) -> list[Step]:
    """Lists the moves of a record that counted, each with the game before it.

    Args:
        record: The record.
        replay: What came of replaying it, without faults.
    """
    assert replay.called is not None
    game = Game(replay.called.game.rules, replay.called.game.start)
    steps: list[Step] = []
    taken_back: Move | None = None
    owes_replay = False
    for index, node in enumerate(record.nodes):
        if node.move is None:
            continue
        if node.status is Status.PLAYED:
            again = taken_back if owes_replay and replay.called.replay == "same_piece" else None
            moves = tuple(
                move for move in game.legal_moves() if again and move.from_square == again.from_square
            )
            steps.append(Step(index, game, node.move, moves))
            game = game.play(node.move)
            taken_back, owes_replay = None, False
        elif node.status is Status.TAKEN_BACK:
            taken_back = node.move
        else:
            owes_replay = True
    return steps


def review(engine: EngineLike, steps: list[Step], limit: Limit, *, skip: int = 0) -> Iterator[ReviewedPly]:
    """Goes over the moves of a game one after the other.

    Args:
        engine: Who judges.
        steps: The moves: see `steps_of`.
        limit: For each position.
        skip: How many moves to pass over at the beginning.

    Raises:
        EngineError: Whatever goes wrong with the engine.
    """
    known: AnalysisLine | None = None
    for step in steps[skip:]:
        best = known if known is not None and not step.moves else _judge(engine, step.game, limit, step.moves)
        after = step.game.play(step.move)
        side = step.game.turn
        assert side is not None
        known = None if after.turn is None else _judge(engine, after, limit)
        yield ReviewedPly(
            step,
            best,
            known.score if known else None,
            best.score.chances_for(side),
            known.score.chances_for(side) if known else _result(after, side),
        )


def _judge(engine: EngineLike, game: Game, limit: Limit, moves: tuple[Move, ...] = ()) -> AnalysisLine:
    with engine.analyse(game, limit, lines=1, moves=moves) as stream:
        best = stream.last().best
    if best is None:
        raise EngineError("no_answer", f"{engine.name}: stopped before it had a move")
    return best


def _result(game: Game, side: Side) -> float:
    """Gives what a finished game is worth to a side."""
    winner = game.outcome.winner if game.outcome else None
    return 0.5 if winner is None else float(winner is side)
