"""Draws the bare board: frame, field, grain, lines, carvings, holes and coordinates."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hnefi.diagram.markup import circle, element, number, path, rectangle, text_element
from hnefi.diagram.theme import Theme
from hnefi.diagram.view import UNIT, View
from hnefi.staging import Coordinates, place_of

if TYPE_CHECKING:
    from hnefi._core import Rules

_GRAIN_LEAST_PX = 30
_BORDER = 9.0
_FONT = "'Hnefi Text', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"


@dataclass(frozen=True, slots=True)
class Special:
    """The special squares of a board that are drawn."""

    throne: Coordinates | None = None
    corners: frozenset[Coordinates] = frozenset()
    camps: frozenset[Coordinates] = frozenset()
    edge_is_goal: bool = False

    @classmethod
    def of(cls, rules: "Rules") -> "Special":
        """Returns the special squares by some rules."""
        return cls(
            throne=place_of(rules.throne) if rules.throne else None,
            corners=frozenset(map(place_of, rules.corners)),
            camps=frozenset(place_of(square) for camp in rules.camps for square in camp),
            edge_is_goal=rules.tree.ends.goal == "edge",
        )

    def __contains__(self, place: object) -> bool:
        return place == self.throne or place in self.corners or place in self.camps


@lru_cache(maxsize=64)
def bare_board(view: View, special: Special, theme: Theme) -> str:
    """Draws the board without pieces."""
    return (
        _frame(view, special, theme)
        + _field(view, theme)
        + _grain(view, theme)
        + _lines(view, theme)
        + element("g", "".join(_carvings(view, special, theme)))
        + _hole_lips(view, special, theme)
        + element("g", "".join(_holes(view, special)), fill=theme.hole)
        + _recess(view, theme)
        + _border(view, theme)
        + _coordinates(view, theme)
    )


def bleed(view: View) -> dict[str, float]:
    """Returns the extent beyond the squares on each side: a frame, or a strip of field if cropped."""
    return {side: view.frame if edge else _strip(view, side) for side, edge in view.at_edge().items()}


def box_of(view: View) -> tuple[float, float, float, float]:
    """Returns the left, the top, the width and the height of a drawing; the squares begin at 0."""
    around = bleed(view)
    width = view.width + around["left"] + around["right"]
    height = view.height + around["top"] + around["bottom"]
    return -around["left"], -around["top"], width, height


def _strip(view: View, side: str) -> float:
    """Returns the width of the strip of field on a cropped side."""
    written = view.coordinates and side in ("left", "bottom")
    return max(22.0, 1.5 * view.letter) if written else 22.0


def _frame(view: View, special: Special, theme: Theme) -> str:
    if not any(view.at_edge().values()):
        return ""
    x, y, width, height = box_of(view)
    radius = 0.016 * (view.width + 2 * view.frame) if view.whole else 0
    if theme.is_line_art:
        nicks = _nicks(view, special, theme) if special.edge_is_goal else ""
        return rectangle(x, y, width, height, fill=theme.frame) + nicks
    outside = rectangle(x, y, width, height, rx=radius, fill=theme.frame)
    if not view.whole:
        return outside + _nicks(view, special, theme)
    lip = rectangle(
        x + 5,
        y + 5,
        width - 10,
        height - 10,
        rx=max(radius - 4, 0),
        fill="none",
        stroke=theme.lip,
        stroke_width=1.6,
        opacity=".75",
    )
    light = rectangle(x, y, width, height, rx=radius, fill=theme.light) if theme.light else ""
    return outside + (lip if view.frame > 30 else "") + _nicks(view, special, theme) + light


def _recess(view: View, theme: Theme) -> str:
    """Returns the edges of the field, which lies deeper than the frame: light comes from the upper left."""
    if theme.is_line_art:
        return ""
    edge = view.at_edge()
    left, top, right, bottom = _field_box(view)
    across, down = f"M{number(left)} {{}}H{number(right)}", f"M{{}} {number(top)}V{number(bottom)}"
    dark = (across.format(0) if edge["top"] else "") + (down.format(0) if edge["left"] else "")
    bright = across.format(number(view.height)) if edge["bottom"] else ""
    bright += down.format(number(view.width)) if edge["right"] else ""
    shaded = path(dark, stroke=theme.shade, stroke_width=7, opacity=".5") if dark else ""
    return shaded + (path(bright, stroke=theme.lip, stroke_width=3.5, opacity=".8") if bright else "")


def _border(view: View, theme: Theme) -> str:
    """Returns the thick lines at the edges of a board in line art."""
    if not theme.is_line_art:
        return ""
    edge = view.at_edge()
    left, top, wide, high = _field_box(view)
    sides = {
        "left": f"M0 {number(top)}V{number(high)}",
        "right": f"M{number(view.width)} {number(top)}V{number(high)}",
        "top": f"M{number(left)} 0H{number(wide)}",
        "bottom": f"M{number(left)} {number(view.height)}H{number(wide)}",
    }
    d = "".join(line for side, line in sides.items() if edge[side])
    return path(d, stroke=theme.cut, stroke_width=_BORDER, stroke_linecap="square") if d else ""


def _nicks(view: View, special: Special, theme: Theme) -> str:
    """Returns the notches on the frame at each line; double ones if the whole edge is the king's goal."""
    edge = view.at_edge()
    if view.frame < 30:
        return ""
    shifts = (-7.0, 7.0) if special.edge_is_goal else (0.0,)
    strokes = []
    for line in range(1, view.columns):
        for at in (line * UNIT + shift for shift in shifts):
            if edge["top"]:
                strokes.append(f"M{number(at - 5)} -1l5 -13 5 13z")
            if edge["bottom"]:
                strokes.append(f"M{number(at - 5)} {number(view.height + 1)}l5 13 5 -13z")
    for line in range(1, view.rows):
        for at in (line * UNIT + shift for shift in shifts):
            if edge["left"]:
                strokes.append(f"M-1 {number(at - 5)}l-13 5 13 5z")
            if edge["right"]:
                strokes.append(f"M{number(view.width + 1)} {number(at - 5)}l13 5 -13 5z")
    return path("".join(strokes), fill=theme.nick)


