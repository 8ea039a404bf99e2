"""Draws marks on a board: the last move, legal moves, captures, roads, dangers and arrows."""

import math
from collections.abc import Iterable, Sequence

from hnefi.diagram.markup import circle, element, number, path, rectangle
from hnefi.diagram.theme import Theme
from hnefi.diagram.view import UNIT, View
from hnefi.staging import Coordinates

MARK_KINDS = ("move", "capture", "block", "selected", "planned", "highlight")
ARROW_KINDS = ("move", "second", "threat", "planned", "drawn")

_LINE = 6.0


def last_move(view: View, origin: Coordinates, target: Coordinates, theme: Theme) -> str:
    """Returns the SVG markup of the last move: a ringed hole at its origin, corner brackets at its target."""
    return from_ring(view, origin, theme) + _brackets(view, target, theme)


def from_ring(view: View, place: Coordinates, theme: Theme) -> str:
    """Returns the SVG markup of the ringed hole at the origin of a move."""
    if not view.shows(place):
        return ""
    x, y = view.centre(place)
    ring = circle(x, y, 15, fill="none", stroke=theme.mark, stroke_width=_LINE)
    return ring + circle(x, y, 6, fill=theme.mark)


def emptied_hole(view: View, place: Coordinates, theme: Theme) -> str:
    """Returns the SVG markup of the ringed hole of a captured piece."""
    if not view.shows(place):
        return ""
    x, y = view.centre(place)
    return circle(x, y, 18, fill="none", stroke=theme.mark, stroke_width=4.5, stroke_dasharray="7 7")


def _brackets(view: View, place: Coordinates, theme: Theme) -> str:
    if not view.shows(place):
        return ""
    x, y = view.corner(place)
    near, far, arm = 5, 95, 23
    d = "".join(
        f"M{number(x + a)} {number(y + (near + arm if b == near else far - arm))}V{number(y + b)}"
        f"H{number(x + (near + arm if a == near else far - arm))}"
        for a in (near, far)
        for b in (near, far)
    )
    return path(d, fill="none", stroke=theme.mark, stroke_width=_LINE)


def mark_below(view: View, place: Coordinates, kind: str, theme: Theme) -> str:
    """Returns the SVG markup of the part of a mark below the pieces."""
    if kind != "highlight" or not view.shows(place):
        return ""
    x, y = view.corner(place)
    tint = rectangle(x + 3, y + 3, 94, 94, rx=4, fill=theme.mark, opacity=".16")
    frame = rectangle(x + 6, y + 6, 88, 88, rx=4, fill="none", stroke=theme.mark, stroke_width=3)
    return tint + frame


def mark_above(view: View, place: Coordinates, kind: str, theme: Theme) -> str:
    """Returns the SVG markup of the part of a mark above the pieces."""
    if not view.shows(place):
        return ""
    x, y = view.centre(place)
    if kind == "move":
        lip = circle(x + 1.5, y + 2, 15, fill=theme.lip)
        return lip + circle(x, y, max(13.5, 2.2 * view.pixel), fill=theme.mark)
    if kind == "capture":
        return _toothed_ring(x, y, theme)
    if kind == "block":
        return _barred_disc(x, y, theme)
    if kind == "selected":
        return rectangle(x - 46, y - 46, 92, 92, rx=5, fill="none", stroke=theme.mark, stroke_width=_LINE)
    if kind == "planned":
        return rectangle(
            x - 45,
            y - 45,
            90,
            90,
            rx=5,
            fill="none",
            stroke=theme.mark,
            stroke_width=5,
            stroke_dasharray="14 10",
        )
    return ""


def _toothed_ring(x: float, y: float, theme: Theme) -> str:
    teeth = []
    for k in range(8):
        angle = math.radians(22.5 + 45 * k)
        across, down = math.cos(angle), math.sin(angle)
        teeth.append(f"M{_pair((x + 30 * across, y + 30 * down))}L{_pair((x + 43 * across, y + 43 * down))}")
    ring = circle(x, y, 30, fill="none", stroke=theme.mark, stroke_width=_LINE)
    return ring + path("".join(teeth), stroke=theme.mark, stroke_width=_LINE)


def _barred_disc(x: float, y: float, theme: Theme) -> str:
    bars = f"M{number(x - 6)} {number(y - 11)}v22M{number(x + 6)} {number(y - 11)}v22"
    disc = circle(x, y, 21, fill=theme.mark)
    return disc + path(bars, stroke=theme.field, stroke_width=5, stroke_linecap="round")


def squeeze(view: View, victim: Coordinates, closers: Iterable[Coordinates], theme: Theme) -> str:
    """Returns the SVG markup of a capture: a dashed ring around the piece, a wedge on each closed side."""
    if not view.shows(victim):
        return ""
    x, y = view.centre(victim)
    ring = circle(x, y, 45, fill="none", stroke=theme.mark, stroke_width=4.5, stroke_dasharray="11 9")
    wedges = []
    for closer in closers:
        cx, cy = view.centre(closer)
        across, down = (cx - x) / UNIT, (cy - y) / UNIT
        if abs(across) + abs(down) != 1:
            continue
        base = (x + 56 * across, y + 56 * down)
        tip = f"{number(x + 32 * across)} {number(y + 32 * down)}"
        wedges.append(
            f"M{number(base[0] - 15 * down)} {number(base[1] - 15 * across)}L{tip} "
            f"{number(base[0] + 15 * down)} {number(base[1] + 15 * across)}Z"
        )
    return ring + (path("".join(wedges), fill=theme.mark) if wedges else "")


