"""Games at the server: the page of a game, that of a frame, a seat for another device, one's own games."""

from hnefi.server.pages.game_texts import FAILURE_TEXTS, GAME_TEXTS
from hnefi.server.pages.page import Page

PAGES = (
    Page(
        "game",
        "/game/{game}",
        "game",
        files=("game.css", "game.js"),
        texts=GAME_TEXTS,
        kept_with=(("game", "any"),),
        nav="play",
    ),
    Page("embed", "/embed/{game}", "game", files=("embed.css", "embed.js"), texts=GAME_TEXTS),
    Page("seat", "/seat", "game", files=("seat.js",), texts=FAILURE_TEXTS, nav="play"),
    Page(
        "games",
        "/games",
        "game",
        files=("games.css", "games.js"),
        texts=(*GAME_TEXTS, "page.table.title", "page.home.resume.yours"),
        is_static=True,
    ),
)
