"""Draws positions: as SVG, as text for terminals, and as a playable board for notebooks.

`hnefi.paper.diagram_file` draws the same as PNG or PDF (extra `print`).
"""

from hnefi.diagram.heat_map import heat_map_svg
from hnefi.diagram.marks import ARROW_KINDS, MARK_KINDS
from hnefi.diagram.picture import svg
from hnefi.diagram.pieces import PIECE_SETS
from hnefi.diagram.playable import BOARDS, Playable, playable
from hnefi.diagram.terminal import ColourDepth, text
from hnefi.diagram.theme import THEMES

__all__ = [
    "ARROW_KINDS",
    "BOARDS",
    "MARK_KINDS",
    "PIECE_SETS",
    "THEMES",
    "ColourDepth",
    "Playable",
    "heat_map_svg",
    "playable",
    "svg",
    "text",
]
