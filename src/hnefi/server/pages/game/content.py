"""Games at the server, which the scripts of the pages fetch."""

from hnefi.server.games.retention import EXPIRY
from hnefi.server.pages.facts import site_games
from hnefi.server.pages.page import PageRequest


def game_values(request: PageRequest) -> dict[str, object]:
    """Returns the values of the page of a game, with what link previews say of it."""
    told = dict(request.parameters)
    preview = {"title": told.get("title"), "description": told.get("description")}
    return {"games": site_games(request), "game": told["game"], "preview": preview}


def embed_values(request: PageRequest) -> dict[str, object]:
    """Returns the values of a game for a frame on another page, without controls."""
    return game_values(request)


def games_values(request: PageRequest) -> dict[str, object]:
    """Returns the values of the list of the visitor's games."""
    return {"games": site_games(request), "days": EXPIRY}


def seat_values(_: PageRequest) -> dict[str, object]:
    """Returns nothing: only the script of the page that takes a seat to this device reads the secret."""
    return {}
