"""A database of games, checked when added and found by filters or position (docs/guide/library.md)."""

from hnefi.library.adder import Adder, Report
from hnefi.library.openings import Choice, Opening, Results, moves_played, opening_tree
from hnefi.library.query import ORDERS, Query, count_games, find_game, find_games, remove_games
from hnefi.library.squares import SquareCounts, square_counts
from hnefi.library.stats import PlayerStats, VariantStats, player_stats, variant_stats
from hnefi.library.store import Library, LibraryError
from hnefi.library.stored_game import LibraryGame
from hnefi.library.stored_rules import rules_of_size, variants_by_rules, variants_of
from hnefi.places import library_path

__all__ = [
    "ORDERS",
    "Adder",
    "Choice",
    "Library",
    "LibraryError",
    "LibraryGame",
    "Opening",
    "PlayerStats",
    "Query",
    "Report",
    "Results",
    "SquareCounts",
    "VariantStats",
    "count_games",
    "find_game",
    "find_games",
    "library_path",
    "moves_played",
    "opening_tree",
    "player_stats",
    "remove_games",
    "rules_of_size",
    "square_counts",
    "variant_stats",
    "variants_by_rules",
    "variants_of",
]
