"""Board sheets: empty boards of an exact size to play on, on one page or on several to join."""

from typing import TYPE_CHECKING, Any

from hnefi import diagram
from hnefi._core import Rules, Setup
from hnefi.paper.drawings import PX_PER_MM, board_theme
from hnefi.paper.imprints import NO_IMPRINT, Imprint, issued
from hnefi.paper.subjects import Subject, paper_size
from hnefi.paper.tiling import HEADER, LEAST_SQUARE, MARGIN, Part, Tiling, fitted, tiled
from hnefi.paper.typesetting import Document

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

_DRAWING = "drawing.svg"


def board_document(
    game: "Variant | Rules",
    lang: str | None = None,
    *,
    paper: str = "a4",
    colour: bool = False,
    square: float | None = None,
    pages: int | None = None,
    imprint: Imprint = NO_IMPRINT,
) -> Document:
    """Returns the content of a board sheet.

    Args:
        paper: One of `PAPERS`.
        colour: Whether the board is drawn as wood; otherwise in black lines that save ink.
        square: The side of a square in mm; if None, the largest that fits.
        pages: The number of pages that the board may take: with `square` as many as needed, otherwise 1 if
            None.

    Raises:
        PrintError: `board_too_large`.
        ValueError: If the paper is unknown, or the square too small.
    """
    subject = Subject.of(game, lang)
    foot = imprint.foot(*paper_size(paper))
    tiling = _tiling(subject.rules.size, paper, square, pages, foot)
    # The line that shows whether a printer keeps the size, in mm.
    ruler = 100 if tiling.width > 150 else 50
    data = {
        "lang": subject.lang,
        "title": subject.name,
        "width": tiling.width,
        "height": tiling.height,
        "margin": MARGIN,
        "header": HEADER,
        "board": tiling.square * subject.rules.size + 2 * tiling.frame,
        "drawing": _DRAWING,
        "columns": len(tiling.columns),
        "rows": len(tiling.rows),
        "pages": _pages(subject, tiling),
        "note": subject.text("paper.board.square", side=subject.millimetres(tiling.square)),
        "ruler": {"length": ruler, "text": subject.text("paper.board.ruler", length=ruler)},
    }
    document = Document("board", data, {_DRAWING: _drawing(subject, tiling, colour=colour)})
    return issued(document, imprint, subject, foot)


def empty_board_words(subject: Subject) -> str:
    """Returns the board of a game without pieces in words: its size and its marked squares."""
    rules, say = subject.rules, subject.text
    parts = [say("paper.board.title", size=rules.size)]
    camps = sorted(square.name for camp in rules.camps for square in camp)
    for key, names in (
        ("throne", [rules.throne.name] if rules.throne else []),
        ("corners", sorted(square.name for square in rules.corners)),
        ("camps", camps),
    ):
        if names:
            parts.append(say(f"paper.board.{key}", squares=", ".join(names)))
    return " ".join(parts)


def square_side(game: "Variant | Rules", paper: str, square: float | None, foot: float = 0.0) -> float:
    """Returns the side of a square in mm: the chosen one, else that of the board sheet on this paper.

    Raises:
        PrintError: `board_too_large`.
        ValueError: If the paper is unknown, or the square too small.
    """
    if square is None:
        return fitted(Subject.of(game, None).rules.size, paper_size(paper), foot=foot).square
    return _checked(square)


def _checked(square: float) -> float:
    if square < LEAST_SQUARE:
        raise ValueError(f"square: {square:g}, expected at least {LEAST_SQUARE:g} mm")
    return square


def _tiling(size: int, paper: str, square: float | None, pages: int | None, foot: float) -> Tiling:
    area = paper_size(paper)
    if square is None:
        return fitted(size, area, pages or 1, foot)
    return tiled(size, _checked(square), area, pages, foot)


def _drawing(subject: Subject, tiling: Tiling, *, colour: bool) -> str:
    """Returns the empty board, as wide as it is printed."""
    rules, square, frame = subject.rules, tiling.square, tiling.frame
    return diagram.svg(
        Setup.of(rules.size, {}, rules.start.turn),
        rules=rules,
        theme=board_theme(colour=colour),
        size_px=(rules.size * square + 2 * frame) * PX_PER_MM,
        frame=frame / square,
        title=subject.text("paper.board.title", size=rules.size),
        description=empty_board_words(subject),
        lang=subject.lang,
    )


def _pages(subject: Subject, tiling: Tiling) -> list[dict[str, Any]]:
    """Returns the pages in the order of reading."""
    many = tiling.pages > 1
    found: list[dict[str, Any]] = []
    for row, down in enumerate(tiling.rows):
        for column, across in enumerate(tiling.columns):
            name = f"{chr(ord('A') + row)}{column + 1}"
            found.append(
                {
                    "name": name if many else "",
                    "help": subject.text("paper.board.join") if many and not found else "",
                    "row": row,
                    "column": column,
                    "alt": _part(subject, name, across, down) if many else empty_board_words(subject),
                    "x": _facts(across),
                    "y": _facts(down),
                }
            )
    return found


def _part(subject: Subject, name: str, across: Part, down: Part) -> str:
    """Returns the part of the board on a page in words."""
    size = subject.rules.size
    return subject.text(
        "paper.board.part",
        part=name,
        first=chr(ord("a") + across.first),
        last=chr(ord("a") + across.last),
        low=size - down.last,
        high=size - down.first,
    )


def _facts(part: Part) -> dict[str, Any]:
    return {"start": part.start, "end": part.end, "cut": part.cut, "join": part.join}
