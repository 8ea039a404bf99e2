"""Sheets of pieces to cut out: discs, or strips to fold to standing pieces."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from hnefi._core import Rules
from hnefi.diagram.theme import THEMES
from hnefi.errors import checked_choice
from hnefi.i18n import text
from hnefi.paper.board_sheets import square_side
from hnefi.paper.drawings import Drawings, board_theme
from hnefi.paper.imprints import NO_IMPRINT, Imprint, issued
from hnefi.paper.subjects import Subject, paper_size
from hnefi.paper.typesetting import Document
from hnefi.pieces import Piece
from hnefi.words.nouns import capitalised
from hnefi.words.wording import wording_of

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

PIECE_FORMS = ("discs", "standing")
"""The forms of pieces to cut out."""

_PIECES_PER_SPARE = 12
# Parts of a square's side.
_DISC = 0.8
_STRIP_WIDTH, _STRIP_FACE, _STRIP_BASE = 0.72, 0.95, 0.45


def piece_counts(rules: Rules) -> dict[Piece, tuple[int, int]]:
    """Returns how many pieces of each kind the start position has, and how many to spare are printed."""
    counts = Counter(rules.start.pieces.values())
    return {
        piece: (counts[piece], 1 + counts[piece] // _PIECES_PER_SPARE) for piece in Piece if counts[piece]
    }


def pieces_document(
    game: "Variant | Rules",
    lang: str | None = None,
    *,
    paper: str = "a4",
    colour: bool = False,
    square: float | None = None,
    form: str = "discs",
    imprint: Imprint = NO_IMPRINT,
) -> Document:
    """Returns the content of a sheet of pieces, in the size of the squares of the board.

    Args:
        paper: One of `PAPERS`.
        colour: Whether the pieces are in colour; otherwise in black and white.
        square: The side of a square in mm; if None, that of the board sheet on this paper.
        form: One of `PIECE_FORMS`.

    Raises:
        PrintError: `board_too_large`.
        ValueError: If the paper or the form is unknown, or the square too small.
    """
    checked_choice("form", form, PIECE_FORMS)
    subject = Subject.of(game, lang)
    width, height = paper_size(paper)
    foot = imprint.foot(width, height)
    side = square_side(game, paper, square, foot)
    theme = board_theme(colour=colour)
    drawings = Drawings(subject.lang, theme)
    data = {
        "lang": subject.lang,
        "title": subject.name,
        "heading": subject.text("paper.pieces.heading"),
        "help": subject.text(f"paper.pieces.help.{form}"),
        "note": subject.text("paper.pieces.note", side=subject.millimetres(side)),
        "form": form,
        "width": width,
        "height": height,
        "disc": round(_DISC * side, 2),
        "strip": {
            "width": round(_STRIP_WIDTH * side, 2),
            "face": round(_STRIP_FACE * side, 2),
            "base": round(_STRIP_BASE * side, 2),
        },
        "ground": THEMES[theme].field,
        "kinds": _kinds(subject, drawings),
    }
    return issued(Document("pieces", data, drawings.files), imprint, subject, foot)


def _kinds(subject: Subject, drawings: Drawings) -> list[dict[str, Any]]:
    nouns = wording_of(subject.game, subject.lang).nouns
    found = []
    for piece, (count, spare) in piece_counts(subject.rules).items():
        name = capitalised(nouns.get(piece.value) or text(f"piece.{piece.value}", subject.lang))
        names = capitalised(nouns[f"{piece.value}s"]) if count > 1 and f"{piece.value}s" in nouns else name
        found.append(
            {
                "file": drawings.of_piece(piece),
                "name": name,
                "label": subject.text("paper.pieces.count", name=names, count=count, spare=spare),
                "printed": count + spare,
            }
        )
    return found
