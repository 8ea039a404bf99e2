"""The rules editor."""

from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.page import RULES_QUERY, Page

PAGES = (
    Page(
        "editor",
        "/rules/new",
        "editor",
        files=("editor.css", "editor.js"),
        texts=(*GAME_TEXTS, "page.editor.", "web.editor.", "fault."),
        query=RULES_QUERY,
        is_static=True,
        nav="rules",
    ),
)
