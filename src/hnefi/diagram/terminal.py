"""Draws a position as text for terminals, readable without colour, optionally with colours."""

from typing import TYPE_CHECKING, Literal

from hnefi.diagram.picture import view_of
from hnefi.diagram.scene import Scene, scene_of
from hnefi.pieces import Piece
from hnefi.staging import Coordinates

if TYPE_CHECKING:
    from hnefi._core import Move, Rules, Square
    from hnefi.diagram.scene import Board
    from hnefi.variants.model import Variant

ColourDepth = Literal["none", "256", "truecolor"]

_UNICODE = {
    "attacker": "▲",
    "defender": "○",
    "king": "♔",
    "attacker_commander": "▼",
    "attacker_knight": "◆",
    "defender_commander": "▽",
    "defender_knight": "◇",
    "attacker_renegade": "★",
    "defender_renegade": "☆",
    "plain": "·",
    "throne": "×",
    "corner": "□",
    "camp": ":",
}
_ASCII = {piece.value: piece.letter for piece in Piece} | {
    "plain": ".",
    "throne": "+",
    "corner": "#",
    "camp": ":",
}

# (256 colours, true colours) of the slate board, on which dark and light pieces are visible.
_FIELD = ("48;5;66", "48;2;93;110;113")
_SPECIAL = ("48;5;60", "48;2;72;88;104")
_MOVED = ("48;5;24", "48;2;27;84;112")
_INK = {
    "attacker": ("38;5;232;1", "38;2;11;9;9;1"),
    "defender": ("38;5;231;1", "38;2;255;252;244;1"),
    "king": ("38;5;222;1", "38;2;255;215;110;1"),
    "plain": ("38;5;236", "38;2;38;52;58"),
    "throne": ("38;5;252", "38;2;214;224;228"),
    "corner": ("38;5;252", "38;2;214;224;228"),
    "camp": ("38;5;236", "38;2;38;52;58"),
}
_RESET = "\x1b[0m"


def text(
    board: "Board",
    *,
    rules: "Rules | Variant | str | None" = None,
    played: "Move | str | None" = None,
    last_move: "Move | str | None" = None,
    crop: "tuple[Square | str, Square | str] | None" = None,
    turned: bool = False,
    colour: ColourDepth = "none",
    ascii_only: bool = False,
) -> str:
    """Returns a board as lines of text, with coordinates.

    Pieces and special squares have distinct shapes. The last move is in brackets, `(·)` for its origin and
    `[▲]` for its target; captures are marked `▸○◂`.

    Args:
        board: A game (its last move is marked), a position or a setup; rules, or a variant or its id or name,
            for their start.
        rules: The rules of a setup, or a variant or its id or name; without them it has no special squares.
        played: A legal move of the position, shown as just played.
        last_move: The move that led to the position.
        crop: Opposite corners of the part to draw; the whole board if None.
        turned: Whether rank 1 is at the top.
        colour: The number of colours of the terminal.
        ascii_only: Whether to use only the letters of position texts.

    Raises:
        IllegalMove: If `played` is not legal.
        SetupError: If a setup has another size than its rules, or more than one king.
        ValueError: If a square of the crop is not on the board.
    """
    scene = scene_of(board, rules=rules, played=played, last_move=last_move)
    view = view_of(scene.size, crop, turned=turned)
    files = range(view.first[0], view.last[0] + 1)
    ranks = range(view.last[1], view.first[1] - 1, -1)
    if turned:
        files, ranks = files[::-1], ranks[::-1]
    letters = "   " + "".join(f" {chr(ord('a') + file)} " for file in files)
    lines = [letters.rstrip()]
    for rank in ranks:
        squares = "".join(_square(scene, (file, rank), colour, ascii_only) for file in files)
        lines.append(f"{rank + 1:>2} {squares} {rank + 1}")
    return "\n".join([*lines, letters.rstrip()] if view.whole else lines)


def _square(scene: Scene, place: Coordinates, colour: ColourDepth, ascii_only: bool) -> str:
    """Returns a square, three characters wide."""
    what = _what(scene, place)
    sign = (_ASCII if ascii_only else _UNICODE)[what]
    left, right = _brackets(scene, place, ascii_only)
    if colour == "none":
        return f"{left}{sign}{right}"
    depth = 0 if colour == "256" else 1
    moved = scene.last_move is not None and place in scene.last_move
    ground = _MOVED if moved else _SPECIAL if place in scene.special else _FIELD
    ink = _INK["throne"] if moved and what == "plain" else _INK[what.partition("_")[0]]
    return f"\x1b[{ground[depth]};{ink[depth]}m{left}{sign}{right}{_RESET}"


def _what(scene: Scene, place: Coordinates) -> str:
    if piece := scene.pieces.get(place):
        return piece.value
    if place in scene.victims:
        return scene.victims[place][0].value
    if place == scene.special.throne:
        return "throne"
    if place in scene.special.corners:
        return "corner"
    return "camp" if place in scene.special.camps else "plain"


def _brackets(scene: Scene, place: Coordinates, ascii_only: bool) -> tuple[str, str]:
    if scene.last_move and place == scene.last_move[0]:
        return "(", ")"
    if scene.last_move and place == scene.last_move[1]:
        return "[", "]"
    if place in scene.victims:
        return (">", "<") if ascii_only else ("▸", "◂")
    if place in scene.emptied:
        return "-", "-"
    return " ", " "
