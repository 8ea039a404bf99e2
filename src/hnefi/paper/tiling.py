"""The division of a board among pages: whole squares on each page, with strips to join the pages."""

from dataclasses import dataclass

from hnefi.paper.typesetting import PrintError

LEAST_SQUARE = 8.0
"""The smallest side of a square to play on, in mm."""

MOST_PAGES = 64

_LARGEST_SQUARE = 150.0
_STEP = 0.1
MARGIN, HEADER = 10.0, 11.0
"""The margin of a page, and the height of the line above the board, in mm."""

# Widths in mm.
_FOOTER = 13.0
_BLEED = 3.0
_STRIP = 10.0
_LEAST_FRAME, _MOST_FRAME = 5.0, 12.0
_FRAME = 0.3


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a board on one page, along one axis, in mm from the outer edge of the frame.

    Attributes:
        first: The first whole square, from 0.
        last: The last whole square.
        start: Where the drawing begins.
        end: Where the drawing ends.
        cut: The line to cut along, at the beginning; None on the first page.
        join: The line that the next page is laid on, at the end; None on the last page.
    """

    first: int
    last: int
    start: float
    end: float
    cut: float | None
    join: float | None


@dataclass(frozen=True, slots=True)
class Tiling:
    """A board of a chosen size on pages.

    Attributes:
        square: The side of a square in mm.
        frame: The width of the frame in mm.
        width: The width of the paper in mm, turned as it is used.
        height: The height of the paper in mm.
        columns: The parts from left to right.
        rows: The parts from top to bottom.
    """

    square: float
    frame: float
    width: float
    height: float
    columns: tuple[Part, ...]
    rows: tuple[Part, ...]

    @property
    def pages(self) -> int:
        """The number of pages."""
        return len(self.columns) * len(self.rows)


def frame_width(square: float) -> float:
    """Returns the width of the frame of a board for squares of this side, in mm."""
    return min(max(_FRAME * square, _LEAST_FRAME), _MOST_FRAME)


def tiled(
    size: int, square: float, paper: tuple[float, float], most_pages: int | None = None, foot: float = 0.0
) -> Tiling:
    """Returns a board with squares of a chosen side on as few pages as possible.

    Args:
        paper: Width and height of the paper in mm; it is turned if this saves pages.
        most_pages: The greatest number of pages; 64 if None.
        foot: The height in mm at the foot of each page that is kept free.

    Raises:
        PrintError: `board_too_large`.
    """
    most = min(most_pages or MOST_PAGES, MOST_PAGES)
    ways = [_divided(size, square, *page, foot) for page in (paper, paper[::-1])]
    found = [way for way in ways if way is not None and way.pages <= most]
    if not found:
        raise _too_large(size, square, paper, most)
    return min(found, key=lambda way: way.pages)


def fitted(size: int, paper: tuple[float, float], pages: int = 1, foot: float = 0.0) -> Tiling:
    """Returns a board with the largest squares that fit, in steps of a tenth of a mm.

    Raises:
        PrintError: `board_too_large`, if squares would be smaller than `LEAST_SQUARE`.
    """
    # All pages in one row are the longest that a side of the board may be.
    largest = min(_LARGEST_SQUARE, max(paper) * pages / size)
    steps = max(round((largest - LEAST_SQUARE) / _STEP), 0)
    for step in range(steps, -1, -1):
        try:
            return tiled(size, round(LEAST_SQUARE + step * _STEP, 1), paper, pages, foot)
        except PrintError:
            continue
    raise _too_large(size, LEAST_SQUARE, paper, pages)


def _too_large(size: int, square: float, paper: tuple[float, float], pages: int) -> PrintError:
    sides = "\u00a0×\u00a0".join(f"{side:g}" for side in paper)
    facts = {"size": size, "square": f"{square:g}", "paper": sides, "pages": pages}
    return PrintError.of_facts("board_too_large", part="one_page" if pages == 1 else "pages", **facts)


def _divided(size: int, square: float, width: float, height: float, foot: float) -> Tiling | None:
    """Returns the board on paper in this direction; None if a page does not hold a square."""
    frame = frame_width(square)
    across = _parts(size, square, frame, width - 2 * MARGIN)
    down = _parts(size, square, frame, height - 2 * MARGIN - HEADER - _FOOTER - foot)
    if across is None or down is None:
        return None
    return Tiling(square, frame, width, height, across, down)


def _parts(size: int, square: float, frame: float, room: float) -> tuple[Part, ...] | None:
    whole = size * square + 2 * frame
    if whole <= room:
        return (Part(0, size - 1, 0.0, whole, None, None),)
    first = min(int((room - frame - _STRIP) // square), size - 1)
    middle = int((room - _BLEED - _STRIP) // square)
    last = int((room - _BLEED - frame) // square)
    if first < 1 or last < 1 or (middle < 1 and size - first > last):
        return None
    counts = [first]
    while size - sum(counts) > last:
        counts.append(min(middle, size - sum(counts) - 1))
    counts.append(size - sum(counts))
    parts = []
    for index, count in enumerate(counts):
        begin = sum(counts[:index])
        cut = frame + begin * square if index else None
        join = frame + (begin + count) * square if index < len(counts) - 1 else None
        start = 0.0 if cut is None else cut - _BLEED
        end = whole if join is None else join + _STRIP
        parts.append(Part(begin, begin + count - 1, start, end, cut, join))
    return tuple(parts)
