"""Games without a server: two players at one device, or against the computer."""

from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.page import RULES_QUERY, Page

PAGES = (
    Page(
        "table",
        "/table",
        "local",
        template="local_game",
        files=("game.css", "hotseat.js"),
        texts=GAME_TEXTS,
        query=RULES_QUERY,
        is_static=True,
        nav="play",
    ),
    Page(
        "computer",
        "/computer",
        "local",
        template="local_game",
        files=("game.css", "computer.js"),
        texts=GAME_TEXTS,
        query=RULES_QUERY,
        is_static=True,
        nav="play",
    ),
)