def _field_box(view: View) -> tuple[float, float, float, float]:
    """Returns the rectangle of the field; it extends beyond the squares on cropped sides."""
    around = {side: 0.0 if edge else _strip(view, side) for side, edge in view.at_edge().items()}
    return -around["left"], -around["top"], view.width + around["right"], view.height + around["bottom"]


def _field(view: View, theme: Theme) -> str:
    left, top, right, bottom = _field_box(view)
    return rectangle(left, top, right - left, bottom - top, fill=theme.field)


def _grain(view: View, theme: Theme) -> str:
    """Returns the grain of the wood; it is the same for the same board."""
    if view.square_px < _GRAIN_LEAST_PX or theme.grain == theme.field:
        return ""
    left, top, right, bottom = _field_box(view)
    third = (right - left) / 3
    strokes = []
    state = 7919 * view.size + 31 * view.first[0] + view.first[1]
    for _ in range(round(1.9 * view.rows)):
        state = (1103515245 * state + 12345) % 2**31
        y = top + 8 + (bottom - top - 16) * (state / 2**31)
        state = (1103515245 * state + 12345) % 2**31
        bend = 20 * (state / 2**31) - 10
        strokes.append(
            f"M{number(left)} {number(y)}C{number(left + third)} {number(y + bend)} "
            f"{number(right - third)} {number(y - bend)} {number(right)} {number(y + bend / 2)}"
        )
    return path("".join(strokes), fill="none", stroke=theme.grain, stroke_width=1.7, opacity=".3")


def _lines(view: View, theme: Theme) -> str:
    left, top, right, bottom = _field_box(view)
    strokes = [f"M{number(i * UNIT)} {number(top)}V{number(bottom)}" for i in range(view.columns + 1)]
    strokes += [f"M{number(left)} {number(i * UNIT)}H{number(right)}" for i in range(view.rows + 1)]
    d = "".join(strokes)
    cuts = path(d, fill="none", stroke=theme.cut, stroke_width=max(2.4, 0.7 * view.pixel))
    if theme.is_line_art:
        return cuts
    lip = path(d, fill="none", stroke=theme.lip, stroke_width=1.6, opacity=".75", transform="translate(2 2)")
    return lip + cuts


def _carvings(view: View, special: Special, theme: Theme) -> Iterator[str]:
    if special.throne is not None and view.shows(special.throne):
        yield _rosette(*view.centre(special.throne), theme)
    yield from _fans(view, special.corners, theme)
    for camp in sorted(special.camps):
        if view.shows(camp):
            yield _hatch(*view.centre(camp), theme)


def _blade(
    centre: tuple[float, float], angle: float, spread: float, radii: tuple[float, float, float], theme: Theme
) -> str:
    """Returns one cut of a carving: a dark and a light facet on both sides of a ridge."""
    inner, middle, outer = radii

    def point(radius: float, turn: float) -> str:
        x = centre[0] + radius * math.cos(math.radians(angle + turn))
        y = centre[1] + radius * math.sin(math.radians(angle + turn))
        return f"{number(x)} {number(y)}"

    root, tip = point(inner, 0), point(outer, 0)
    dark = path(f"M{root} {point(middle, spread)} {tip}Z", fill=theme.chip_dark)
    outline = theme.chip_dark if theme.is_line_art else None
    width = 2.0 if theme.is_line_art else None
    light = f"M{root} {point(middle, -spread)} {tip}Z"
    return dark + path(light, fill=theme.chip_light, stroke=outline, stroke_width=width)


