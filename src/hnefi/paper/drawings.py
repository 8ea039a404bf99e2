"""Drawings for paper: boards in black on white, with their size in squares and their description."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hnefi import diagram
from hnefi.words.model import Picture

if TYPE_CHECKING:
    from hnefi._core import Game, Move, Position, Square

__all__ = ["Drawings"]

_PX_PER_MM = 96 / 25.4


@dataclass(slots=True)
class Drawings:
    """The drawings of one document, each a file of its own; equal ones share a file.

    Attributes:
        lang: The language of descriptions.
        files: The drawings by file name, as SVG.
    """

    lang: str
    files: dict[str, str]

    @classmethod
    def begin(cls, lang: str) -> "Drawings":
        """Creates an empty collection."""
        return cls(lang, {})

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
        board: "Position | Game",
        square_mm: float,
        widest_mm: float,
        *,
        crop: "tuple[Square, Square] | None" = None,
        played: "Move | None" = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Adds a board; returns its entry in the data of a template: file, alternative text, width in mm.

        Args:
            board: What is drawn; as for `hnefi.diagram.svg`, like the options.
            square_mm: The side of a square.
            widest_mm: The greatest width of the drawing, coordinates included; squares become smaller.
            crop: Opposite corners of the part to draw.
            played: A move to show as just played.
            options: Other options of `hnefi.diagram.svg`.
        """
        rules = board.rules
        files = rules.size if crop is None else abs(crop[1].file - crop[0].file) + 1
        margin = 1.1 if crop is None else 0.8
        width = min(widest_mm, square_mm * (files + margin))
        drawn = diagram.svg(
            board,
            crop=crop,
            played=played,
            size_px=width * _PX_PER_MM,
            theme="print",
            lang=self.lang,
            **options,
        )
        name = f"drawing-{len(self.files)}.svg"
        known = next((file for file, content in self.files.items() if content == drawn), None)
        if known is None:
            self.files[name] = drawn
        return {"file": known or name, "alt": _description(drawn), "width": round(width, 2)}


def _description(drawn: str) -> str:
    """Returns the title and the description of a drawing in one text."""
    from xml.etree import ElementTree as ET

    root = ET.fromstring(drawn)
    parts = [root.findtext(f"{{http://www.w3.org/2000/svg}}{tag}") or "" for tag in ("title", "desc")]
    return " ".join(part for part in parts if part)
