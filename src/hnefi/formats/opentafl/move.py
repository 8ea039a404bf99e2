"""Moves in OpenTafl's notation, `Ke5-e8xe9/f8++`, and in Damian Walker's, which has no letters for pieces."""

import re
from dataclasses import dataclass

from hnefi._core import Move, Square
from hnefi.errors import IllegalMove, shown
from hnefi.formats.opentafl.position import UNKNOWN_LETTERS

__all__ = ["PLACEHOLDER", "RESIGNATION", "MoveText", "is_placeholder", "parse_move_text"]

RESIGNATION = "---"
PLACEHOLDER = "....."
"""Stands for the moves of a turn that come before the one where a side line begins."""

_SQUARE = r"[a-s](?:1[0-9]|[1-9])"
_PIECE = "[tcnkmgTCNKMG]?"
_MOVE = re.compile(
    rf"({_PIECE})({_SQUARE})(-|\^=|\^|=)({_SQUARE})(?:[xX×]({_PIECE}{_SQUARE}(?:[/xX×]{_PIECE}{_SQUARE})*))?"
    r"(\+\+|--|\+|-)?"
)
_PLACEHOLDER = re.compile(r"\.{3,}|…")
_KINGS = "Kk"


@dataclass(frozen=True, slots=True)
class MoveText:
    """A move as it is written."""

    move: Move
    piece: str = ""
    """The letter of a special piece, of the king among them; empty for soldiers."""

    kind: str = "-"
    """`-` for a move, `^` for a jump, `=` and `^=` for those that go on in the same turn."""

    captures: tuple[Square, ...] = ()
    """The soldiers that are captured."""

    king: Square | None = None
    """Where the king is captured, if he is."""

    info: str = ""
    """`+` the king can be captured, `-` he can escape, `++` he is captured, `--` he has escaped."""

    @property
    def special(self) -> str:
        """The letter of a piece that our rules do not have; empty if there is none."""
        return self.piece if self.piece in UNKNOWN_LETTERS else ""


def parse_move_text(text: str) -> MoveText:
    """Reads a move.

    Raises:
        IllegalMove: `bad_move`.

    >>> found = parse_move_text("c2-c3xKc4++")
    >>> found.king, found.info
    (Square('c4'), '++')
    """
    match = _MOVE.fullmatch(text[:400])
    if match is None:
        raise IllegalMove("bad_move", f"{shown(text)}: no move", {"text": shown(text)})
    piece, origin, kind, target, taken, info = match.groups()
    soldiers: list[Square] = []
    king = None
    for word in re.split(r"[/xX×]", taken or ""):
        if word[:1] in _KINGS and len(word) > 1 and not word[1].isdigit():
            king = Square(word[1:])
        elif word:
            soldiers.append(Square(re.sub(rf"^{_PIECE}(?={_SQUARE}$)", "", word)))
    move = Move.of(Square(origin), Square(target))
    return MoveText(move, piece, kind, tuple(soldiers), king, info or "")


def is_placeholder(word: str) -> bool:
    """Checks whether a word stands for a move that is left out.

    >>> is_placeholder("....."), is_placeholder("1.")
    (True, False)
    """
    return _PLACEHOLDER.fullmatch(word) is not None
