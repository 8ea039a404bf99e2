"""Imposition: pages of a booklet side by side on sheets, in the order in which sheets are printed."""

import json

from hnefi.i18n import language_of
from hnefi.paper.typesetting import Document, to_pdf


def padding(pages: int) -> int:
    """Returns how many pages make a number of pages a multiple of four.

    >>> [padding(pages) for pages in (1, 4, 6)]
    [3, 0, 2]
    """
    return -pages % 4


def sheet_sides(pages: int) -> list[tuple[int, int]]:
    """Returns the pages of each side of the sheets, left and right, from 1.

    Two sides are one sheet, printed on both sides and flipped on the short edge. The sheets are folded
    together, one inside the other.

    >>> sheet_sides(8)
    [(8, 1), (2, 7), (6, 3), (4, 5)]

    Raises:
        ValueError: If the number of pages is not a multiple of four.
    """
    if pages <= 0 or pages % 4:
        raise ValueError(f"pages: {pages}, expected a multiple of four")
    sides = []
    for front in range(1, pages // 2, 2):
        back = pages + 1 - front
        sides += [(back, front), (front + 1, back - 1)]
    return sides


def imposed(pdf: bytes, pages: int, title: str, lang: str | None = None) -> bytes:
    """Returns the pages of a PDF in A5 on sheets of A4 in landscape.

    Args:
        pdf: The pages; a multiple of four.
        pages: Their number.
        title: The title of the document.
        lang: Its language; the user's if None.

    Raises:
        PrintError: `missing_extra`.
    """
    data = {"lang": language_of(lang), "title": title, "sides": sheet_sides(pages)}
    # The compiler reads files in memory as text only, so the bytes travel as numbers.
    return to_pdf(Document("imposition", data, {"pages.json": json.dumps(list(pdf))}), is_tagged=False)
