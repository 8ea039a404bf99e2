"""Drawings of boards and pieces for pages, in colours that follow the theme of the page.

They are safe as markup: `hnefi.diagram` escapes every text in them.
"""

from collections.abc import Mapping
from functools import cache

from markupsafe import Markup

from hnefi import diagram
from hnefi._core import Game, Square
from hnefi.diagram.pieces import piece_shape
from hnefi.diagram.theme import THEMES
from hnefi.pieces import Piece
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant
from hnefi.words import Picture

THEME = "page"
_SQUARE_PX = 60
_FIGURE_PX = 230
_SMALL_SQUARE_PX = 20
# The outline of a piece beside a text is about 1.5 pixels wide.
_EDGE = 4.0
_ICONS = {
    "link": "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7L12 7"
    "M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7L12 17",
    "print": "M7 9V3.5h10V9M7 17H4V9h16v8h-3M7 14h10v6.5H7z",
    "editor": "M4 20l1-4L16.5 4.5l3 3L8 19zM14 7l3 3",
    "play": "M8 5.5v13l10.5-6.5z",
    "people": "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM16 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6z"
    "M2.5 19c.6-3.3 2.8-5 5.5-5 1.6 0 3 .6 4 1.7 1-1.1 2.4-1.7 4-1.7 2.7 0 4.9 1.7 5.5 5",
    "rules": "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
    "puzzles": "M4 20L20 4M20 4h-6M20 4v6M4 8l4-4M16 20l4-4",
    "lessons": "M3 7l9-3.5L21 7l-9 3.5zM7 9v5.5c3 2.3 7 2.3 10 0V9M21 7v6",
    "theme": "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
}


@cache
def piece(name: str) -> Markup:
    """Returns a piece for use within a text."""
    shape = piece_shape(Piece(name), "wood", THEMES[THEME], _EDGE)
    return Markup(f'<svg class="piece" viewBox="0 0 100 100" aria-hidden="true">{shape}</svg>')


@cache
def symbols(*, ranked: bool = False) -> Markup:
    """Returns SVG symbols of the pieces for scripts: `piece-attacker` and so on.

    If `ranked`, pieces with a rank are drawn, too.
    """
    drawn = "".join(
        f'<symbol id="piece-{piece.value}" viewBox="0 0 100 100">'
        f"{piece_shape(piece, 'wood', THEMES[THEME], _EDGE)}</symbol>"
        for piece in Piece
        if ranked or piece.soldier is piece
    )
    return Markup(f'<svg class="symbols" width="0" height="0" aria-hidden="true">{drawn}</svg>')


def gradients() -> Markup:
    """Returns the gradients that drawings of the theme `page` refer to."""
    return Markup(
        '<svg class="symbols" width="0" height="0" aria-hidden="true">'
        '<linearGradient id="board-light" x2="1" y2="1">'
        '<stop offset="0" stop-color="#ffdca6" stop-opacity=".3"/>'
        '<stop offset="0.5" stop-color="#ffdca6" stop-opacity="0"/>'
        '<stop offset="1" stop-color="#1a0f04" stop-opacity=".24"/></linearGradient>'
        '<radialGradient id="board-contact">'
        '<stop offset="0" stop-color="#120a04" stop-opacity=".72"/>'
        '<stop offset="0.5" stop-color="#120a04" stop-opacity=".4"/>'
        '<stop offset="1" stop-color="#120a04" stop-opacity="0"/></radialGradient></svg>'
    )


def logo() -> Markup:
    """Returns the logo: a square on its point, with a hole."""
    return Markup(
        '<svg viewBox="0 0 26 26" aria-hidden="true"><path d="M13 1 25 13 13 25 1 13Z" fill="none" '
        'stroke="currentColor" stroke-width="2"/><circle cx="13" cy="13" r="4.5" fill="currentColor"/></svg>'
    )


@cache
def icon(name: str) -> Markup:
    """Returns an icon for use beside a text or within a button."""
    return Markup(
        f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{_ICONS[name]}"/></svg>'
    )


@cache
def start_board(variant_id: str, lang: str) -> Markup:
    """Returns a start position."""
    return board(variant(variant_id), None, lang)


def board(of: Variant, game: Game | None, lang: str, marks: Mapping[Square, str] | None = None) -> Markup:
    """Returns the position of a game, or the start position without a game, with marks of `diagram.svg`."""
    position = (game or of.new_game()).position
    size_px = _SQUARE_PX * (position.rules.size + 1)
    return Markup(diagram.svg(position, size_px=size_px, marks=marks, theme=THEME, lang=lang))


@cache
def small_board(variant_id: str, lang: str) -> Markup:
    """Returns a small start position without coordinates; all small boards have squares of the same size."""
    position = variant(variant_id).new_game().position
    size_px = _SMALL_SQUARE_PX * position.rules.size
    return Markup(diagram.svg(position, size_px=size_px, coordinates=False, theme=THEME, lang=lang))


def figure(picture: Picture, lang: str) -> Markup:
    """Returns a picture of a rule; squares are about the same size in all pictures."""
    return Markup(
        diagram.svg(
            picture.position,
            played=picture.move,
            roads=picture.roads,
            crop=picture.crop,
            size_px=max(_FIGURE_PX, 40 * (picture.files + 1)),
            theme=THEME,
            title=picture.caption,
            lang=lang,
        )
    )
