"""Ends of the start: errors of a server or worker that cannot start."""

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from hnefi.errors import HnefiError, shorten
from hnefi.server.settings import Settings
from hnefi.server.store import NotSaved
from hnefi.server.store.lock import store_error

_LONGEST = 300


def start_error(failure: Exception, settings: Settings) -> HnefiError:
    """Returns the error of a start that failed: `server_not_started` with the reason if it has no code."""
    if isinstance(failure, HnefiError):
        return failure
    cause = failure.__cause__ if isinstance(failure, NotSaved) else None
    error = cause or failure
    # The error of the driver has neither the statement nor the link that SQLAlchemy adds.
    why = getattr(error, "orig", None) or error
    return store_error(
        "server_not_started",
        path=_shown_database(settings),
        why=shorten(why, _LONGEST, collapses_spaces=True),
    )


def _shown_database(settings: Settings) -> str:
    """Returns the URL of the database without its password."""
    try:
        return make_url(settings.url).render_as_string()
    except (ArgumentError, ValueError):
        return "--database"
