"""Heat maps: boards on which each square shows a number, the darker the larger."""

from collections.abc import Mapping, Sequence

from hnefi.diagram.markup import element, rectangle, text_element

_SQUARE = 40.0
_MARGIN = 32.0
_FONT = "system-ui, sans-serif"
_COLOUR = "#9a3412"
# On darker squares than this, numbers are white.
_DARK = 0.55


def heat_map_svg(size: int, boards: Sequence[tuple[str, Mapping[str, int]]], *, lang: str) -> str:
    """Returns boards side by side as SVG.

    Args:
        boards: The caption of each board, and its numbers by the names of squares; 0 where one is missing.

    >>> heat_map_svg(7, [("Moves", {"a1": 3})], lang="en").count("<rect")
    50
    """
    edge = size * _SQUARE
    width, height = len(boards) * (edge + 2 * _MARGIN), edge + 2 * _MARGIN
    content = element("title", ", ".join(caption for caption, _ in boards))
    content += rectangle(0, 0, width, height, fill="#ffffff")
    for place, (caption, numbers) in enumerate(boards):
        content += _board(size, place * (edge + 2 * _MARGIN) + _MARGIN, caption, numbers)
    return element(
        "svg",
        content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        lang=lang,
        role="img",
        font_family=_FONT,
        text_anchor="middle",
    )


def _board(size: int, left: float, caption: str, numbers: Mapping[str, int]) -> str:
    edge, largest = size * _SQUARE, max(numbers.values(), default=0) or 1
    drawn = text_element(left + edge / 2, _MARGIN * 0.65, caption, font_size=16.0)
    for down in range(size):
        y, rank = _MARGIN + down * _SQUARE, size - down
        drawn += text_element(left - 10, y + 25, str(rank), font_size=11.0)
        for across in range(size):
            x, file = left + across * _SQUARE, chr(ord("a") + across)
            number = numbers.get(f"{file}{rank}", 0)
            share = number / largest
            opacity = f"{share:.2f}"
            drawn += rectangle(x, y, _SQUARE, _SQUARE, fill=_COLOUR, fill_opacity=opacity, stroke="#78716c")
            colour = "#ffffff" if share > _DARK else "#1c1917"
            drawn += text_element(x + _SQUARE / 2, y + 25, str(number), font_size=12.0, fill=colour)
    for across in range(size):
        x = left + (across + 0.5) * _SQUARE
        drawn += text_element(x, edge + _MARGIN * 1.6, chr(ord("a") + across), font_size=11.0)
    return drawn
