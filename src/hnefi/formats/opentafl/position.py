"""Positions in OpenTafl's notation: `/3t3/3T3/…/`, from rank 1 upward, or inverted, from the top."""

import re
from collections.abc import Sequence

from hnefi._core import Setup
from hnefi.errors import SetupError, shorten
from hnefi.pieces import Side

PIECE_LETTERS = "tcnkmgTCNKMG"
"""Soldier, commander, knight, king, mercenary, guard; the attackers' in lower case.

In this order they stand in lists, and numbers in speed limits.
"""

UNKNOWN_LETTERS = frozenset("kmgMG")
"""Pieces that Hnefi does not support: guards, mercenaries, and a king of the attackers."""

Diagram = tuple[str, ...]
"""The rows of a board from the top, one letter per square, `.` for an empty one."""

_LEAST, _MOST = 1, 19
_RUN = re.compile(r"([0-9]+)|([A-Za-z])|(.)", re.DOTALL)


def read_position(text: str, *, inverted: bool = False, size: int | None = None) -> Diagram:
    """Parses a position; the slashes at both ends are optional.

    Args:
        text: The rows, separated by slashes.
        inverted: Whether the first row is the top one.

    Raises:
        SetupError: `bad_position`, with the number of rows, or of the row in the text.

    >>> read_position("/3t1/5/1T3/2K2/5/")
    ('.....', '..K..', '.T...', '.....', '...t.')
    """
    rows = [row for row in text.strip().split("/") if row]
    expected = size or len(rows)
    if not _LEAST <= len(rows) <= _MOST or len(rows) != expected:
        facts = {"part": "rows", "found": len(rows), "expected": size or f"{_LEAST}…{_MOST}"}
        raise SetupError.of_facts("bad_position", **facts)
    read = [_row(number, row, expected) for number, row in enumerate(rows, 1)]
    return tuple(read if inverted else reversed(read))


def _row(number: int, text: str, size: int) -> str:
    squares = ""
    for run, letter, other in _RUN.findall(text[: 4 * _MOST]):
        if other or (letter and letter not in PIECE_LETTERS):
            raise _fault(number, other or letter, "1-19 t c n k m g T C N K M G")
        squares += "." * min(int(run[:4]), _MOST + 1) if run else letter
    if len(squares) != size or len(text) > 4 * _MOST:
        raise _fault(number, text, f"{size} squares")
    return squares


def position_of(diagram: Sequence[str]) -> str:
    """Formats a position.

    >>> position_of(('.....', '..K..', '.T...', '.....', '...t.'))
    '/3t1/5/1T3/2K2/5/'
    """
    return f"/{'/'.join(_packed(row) for row in reversed(diagram))}/"


def _packed(row: str) -> str:
    return re.sub(r"\.+", lambda run: str(len(run.group())), row)


def setup_of(diagram: Diagram, turn: Side) -> Setup:
    """Returns the setup with the pieces of a diagram.

    Raises:
        SetupError: `special_piece` for a piece that Hnefi does not support.
    """
    for row in diagram:
        for letter in row:
            if letter in UNKNOWN_LETTERS:
                raise SetupError.of_facts("special_piece", found=letter)
    return Setup(f"{'/'.join(_packed(row) for row in diagram)} {turn.value[0]}")


def _fault(row: int, found: str, expected: str) -> SetupError:
    return SetupError.of_facts("bad_position", row=row, found=shorten(found), expected=expected)
