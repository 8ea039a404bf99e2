"""The home page: a guided first game, and a shelf of boards."""

from hnefi.server.pages.game_texts import FAILURE_TEXTS
from hnefi.server.pages.page import Page

PAGES = (
    Page(
        "home",
        "/",
        "home",
        files=("home.css", "home.js"),
        texts=(
            "page.home.resume",
            "web.games.moves",
            "web.now.theirs",
            "web.analysis.to_move.",
            "web.computer",
            "level.",
            "page.table.title",
            "web.nobody",
            "web.guest",
            *FAILURE_TEXTS,
        ),
        is_static=True,
        nav="play",
        has_prints=True,
    ),
)
