"""Imposition: pages of booklets in another order, and side by side on sheets as these are printed."""

import json
from collections.abc import Sequence

from hnefi.i18n import language_of
from hnefi.paper.typesetting import Document, to_pdf


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


def imposed(
    pdfs: Sequence[bytes],
    order: Sequence[tuple[int, int]],
    sheet: tuple[float, float],
    title: str,
    lang: str | None = None,
) -> bytes:
    """Returns pages of several PDFs in an order, on sheets: one on each, or two on a sheet in landscape.

    Args:
        order: The pages in the order of reading, each as the number of its file, from 0, and of its page,
            from 1. Those on sheets in landscape are a multiple of four.
        sheet: The width and height of the sheets in mm.

    Raises:
        PrintError: `missing_extra`.
        ValueError: If pages to fold are not a multiple of four.
    """
    folds = sheet[0] > sheet[1]
    sides = sheet_sides(len(order)) if folds else [(page,) for page in range(1, len(order) + 1)]
    data = {
        "lang": language_of(lang),
        "title": title,
        "sheet": list(sheet),
        "sides": [[list(order[page - 1]) for page in side] for side in sides],
    }
    # The compiler reads files in memory as text only, so the bytes travel as numbers.
    files: dict[str, str | bytes] = {
        f"pages-{number}.json": json.dumps(list(pdf)) for number, pdf in enumerate(pdfs)
    }
    return to_pdf(Document("imposition", {**data, "files": len(pdfs)}, files), is_tagged=False)
