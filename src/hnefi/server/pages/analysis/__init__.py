"""The analysis board."""

from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.page import RULES_QUERY, Page

PAGES = (
    Page(
        "analysis",
        "/analysis",
        "analysis",
        files=("game.css", "analysis.css", "analysis.js"),
        texts=(
            *(*GAME_TEXTS, "page.analysis.", "page.board.size", "page.missing", "score."),
            "error.bad_position.",
        ),
        query=RULES_QUERY,
        is_static=True,
    ),
)
