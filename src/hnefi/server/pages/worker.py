"""The page worker: renders pages in a process of low priority, without web framework and database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from hnefi.server.http.rendered import rendered
from hnefi.server.pages.page import PageRequest
from hnefi.workers.limits import Limits
from hnefi.workers.worker import AsyncWorker, Handler

# A page that somebody waits for comes before searches and animations.
_LIMITS = Limits(memory_mib=768, niceness=3)
_TIMEOUT_S = 20.0


class Content(NamedTuple):
    """The body of a response, and its type."""

    body: bytes
    media_type: str
    status: int = 200


def page_worker() -> AsyncWorker:
    """Creates the worker; its process starts with the first page."""
    return AsyncWorker(_handler, _LIMITS, timeout_s=_TIMEOUT_S)


@contextmanager
def _handler() -> Iterator[Handler]:
    # Only the worker process imports the contents of the pages.
    from hnefi.server.assets import Assets
    from hnefi.server.pages.contents import PageContents
    from hnefi.server.pages.rendering import PageWriter

    contents = PageContents(PageWriter(Assets.load_names()))
    # The first page takes a hundred times as long as later ones: it is rendered before the priority falls.
    # It is not the home page, which needs certain moves of one game to be legal.
    contents.content(PageRequest("new", "en", "/en/new"))
    yield lambda request: rendered(*contents.content(request))
