"""`hnefi lab`: experiments with engines, weights and rules."""

from hnefi.cli.commands import CommandGroup

__all__ = ["lab"]

_EXAMPLES = (
    ("lab arena level:1 level:3 brandub-globe --games 4", "lab arena levels"),
    ("lab perft brandub-globe 4", "lab perft plain"),
)
_SECTIONS = {
    "cli.head.lab.strength": ("arena", "balance", "levels", "conversion", "prover", "suite"),
    "cli.head.lab.weights": ("train", "calibrate"),
    "cli.head.lab.making": ("puzzles", "select", "tactics", "themes", "sample", "lengths"),
    "cli.head.lab.core": ("signature", "perft"),
}

lab = CommandGroup(
    "lab",
    examples=_EXAMPLES,
    members={name: f"hnefi.cli.lab.{name}" for names in _SECTIONS.values() for name in names},
    sections=_SECTIONS,
)
