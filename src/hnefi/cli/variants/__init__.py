"""`hnefi variants`: lists built-in variants and manages custom ones."""

from hnefi.cli.commands import CommandGroup

__all__ = ["variants"]

_EXAMPLES = (
    ("variants", "all"),
    ("variants tablut", "words"),
    ("variants --size 9 --where king_armed=none --where goal=edge", "where"),
    ("variants --like copenhagen-11", "like"),
    ("variants identify 'dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/'", "identify"),
    ("variants export fetlar-11 --to opentafl", "export"),
    ("variants path", "path"),
)

variants = CommandGroup(
    "variants",
    examples=_EXAMPLES,
    default="list",
    members={
        "list": "hnefi.cli.variants.listing:listing",
        "identify": "hnefi.cli.variants.listing",
        "new": "hnefi.cli.variants.new",
        "add": "hnefi.cli.variants.custom",
        "remove": "hnefi.cli.variants.custom",
        "check": "hnefi.cli.variants.custom",
        "path": "hnefi.cli.variants.custom",
        "export": "hnefi.cli.variants.exporting",
    },
)
