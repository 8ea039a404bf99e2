"""Draws a position as SVG: the board, its pieces and all marks."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hnefi._core import Move
from hnefi.diagram import marks as marking
from hnefi.diagram.alt import default_title, describe_board
from hnefi.diagram.board import bare_board, box_of
from hnefi.diagram.markup import element, escape, number
from hnefi.diagram.pieces import PIECE_SETS, standing_piece
from hnefi.diagram.scene import Scene, place_on, scene_of
from hnefi.diagram.theme import THEMES, Theme
from hnefi.diagram.view import UNIT, View
from hnefi.errors import checked_choice
from hnefi.i18n import language_of
from hnefi.pieces import Piece
from hnefi.staging import Coordinates

if TYPE_CHECKING:
    from hnefi._core import Rules, Square
    from hnefi.diagram.scene import Board
    from hnefi.variants.model import Variant

    Marks = (
        Mapping[Square, str]
        | Mapping[str, str]
        | Mapping[Square | str, str]
        | Iterable[Square | str | tuple[Square | str, str]]
    )
    Arrow = Move | str | tuple[Square | str, Square | str] | tuple[Square | str, Square | str, str]

_DEFAULT_SQUARE_PX = 48.0
_MOST_PX = 100_000
_ID = "@id@"


@dataclass(frozen=True, slots=True)
class _Layers:
    """The marks on the board besides its pieces, by place."""

    marks: Mapping[Coordinates, str]
    arrows: Sequence[tuple[Coordinates, Coordinates, str]]
    roads: Sequence[Sequence[Coordinates]]
    king_in_danger: bool


def svg(
    board: "Board",
    *,
    rules: "Rules | Variant | str | None" = None,
    played: "Move | str | None" = None,
    last_move: "Move | str | None" = None,
    marks: "Marks | None" = None,
    arrows: "Sequence[Arrow]" = (),
    roads: Iterable[Move | str] = (),
    king_in_danger: bool = False,
    crop: "tuple[Square | str, Square | str] | None" = None,
    turned: bool = False,
    size_px: float | None = None,
    theme: str = "driftwood",
    pieces: str = "wood",
    coordinates: bool = True,
    frame: float | None = None,
    title: str | None = None,
    description: str | None = None,
    lang: str | None = None,
) -> str:
    """Returns a board as SVG. The output is deterministic.

    The drawing has no style sheet and no script, and unique ids, so a page may contain several.

    Args:
        board: A game (its last move is marked), a position, a setup or its text; rules, or a variant or its
            id or name, for their start.
        rules: The rules of a setup, or a variant or its id or name; without them it has no special squares.
        played: A legal move of the position, shown as just played, with its captures.
        last_move: The move that led to the position.
        marks: By square, or as pairs of square and kind: `move`, `capture`, `block`, `selected`, `planned` or
            `highlight`, which is also that of a square alone.
        arrows: From, to, and `move`, `second`, `threat`, `planned` or `drawn`, which is also that of a pair
            and of a move, such as `d5-c5`.
        roads: Moves of the king to show as open roads, as in `Position.open_roads`.
        king_in_danger: Whether to show the closed sides of the king.
        crop: Opposite corners of the part to draw; the whole board if None.
        turned: Whether rank 1 is at the top.
        size_px: The width of the drawing in pixels; 48 pixels per square if None.
        theme: `driftwood`, `firelight` (the same wood in the dark), `slate`, `print`, or `page` for custom
            CSS properties.
        pieces: `wood`, `stone`, `contrast` or `line`.
        coordinates: Whether to write letters and numbers in the frame.
        frame: The width of the frame as a part of a square's side; letters and numbers have half its size. If
            None, the frame suits the size of the drawing.
        title: The title for screen readers.
        description: The description for screen readers.
        lang: The language of the default title and description.

    Raises:
        IllegalMove: If `played` is not legal.
        SetupError: If a setup has another size than its rules, or more than one king.
        ValueError: If a mark, an arrow, a theme or a set of pieces has an unknown name, a square is not on
            the board, an arrow ends where it begins, or the width or the frame is out of bounds.
    """
    scene = scene_of(board, rules=rules, played=played, last_move=last_move)
    layers = _Layers(
        marks={
            place_on(square, scene.size): checked_choice("marks", kind, marking.MARK_KINDS)
            for square, kind in _marks(marks or {})
        },
        arrows=[_arrow(one, scene.size) for one in arrows],
        roads=[
            _path_between(place_on(move.from_square, scene.size), place_on(move.to_square, scene.size))
            for move in map(Move, roads)
        ],
        king_in_danger=king_in_danger,
    )
    colours = THEMES[checked_choice("theme", theme, THEMES)]
    piece_set = checked_choice("pieces", pieces, PIECE_SETS)
    view = view_of(scene.size, crop, turned=turned, size_px=size_px, coordinates=coordinates, frame=frame)
    edge = max(0.0, view.pixel / 0.8)
    defs = "".join(
        element("g", standing_piece(piece, piece_set, colours, edge), id=f"{_ID}-{piece.value}")
        for piece in Piece
        if piece in scene.pieces.values() or any(piece is taken for taken, _ in scene.victims.values())
    )
    body = (
        element("defs", defs)
        + bare_board(view, scene.special, colours)
        + _content(scene, layers, view, colours)
    )
    words = (title or default_title(scene, lang), description or describe_board(scene, view, lang))
    return _document(view, body, words, language_of(lang))


def view_of(
    size: int,
    crop: "tuple[Square | str, Square | str] | None" = None,
    *,
    turned: bool = False,
    size_px: float | None = None,
    coordinates: bool = True,
    frame: float | None = None,
) -> View:
    """Returns the part of a board of some size that `svg` draws, whose arguments these are."""
    if frame is not None and not 0 <= frame <= size:
        raise ValueError(f"frame: {frame}, expected 0 to {size}")
    chosen = None if frame is None else frame * UNIT
    first, last = (0, 0), (size - 1, size - 1)
    if crop is not None:
        a, b = (place_on(square, size) for square in crop)
        first, last = (min(a[0], b[0]), min(a[1], b[1])), (max(a[0], b[0]), max(a[1], b[1]))
    if size_px is None:
        return View(size, first, last, turned, _DEFAULT_SQUARE_PX, coordinates, chosen)
    if not 1 <= size_px <= _MOST_PX:
        raise ValueError(f"size_px: {size_px}, expected 1 to {_MOST_PX}")
    # The frame depends on the size of a square and the reverse; two iterations suffice.
    square_px = size_px / (last[0] - first[0] + 2)
    for _ in range(2):
        view = View(size, first, last, turned, square_px, coordinates, chosen)
        square_px = size_px * 100 / box_of(view)[2]
    return View(size, first, last, turned, square_px, coordinates, chosen)


def _marks(marks: "Marks") -> "Iterable[tuple[Square | str, str]]":
    """Returns the marks as pairs of square and kind."""
    if isinstance(marks, Mapping):
        return marks.items()
    if isinstance(marks, str):
        raise TypeError(f"marks: {marks!r}, expected squares, pairs of square and kind, or a mapping")
    return (one if isinstance(one, tuple) else (one, "highlight") for one in marks)


def _arrow(one: "Arrow", size: int) -> tuple[Coordinates, Coordinates, str]:
    """Returns where an arrow begins and ends, and its kind."""
    if isinstance(one, Move | str):
        move = Move(one)
        one = (move.from_square, move.to_square)
    kind = one[2] if len(one) > 2 else "drawn"
    origin, target = place_on(one[0], size), place_on(one[1], size)
    if origin == target:
        raise ValueError(f"arrows: from {one[0]} to {one[1]}, expected two squares")
    return origin, target, checked_choice("arrows", kind, marking.ARROW_KINDS)


def _path_between(start: Coordinates, goal: Coordinates) -> list[Coordinates]:
    """Returns the places from the one beside `start` to `goal`, in a straight line."""
    steps = max(abs(goal[0] - start[0]), abs(goal[1] - start[1]))
    across = (goal[0] - start[0]) // max(steps, 1)
    up = (goal[1] - start[1]) // max(steps, 1)
    return [(start[0] + across * k, start[1] + up * k) for k in range(1, steps + 1)]


def _content(scene: Scene, layers: _Layers, view: View, theme: Theme) -> str:
    """Returns everything above the bare board, from bottom to top."""
    used = {place for _, closers in scene.victims.values() for place in closers}
    throne = {scene.special.throne} if scene.special.throne is not None else set()
    # Hostility depends on the pieces; an empty board is there to be played on.
    hostile = sorted(place for place in scene.hostile if place in used | throne) if scene.pieces else []
    below = "".join(marking.hostile_teeth(view, place, theme) for place in hostile)
    below += "".join(
        marking.mark_below(view, place, kind, theme) for place, kind in sorted(layers.marks.items())
    )
    below += _last_move(scene, view, theme)
    below += "".join(
        marking.arrow(view, origin, target, kind, target in scene.pieces, theme)
        for origin, target, kind in layers.arrows
    )
    above = "".join(marking.road(view, way, theme) for way in layers.roads)
    above += "".join(
        marking.mark_above(view, place, kind, theme) for place, kind in sorted(layers.marks.items())
    )
    return below + _pieces(scene, view, theme) + above + _dangers(scene, layers, view, theme)


def _last_move(scene: Scene, view: View, theme: Theme) -> str:
    """Returns the SVG markup of the last move: a ring, and an arrow if captures are shown, else brackets."""
    if scene.last_move is None:
        return ""
    origin, target = scene.last_move
    if scene.victims:
        return marking.from_ring(view, origin, theme) + marking.arrow(
            view, origin, target, "move", True, theme
        )
    emptied = "".join(marking.emptied_hole(view, place, theme) for place in scene.emptied)
    return marking.last_move(view, origin, target, theme) + emptied


def _pieces(scene: Scene, view: View, theme: Theme) -> str:
    standing = [(place, piece, False) for place, piece in scene.pieces.items()]
    fading = [(place, piece, piece is not Piece.KING) for place, (piece, _) in scene.victims.items()]
    return "".join(
        _piece(*view.centre(place), piece, fades=fades and not theme.is_line_art)
        for place, piece, fades in sorted(standing + fading, key=lambda item: (-item[0][1], item[0][0]))
        if view.shows(place)
    )


def _piece(x: float, y: float, piece: Piece, *, fades: bool) -> str:
    opacity = ' opacity=".5"' if fades else ""
    return f'<use xlink:href="#{_ID}-{piece.value}" x="{number(x)}" y="{number(y)}"{opacity}/>'


def _dangers(scene: Scene, layers: _Layers, view: View, theme: Theme) -> str:
    """Returns the marks of captured soldiers, and of a king who is captured or in danger."""
    rings = "".join(
        marking.squeeze(view, place, closers, theme)
        for place, (piece, closers) in sorted(scene.victims.items())
        if piece is not Piece.KING
    )
    king = scene.king
    if king is None:
        return rings
    if king in scene.victims:
        closers = [*scene.victims[king][1], *(p for p in scene.closed_sides if not view.shows(p))]
        return rings + marking.danger_teeth(view, king, closers, theme)
    if layers.king_in_danger:
        return rings + marking.danger_teeth(view, king, scene.closed_sides, theme)
    return rings


def _document(view: View, body: str, words: tuple[str, str], language: str) -> str:
    left, top, width, height = box_of(view)
    title, description = words
    content = (
        f'<title id="{_ID}-title">{escape(title)}</title>'
        f'<desc id="{_ID}-desc">{escape(description)}</desc>{body}'
    )
    opening = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{number(width / view.pixel)}" height="{number(height / view.pixel)}" '
        f'viewBox="{number(left)} {number(top)} {number(width)} {number(height)}" '
        f'role="img" aria-labelledby="{_ID}-title {_ID}-desc" xml:lang="{language}">'
    )
    document = f"{opening}{content}</svg>"
    unique = "hnefi-" + hashlib.sha256(document.encode()).hexdigest()[:10]
    return document.replace(_ID, unique)
