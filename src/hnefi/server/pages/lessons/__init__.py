"""The lessons: their list, and those of a variant on a board."""

from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.page import Page

PAGES = (
    Page(
        "all_lessons",
        "/lessons",
        "lessons",
        files=("lessons.css", "lessons.js"),
        texts=("web.lesson.tally", "web.lesson.done"),
        is_static=True,
        nav="lessons",
    ),
    Page(
        "lessons",
        "/lessons/{variant}",
        "lessons",
        files=("game.css", "one_lesson.css", "lessons.js"),
        texts=(*GAME_TEXTS, "lesson.wrong.", "page.lessons.path.number"),
        nav="lessons",
    ),
)
