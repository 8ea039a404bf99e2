"""The form of a new game."""

from hnefi.server.pages.game_texts import FAILURE_TEXTS
from hnefi.server.pages.page import RULES_QUERY, Page

# The choices besides the variant and its rules, each with its default first.
CHOICES: dict[str, tuple[str, ...]] = {
    "opponent": ("computer", "friend", "here"),
    "side": ("defenders", "attackers", "lot"),
    "clock": ("none", "5_3", "10_5", "15_10", "days_1", "days_3", "days_7"),
    "legs": ("1", "2"),
    "calls": ("auto", "manual", "off"),
    "engine": ("device", "server"),
}

PAGES = (
    Page(
        "new",
        "/new",
        "new",
        files=("new.css", "new.js"),
        texts=(
            *("web.computer", "page.new.chosen.", "page.new.value", "page.new.position", "level."),
            *("web.goal.", "web.no_such_game", "web.all_games", "web.to_start", *FAILURE_TEXTS),
        ),
        query=("position", "level", *CHOICES, *RULES_QUERY),
        is_static=True,
        nav="play",
    ),
)
