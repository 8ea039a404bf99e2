"""The computer opponent: the native engine at a level, or an external engine."""

import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from hnefi._core import CalledGame, Rules
from hnefi.cli.play.line_input import TypedMove
from hnefi.cli.play.names import level_of
from hnefi.closing import Closing
from hnefi.engine import (
    AnalysisLine,
    Engine,
    EngineLike,
    Level,
    Limit,
    level,
    start_engine,
)
from hnefi.errors import EngineError, shorten
from hnefi.pieces import Side
from hnefi.record.headers import record_name
from hnefi.variants.model import Variant

_HINT = Limit(time_ms=1_000)
_DRAW = Limit(time_ms=300)
# It agrees to a draw if its expected result is at most this.
_CONTENT = 0.45
_LONGEST_NAME = 80


@dataclass(slots=True)
class Opponent(Closing):
    """An engine that plays a side; restarted after a failure, which is an `EngineError`.

    Attributes:
        name: Its name in records.
        typed: The options that name it when a game is resumed; empty for the native engine.
    """

    name: str
    strength: Level | Limit
    start: Callable[[], EngineLike]
    typed: str = ""
    engine: EngineLike | None = None

    @classmethod
    def at_level(cls, number: int) -> "Opponent":
        """Creates the native engine at a level."""
        return cls(record_name(number), level(number), Engine)

    @classmethod
    def of_program(cls, command: str, settings: Iterable[tuple[str, str]], limit: Limit) -> "Opponent":
        """Starts an external engine with its options, and takes its name."""
        start = partial(start_engine, command, options=dict(settings))
        engine = start()
        names = (shorten(one, _LONGEST_NAME, collapses_spaces=True) for one in (engine.name, command))
        typed = ["--against", command]
        for name, value in settings:
            typed += ["--engine-option", f"{name}={value}"]
        if limit.time_ms is not None:
            typed += ["--time", f"{limit.time_ms / 1000:g}"]
        if limit.nodes is not None:
            typed += ["--nodes", str(limit.nodes)]
        return cls(next(filter(None, names), ""), limit, start, shlex.join(typed), engine)

    @contextmanager
    def _running_engine(self) -> Iterator[EngineLike]:
        """Yields the running engine; closes it if it fails."""
        try:
            if self.engine is None:
                self.engine = self.start()
            yield self.engine
        except EngineError:
            self.close()
            raise

    def check_rules(self, rules: Rules) -> None:
        """Checks that it can play by some rules, before the game begins.

        Raises:
            EngineError: If it cannot be told them.
        """
        if self.engine is not None:
            self.engine.check_rules(rules)

    def choose(self, variant: Variant, called: CalledGame) -> TypedMove:
        """Chooses a move with the calls that the rules require; Ctrl-C interrupts it."""
        with self._running_engine() as engine:
            move = engine.play(called, self.strength)
        after = called.play(move)
        is_over = after.game.outcome is not None
        if called.mode != "manual" or is_over:
            return TypedMove(str(move))
        if called.game.turn is Side.DEFENDERS:
            return TypedMove(str(move), after.required)
        knows = variant.calls is not None and variant.calls.get("king_in_danger") is True
        return TypedMove(str(move), warns=knows and after.game.position.threatened_king)

    def accepts_draw(self, called: CalledGame, side: Side) -> bool:
        """Checks whether it accepts a draw, playing a side."""
        with self._running_engine() as engine, engine.analyse(called, _DRAW, lines=1) as stream:
            best = stream.last().best
        return best is not None and best.score.chances_for(side) <= _CONTENT

    def hint(self, called: CalledGame) -> AnalysisLine | None:
        """Returns its best line, at full strength."""
        with self._running_engine() as engine, engine.analyse(called, _HINT, lines=1) as stream:
            return stream.last().best

    def close(self) -> None:
        """Closes the engine."""
        if self.engine is not None:
            self.engine.close()
            self.engine = None


def opponent_among(names: tuple[str, str]) -> Opponent | None:
    """Returns the native engine if exactly one of two player names in a record is one of its levels."""
    numbers = [number for number in map(level_of, names) if number is not None]
    return Opponent.at_level(numbers[0]) if len(numbers) == 1 else None
