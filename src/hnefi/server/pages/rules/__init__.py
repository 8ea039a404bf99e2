"""The rules of a variant."""

from hnefi.server.pages.page import Page
from hnefi.variants.page_addresses import RULES_PATH

PAGES = (
    Page(
        "rules",
        RULES_PATH,
        "rules",
        files=("rules.css", "rules_page.js"),
        texts=("board.", "outcome.", "page.rules.again", "page.rules.try_now"),
        query=("name", "rule."),
        nav="rules",
        has_prints=True,
    ),
)
