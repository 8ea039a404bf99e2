"""The page of open challenges."""

from hnefi.server.pages.game_texts import FAILURE_TEXTS
from hnefi.server.pages.page import Page

PAGES = (
    Page(
        "people",
        "/people",
        "people",
        files=("people.css", "people.js"),
        texts=(
            *("page.people.", "page.home.resume.yours", "page.nav.games", "page.table.title", "level."),
            *("web.computer", "web.games.", "web.guest", "web.nobody", *FAILURE_TEXTS),
        ),
        nav="people",
    ),
)
