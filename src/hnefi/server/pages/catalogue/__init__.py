"""The catalogue of all variants, which can be searched."""

from hnefi.server.pages.page import Page
from hnefi.variants.lengths import DIFFICULTIES

# The values of the filters; the first shows all games. Boards of 13 squares and more are one size.
FILTERS: dict[str, tuple[str, ...]] = {
    "size": ("any", "7", "9", "11", "13"),
    "goal": ("any", "corner", "edge"),
    "difficulty": ("any", *map(str, DIFFICULTIES)),
}

PAGES = (
    Page(
        "all_rules",
        "/rules",
        "catalogue",
        files=("catalogue.css", "all_rules.js"),
        texts=("page.wall",),
        query=("q", *FILTERS),
        is_static=True,
        nav="rules",
    ),
)
