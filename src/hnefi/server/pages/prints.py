"""The printed forms of a game as PDF: its booklets and sheets, rendered in a worker process of their own."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hnefi.server.http.rendered import rendered
from hnefi.server.pages.page import PageRequest
from hnefi.server.pages.worker import Content
from hnefi.variants.finding import variant
from hnefi.workers.limits import Limits
from hnefi.workers.worker import AsyncWorker, Handler

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

PRINT_PATH = "/rules/{variant}/{form}.pdf"
"""The part of its path after the language."""

_BOOKLETS = {"booklet": "a5", "booklet-fold": "fold"}
"""The formats of the booklets by the name of the form."""

# The names of `hnefi.paper.SHEETS`, which only the worker process imports.
_SHEETS = ("board", "pieces", "score", "summary", "poster")

_PUZZLES = "puzzles"

_LIMITS = Limits(memory_mib=1024)
_TIMEOUT_S = 30.0


def print_names() -> tuple[str, ...]:
    """Returns the names of the printed forms, none without the extra `print`."""
    return (*_BOOKLETS, *_SHEETS, _PUZZLES) if find_spec("typst") is not None else ()


def print_worker() -> AsyncWorker:
    """Creates the worker; its process starts with the first printed form."""
    return AsyncWorker(_handler, _LIMITS, timeout_s=_TIMEOUT_S)


@contextmanager
def _handler() -> Iterator[Handler]:
    yield lambda request: rendered(*_content(request))


def _game(request: PageRequest) -> "Variant":
    """Returns the game of a request; with changed rules it is one of its own, named after the other one.

    Raises:
        VariantError: If it cannot have these rules.
    """
    from hnefi.i18n import text
    from hnefi.server.game_facts import heading_of
    from hnefi.server.pages.facts import asked_title
    from hnefi.variants.custom import custom_id, derive
    from hnefi.variants.links import query_switches

    game, switches = variant(request.parameter("variant")), query_switches(request.values)
    if not switches:
        return game
    own = text("page.rules.own", request.lang)
    name = asked_title(request.values) or f"{heading_of(game, request.lang)[0]} ({own})"
    return derive(game, custom_id(name), {request.lang: name}, switches)


def _content(request: PageRequest) -> Content:
    """Returns a printed form, as `PageContents` returns a page."""
    from hnefi.errors import VariantError
    from hnefi.paper import booklet, puzzle_sheets, sheet
    from hnefi.puzzles import has_puzzles

    form = request.parameter("form")
    try:
        game = _game(request)
    except VariantError:
        return Content(b"", "application/pdf", HTTPStatus.NOT_FOUND)
    if form == _PUZZLES and not has_puzzles(game):
        return Content(b"", "application/pdf", HTTPStatus.NOT_FOUND)
    if form == _PUZZLES:
        pdf = puzzle_sheets(game, request.lang)
    elif form in _BOOKLETS:
        pdf = booklet(game, request.lang, format=_BOOKLETS[form])
    else:
        pdf = sheet(form, game, request.lang)
    return Content(pdf, "application/pdf")
