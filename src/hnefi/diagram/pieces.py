"""Draws the pieces: a wedge for an attacker, a dome for a defender, three points over a waist for the king.

A commander is a soldier with two horns and a chevron, a knight has a plume and a cross, a renegade a pennon
and two diverging points. Shapes differ, so that colours carry no meaning alone. Each piece is drawn in a
square of 100 by 100 units. The width of outlines is a parameter, so that they stay visible on small boards.
"""

from functools import lru_cache

from hnefi.diagram.markup import circle, element, path
from hnefi.diagram.theme import Theme
from hnefi.pieces import Piece

PIECE_SETS = ("wood", "stone", "contrast", "line")

_WEDGE = "M50 9 85 76 76 91H24L15 76Z"
_DOME = "M17 80C17 46 30 27 50 27S83 46 83 80L77 91H23Z"
_CROWN = "M22 15 38 29 50 5 62 29 78 15 69 50 88 80 80 94H20L12 80 31 50Z"

_FLINT, _FLINT_HIGH, _FLINT_EDGE = "#21313a", "#6f8993", "#0b1317"
_CHALK, _CHALK_LOW, _CHALK_EDGE = "#e4e6e0", "#b3bab5", "#2b3537"
_INK, _PAPER = "#1f1a17", "#f8f4ea"


# The shapes behind and on a soldier.
_RANKS = {
    "commander": ("M37 40 16 8 50 26 84 8 63 40Z", "M32 74 50 54 68 74"),
    "knight": ("M50 36 34 26 44 2 72 12 60 20Z", "M50 46V84M33 62H67"),
    "renegade": ("M45 38V2L82 12 55 23V38Z", "M34 60 50 47 66 60M34 70 50 83 66 70"),
}


def piece_shape(piece: Piece, piece_set: str, theme: Theme, edge: float) -> str:
    """Returns a piece in 100 by 100 units.

    Args:
        piece_set: One of `PIECE_SETS`.
        edge: The minimum width of outlines, in units.
    """
    soldier = piece.soldier
    if soldier is not piece:
        drawn = piece_shape(soldier, piece_set, theme, edge)
        return _crest(piece, piece_set, theme, edge) + drawn + _badge(piece, piece_set, theme, edge)
    if piece_set == "wood":
        return _wood(piece, theme, edge)
    if piece_set == "stone":
        return _stone(piece, theme, edge)
    if piece_set == "contrast":
        return _contrast(piece, edge)
    return _line(piece, edge)


def _of_rank(piece: Piece) -> tuple[str, str]:
    return _RANKS[piece.value.partition("_")[2]]


def _crest(piece: Piece, piece_set: str, theme: Theme, edge: float) -> str:
    """Returns the shape of a rank behind a soldier."""
    attacks = piece.soldier is Piece.ATTACKER
    if piece_set == "wood":
        fill, line = (theme.tar, theme.attacker_edge) if attacks else (theme.bone_low, theme.bone_edge)
    elif piece_set == "stone":
        fill, line = (_FLINT, _FLINT_EDGE) if attacks else (_CHALK_LOW, _CHALK_EDGE)
    elif piece_set == "contrast":
        fill, line = ("#000", "#fff") if attacks else ("#fff", "#000")
    else:
        fill, line = (_INK, _INK) if attacks else (_PAPER, _INK)
    crest, _ = _of_rank(piece)
    return path(crest, fill=fill, stroke=line, stroke_width=max(4.5, edge), stroke_linejoin="round")


def _badge(piece: Piece, piece_set: str, theme: Theme, edge: float) -> str:
    """Returns the sign of a rank on a soldier, legible on a square of 20 pixels."""
    attacks = piece.soldier is Piece.ATTACKER
    if piece_set == "contrast":
        fill, line = ("#fff", "#000") if attacks else ("#000", "#fff")
    elif piece_set == "line":
        fill, line = (_PAPER, _INK) if attacks else (_INK, _PAPER)
    else:
        fill, line = (theme.weld, theme.tar_low) if attacks else (theme.tar, theme.bone)
    _, d = _of_rank(piece)
    width = max(11.0, 2 * edge)
    below = path(d, fill="none", stroke=line, stroke_width=width + max(5.0, edge))
    return below + path(d, fill="none", stroke=fill, stroke_width=width)


