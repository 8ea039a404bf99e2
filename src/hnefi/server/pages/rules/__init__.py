"""The rules of a variant."""

from hnefi.server.pages.page import Page

PAGES = (
    Page(
        "rules",
        "/rules/{variant}",
        "rules",
        files=("rules.css", "rules_page.js"),
        texts=("board.", "outcome.", "page.rules.again", "page.rules.try_now"),
        nav="rules",
        has_prints=True,
    ),
)
