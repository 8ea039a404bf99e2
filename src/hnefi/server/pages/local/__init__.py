"""Games without a server: two players at one device, or against the computer."""

from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.page import RULES_QUERY, Page

PAGES = tuple(
    Page(
        name,
        f"/{name}",
        "local",
        template="local_game",
        files=("game.css", script),
        texts=GAME_TEXTS,
        query=RULES_QUERY,
        is_static=True,
        nav="play",
    )
    for name, script in (("table", "hotseat.js"), ("computer", "computer.js"))
)
