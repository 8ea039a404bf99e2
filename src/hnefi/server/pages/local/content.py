"""Games that run in the browser: for two players at one device, or against the computer."""

from hnefi.server.pages.facts import changed_facts, site_games
from hnefi.server.pages.page import PageRequest


def local_game_values(request: PageRequest) -> dict[str, object]:
    """Returns the facts of the variants of the site, and those of the game that the query changes."""
    return {"games": site_games(request), "wanted": changed_facts(request)}
