"""Titles and descriptions of drawings, for screen readers."""

from collections.abc import Callable, Iterable, Iterator

from hnefi.diagram.scene import Scene
from hnefi.diagram.view import View
from hnefi.i18n import text
from hnefi.pieces import Piece
from hnefi.staging import Coordinates


def name_of(place: Coordinates) -> str:
    """Returns the name of a place.

    >>> name_of((3, 3))
    'd4'
    """
    return f"{chr(ord('a') + place[0])}{place[1] + 1}"


def default_title(scene: Scene, lang: str | None) -> str:
    """Returns the default title of a drawing."""
    size = str(scene.size)
    if scene.is_over:
        return text("diagram.title_over", lang, size=size)
    return text("diagram.title", lang, size=size, to_side=text(f"to_side.{scene.turn.value}", lang))


def describe_board(scene: Scene, view: View, lang: str | None) -> str:
    """Returns a description of the drawn pieces, the last move and its captures."""
    return " ".join(board_sentences(scene, lang, view.shows))


def board_sentences(
    scene: Scene, lang: str | None, shows: Callable[[Coordinates], bool] = lambda _: True
) -> Iterator[str]:
    """Iterates over sentences on the pieces, the last move and its captures."""
    for piece in Piece:
        names = _names(place for place, here in scene.pieces.items() if here is piece and shows(place))
        if names:
            yield text(f"diagram.pieces.{piece.value}", lang, squares=names)
    if scene.last_move:
        origin, target = scene.last_move
        yield text("diagram.last_move", lang, origin=name_of(origin), target=name_of(target))
    taken = _names([*scene.victims, *scene.emptied])
    if taken:
        yield text("diagram.captured", lang, squares=taken)


def _names(places: Iterable[Coordinates]) -> str:
    return ", ".join(name_of(place) for place in sorted(places))
