"""The computer as a player at the board: Hnefi at a level, or another engine."""

import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from hnefi._core import CalledGame, Move
from hnefi.cli.faults import printable
from hnefi.cli.play.typed import TypedMove
from hnefi.engine import (
    AnalysisLine,
    Engine,
    EngineLike,
    ExternalEngine,
    Level,
    Limit,
    OtepEngine,
    level,
    start_engine,
)
from hnefi.errors import EngineError
from hnefi.pieces import Side
from hnefi.variant import Variant

__all__ = ["Opponent", "Program", "opponent_in"]

_NAME = re.compile(r"Hnefi \((10|[1-9])\)")
_HINT = Limit(time_ms=1_000)
_DRAW = Limit(time_ms=300)
# It agrees to a draw where it cannot expect more than this.
_CONTENT = 0.45


@dataclass(frozen=True, slots=True)
class Program:
    """Another engine: its command line, its options, and how long it may think about a move."""

    command: str
    settings: tuple[tuple[str, str], ...]
    limit: Limit

    def start(self) -> ExternalEngine | OtepEngine:
        """Starts it.

        Raises:
            EngineError: If it cannot be used.
        """
        return start_engine(self.command, options=dict(self.settings))

    @property
    def typed(self) -> str:
        """The options of `hnefi play` that name it."""
        words = ["--against", self.command]
        for name, value in self.settings:
            words += ["--engine-option", f"{name}={value}"]
        if self.limit.time_ms is not None:
            words += ["--time", f"{self.limit.time_ms / 1000:g}"]
        if self.limit.nodes is not None:
            words += ["--nodes", str(self.limit.nodes)]
        return shlex.join(words)


class Opponent:
    """An engine that has a side; one that failed is started anew when it is asked again.

    Attributes:
        name: How it is written down in records.
        typed: What has to be typed so that it plays on, in a game that is taken up; empty if nothing.
    """

    def __init__(
        self, name: str, strength: Level | Limit, start: Callable[[], EngineLike], typed: str = ""
    ) -> None:
        self.name = name
        self.typed = typed
        self._strength = strength
        self._start = start
        self._engine: EngineLike | None = None

    @classmethod
    def at_level(cls, number: int) -> "Opponent":
        """Gives Hnefi, at a level."""
        return cls(f"Hnefi ({number})", level(number), Engine)

    @classmethod
    def of_program(cls, program: Program) -> "Opponent":
        """Starts another engine, which says what it is called.

        Raises:
            EngineError: If it cannot be used.
        """
        engine = program.start()
        name = printable(engine.name) or printable(program.command)
        found = cls(name, program.limit, program.start, program.typed)
        found._engine = engine
        return found

    @contextmanager
    def _asked(self) -> Iterator[EngineLike]:
        """Gives the engine to ask something; if it fails it is ended."""
        try:
            if self._engine is None:
                self._engine = self._start()
            yield self._engine
        except EngineError:
            self.close()
            raise

    def choose(self, variant: Variant, called: CalledGame) -> TypedMove:
        """Chooses a move, and makes the calls that the rules ask for; Ctrl-C is heard.

        Raises:
            EngineError: If it cannot.
        """
        with self._asked() as engine:
            move = engine.play(called, self._strength)
        after = called.play(move)
        is_over = after.game.outcome is not None
        if called.mode != "manual" or is_over:
            return _typed(move)
        if called.game.turn is Side.DEFENDERS:
            return _typed(move, call=after.required)
        knows = variant.calls is not None and variant.calls.get("king_in_danger") is True
        return _typed(move, warns=knows and after.game.position.threatened_king)

    def accepts_draw(self, called: CalledGame, side: Side) -> bool:
        """Tells whether it agrees to a draw, having a side.

        Raises:
            EngineError: If it fails.
        """
        with self._asked() as engine, engine.analyse(called, _DRAW, lines=1) as stream:
            best = stream.last().best
        return best is not None and best.score.chances_for(side) <= _CONTENT

    def hint(self, called: CalledGame) -> AnalysisLine | None:
        """Gives the best line it sees, whatever its level.

        Raises:
            EngineError: If it fails.
        """
        with self._asked() as engine, engine.analyse(called, _HINT, lines=1) as stream:
            return stream.last().best

    def close(self) -> None:
        """Ends it."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

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
    return Opponent.at_level(numbers[0]) if len(numbers) == 1 else None


def _typed(move: Move, *, call: int = 0, warns: bool = False) -> TypedMove:
    return TypedMove(f"{move.from_square.name}-{move.to_square.name}", call, warns)
