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
    rf"({_PIECE})({_SQUARE})(?:-|\^=|\^|=)({_SQUARE})([xX×]{_PIECE}{_SQUARE}(?:[/xX×]{_PIECE}{_SQUARE})*)?"
    r"(?:\+\+|--|\+|-)?"
)
_TAKEN = re.compile(rf"[/xX×]({_PIECE})({_SQUARE})")
_PLACEHOLDER = re.compile(r"\.{3,}|…")


@dataclass(frozen=True, slots=True)
class MoveText:
    """A parsed move text."""

    move: Move
    captures: tuple[Square, ...]
    """The squares of captured soldiers."""

    special: str
    """The letter of a piece that Hnefi does not support; empty if there is none."""


def parse_move_text(text: str) -> MoveText:
    """Parses a move.

    Raises:
        IllegalMove: `bad_move`.

    >>> parse_move_text("Kc2-c3xd3/Kc4++").captures
    (Square('d3'),)
    """
    match = _MOVE.fullmatch(text[:400])
    if match is None:
        raise IllegalMove.of_facts("bad_move", text=shorten(text))
    piece, origin, target, taken = match.groups()
    soldiers = tuple(Square(name) for letter, name in _TAKEN.findall(taken or "") if letter not in ("K", "k"))
    move = Move.of(Square(origin), Square(target))
    return MoveText(move, soldiers, piece if piece in UNKNOWN_LETTERS else "")


def is_placeholder(word: str) -> bool:
    """Checks whether a word is a placeholder for a move.

    >>> is_placeholder("....."), is_placeholder("1.")
    (True, False)
    """
    return _PLACEHOLDER.fullmatch(word) is not None
