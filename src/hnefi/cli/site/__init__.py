"""`hnefi site`: writes the pages as static files, and serves such a folder."""

from hnefi.cli.commands import CommandGroup

__all__ = ["site"]

_EXAMPLES = (
    ("site build tafl", "build"),
    ("site serve tafl", "serve"),
)

site = CommandGroup(
    "site",
    examples=_EXAMPLES,
    members={"build": "hnefi.cli.site.building", "serve": "hnefi.cli.site.serving"},
)
