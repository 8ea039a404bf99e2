"""The computer as a player at the board."""

import re
from types import TracebackType
from typing import Self

from hnefi._core import CalledGame, Move
from hnefi.cli.play.typed import TypedMove
from hnefi.engine import AnalysisLine, Engine, Limit, level
from hnefi.pieces import Side
from hnefi.variant import Variant

__all__ = ["Opponent", "opponent_in"]

_NAME = re.compile(r"Hnefi \((10|[1-9])\)")
_HINT = Limit(time_ms=1_000)
_DRAW = Limit(time_ms=300)
# It agrees to a draw where it cannot expect more than this.
_CONTENT = 0.45


class Opponent:
    """The computer, at a level.

    Attributes:
        name: How it is written down in records.
    """

    def __init__(self, number: int) -> None:
        self.name = f"Hnefi ({number})"
        self._level = level(number)
        self._engine = Engine()

    def choose(self, variant: Variant, called: CalledGame) -> TypedMove:
        """Chooses a move, and makes the calls that the rules ask for; Ctrl-C is heard.

        Raises:
            EngineError: If it cannot.
        """
        move = self._engine.play(called, self._level)
        after = called.play(move)
        is_over = after.game.outcome is not None
        if called.mode != "manual" or is_over:
            return _typed(move)
        if called.game.turn is Side.DEFENDERS:
            return _typed(move, call=after.required)
        knows = variant.calls is not None and variant.calls.get("king_in_danger") is True
        return _typed(move, warns=knows and after.game.position.threatened_king)

    def accepts_draw(self, called: CalledGame, side: Side) -> bool:
        """Tells whether it agrees to a draw, having a side."""
        with self._engine.analyse(called, _DRAW, lines=1) as stream:
            best = stream.last().best
        return best is not None and best.score.chances_for(side) <= _CONTENT

    def hint(self, called: CalledGame) -> AnalysisLine | None:
        """Gives the best line it sees, whatever its level."""
        with self._engine.analyse(called, _HINT, lines=1) as stream:
            return stream.last().best

    def close(self) -> None:
        """Ends it."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def opponent_in(names: tuple[str, str]) -> Opponent | None:
    """Gives the computer if it is one of two players, as a record names them."""
    found = [_NAME.fullmatch(name) for name in names]
    numbers = [int(match[1]) for match in found if match]
    return Opponent(numbers[0]) if len(numbers) == 1 else None


def _typed(move: Move, *, call: int = 0, warns: bool = False) -> TypedMove:
    return TypedMove(f"{move.from_square.name}-{move.to_square.name}", call, warns)
