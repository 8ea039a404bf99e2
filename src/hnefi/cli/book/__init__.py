"""`hnefi book`: build an opening book, and show its moves."""

from hnefi.cli.commands import CommandGroup

__all__ = ["book"]

_EXAMPLES = (
    ("book show brandub-globe", "show"),
    ("book build tyr-11 --resume tyr.building", "build"),
)

book = CommandGroup(
    "book",
    examples=_EXAMPLES,
    members={"build": "hnefi.cli.book.building", "show": "hnefi.cli.book.showing"},
)
