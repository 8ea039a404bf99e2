"""Messages of OpenTafl's engine protocol (OTEP), for client and server (decision 30)."""

from collections.abc import Sequence

from hnefi._core import Game, Move
from hnefi.engine.limits import Clock, Limit
from hnefi.engine.ugi import whole_number
from hnefi.errors import IllegalMove, shorten
from hnefi.formats.opentafl.move import parse_move_text
from hnefi.formats.opentafl.position import position_of
from hnefi.formats.opentafl.rules_writing import diagram_of
from hnefi.pieces import Side

_OVERTIME_SHARE_MS = 1_000
_OVERTIMES = 3


def read_clock(words: Sequence[str], side: Side) -> Limit | None:
    """Parses the arguments of `clock` for a side as a limit; returns None if they are invalid.

    An overtime may be used up, since each move starts it anew.

    >>> read_clock("60000 45000* 30 3 2".split(), Side.DEFENDERS).clock
    Clock(remaining_ms=45000, increment_ms=0, moves_to_go=1)
    """
    if len(words) < 2:
        return None
    word = words[0 if side is Side.ATTACKERS else 1]
    remaining = whole_number(word.rstrip("*"))
    if remaining is None or None in map(whole_number, words[2:5]):
        return None
    is_overtime = word.endswith("*")
    return (
        Limit(clock=Clock(remaining, moves_to_go=1 if is_overtime else None)) if remaining >= 0 else Limit()
    )


def clock_words(limit: Limit) -> str | None:
    """Formats a limit as `clock`; returns None for limits that the protocol cannot express.

    The protocol has no time per move; an overtime means the same. Several are left each time: a program that
    is in its last one may take it for an emergency and think for no time at all, as OpenTafl does.
    """
    if limit.clock is not None:
        time = max(limit.clock.remaining_ms, 1)
        return f"clock {time} {time} 0 0 0"
    if limit.time_ms is None:
        return None
    seconds = max(limit.time_ms // _OVERTIME_SHARE_MS, 1)
    return f"clock {limit.time_ms}* {limit.time_ms}* {seconds} {_OVERTIMES} {_OVERTIMES}"


def board_words(game: Game) -> str:
    """Formats the board of a game."""
    return position_of(diagram_of(game.position.setup))


def read_moves(text: str) -> list[Move]:
    """Parses moves separated by `|`, in the simple or the full notation of OpenTafl.

    Raises:
        IllegalMove: `bad_move`, also for a piece that the rules of Hnefi do not have.

    >>> read_moves("d2-c2|Kd4-d3xc3++|ce6^=e8")
    [Move('d2-c2'), Move('d4-d3'), Move('e6-e8')]
    """
    moves = []
    for word in text.split("|"):
        parsed = parse_move_text(word)
        if parsed.special:
            raise IllegalMove("bad_move", f"{shorten(word)}: {parsed.special}", {"text": shorten(word)})
        moves.append(parsed.move)
    return moves


def side_of(word: str) -> Side | None:
    """Returns the side with a name, None if there is none."""
    return next((side for side in Side if side.value == word.lower()), None)
