"""Diagrams for authors: a position or a game as PDF, SVG or PNG, in an exact size."""

from typing import TYPE_CHECKING, Any

from hnefi.diagram.scene import board_of
from hnefi.errors import checked_choice
from hnefi.i18n import language_of
from hnefi.paper.drawings import Drawings
from hnefi.paper.typesetting import Document, to_pdf, to_png

if TYPE_CHECKING:
    from hnefi.diagram.scene import Board

DIAGRAM_SUFFIXES = (".pdf", ".svg", ".png")
"""How the names of files of diagrams end."""

_WIDEST = 2000.0
_PPI = 300
# The width of the frame in squares, and the least one in mm that has room for letters.
_FRAME, _LEAST_FRAME_MM = 0.52, 5.2
_BARE_FRAME = 0.16


def diagram_file(
    board: "Board",
    suffix: str,
    lang: str | None = None,
    *,
    square: float = 8.0,
    theme: str = "print",
    coordinates: bool = True,
    **options: Any,
) -> bytes:
    """Returns a diagram as a file: its page is as large as the drawing.

    Args:
        board: What `hnefi.diagram.svg` draws: a position, a game with its last move, a variant for its start.
        suffix: One of `DIAGRAM_SUFFIXES`; PNG has 300 pixels per inch.
        lang: The language of its description; the user's if None.
        square: The side of a square in mm.
        theme: The theme, as for `hnefi.diagram.svg`.
        coordinates: Whether to write letters and numbers in the frame.
        options: Further options of `hnefi.diagram.svg`.

    Raises:
        PrintError: `missing_extra` without the extra `print`, except for SVG.
        ValueError: If the suffix or an option is unknown.

    >>> from hnefi import variant
    >>> diagram_file(variant("brandub-globe").new_game(), ".png", "en")[:4]
    b'\\x89PNG'
    """
    checked_choice("suffix", suffix, DIAGRAM_SUFFIXES)
    drawings = Drawings(language_of(lang), theme)
    # A frame that does not depend on the size of the drawing makes squares exact.
    frame = max(_FRAME, _LEAST_FRAME_MM / square) if coordinates else _BARE_FRAME
    entry = drawings.of_board(
        board_of(board), square, _WIDEST, coordinates=coordinates, frame=frame, **options
    )
    if suffix == ".svg":
        return f"{drawings.files[entry['file']]}\n".encode()
    document = Document("diagram", {"lang": drawings.lang, "title": entry["alt"], **entry}, drawings.files)
    return to_pdf(document) if suffix == ".pdf" else to_png(document, ppi=_PPI)[0]
