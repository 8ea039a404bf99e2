"""Flat small boards for lists: pieces are references to the symbols of the page."""

from functools import cache

from markupsafe import Markup

from hnefi._core import Rules, Setup, Square
from hnefi.variants.finding import variant

_UNIT = 100
# The width of the frame, as a part of a square.
_FRAME = 24


@cache
def board_tile(variant_id: str) -> Markup:
    """Returns the start position of a variant as decoration; the page must have `drawings.symbols`."""
    rules = variant(variant_id).rules
    return position_tile(rules, rules.start)


def position_tile(rules: Rules, setup: Setup) -> Markup:
    """Returns a position as decoration; the page must have `drawings.symbols`."""
    side = rules.size * _UNIT
    lines = "".join(f"M{k * _UNIT} 0V{side}M0 {k * _UNIT}H{side}" for k in range(rules.size + 1))
    # Markup: numbers and the names of pieces are all that is inserted.
    box = f"{-_FRAME} {-_FRAME} {side + 2 * _FRAME} {side + 2 * _FRAME}"
    return Markup(
        f'<svg class="tile" viewBox="{box}" aria-hidden="true">'
        f'<rect class="tile-frame" x="{-_FRAME}" y="{-_FRAME}" width="100%" height="100%" rx="{_FRAME}"/>'
        f'<rect class="tile-field" width="{side}" height="{side}"/><path class="tile-lines" d="{lines}"/>'
        f'<path class="tile-marks" d="{_marks(rules)}"/>{_pieces(rules, setup)}</svg>'
    )


def _marks(rules: Rules) -> str:
    """Returns a path: a diamond for the throne, two strokes for each corner, one for each camp."""
    drawn = []
    if rules.throne is not None:
        x, y = _place(rules, rules.throne)
        drawn.append(f"M{x + 50} {y + 8}l42 42-42 42-42-42z")
    for corner in rules.corners:
        x, y = _place(rules, corner)
        drawn.append(f"M{x + 15} {y + 15}l70 70M{x + 85} {y + 15}l-70 70")
    for square in {square for camp in rules.camps for square in camp}:
        x, y = _place(rules, square)
        drawn.append(f"M{x + 15} {y + 85}l70-70")
    return "".join(drawn)


def _pieces(rules: Rules, setup: Setup) -> str:
    return "".join(
        f'<use href="#piece-{piece.soldier.value}" x="{x + 6}" y="{y + 6}" width="88" height="88"/>'
        for square, piece in sorted(setup.pieces.items())
        for x, y in [_place(rules, square)]
    )


def _place(rules: Rules, square: Square) -> tuple[int, int]:
    """Returns the upper left corner of a square."""
    return square.file * _UNIT, (rules.size - 1 - square.rank) * _UNIT
