"""The page renderer: has each page rendered once by the page worker, and keeps it in a cache."""

import asyncio
from collections import OrderedDict

from starlette.types import Scope

from hnefi.server.http.costs import ChargedWorker
from hnefi.server.http.rendered import RenderedPage
from hnefi.server.pages.page import PageRequest
from hnefi.server.refusals import TooManyRequests

_OVERHEAD_B = 1_000
"""What a cached page takes besides its body and its address."""

_FOR_ALL = "kept"
"""The pages that are rendered once for everybody: nobody is charged for the bundles that browsers keep."""


class PageCache:
    """Rendered pages, the last used ones, bounded by their size."""

    def __init__(self, most_bytes: int) -> None:
        """Creates an empty cache."""
        self._most_bytes = most_bytes
        self._pages: OrderedDict[PageRequest, RenderedPage] = OrderedDict()
        self.size = 0

    def get(self, request: PageRequest) -> RenderedPage | None:
        """Returns a page if it is there."""
        page = self._pages.get(request)
        if page is not None:
            self._pages.move_to_end(request)
        return page

    def put(self, request: PageRequest, page: RenderedPage) -> None:
        """Keeps a page, and drops those that were not used for longest."""
        if request not in self._pages:
            self.size += _size(request, page)
            self._pages[request] = page
        while self.size > self._most_bytes:
            dropped = self._pages.popitem(last=False)
            self.size -= _size(*dropped)


def _size(request: PageRequest, page: RenderedPage) -> int:
    letters = sum(len(key) + len(value) for key, value in request.query + request.parameters)
    return _OVERHEAD_B + len(page.body) + 4 * (letters + len(request.path) + len(request.origin))


class PageRenderer:
    """Renders each page once, and charges whoever requested it first."""

    def __init__(self, worker: ChargedWorker, cache: PageCache) -> None:
        """Creates a renderer.

        Args:
            worker: Renders a `PageRequest` to a `RenderedPage`.
            cache: Keeps the pages.
        """
        self._worker, self._cache = worker, cache
        self._running: dict[PageRequest, asyncio.Task[RenderedPage]] = {}

    async def page(self, request: PageRequest, scope: Scope) -> RenderedPage:
        """Returns a page.

        Args:
            request: What it depends on.
            scope: The request of the client, which is charged.

        Raises:
            TooManyRequests: If the client has used up its share, or too many of its requests wait.
            HnefiError: `engine_busy`, if the page takes too long.
        """
        self._worker.limit.admit(scope)
        if (page := self._cache.get(request)) is not None:
            return page
        task = self._running.get(request)
        if is_first := task is None:
            task = asyncio.get_running_loop().create_task(self._render(request, scope))
            self._running[request] = task
            task.add_done_callback(lambda _: self._running.pop(request, None))
        try:
            return await asyncio.shield(task)
        except TooManyRequests:
            # Another client has been refused; this one has not been yet.
            if is_first:
                raise
            return await self.page(request, scope)

    async def _render(self, request: PageRequest, scope: Scope) -> RenderedPage:
        page: RenderedPage = await self._worker.run(request, scope, is_free=request.name == _FOR_ALL)
        self._cache.put(request, page)
        return page
