"""The page that browsers show without a connection."""

from hnefi.server.pages import drawings
from hnefi.server.pages.page import PageRequest

# The pages that work without a connection: the key of the text of a link, and the path.
_PLACES = (
    ("page.computer.title", "computer"),
    ("page.said.table", "table"),
    ("page.nav.lessons", "lessons"),
    ("page.nav.puzzles", "puzzles"),
    ("page.nav.rules", "rules"),
    ("page.nav.analysis", "analysis"),
    ("page.nav.help", "help"),
)


def offline_values(request: PageRequest) -> dict[str, object]:
    """Returns a board, and the places that there are without a connection."""
    return {"board": drawings.start_board("brandub-globe", request.lang), "kept_places": _PLACES}
