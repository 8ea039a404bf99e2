"""Charts as SVG, for reports of trainings. Colours and fonts are classes of the page's style sheet."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH = 720
_ROW = 34
# Rough width of a character of 13 pixels, for room beside texts.
_CHARACTER = 6.9


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values to pixels."""

    low: float
    high: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        """Returns the pixel of a value."""
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return round(self.first + share * (self.last - self.first), 1)


@dataclass(frozen=True, slots=True)
class Line:
    """A curve: its name, its values for 1, 2, 3 …, and its class."""

    name: str
    values: Sequence[float]
    style: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its interval.

    Attributes:
        value: The value; None beyond the chart, on the side of the finite bound.
        low: The lower bound; None for minus infinity.
        high: The upper bound; None for infinity.
        style: The class of its colour.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    style: str
    note: str


@dataclass(frozen=True, slots=True)
class Point:
    """Expected and observed results of a group of games, with the spread of the observed ones."""

    expected: float
    observed: float
    spread: float
    note: str


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Returns round values within bounds, at most so many.

    >>> ticks(-30, 190)
    [0.0, 50.0, 100.0, 150.0]
    """
    width = (high - low) or 1.0
    step = 10.0 ** math.floor(math.log10(width / most))
    for factor in (1, 2, 5, 10):
        if width / (step * factor) <= most:
            step *= factor
            break
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 10) for number in range(first, math.floor(high / step + 1e-9) + 1)]


def lines_chart(
    lines: Sequence[Line],
    marks: Mapping[str, float],
    label: str,
    axis: str,
    number: Callable[[float], str],
) -> str:
    """Draws curves over the epochs, with horizontal lines to compare them with.

    Args:
        lines: The curves, each with at least one value.
        marks: The values of the horizontal lines by their names.
    """
    right = _WIDTH - _room([*(line.name for line in lines), *marks]) - 14
    top, bottom = 14, 236
    values = [*(value for line in lines for value in line.values), *marks.values()]
    margin = 0.08 * (max(values) - min(values) or 0.01)
    y = Scale(min(values) - margin, max(values) + margin, bottom, top)
    count = max(len(line.values) for line in lines)
    x = Scale(1, max(count, 2), 64, right)
    parts = [
        f'<line class="grid" x1="64" x2="{right}" y1="{y(tick)}" y2="{y(tick)}"/>'
        + _text(56, y(tick) + 4, number(tick), "end")
        for tick in ticks(y.low, y.high, 5)
    ]
    parts += [
        _text(x(tick), bottom + 20, f"{tick:.0f}")
        for tick in ticks(1, count, 12)
        if tick == round(tick) and tick >= 1
    ]
    parts.append(_text((64 + right) / 2, bottom + 42, axis))
    ends = []
    for name, value in marks.items():
        parts.append(f'<line class="mark" x1="64" x2="{right}" y1="{y(value)}" y2="{y(value)}"/>')
        ends.append((y(value), name, "quiet"))
    for line in lines:
        points = " ".join(f"{x(epoch)},{y(value)}" for epoch, value in enumerate(line.values, 1))
        parts.append(f'<polyline class="curve {line.style}" points="{points}"/>')
        parts.append(
            f'<circle class="end {line.style}" cx="{x(len(line.values))}" cy="{y(line.values[-1])}" r="4"/>'
        )
        ends.append((y(line.values[-1]), line.name, line.style))
    parts += [
        f'<text class="name {style}" x="{right + 10}" y="{at + 4}">{escape(name)}</text>'
        for at, name, style in _apart(ends)
    ]
    return _svg(_WIDTH, bottom + 54, label, parts)


def intervals_chart(bars: Sequence[Bar], label: str, axis: str, number: Callable[[float], str]) -> str:
    """Draws values with their intervals, one below the other, and a line at 0."""
    left = _room([bar.name for bar in bars]) + 12
    right = _WIDTH - _room([bar.note for bar in bars]) - 14
    finite = [value for bar in bars for value in (bar.low, bar.value, bar.high) if value is not None]
    low, high = min([*finite, -20.0]), max([*finite, 20.0])
    margin = 0.05 * (high - low)
    x = Scale(low - margin, high + margin, left, right)
    bottom = 12 + _ROW * len(bars)
    parts = []
    for tick in ticks(x.low, x.high, 7):
        style = "zero" if tick == 0 else "grid"
        parts.append(f'<line class="{style}" x1="{x(tick)}" x2="{x(tick)}" y1="8" y2="{bottom}"/>')
        parts.append(_text(x(tick), bottom + 20, number(tick)))
    for index, bar in enumerate(bars):
        at = 12 + _ROW * (index + 0.5)
        begin = left if bar.low is None else x(bar.low)
        end = right if bar.high is None else x(bar.high)
        parts.append(f'<text class="row" x="0" y="{at + 4}">{escape(bar.name)}</text>')
        parts.append(f'<line class="whisker {bar.style}" x1="{begin}" x2="{end}" y1="{at}" y2="{at}"/>')
        if bar.value is not None:
            parts.append(f'<circle class="dot {bar.style}" cx="{x(bar.value)}" cy="{at}" r="6"/>')
        parts.append(f'<text class="row {bar.style}" x="{right + 12}" y="{at + 4}">{escape(bar.note)}</text>')
    parts.append(_text((left + right) / 2, bottom + 42, axis))
    return _svg(_WIDTH, bottom + 54, label, parts)


def reliability_chart(
    points: Sequence[Point], label: str, axes: tuple[str, str], percent: Callable[[float], str]
) -> str:
    """Draws expected results against observed ones; the diagonal is where they agree.

    Args:
        axes: The names of the horizontal and of the vertical axis.
    """
    first, last, top, bottom = 70, 390, 14, 334
    x, y = Scale(0, 1, first, last), Scale(0, 1, bottom, top)
    parts = []
    for tick in (0, 0.25, 0.5, 0.75, 1):
        parts.append(f'<line class="grid" x1="{first}" x2="{last}" y1="{y(tick)}" y2="{y(tick)}"/>')
        parts.append(f'<line class="grid" x1="{x(tick)}" x2="{x(tick)}" y1="{top}" y2="{bottom}"/>')
        parts.append(_text(first - 8, y(tick) + 4, percent(tick), "end"))
        parts.append(_text(x(tick), bottom + 20, percent(tick)))
    parts.append(f'<line class="zero" x1="{first}" y1="{bottom}" x2="{last}" y2="{top}"/>')
    for point in points:
        at, low, high = x(point.expected), point.observed - point.spread, point.observed + point.spread
        parts.append(
            f'<line class="whisker won" x1="{at}" x2="{at}" y1="{y(max(low, 0))}" y2="{y(min(high, 1))}"/>'
        )
        parts.append(
            f'<circle class="dot won" cx="{at}" cy="{y(point.observed)}" r="6">'
            f"<title>{escape(point.note)}</title></circle>"
        )
    parts.append(_text((first + last) / 2, bottom + 42, axes[0]))
    parts.append(
        f'<text class="tick" transform="translate(16 {(top + bottom) / 2}) rotate(-90)" text-anchor="middle">'
        f"{escape(axes[1])}</text>"
    )
    return _svg(last + 20, bottom + 54, label, parts)


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    """Returns the text of a tick or an axis."""
    return f'<text class="tick" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'


def _room(texts: Iterable[str]) -> float:
    """Returns the width that the longest text takes."""
    return max((len(text) for text in texts), default=0) * _CHARACTER + 8


def _apart(ends: Sequence[tuple[float, str, str]], distance: float = 17) -> list[tuple[float, str, str]]:
    """Moves names at the ends of lines so far apart that they do not overlap."""
    moved: list[tuple[float, str, str]] = []
    for at, name, style in sorted(ends):
        moved.append((max(at, moved[-1][0] + distance) if moved else at, name, style))
    return moved


def _svg(width: float, height: float, label: str, parts: Iterable[str]) -> str:
    size = f'viewBox="0 0 {width} {height}" style="max-width: {width}px"'
    style = ' class="wide"' if width == _WIDTH else ""
    return f'<svg {size}{style} role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'
