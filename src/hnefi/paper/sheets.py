"""The sheets of a game by name: one list for the command line and the server."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from hnefi.errors import checked_choice
from hnefi.i18n import text
from hnefi.paper.board_sheets import board_document
from hnefi.paper.imprints import NO_IMPRINT, Imprint
from hnefi.paper.overviews import overview_document
from hnefi.paper.piece_sheets import pieces_document
from hnefi.paper.score_sheets import score_document
from hnefi.paper.subjects import Subject, checked_line
from hnefi.paper.typesetting import Document, to_pdf
from hnefi.variants.finding import subject_of
from hnefi.variants.model import LONGEST_NAME

if TYPE_CHECKING:
    from hnefi._core import Rules
    from hnefi.variants.model import Variant


@dataclass(frozen=True, slots=True)
class Sheet:
    """A kind of sheet.

    Attributes:
        make: Makes its content of a game, a language and options by name.
        papers: The papers that it may be printed on; the first is the usual one.
        options: The names of its options besides `paper`.
    """

    make: Callable[..., Document]
    papers: tuple[str, ...]
    options: frozenset[str] = frozenset()


SHEETS = {
    "board": Sheet(board_document, ("a4", "a3", "a2", "a5", "a6"), frozenset({"colour", "square", "pages"})),
    "pieces": Sheet(pieces_document, ("a4", "a3", "a2", "a5", "a6"), frozenset({"colour", "square", "form"})),
    "score": Sheet(score_document, ("a4", "a5"), frozenset({"attackers", "defenders", "date"})),
    "summary": Sheet(partial(overview_document, "summary"), ("a4", "a3", "a5"), frozenset({"colour"})),
    "poster": Sheet(partial(overview_document, "poster"), ("a3", "a2"), frozenset({"colour"})),
}
"""The sheets by name, in the order of the help text."""


def sheet(
    name: str,
    game: "Variant | Rules | str",
    lang: str | None = None,
    *,
    imprint: Imprint = NO_IMPRINT,
    **options: Any,
) -> bytes:
    """Returns a sheet of a game, in PDF.

    Args:
        name: One of `SHEETS`.
        game: The game; an id or name stands for a variant.
        lang: The language; the user's if None.
        imprint: Who hands it out.
        options: `paper`, and the options of the sheet.

    Raises:
        PrintError: `missing_extra` without the extra `print`; `unprintable_letters`, `board_too_large`,
            `text_too_long`, `too_much_text`, `bad_logo`, `logo_too_large`.
        ValueError: If the sheet, an option or a value is unknown.

    >>> sheet("board", "brandub-globe", "en", paper="a4", square=25)[:5]
    b'%PDF-'
    """
    return to_pdf(sheet_document(name, game, lang, imprint=imprint, **options))


def sheet_document(
    name: str,
    game: "Variant | Rules | str",
    lang: str | None = None,
    *,
    imprint: Imprint = NO_IMPRINT,
    **options: Any,
) -> Document:
    """Returns the content of a sheet.

    Raises:
        PrintError: `board_too_large`, `text_too_long`, `too_much_text`.
        ValueError: If the sheet, an option or a value is unknown.
    """
    kind = SHEETS[checked_choice("sheet", name, SHEETS)]
    checked_choice("paper", options.setdefault("paper", kind.papers[0]), kind.papers)
    for option in sorted(options.keys() - {"paper"}):
        checked_choice("option", option, sorted(kind.options))
    game = subject_of(game)
    checked_line(Subject.of(game, lang).name, LONGEST_NAME)
    made = kind.make(game, lang, imprint=imprint, **options)
    return replace(made, data={**made.data, "form_name": text(f"page.print.{name}", lang)})