def hostile_teeth(view: View, place: Coordinates, theme: Theme) -> str:
    """Returns the mark of a hostile special square: a row of teeth inside each of its sides."""
    if not view.shows(place):
        return ""
    x, y = view.corner(place)
    teeth = []
    for at in (4, 23, 42, 61, 80):
        teeth.append(f"M{number(x + at)} {number(y + 1)}l8 12 8 -12z")
        teeth.append(f"M{number(x + at)} {number(y + 99)}l8 -12 8 12z")
        teeth.append(f"M{number(x + 1)} {number(y + at)}l12 8 -12 8z")
        teeth.append(f"M{number(x + 99)} {number(y + at)}l-12 8 12 8z")
    return path("".join(teeth), fill=theme.chip_dark)


def danger_teeth(view: View, king: Coordinates, closers: Iterable[Coordinates], theme: Theme) -> str:
    """Returns the mark of a king in danger: saw teeth on each closed side of his square."""
    if not view.shows(king):
        return ""
    x, y = view.centre(king)
    strokes = []
    for closer in closers:
        cx, cy = view.centre(closer)
        across, down = (cx - x) / UNIT, (cy - y) / UNIT
        if abs(across) + abs(down) != 1:
            continue
        for at in (-40, -20, 0, 20):
            start = (x + 48 * across + at * abs(down), y + 48 * down + at * abs(across))
            inward = (-13 * across + 10 * abs(down), -13 * down + 10 * abs(across))
            outward = (13 * across + 10 * abs(down), 13 * down + 10 * abs(across))
            strokes.append(f"M{_pair(start)}l{_pair(inward)} {_pair(outward)}")
    return path("".join(strokes), fill="none", stroke=theme.danger, stroke_width=7)


def _pair(point: tuple[float, float]) -> str:
    return f"{number(point[0])} {number(point[1])}"


def road(view: View, way: Sequence[Coordinates], theme: Theme) -> str:
    """Returns an open road: two chevrons on each free square, and two gate posts at the goal.

    Args:
        way: The squares from the one beside the king to the goal.
    """
    if len(way) == 0:
        return ""
    start, end = view.centre(way[0]), view.centre(way[-1])
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    if length == 0:
        return ""
    across, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    chevrons = "".join(
        _chevron(*view.centre(place), across, down, shift)
        for place in way[:-1]
        if view.shows(place)
        for shift in (-14.5, 29.5)
    )
    stroke = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    halo = path(chevrons, stroke=theme.casing, stroke_width=16, **stroke)
    gate = _gate(*end, across, down) if view.shows(way[-1]) else ""
    return halo + path(chevrons + gate, stroke=theme.road, stroke_width=8, **stroke)


def _chevron(x: float, y: float, across: float, down: float, shift: float) -> str:
    tip = (x + shift * across, y + shift * down)
    back = (tip[0] - 15 * across, tip[1] - 15 * down)
    return (
        f"M{number(back[0] - 15 * down)} {number(back[1] - 15 * across)}L{_pair(tip)}"
        f"L{number(back[0] + 15 * down)} {number(back[1] + 15 * across)}"
    )


def _gate(x: float, y: float, across: float, down: float) -> str:
    posts = []
    for side in (-1, 1):
        aside = (-46 * side * down, 46 * side * across)
        start = (x - 24 * across + aside[0], y - 24 * down + aside[1])
        outward, aside = (-22 * across, -22 * down), (24 * side * down, -24 * side * across)
        posts.append(f"M{_pair(start)}l{_pair(outward)} {_pair(aside)}")
    return "".join(posts)


def arrow(
    view: View, origin: Coordinates, target: Coordinates, kind: str, occupied: bool, theme: Theme
) -> str:
    """Returns an arrow: solid for a move, hollow for a second choice, two heads for a threat, dashed: a plan.

    It begins 18 units from the centre and stops before a piece on its target.
    """
    start, end = view.centre(origin), view.centre(target)
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    if length == 0:
        return ""
    reach = length - (44 if occupied else 8)
    angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    colour, size = (theme.drawn, 0.6) if kind == "drawn" else (theme.mark, 1.0)
    shapes = _arrow_shapes(kind, reach, 8 * size, size, colour, theme)
    return element(
        "g", shapes, transform=f"translate({number(start[0])} {number(start[1])}) rotate({number(angle)})"
    )


def _arrow_shapes(kind: str, reach: float, width: float, size: float, colour: str, theme: Theme) -> str:
    """Returns the arrow along the x axis, from 18 to `reach`."""
    head, half = 28 * size, 17 * size
    neck = max(reach - 22 * size, 19)
    tip = f"M{number(reach)} 0l{number(-head)} {number(-half)}v{number(2 * half)}z"
    if kind == "second":
        shaft = path(f"M18 0H{number(neck - 4)}", stroke=colour, stroke_width=15)
        core = path(f"M22 0H{number(neck - 2)}", stroke=theme.field, stroke_width=6)
        return shaft + core + path(tip, fill=theme.field, stroke=colour, stroke_width=4.5)
    dashes = "16 12" if kind == "planned" else None
    shaft = path(f"M18 0H{number(neck)}", stroke=colour, stroke_width=width, stroke_dasharray=dashes)
    if kind == "threat":
        tip += f"M{number(reach - 24)} 0l{number(-head)} {number(-half)}v{number(2 * half)}z"
    return shaft + path(tip, fill=colour)
