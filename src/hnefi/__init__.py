"""Tafl games: their rules exactly, as a library.

>>> from hnefi import variant
>>> game = variant("brandub-globe").new_game()
>>> len(game.legal_moves())
40
"""

from hnefi._core import (
    CalledGame,
    Capture,
    Description,
    Game,
    Move,
    Outcome,
    Ply,
    Position,
    Rules,
    Setup,
    Square,
    format_move,
    parse_move,
)
from hnefi.errors import Fault, HnefiError, IllegalMove, RecordError, SetupError, VariantError
from hnefi.pieces import Piece, Reason, Side
from hnefi.variant import (
    Variant,
    find_variants,
    load_variant,
    parse_variant,
    variant,
    variant_ids,
    variants,
)

__version__ = "0.1.0"

__all__ = [
    "CalledGame",
    "Capture",
    "Description",
    "Fault",
    "Game",
    "HnefiError",
    "IllegalMove",
    "Move",
    "Outcome",
    "Piece",
    "Ply",
    "Position",
    "Reason",
    "RecordError",
    "Rules",
    "Setup",
    "SetupError",
    "Side",
    "Square",
    "Variant",
    "VariantError",
    "find_variants",
    "format_move",
    "load_variant",
    "parse_move",
    "parse_variant",
    "variant",
    "variant_ids",
    "variants",
]