@lru_cache(maxsize=64)
def standing_piece(piece: Piece, piece_set: str, theme: Theme, edge: float) -> str:
    """Returns a piece with its shadow, around the centre of a square of 100 units; the king is the largest.

    The arguments are those of `piece_shape`.
    """
    size, top = (92, -47) if piece is Piece.KING else (80, -42)
    placed = f"translate({-size // 2} {top}) scale({size / 100:g})"
    return _shadow(piece, theme) + element("g", piece_shape(piece, piece_set, theme, edge), transform=placed)


def _shadow(piece: Piece, theme: Theme) -> str:
    """Returns the shadow of a piece around the centre of its square; none in line art."""
    if theme.is_line_art:
        return ""
    width, down = (42, 37) if piece is Piece.KING else (36, 31)
    # Light comes from the upper left: a shadow is cast to the right, and the board is dark below the piece.
    cast = element(
        "ellipse", cx=11, cy=down, rx=width + 8, ry=13, fill=theme.shade, opacity=f"{theme.shadow:.2f}"
    )
    fill, opacity = (theme.contact, None) if theme.contact else (theme.shade, ".4")
    return cast + element("ellipse", cx=2, cy=down + 1, rx=width, ry=9, fill=fill, opacity=opacity)


def _outline(d: str, colour: str, width: float) -> str:
    return path(d, fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round")


def _wood(piece: Piece, theme: Theme, edge: float) -> str:
    if piece is Piece.ATTACKER:
        return (
            path(_WEDGE, fill=theme.tar)
            + path("M50 9 15 76 44 79Z", fill=theme.tar_high)
            + path("M15 76 44 79 85 76 76 91H24Z", fill=theme.tar_low)
            + path("M50 9 44 79", stroke=theme.tar_high, stroke_width=2)
            + _outline(_WEDGE, theme.attacker_edge, max(4.0, edge))
            + path(
                "M47 20 20 72",
                stroke=theme.attacker_rim,
                stroke_width=2.5,
                stroke_linecap="round",
            )
        )
    base = max(2.5, edge / 2)
    if piece is Piece.DEFENDER:
        return (
            path(_DOME, fill=theme.bone)
            + path("M50 27C68 27 83 46 83 80H56C66 62 64 40 50 27Z", fill=theme.bone_low, opacity=".5")
            + path(
                "M26 66C27 48 35 37 45 34",
                stroke=theme.bone_high,
                stroke_width=5,
                stroke_linecap="round",
                fill="none",
            )
            + path("M17 80H83L77 91H23Z", fill=theme.bone_low)
            + path("M17 80H83", stroke=theme.bone_edge, stroke_width=base)
            + _outline(_DOME, theme.bone_edge, max(4.5, edge))
        )
    return (
        path(_CROWN, fill=theme.bone)
        + path("M50 5 62 29 78 15 69 50 88 80H58L54 50Z", fill=theme.bone_low, opacity=".8")
        + path("M12 80H88L80 94H20Z", fill=theme.bone_low)
        + path(
            "M28 24 35 50 20 76",
            stroke=theme.bone_high,
            stroke_width=4,
            fill="none",
            stroke_linejoin="round",
        )
        + path("M29 42H71L69 50 73 58H27L31 50Z", fill=theme.weld, stroke=theme.bone_edge, stroke_width=base)
        + path("M50 43 56 50 50 57 44 50Z", fill=theme.gem)
        + path("M12 80H88", stroke=theme.bone_edge, stroke_width=base)
        + _outline(_CROWN, theme.bone_edge, max(4.5, edge))
    )


_PEBBLES = {
    Piece.ATTACKER: [(49, 62, 1.8), (42, 72, 1.5), (52, 79, 1.2), (56, 68, 2.2), (44, 61, 1.4)],
    Piece.DEFENDER: [(65, 53, 1.7), (59, 58, 1.7), (38, 50, 1.3), (65, 66, 1.4), (40, 59, 1.9)],
    Piece.KING: [(54, 79, 1.7), (60, 70, 1.9), (52, 76, 1.6), (39, 74, 1.1), (54, 65, 1.9)],
}
_STONE_WEDGE = "M50 12C55 12 84 70 83 77 82 84 76 90 70 90H30C24 90 18 84 17 77 16 70 45 12 50 12Z"
_STONE_DOME = "M50 28C72 28 84 46 84 68 84 84 74 90 50 90S16 84 16 68C16 46 28 28 50 28Z"
_STONE_CROWN = (
    "M26 17C31 24 36 28 40 28 45 26 47 8 50 8S55 26 60 28C64 28 69 24 74 17 78 13 81 17 79 23L70 49"
    "C74 62 86 72 86 80 86 88 80 93 72 93H28C20 93 14 88 14 80 14 72 26 62 30 49L21 23C19 17 22 13 26 17Z"
)


def _stone(piece: Piece, theme: Theme, edge: float) -> str:
    width = max(4.5, edge)
    if piece is Piece.ATTACKER:
        body = path(_STONE_WEDGE, fill=_FLINT, stroke=_FLINT_EDGE, stroke_width=width) + path(
            "M44 30C38 42 28 60 26 70",
            stroke=_FLINT_HIGH,
            stroke_width=6,
            stroke_linecap="round",
            fill="none",
        )
    elif piece is Piece.DEFENDER:
        body = (
            path(_STONE_DOME, fill=_CHALK)
            + path("M84 64C84 84 74 90 50 90S22 86 18 76C40 84 66 82 84 64Z", fill=_CHALK_LOW)
            + _outline(_STONE_DOME, _CHALK_EDGE, width)
            + path(
                "M29 56C32 46 38 41 46 39", stroke="#fff", stroke_width=6, stroke_linecap="round", fill="none"
            )
        )
    else:
        body = (
            path(_STONE_CROWN, fill=_CHALK)
            + path(
                "M70 49C74 62 86 72 86 80 86 88 80 93 72 93H28C22 93 18 90 15 85 44 90 66 78 70 49Z",
                fill=_CHALK_LOW,
            )
            + path("M30 44H71V55H29Z", fill=theme.weld)
            + _outline(_STONE_CROWN, _CHALK_EDGE, width)
            + path("M30 44H71M29 55H71", stroke=_CHALK_EDGE, stroke_width=3)
        )
    speck = _FLINT_HIGH if piece is Piece.ATTACKER else _CHALK_LOW
    return body + "".join(circle(x, y, r, fill=speck) for x, y, r in _PEBBLES[piece])


def _contrast(piece: Piece, edge: float) -> str:
    width = max(9.0, 1.5 * edge)
    if piece is Piece.ATTACKER:
        return path(
            _WEDGE, fill="#000", stroke="#fff", stroke_width=width + 2, stroke_linejoin="round"
        ) + path(_WEDGE, fill="#000", stroke="#000", stroke_width=4, stroke_linejoin="round")
    shape = _DOME if piece is Piece.DEFENDER else _CROWN
    bars = "M30 72H70" if piece is Piece.DEFENDER else "M34 50H66M50 50V84"
    return path(shape, fill="#fff", stroke="#000", stroke_width=width, stroke_linejoin="round") + path(
        bars, stroke="#000", stroke_width=width
    )


def _line(piece: Piece, edge: float) -> str:
    width = max(8.0, edge)
    if piece is Piece.ATTACKER:
        return path("M50 17 82 86H18Z", fill=_INK, stroke=_INK, stroke_width=width) + path(
            "M36 74 50 42 64 74", stroke=_PAPER, stroke_width=5.5, fill="none"
        )
    if piece is Piece.DEFENDER:
        return path("M20 87V58L36 34H64L80 58V87Z", fill=_PAPER, stroke=_INK, stroke_width=width) + path(
            "M50 50 60 62 50 74 40 62Z", fill="none", stroke=_INK, stroke_width=6
        )
    return path(
        "M24 17 38 34 50 12 62 34 76 17 67 56 83 89H17L33 56Z",
        fill=_PAPER,
        stroke=_INK,
        stroke_width=width,
        stroke_linejoin="bevel",
    ) + path("M34 56H66M50 58 60 72 50 86 40 72Z", fill="none", stroke=_INK, stroke_width=6)
