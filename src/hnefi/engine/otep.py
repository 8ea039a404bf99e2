"""The words of OpenTafl's engine protocol, as both ends use them (decision 30)."""

from collections.abc import Sequence
from dataclasses import dataclass

from hnefi._core import Game, Move
from hnefi.engine.limits import Clock, Limit
from hnefi.errors import IllegalMove, shown
from hnefi.formats.opentafl.move import parse_move_text
from hnefi.formats.opentafl.position import position_of
from hnefi.formats.opentafl.rules_writing import diagram_of
from hnefi.pieces import Side

__all__ = ["ClockWords", "board_words", "clock_words", "move_words", "read_clock", "read_moves", "side_of"]

_OVERTIME_SHARE_MS = 1_000
_LONGEST_NUMBER = 12


@dataclass(frozen=True, slots=True)
class ClockWords:
    """What `clock` says of one side: the time left, and whether it is that of an overtime."""

    remaining_ms: int | None
    is_overtime: bool
    overtime_s: int
    overtimes: int

    def limit(self) -> Limit:
        """Gives how long to think: of an overtime all may be used, since each move begins it anew."""
        if self.remaining_ms is None:
            return Limit()
        if self.is_overtime:
            return Limit(clock=Clock(max(self.remaining_ms, 0), moves_to_go=1))
        return Limit(clock=Clock(max(self.remaining_ms, 0)))


def read_clock(words: Sequence[str], side: Side) -> ClockWords | None:
    """Reads what follows `clock`, for a side; None if it makes no sense.

    >>> read_clock("60000 45000* 30 3 2".split(), Side.DEFENDERS)
    ClockWords(remaining_ms=45000, is_overtime=True, overtime_s=30, overtimes=2)
    """
    if len(words) < 2:
        return None
    is_attacker = side is Side.ATTACKERS
    word = words[0 if is_attacker else 1]
    remaining = _number(word.rstrip("*"))
    rest = [_number(one) for one in words[2:5]]
    if remaining is None or None in rest:
        return None
    overtime, ours, theirs = [*(one or 0 for one in rest), 0, 0, 0][:3]
    known = None if remaining < 0 else remaining
    return ClockWords(known, word.endswith("*"), overtime, ours if is_attacker else theirs)


def clock_words(limit: Limit, side: Side) -> str | None:
    """Says how long an engine may think; None where nothing that the protocol can say limits it.

    It has no time for a move: an overtime says the same.
    """
    if limit.clock is not None:
        time = max(limit.clock.remaining_ms, 1)
        return f"clock {time} {time} 0 0 0"
    if limit.time_ms is None:
        return None
    seconds = max(limit.time_ms // _OVERTIME_SHARE_MS, 1)
    own, other = f"{limit.time_ms}*", "0*"
    both = f"{own} {other}" if side is Side.ATTACKERS else f"{other} {own}"
    return f"clock {both} {seconds} 1 1"


def board_words(game: Game) -> str:
    """Writes the board of a game."""
    return position_of(diagram_of(game.position.setup))


def move_words(move: Move) -> str:
    """Writes a move.

    >>> move_words(Move("d2c2"))
    'd2-c2'
    """
    return f"{move.from_square.name}-{move.to_square.name}"


def read_moves(text: str) -> list[Move]:
    """Reads moves between `|`, simple or with everything that OpenTafl writes.

    Raises:
        IllegalMove: `bad_move`, also for a piece that our rules do not have.

    >>> read_moves("d2-c2|Kd4-d3xc3++|ce6^=e8")
    [Move('d2-c2'), Move('d4-d3'), Move('e6-e8')]
    """
    found = []
    for word in text.split("|"):
        read = parse_move_text(word)
        if read.special:
            raise IllegalMove("bad_move", f"{shown(word)}: {read.special}", {"text": shown(word)})
        found.append(read.move)
    return found


def side_of(word: str) -> Side | None:
    """Gives the side of a name, None if it is none."""
    return next((side for side in Side if side.value == word.lower()), None)


def _number(word: str) -> int | None:
    digits = word.removeprefix("-")
    return int(word) if digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST_NUMBER else None
