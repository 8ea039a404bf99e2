"""The booklet of a game: its rules in words, with pictures, as pages to read or to fold."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hnefi import words
from hnefi._core import Position, Rules
from hnefi.paper.drawings import Drawings
from hnefi.paper.typesetting import Document, to_pdf
from hnefi.words.model import Section

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

__all__ = ["BOOKLET_FORMATS", "booklet", "booklet_document"]

BOOKLET_FORMATS = ("a5", "a4", "fold")
"""The formats of a booklet: reading PDFs in A5 and A4, and A4 sheets to fold."""

# Widths in mm, on pages of A5; pages of A4 are larger by the scale.
_TEXT_WIDTH = 122.0
_SQUARE = 9.0
_COVER_SQUARE = 14.0
_START_SQUARE = 8.0
_SCALE = {"a5": 1.0, "a4": 1.25, "fold": 1.0}


def booklet(subject: "Variant | Rules", lang: str | None = None, *, format: str = "a5") -> bytes:  # noqa: A002
    """Returns the rules of a game as a booklet, in PDF.

    Args:
        subject: The game; rules without a variant have no name, material or history.
        lang: The language; the user's if None.
        format: One of `BOOKLET_FORMATS`.

    Raises:
        PrintError: `missing_extra` without the extra `print`; `unprintable_letters`.
        ValueError: If the format is unknown.
    """
    return to_pdf(booklet_document(subject, lang, format))


def booklet_document(subject: "Variant | Rules", lang: str | None, page: str) -> Document:
    """Returns the content of a booklet.

    Raises:
        ValueError: If the format is unknown.
    """
    if page not in BOOKLET_FORMATS:
        raise ValueError(f"format: {page!r}, expected one of {', '.join(BOOKLET_FORMATS)}")
    rules_text = words.rules(subject, lang)
    scale = _SCALE[page]
    drawings = Drawings.begin(rules_text.lang)
    rules = subject if isinstance(subject, Rules) else subject.rules
    cover = drawings.of_board(
        Position(rules), _COVER_SQUARE * scale, _TEXT_WIDTH * scale * 0.9, coordinates=False
    )
    data: dict[str, Any] = {
        "lang": rules_text.lang,
        "format": page,
        "title": rules_text.title,
        "facts": list(rules_text.facts),
        "cover": cover,
        "sections": [_section(section, drawings, scale) for section in rules_text.sections],
    }
    return Document("booklet", data, drawings.files)


def _section(section: Section, drawings: Drawings, scale: float) -> dict[str, Any]:
    return {
        "id": section.id,
        "heading": section.heading,
        "is_list": section.is_list,
        "blocks": list(_blocks(section, drawings, scale)),
    }


def _blocks(section: Section, drawings: Drawings, scale: float) -> Iterator[dict[str, Any]]:
    """Iterates over the paragraphs of a section, each with the pictures of its clauses."""
    block: dict[str, Any] | None = None
    for clause in section.spoken_clauses:
        if block is None or section.is_list or clause.begins_paragraph:
            if block is not None:
                yield block
            block = {"text": clause.text, "pictures": []}
        else:
            block["text"] += f" {clause.text}"
        for picture in clause.pictures:
            square = _START_SQUARE if picture.kind == "start" else _SQUARE
            block["pictures"].append(drawings.of_picture(picture, square * scale, _TEXT_WIDTH * scale))
    if block is not None:
        yield block
