"""The page renderer: has each page rendered once by the page worker, and keeps it in a cache."""

from starlette.types import Scope

from hnefi.server.http.cached_work import CachedWork
from hnefi.server.http.costs import ChargedWorker
from hnefi.server.http.rendered import RenderedPage
from hnefi.server.pages.page import PageRequest

_OVERHEAD_B = 1_000
"""What a cached page takes besides its body and its address."""

_FOR_ALL = "kept"
"""The pages that are rendered once for everybody: nobody is charged for the bundles that browsers keep."""


def page_size(request: PageRequest, page: RenderedPage) -> int:
    """Returns how many bytes a cached page takes."""
    letters = sum(len(key) + len(value) for key, value in request.query + request.parameters)
    return _OVERHEAD_B + len(page.body) + 4 * (letters + len(request.path) + len(request.origin))


class PageRenderer:
    """Renders each page once, and charges whoever requested it first."""

    def __init__(self, worker: ChargedWorker, most_bytes: int) -> None:
        """Creates a renderer; `worker` renders a `PageRequest` to a `RenderedPage`, which is cached."""
        self._worker, self._cache = worker, CachedWork(most_bytes, page_size)

    async def page(self, request: PageRequest, scope: Scope) -> RenderedPage:
        """Returns a page, and charges the client for it.

        Raises:
            TooManyRequests: If the client has used up its share, or too many of its requests wait.
            HnefiError: `engine_busy`, if the page takes too long.
        """
        self._worker.limit.admit(scope)
        is_free = request.name == _FOR_ALL
        return await self._cache.result(request, lambda: self._worker.run(request, scope, is_free=is_free))
