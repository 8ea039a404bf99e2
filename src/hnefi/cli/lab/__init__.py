"""`hnefi lab`: experiments with engines, weights and rules."""

from hnefi.cli.commands import CommandGroup

__all__ = ["lab"]

_EXAMPLES = (
    ("lab arena level:1 level:3 brandub-globe --games 4", "lab arena levels"),
    ("lab perft brandub-globe 4", "lab perft plain"),
)
_MEMBERS = (
    "arena",
    "balance",
    "levels",
    "train",
    "calibrate",
    "suite",
    "tactics",
    "themes",
    "puzzles",
    "select",
    "prover",
    "conversion",
    "lengths",
    "sample",
    "tactics",
    "signature",
    "perft",
)

lab = CommandGroup(
    "lab",
    examples=_EXAMPLES,
    members={name: f"hnefi.cli.lab.{name}" for name in _MEMBERS},
)
