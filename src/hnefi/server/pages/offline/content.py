"""The page that browsers show without a connection."""

from hnefi.server.pages import drawings
from hnefi.server.pages.page import PageRequest


def offline_values(request: PageRequest) -> dict[str, object]:
    """Returns the board beside the reason."""
    return {"board": drawings.start_board("brandub-globe", request.lang)}
