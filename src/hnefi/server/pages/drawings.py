"""Drawings of boards and pieces for pages, in colours that follow the theme of the page."""

from functools import cache

from markupsafe import Markup

from hnefi import diagram
from hnefi._core import Game, Position, Square
from hnefi.diagram.pieces import piece_shape
from hnefi.diagram.theme import theme_named
from hnefi.pieces import Piece
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant
from hnefi.words import Picture

__all__ = ["THEME", "figure", "logo", "opening_board", "piece", "small_board", "start_board", "symbols"]

THEME = "page"
_SQUARE_PX = 60
_FIGURE_PX = 230
_SMALL_SQUARE_PX = 20
# The outline of a piece beside a text is about 1.5 pixels wide.
_EDGE = 4.0


@cache
def piece(name: str) -> Markup:
    """Returns a piece for use within a text."""
    shape = piece_shape(Piece(name), "wood", theme_named(THEME), _EDGE)
    return _safe_markup(f'<svg class="piece" viewBox="0 0 100 100" aria-hidden="true">{shape}</svg>')


@cache
def symbols(*, ranked: bool = False) -> Markup:
    """Returns SVG symbols of the pieces for scripts: `piece-attacker` and so on.

    Args:
        ranked: Whether pieces with a rank are drawn, too.
    """
    drawn = "".join(
        f'<symbol id="piece-{piece.value}" viewBox="0 0 100 100">'
        f"{piece_shape(piece, 'wood', theme_named(THEME), _EDGE)}</symbol>"
        for piece in Piece
        if ranked or piece.soldier is piece
    )
    return _safe_markup(f'<svg class="symbols" width="0" height="0" aria-hidden="true">{drawn}</svg>')


@cache
def logo() -> Markup:
    """Returns the logo: a square on its point, with a hole."""
    return _safe_markup(
        '<svg viewBox="0 0 26 26" aria-hidden="true"><path d="M13 1 25 13 13 25 1 13Z" fill="none" '
        'stroke="currentColor" stroke-width="2"/><circle cx="13" cy="13" r="4.5" fill="currentColor"/></svg>'
    )


@cache
def opening_board(variant_id: str, lifted: str, lang: str) -> Markup:
    """Returns a start position with one piece selected and its target squares marked."""
    position = variant(variant_id).new_game().position
    origin = Square(lifted)
    marks = {move.to_square: "move" for move in position.legal_moves() if move.from_square == origin}
    return _safe_markup(
        diagram.svg(
            position,
            marks={**marks, origin: "selected"},
            size_px=_SQUARE_PX * (position.rules.size + 1),
            theme=THEME,
            lang=lang,
        )
    )


@cache
def start_board(variant_id: str, lang: str) -> Markup:
    """Returns a start position."""
    return board(variant(variant_id), None, lang)


def board(of: Variant, game: Game | None, lang: str) -> Markup:
    """Returns the position of a game, or the start position without a game."""
    position = (game or of.new_game()).position
    return _safe_markup(
        diagram.svg(position, size_px=_SQUARE_PX * (position.rules.size + 1), theme=THEME, lang=lang)
    )


@cache
def small_board(variant_id: str, lang: str) -> Markup:
    """Returns a small start position without coordinates; all small boards have squares of the same size."""
    position = variant(variant_id).new_game().position
    size_px = _SMALL_SQUARE_PX * position.rules.size
    return _safe_markup(diagram.svg(position, size_px=size_px, coordinates=False, theme=THEME, lang=lang))


def figure(picture: Picture, lang: str) -> Markup:
    """Returns a picture of a rule."""
    return _safe_markup(
        diagram.svg(
            picture.position,
            played=picture.move,
            roads=picture.roads,
            crop=picture.crop,
            size_px=_figure_px(picture.position, picture),
            theme=THEME,
            title=picture.caption,
            lang=lang,
        )
    )


def _figure_px(position: Position, picture: Picture) -> float:
    """Returns the width of a picture such that squares are about the same size in all pictures."""
    files = position.rules.size
    if picture.crop is not None:
        files = abs(picture.crop[1].file - picture.crop[0].file) + 1
    return max(_FIGURE_PX, 40 * (files + 1))


def _safe_markup(markup: str) -> Markup:
    """Marks a drawing as safe markup: `hnefi.diagram` escapes every text in it."""
    return Markup(markup)
