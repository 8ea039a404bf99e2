"""Moves in OpenTafl's notation, `Ke5-e8xe9/f8++`, and in Damian Walker's, without piece letters."""

import re
from dataclasses import dataclass

from hnefi._core import Move, Square
from hnefi.errors import IllegalMove, shorten
from hnefi.formats.opentafl.position import UNKNOWN_LETTERS

RESIGNATION = "---"
PLACEHOLDER = "....."
"""The placeholder for each move of a turn before the one at which a variation begins."""

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
    """A parsed move text."""

    move: Move
    piece: str = ""
    """The letter of the king or a ranked piece; empty for soldiers."""

    kind: str = "-"
    """`-` for a move, `^` for a jump; `=` and `^=` if the turn goes on."""

    captures: tuple[Square, ...] = ()
    """The squares of captured soldiers."""

    king: Square | None = None
    """The square of a captured king."""

    info: str = ""
    """`+`: the king can be captured; `-`: he can escape; `++`: he is captured; `--`: he has escaped."""

    @property
    def special(self) -> str:
        """The letter of a piece that Hnefi does not support; empty if there is none."""
        return self.piece if self.piece in UNKNOWN_LETTERS else ""


def parse_move_text(text: str) -> MoveText:
    """Parses a move.

    Raises:
        IllegalMove: `bad_move`.

    >>> found = parse_move_text("c2-c3xKc4++")
    >>> found.king, found.info
    (Square('c4'), '++')
    """
    match = _MOVE.fullmatch(text[:400])
    if match is None:
        raise IllegalMove("bad_move", f"{shorten(text)}: no move", {"text": shorten(text)})
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
    """Checks whether a word is a placeholder for a move.

    >>> is_placeholder("....."), is_placeholder("1.")
    (True, False)
    """
    return _PLACEHOLDER.fullmatch(word) is not None
