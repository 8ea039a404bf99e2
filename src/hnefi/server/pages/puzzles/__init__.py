"""The puzzles: their list with that of the day, and each on its board."""

from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.page import Page

PAGES = (
    Page(
        "puzzles",
        "/puzzles",
        "puzzles",
        files=("puzzles.css", "puzzles.js"),
        texts=("web.puzzle.streak", "web.puzzle.done", "web.puzzle.tally", "web.puzzle.today."),
        is_daily=True,
        is_static=True,
        nav="puzzles",
    ),
    Page(
        "puzzle",
        "/puzzles/{puzzle}",
        "puzzles",
        files=("puzzles.css", "puzzles.js"),
        texts=(
            *(*GAME_TEXTS, "web.puzzle.", "puzzle.why.", "page.puzzle.weekday.", "page.puzzle.day."),
            "page.puzzles.all",
        ),
        is_daily=True,
        nav="puzzles",
    ),
)
