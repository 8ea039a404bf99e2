"""Reviews of played games: the score of each position, better moves, and turning points."""

from collections.abc import Iterator
from dataclasses import dataclass

from hnefi._core import Game, Move
from hnefi.engine.analysis import AnalysisLine, Score
from hnefi.engine.interface import EngineLike
from hnefi.engine.limits import Limit
from hnefi.errors import EngineError
from hnefi.pieces import Side
from hnefi.record import Replay, Status

# Losses of expected result: from here on a move has a clearly better one, or is a turning point.
_BETTER_LOSS = 0.08
_TURNING_LOSS = 0.2
# A side with less expected result is lost already; some variants give one side little more from the start.
_NOT_LOST = 0.25


@dataclass(frozen=True, slots=True)
class RecordedPly:
    """A move of a record, and the game before it.

    Attributes:
        index: The index of its node in the record.
        moves: The moves the player could choose from where a piece had to be played again, else empty.
    """

    index: int
    game: Game
    move: Move
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewedPly:
    """The review of one move of a game.

    Attributes:
        best: The best line, which may begin with the move.
        after: The score after the move; None if it ended the game.
        chances_before: The expected result of the player before the move, from 0 to 1.
        chances_after: The expected result of the player after the move.
    """

    ply: RecordedPly
    best: AnalysisLine
    after: Score | None
    chances_before: float
    chances_after: float

    @property
    def loss(self) -> float:
        """The expected result that the move gave up, from 0 to 1."""
        if self.best.move == self.ply.move:
            return 0.0
        return max(self.chances_before - self.chances_after, 0.0)

    @property
    def has_better(self) -> bool:
        """Whether there was a clearly better move."""
        return self.loss >= _BETTER_LOSS

    @property
    def is_turning_point(self) -> bool:
        """Whether a game that was not lost before the move was worse than even after it."""
        return self.loss >= _TURNING_LOSS and self.chances_before >= _NOT_LOST and self.chances_after < 0.5


def recorded_plies(replay: Replay) -> list[RecordedPly]:
    """Returns the moves of a game that counted, each with the game before it; the replay has no faults."""
    assert replay.called is not None
    game = Game(replay.called.game.rules, replay.called.game.start)
    plies: list[RecordedPly] = []
    taken_back: Move | None = None
    must_replay = False
    for index, node in enumerate(replay.record.nodes):
        if node.move is None:
            continue
        if node.status is Status.PLAYED:
            again = taken_back if must_replay and replay.called.replay == "same_piece" else None
            moves = tuple(
                move for move in game.legal_moves() if again and move.from_square == again.from_square
            )
            plies.append(RecordedPly(index, game, node.move, moves))
            game = game.play(node.move)
            taken_back, must_replay = None, False
        elif node.status is Status.TAKEN_BACK:
            taken_back = node.move
        else:
            must_replay = True
    return plies


def review(
    engine: EngineLike, plies: list[RecordedPly], limit: Limit, *, skip: int = 0
) -> Iterator[ReviewedPly]:
    """Reviews the moves of a game one after the other.

    Args:
        plies: The moves, from `recorded_plies`.
        skip: How many moves to skip at the beginning.

    Raises:
        EngineError: An error of the engine.
    """
    known: AnalysisLine | None = None
    for ply in plies[skip:]:
        best = known
        if best is None or ply.moves:
            best = _best_line(engine, ply.game, limit, ply.moves)
        after = ply.game.play(ply.move)
        side = ply.game.turn
        assert side is not None
        known = None if after.turn is None else _best_line(engine, after, limit)
        yield ReviewedPly(
            ply,
            best,
            known.score if known else None,
            best.score.chances_for(side),
            known.score.chances_for(side) if known else _result(after, side),
        )


def _best_line(engine: EngineLike, game: Game, limit: Limit, moves: tuple[Move, ...] = ()) -> AnalysisLine:
    with engine.analyse(game, limit, lines=1, moves=moves) as stream:
        best = stream.last().best
    if best is None:
        raise EngineError("no_answer", f"{engine.name}: stopped before it had a move")
    return best


def _result(game: Game, side: Side) -> float:
    """Returns the result of a finished game for a side, from 0 to 1."""
    winner = game.outcome.winner if game.outcome else None
    return 0.5 if winner is None else float(winner is side)
