"""Tafl games: their rules exactly, as a library.

>>> from hnefi import variant
>>> game = variant("brandub-globe").new_game()
>>> len(game.legal_moves())
40
"""

from typing import TYPE_CHECKING

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
    random_game,
)
from hnefi.errors import EngineError, Fault, HnefiError, IllegalMove, RecordError, SetupError, VariantError
from hnefi.lazy import on_first_use as _on_first_use
from hnefi.pieces import Piece, Reason, Side

if TYPE_CHECKING:
    from hnefi import checking as checking
    from hnefi import diagram as diagram
    from hnefi import engine as engine
    from hnefi import formats as formats
    from hnefi import lessons as lessons
    from hnefi import library as library
    from hnefi import match as match
    from hnefi import measure as measure
    from hnefi import paper as paper
    from hnefi import puzzles as puzzles
    from hnefi import record as record
    from hnefi import squares as squares
    from hnefi import variants as variants
    from hnefi import words as words
    from hnefi.engine import Engine, ExternalEngine, Level, Limit, level
    from hnefi.match import Match, MatchFormat, Sides, draw_sides
    from hnefi.paper import booklet
    from hnefi.record import Record, format_records, load_records, parse_records, save_records
    from hnefi.rule_tree import RuleTree
    from hnefi.sample_games import sample_game
    from hnefi.squares import SquareSet
    from hnefi.variants.files import load_variant, parse_variant
    from hnefi.variants.finding import all_variants, find_variants, variant, variant_ids
    from hnefi.variants.model import Variant
    from hnefi.variants.similarity import Similarity, match_rules, variants_where

__version__ = "0.2.0.dev0"

# The names that are imported on first use, by their modules; other public names are modules.
_NAMES = {
    "engine": ("Engine", "ExternalEngine", "Level", "Limit", "level"),
    "match": ("Match", "MatchFormat", "Sides", "draw_sides"),
    "paper": ("booklet",),
    "record": ("Record", "format_records", "load_records", "parse_records", "save_records"),
    "rule_tree": ("RuleTree",),
    "sample_games": ("sample_game",),
    "squares": ("SquareSet",),
    "variants.files": ("load_variant", "parse_variant"),
    "variants.finding": ("all_variants", "find_variants", "variant", "variant_ids"),
    "variants.model": ("Variant",),
    "variants.similarity": ("Similarity", "match_rules", "variants_where"),
}


__getattr__, __dir__ = _on_first_use("hnefi", _NAMES)

__all__ = [
    "CalledGame",
    "Capture",
    "Description",
    "Engine",
    "EngineError",
    "ExternalEngine",
    "Fault",
    "Game",
    "HnefiError",
    "IllegalMove",
    "Level",
    "Limit",
    "Match",
    "MatchFormat",
    "Move",
    "Outcome",
    "Piece",
    "Ply",
    "Position",
    "Reason",
    "Record",
    "RecordError",
    "RuleTree",
    "Rules",
    "Setup",
    "SetupError",
    "Side",
    "Sides",
    "Similarity",
    "Square",
    "SquareSet",
    "Variant",
    "VariantError",
    "__version__",
    "all_variants",
    "booklet",
    "checking",
    "diagram",
    "draw_sides",
    "engine",
    "find_variants",
    "format_move",
    "format_records",
    "formats",
    "lessons",
    "level",
    "library",
    "load_records",
    "load_variant",
    "match",
    "match_rules",
    "measure",
    "paper",
    "parse_move",
    "parse_records",
    "parse_variant",
    "puzzles",
    "random_game",
    "record",
    "sample_game",
    "save_records",
    "squares",
    "variant",
    "variant_ids",
    "variants",
    "variants_where",
    "words",
]
