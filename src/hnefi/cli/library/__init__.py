"""`hnefi library`: add games to a library, search it, show statistics."""

from hnefi.cli.commands import CommandGroup

__all__ = ["library"]

_EXAMPLES = (
    ("library add games.jsonl.gz club.tafl", "add"),
    ("library search --variant copenhagen-11 --after 'd1-d3 e5-e2'", "search"),
    ("library openings copenhagen-11 --depth 3", "openings"),
    ("library stats --players", "stats"),
)

library = CommandGroup(
    "library",
    examples=_EXAMPLES,
    members={
        "add": "hnefi.cli.library.adding",
        "search": "hnefi.cli.library.finding",
        "show": "hnefi.cli.library.finding",
        "openings": "hnefi.cli.library.openings",
        "stats": "hnefi.cli.library.stats",
        "squares": "hnefi.cli.library.squares",
        "export": "hnefi.cli.library.exporting",
        "remove": "hnefi.cli.library.maintenance",
        "check": "hnefi.cli.library.maintenance",
    },
)