def _rosette(x: float, y: float, theme: Theme) -> str:
    """Returns the throne: eight petals in two rings."""
    petals = "".join(_blade((x, y), 45.0 * k, 18.3, (5, 25.5, 36), theme) for k in range(8))
    rings = circle(x, y, 39, fill="none", stroke=theme.chip_dark, stroke_width=3)
    return petals + rings + circle(x, y, 45, fill="none", stroke=theme.chip_dark, stroke_width=3)


def _fans(view: View, corners: frozenset[Coordinates], theme: Theme) -> Iterator[str]:
    """Iterates over the corners: each a fan of five cuts in two quarter rings, as wide as the corner."""
    far = view.size - 1
    for outermost in ((0, 0), (far, 0), (0, far), (far, far)):
        if outermost not in corners or not view.shows(outermost):
            continue
        inward = (1 if outermost[0] == 0 else -1, 1 if outermost[1] == 0 else -1)
        scale = 2.0 if (outermost[0] + inward[0], outermost[1] + inward[1]) in corners else 1.0
        yield _fan(view, outermost, inward, scale, theme)


def _fan(view: View, outermost: Coordinates, inward: Coordinates, scale: float, theme: Theme) -> str:
    x, y = view.centre(outermost)
    across = inward[0] * (-1 if view.turned else 1)
    down = -inward[1] * (-1 if view.turned else 1)
    x, y = x - across * UNIT / 2, y - down * UNIT / 2
    middle = math.degrees(math.atan2(down, across))
    radii = (16 * scale, 52.7 * scale, 74 * scale)
    cuts = "".join(_blade((x, y), middle + 15.6 * k, 9.3, radii, theme) for k in range(-2, 3))
    rings = "".join(_quarter(x, y, across, down, radius * scale) for radius in (84, 93))
    return cuts + path(rings, fill="none", stroke=theme.chip_dark, stroke_width=3)


def _quarter(x: float, y: float, across: int, down: int, radius: float) -> str:
    sweep = 1 if across * down > 0 else 0
    return (
        f"M{number(x + across * radius)} {number(y)}"
        f"A{number(radius)} {number(radius)} 0 0 {sweep} {number(x)} {number(y + down * radius)}"
    )


def _hatch(x: float, y: float, theme: Theme) -> str:
    """Returns a camp: three oblique strokes."""
    strokes = "".join(f"M{number(x + k - 22)} {number(y + k + 22)}l44 -44" for k in (-15, 0, 15))
    light = path(strokes, stroke=theme.chip_light, stroke_width=3, transform="translate(2 2)", opacity=".8")
    return light + path(strokes, stroke=theme.chip_dark, stroke_width=4, stroke_linecap="round")


def _holes(view: View, special: Special) -> Iterable[str]:
    radius = max(5.0, 0.9 * view.pixel)
    return (circle(*view.centre(place), radius) for place in view.places() if place not in special)


def _hole_lips(view: View, special: Special, theme: Theme) -> str:
    """Returns the lit edges of the holes, on squares that are large enough to show them."""
    if theme.is_line_art or view.square_px < _GRAIN_LEAST_PX:
        return ""
    radius = max(5.0, 0.9 * view.pixel)
    bend, across, up = (number(share * radius) for share in (1.18, 1.82, 1.27))
    arc = f"a{bend} {bend} 0 0 0 {across} -{up}"
    centres = (view.centre(place) for place in view.places() if place not in special)
    d = "".join(f"M{number(x - 0.73 * radius)} {number(y + radius)}{arc}" for x, y in centres)
    return path(d, fill="none", stroke=theme.lip, stroke_width=2.2, stroke_linecap="round") if d else ""


def _coordinates(view: View, theme: Theme) -> str:
    if not view.coordinates:
        return ""
    around = bleed(view)
    row = view.last[1] if view.turned else view.first[1]
    column = view.last[0] if view.turned else view.first[0]
    drop = 0.36 * view.letter
    below = view.height + min(around["bottom"] * 0.52, around["bottom"] - view.letter * 0.5)
    letters = [
        text_element(view.centre((file, row))[0], below + drop, chr(ord("a") + file))
        for file in range(view.first[0], view.last[0] + 1)
    ]
    beside = -around["left"] * 0.54
    numbers = [
        text_element(beside, view.centre((column, rank))[1] + drop, str(rank + 1))
        for rank in range(view.first[1], view.last[1] + 1)
    ]
    return element(
        "g",
        "".join(letters + numbers),
        fill=theme.ink,
        font_family=_FONT,
        font_weight="600",
        font_size=view.letter,
        text_anchor="middle",
    )
