"""Puzzles: positions in which exactly one move wins in time, or does not lose; each is proved."""

from hnefi.puzzles.attempt import Answer, Attempt
from hnefi.puzzles.daily import daily_puzzle
from hnefi.puzzles.files import collected_puzzles, has_puzzles, puzzle, puzzle_variants, puzzles
from hnefi.puzzles.model import DIFFICULTIES, THEMES, Node, Puzzle, Reply

__all__ = [
    "DIFFICULTIES",
    "THEMES",
    "Answer",
    "Attempt",
    "Node",
    "Puzzle",
    "Reply",
    "collected_puzzles",
    "daily_puzzle",
    "has_puzzles",
    "puzzle",
    "puzzle_variants",
    "puzzles",
]
