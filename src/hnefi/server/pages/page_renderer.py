"""The page renderer: has each page rendered once by the page worker, and keeps it in a cache."""

import asyncio
from collections import OrderedDict

from starlette.types import Scope

from hnefi.server.http.costs import FairTurns
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.http.rendered import RenderedPage
from hnefi.server.pages.rendering import PageRequest
from hnefi.workers.worker import AsyncWorker

__all__ = ["PageCache", "PageRenderer"]

_OVERHEAD_B = 1_000
"""What a cached page takes besides its body and its address."""

_USUAL_MS = 15.0
"""The estimate for a page that has to be rendered."""

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
    """Renders each page once, in turns of addresses and visitors, and charges them for it."""

    def __init__(self, worker: AsyncWorker, limit: RateLimit, turns: FairTurns, cache: PageCache) -> None:
        """Creates a renderer.

        Args:
            worker: Renders a `PageRequest` to a `RenderedPage`.
            limit: Charges requests.
            turns: Decides who is next.
            cache: Keeps the pages.
        """
        self._worker, self._limit, self._turns, self._cache = worker, limit, turns, cache
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
        self._limit.admit(scope)
        if (page := self._cache.get(request)) is not None:
            return page
        task = self._running.get(request)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._render(request, scope))
            self._running[request] = task
            task.add_done_callback(lambda _: self._running.pop(request, None))
        return await asyncio.shield(task)

    async def _render(self, request: PageRequest, scope: Scope) -> RenderedPage:
        async with self._turns.turn(scope, _USUAL_MS) as turn:
            page: RenderedPage = await self._worker.run(request)
            turn.cost = page.cost_ms
        if request.name != _FOR_ALL:
            self._limit.charge(scope, page.cost_ms)
        self._cache.put(request, page)
        return page
