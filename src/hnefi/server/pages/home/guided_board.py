"""Draws the board of the guided first game: its script moves the pieces, and shows the marks of one step."""

from collections.abc import Iterable
from functools import cache

from markupsafe import Markup

from hnefi import diagram
from hnefi._core import Move, Setup
from hnefi.diagram import marks
from hnefi.diagram.alt import describe_board, name_of
from hnefi.diagram.markup import element, number, rectangle
from hnefi.diagram.pieces import standing_piece
from hnefi.diagram.scene import scene_of
from hnefi.diagram.theme import THEMES, Theme
from hnefi.diagram.view import View
from hnefi.i18n import text
from hnefi.pieces import Piece
from hnefi.server.pages.drawings import THEME
from hnefi.server.pages.home.guided_game import GuidedStep, begin, positions
from hnefi.staging import Coordinates, distance, place_of

_SQUARE_PX = 66
_EDGE = 4.0
_PIECES = (Piece.ATTACKER, Piece.DEFENDER, Piece.KING)


@cache
def guided_board(lang: str) -> Markup:
    """Returns the board at the beginning; the marks of all steps but the first are hidden."""
    game, theme = begin(), THEMES[THEME]
    size = game.rules.size
    view = View(size, (0, 0), (size - 1, size - 1), False, _SQUARE_PX, True)
    bare = diagram.svg(
        Setup.of(size, {}, game.position.turn),
        rules=game.rules,
        size_px=_SQUARE_PX * (size + 1),
        theme=THEME,
        title=text("page.first.board", lang),
        description=describe_board(scene_of(game), view, lang),
        lang=lang,
    )
    shapes = "".join(
        element("g", standing_piece(piece, "wood", theme, _EDGE), id=f"man-{piece.value}")
        for piece in _PIECES
    )
    men = "".join(_man(view, place_of(square), piece) for square, piece in game.position.setup.pieces.items())
    steps = list(positions())
    below = "".join(_group(k, _lit(view, place_of(step.piece))) for k, (step, _, _) in enumerate(steps))
    above = "".join(_group(k, _marks(view, step, right, theme)) for k, (step, _, right) in enumerate(steps))
    # At the end, the road that the king took stays.
    last, _, right = steps[-1]
    below += _group(len(steps), _targets(view, last, right, theme))
    drawn = element("defs", shapes) + below + element("g", men, data_men="") + above
    return Markup(bare.removesuffix("</svg>") + drawn + "</svg>")


def _man(view: View, place: Coordinates, piece: Piece) -> str:
    """Returns a piece in a group whose origin is the centre of its square."""
    x, y = view.centre(place)
    return element(
        "g",
        element("use", href=f"#man-{piece.value}"),
        data_man=name_of(place),
        data_piece=piece.value,
        transform=f"translate({number(x)} {number(y)})",
    )


def _group(place: int, drawn: str) -> str:
    """Returns the marks of a step as a group; only the first is shown."""
    return element("g", drawn, data_marks=str(place), hidden="" if place else None)


def _lit(view: View, place: Coordinates) -> str:
    """Returns the light on the square of the piece to move."""
    x, y = view.corner(place)
    return element("g", rectangle(x + 4, y + 4, 92, 92, rx=5), data_lit="")


def _marks(view: View, step: GuidedStep, right: Iterable[Move], theme: Theme) -> str:
    """Returns the marks of a step above the pieces."""
    selected = marks.mark_above(view, place_of(step.piece), "selected", theme)
    return selected + _targets(view, step, right, theme)


def _targets(view: View, step: GuidedStep, right: Iterable[Move], theme: Theme) -> str:
    """Returns the marks of the squares to move to; for the winning move, the road."""
    origin, targets = place_of(step.piece), [place_of(move.to_square) for move in right]
    if step.wins:
        return "".join(marks.road(view, _way(origin, target), theme) for target in targets)
    kind = "capture" if step.captures else "move"
    return "".join(marks.mark_above(view, target, kind, theme) for target in targets)


def _way(origin: Coordinates, goal: Coordinates) -> list[Coordinates]:
    """Returns the squares from the one beside the origin to the goal."""
    steps = distance(origin, goal)
    across, up = ((goal[k] - origin[k]) // steps for k in (0, 1))
    return [(origin[0] + across * k, origin[1] + up * k) for k in range(1, steps + 1)]
