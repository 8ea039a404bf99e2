"""The printed forms of a game as PDF: its booklets and sheets, rendered in a worker process of their own."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from hnefi.server.http.rendered import RenderedPage
from hnefi.server.pages.page import PageRequest
from hnefi.server.pages.worker import Content, render
from hnefi.variants.finding import variant
from hnefi.workers.limits import Limits
from hnefi.workers.worker import AsyncWorker, Handler

PRINT_PATH = "/rules/{variant}/{form}.pdf"
"""The part of its path after the language."""

_BOOKLETS = {"booklet": "a5", "booklet-fold": "fold"}
"""The formats of the booklets by the name of the form."""

# The names of `hnefi.paper.SHEETS`, which only the worker process imports.
_SHEETS = ("board", "pieces", "score", "summary", "poster")

_LIMITS = Limits(memory_mib=1024, cpu_s=24 * 3600, niceness=10)
_START_S = 60.0
_TIMEOUT_S = 30.0


def has_prints() -> bool:
    """Checks whether this installation can print: whether it has the extra `print`."""
    return find_spec("typst") is not None


def print_names() -> tuple[str, ...]:
    """Returns the names of the printed forms, none without the extra `print`."""
    return (*_BOOKLETS, *_SHEETS) if has_prints() else ()


def print_worker() -> AsyncWorker:
    """Creates the worker; its process starts with the first printed form."""
    return AsyncWorker(_handler, _LIMITS, timeout_s=_TIMEOUT_S, start_s=_START_S, is_reused=True)


@contextmanager
def _handler() -> Iterator[Handler]:
    yield _rendered


def _rendered(request: PageRequest) -> RenderedPage:
    return render(_Prints(), request)


class _Prints:
    """Renders printed forms as `PageContents` renders pages."""

    def content(self, request: PageRequest) -> Content:
        from hnefi.paper import booklet
        from hnefi.paper.sheets import sheet

        game, form = variant(request.parameter("variant")), request.parameter("form")
        if form in _BOOKLETS:
            pdf = booklet(game, request.lang, format=_BOOKLETS[form])
        else:
            pdf = sheet(form, game, request.lang)
        return Content(pdf, "application/pdf")
