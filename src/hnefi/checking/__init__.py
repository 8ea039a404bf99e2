"""Recorded games, one or a million, checked against rules (docs/guide/recorded-games.md)."""

from hnefi.checking.checker import CheckedGame, Checker, GameLocation, Tally

__all__ = [
    "CheckedGame",
    "Checker",
    "GameLocation",
    "Tally",
]
