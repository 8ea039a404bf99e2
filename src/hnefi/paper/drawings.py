"""Drawings for paper: boards and pieces in black on white, with their size in mm and their description."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hnefi import diagram
from hnefi._core import Setup
from hnefi.diagram import marks
from hnefi.diagram.board import Special, bare_board, box_of
from hnefi.diagram.picture import view_of
from hnefi.diagram.pieces import piece_shape
from hnefi.diagram.theme import THEMES
from hnefi.diagram.view import View
from hnefi.pieces import Piece
from hnefi.staging import place_of
from hnefi.words.model import Picture

if TYPE_CHECKING:
    from hnefi._core import Game, Move, Position, Rules, Square

PX_PER_MM = 96 / 25.4
_UNIT = 100
# The options of `hnefi.diagram.svg` on which the size of a drawing depends.
_OF_PART = ("crop", "turned", "coordinates", "frame")
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{content}</svg>'


def board_theme(*, colour: bool) -> str:
    """Returns the theme of boards on paper: wood, or black on white, which saves ink."""
    return "driftwood" if colour else "print"


@dataclass(slots=True)
class Drawings:
    """The drawings of one document, each a file of its own; equal ones share a file.

    Attributes:
        lang: The language of descriptions.
        theme: The theme of the boards, as for `hnefi.diagram.svg`.
        files: The drawings by file name, as SVG.
    """

    lang: str
    theme: str = "print"
    files: dict[str, str] = field(default_factory=dict)

    def of_picture(self, picture: Picture, square_mm: float, widest_mm: float) -> dict[str, Any]:
        """Adds a picture of the rules; returns its entry in the data of a template, with its caption."""
        entry = self.of_board(
            picture.position,
            square_mm,
            widest_mm,
            played=picture.move,
            roads=picture.roads,
            crop=picture.crop,
            title=picture.caption,
        )
        return {**entry, "caption": picture.caption}

    def of_board(
        self,
        board: "Position | Game | Setup",
        square_mm: float,
        widest_mm: float,
        *,
        crop: "tuple[Square, Square] | None" = None,
        played: "Move | None" = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Adds a board; returns its entry in the data of a template: file, alternative text, size in mm.

        Its foot is what lies below the lowest rank: boards beside each other have their ranks on one line.

        Args:
            board: What is drawn; as for `hnefi.diagram.svg`, like the options.
            widest_mm: The greatest width of the drawing, coordinates included; squares become smaller.
            crop: Opposite corners of the part to draw.
            played: A move to show as just played.
            options: Other options of `hnefi.diagram.svg`.
        """
        options |= {"crop": crop, "played": played, "theme": self.theme, "lang": self.lang}
        size = board.size if isinstance(board, Setup) else board.rules.size
        part = {name: options[name] for name in _OF_PART if name in options}
        # The frame depends on the size of a square, and the size of the drawing on the frame.
        width = widest_mm
        for _ in range(2):
            wide = _units(size, width, part)[1]
            width = min(widest_mm, square_mm * wide / _UNIT)
        top, wide, high = _units(size, width, part)
        drawn = diagram.svg(board, size_px=width * PX_PER_MM, **options)
        ranks = abs(crop[1].rank - crop[0].rank) + 1 if crop else (high + 2 * top) / _UNIT
        return {
            "file": self._file(drawn),
            "alt": _description(drawn),
            "width": round(width, 2),
            "height": round(width * high / wide, 2),
            "foot": round(width * (top + high - ranks * _UNIT) / wide, 2),
        }

    def of_piece(self, piece: Piece, pieces: str = "wood") -> str:
        """Adds a piece as a picture of its own; returns its file name."""
        shape = piece_shape(piece, pieces, THEMES[self.theme], 0)
        return self._file(_SVG.format(box="4 0 92 100", content=shape))

    def of_square(self, rules: "Rules", square: "Square") -> str:
        """Adds an empty square with its carving; returns its file name."""
        place = place_of(square)
        view = View(rules.size, place, place, False, 20, False)
        drawn = bare_board(view, Special.of(rules), THEMES[self.theme])
        return self._file(_SVG.format(box="-6 -6 112 112", content=drawn))

    def of_sign(self, sign: str) -> str:
        """Adds signs on squares beside each other, by name: `move`, `capturing`, `captured` and others."""
        view, theme = View(3, (0, 0), (2, 0), False, 20, False), THEMES[self.theme]
        left, middle, right = view.places()
        box, content = {
            "move": ("28 0 177 100", marks.last_move(view, left, middle, theme)),
            "captured": (
                "94 0 183 100",
                marks.squeeze(view, middle, (left, right), theme) + marks.emptied_hole(view, right, theme),
            ),
            "capturing": (
                "28 0 140 100",
                marks.from_ring(view, left, theme) + marks.arrow(view, left, middle, "move", False, theme),
            ),
            "king_captured": (
                "94 0 112 100",
                _placed(piece_shape(Piece.KING, "wood", theme, 0))
                + marks.danger_teeth(view, middle, (left, right), theme),
            ),
            "road": ("110 0 125 100", marks.road(view, (middle, right), theme)),
        }[sign]
        return self._file(_SVG.format(box=box, content=content))

    def _file(self, drawn: str) -> str:
        known = next((name for name, content in self.files.items() if content == drawn), None)
        name = known or f"drawing-{len(self.files)}.svg"
        self.files[name] = drawn
        return name


def _placed(shape: str) -> str:
    """Returns a piece on the square in the middle of a sign."""
    return f'<g transform="translate(100 0)">{shape}</g>'


def _units(size: int, width_mm: float, part: Mapping[str, Any]) -> tuple[float, float, float]:
    """Returns the top, the width and the height of a drawing, in hundredths of a square; ranks begin at 0."""
    _, top, wide, high = box_of(view_of(size, size_px=width_mm * PX_PER_MM, **part))
    return round(top, 1), round(wide, 1), round(high, 1)


def _description(drawn: str) -> str:
    """Returns the title and the description of a drawing in one text."""
    from xml.etree import ElementTree as ET

    root = ET.fromstring(drawn)
    parts = [root.findtext(f"{{http://www.w3.org/2000/svg}}{tag}") or "" for tag in ("title", "desc")]
    return " ".join(part for part in parts if part)
