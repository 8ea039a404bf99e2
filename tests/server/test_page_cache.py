"""Pages: rendered once in a worker process, cached by browsers, charged to those who ask for them."""

import asyncio
import gzip
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from unittest.mock import Mock

import pytest
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from hnefi.server.http.cached_work import CachedWork
from hnefi.server.http.costs import ChargedWorker
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.http.rendered import RenderedPage
from hnefi.server.once import Once
from hnefi.server.pages.all_pages import PAGES
from hnefi.server.pages.page import PageRequest
from hnefi.server.pages.routes import PageRenderer, page_size
from hnefi.server.refusals import TooManyRequests
from hnefi.workers.worker import AsyncWorker
from tests.server.conftest import browser_of
from tests.server.scopes import BUSY, QUIET, GatedWorker, iterations, scope_of

REQUEST = PageRequest("rules", "en", "/en/rules/brandub-globe", (("variant", "brandub-globe"),))
DOCUMENT = {"Sec-Fetch-Dest": "document"}
SCRIPT = {"Sec-Fetch-Dest": "empty"}


def page(content: bytes = b"page") -> RenderedPage:
    return RenderedPage(gzip.compress(content), True, "text/html", 200, 'W/"a"')


def renderer(worker: GatedWorker, ms: float = 1_000.0) -> PageRenderer:
    # So slow that nothing is paid back while a test runs.
    limit = RateLimit("too_many_requests", 1e-9, ms, for_address=1.0)
    return PageRenderer(ChargedWorker(worker, limit), 1_000_000)


async def test_forty_requests_for_a_page_render_it_once() -> None:
    worker = GatedWorker(page(), 8.0)
    pages = renderer(worker)
    tasks = [asyncio.create_task(pages.page(REQUEST, scope_of(BUSY))) for _ in range(40)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    worker.may_answer.set()
    found = await asyncio.gather(*tasks[1:])
    assert worker.jobs == [REQUEST]
    assert {one.plain() for one in found} == {b"page"}
    assert (await pages.page(REQUEST, scope_of(QUIET))).plain() == b"page"
    assert len(worker.jobs) == 1


async def test_a_page_of_a_client_in_debt_is_rendered_for_another() -> None:
    worker = GatedWorker(page(), 8.0)
    pages = renderer(worker, 5.0)
    first = asyncio.create_task(pages.page(replace(REQUEST, lang="first"), scope_of(BUSY)))
    # The first page costs more than the address has: its second request is refused in its turn.
    refused, other = (
        asyncio.create_task(pages.page(REQUEST, scope_of(address))) for address in (BUSY, QUIET)
    )
    await iterations()
    worker.may_answer.set()
    assert (await first).plain() == (await other).plain() == b"page"
    with pytest.raises(TooManyRequests):
        await refused


async def test_the_cache_is_bounded_by_bytes_and_keeps_what_is_used() -> None:
    sizes: list[int] = []

    async def rendered(size: int) -> RenderedPage:
        sizes.append(size)
        return replace(page(), body=bytes(size))

    async def render(request: PageRequest, size: int) -> bool:
        """Requests a page, and returns whether it was in the cache."""
        before = len(sizes)
        await cache.result(request, partial(rendered, size))
        return len(sizes) == before

    cache = CachedWork(100_000, page_size)
    requests = [replace(REQUEST, query=(("rule.quiet_limit", str(number)),)) for number in range(200)]
    for request in requests:
        assert not await render(request, 9_000)
        assert await render(requests[0], 9_000)
        assert cache.size <= 100_000
    kept = cache.size // 10_000
    assert kept > 5
    assert all([await render(request, 9_000) for request in requests[-kept + 1 :]])
    assert await render(requests[0], 9_000)
    assert not await render(requests[1], 9_000)
    assert not await render(REQUEST, 200_000)
    assert cache.size == 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    docs = tmp_path_factory.mktemp("docs")
    (docs / "index.html").write_text("<p>documentation</p>")
    with browser_of(tmp_path_factory.mktemp("data"), docs=docs) as client:
        yield client


@pytest.fixture
def browser(server: TestClient) -> TestClient:
    """A browser that comes for the first time."""
    server.cookies.clear()
    return server


def all_paths(server: TestClient) -> list[str]:
    """Returns a path for every route that answers GET."""
    facts = {"game": "abc", "variant": "brandub-globe", "variant_id": "brandub-globe", "kind": "svg"}
    facts |= {"size:int": "180", "number": "1"}
    found = []
    for route in server.app.routes:  # type: ignore[attr-defined]
        if isinstance(route, Route) or hasattr(route, "methods"):
            if "GET" in (route.methods or ()):
                for lang in ("en", "fr") if "{lang" in route.path else ("",):
                    path = re.sub(r"\{lang:language\}", lang, route.path)
                    found.append(re.sub(r"\{([a-z_:]+)\}", lambda match: facts.get(match[1], "1"), path))
        elif isinstance(route, Mount):
            found.append(f"{route.path}/")
    return found


def test_every_route_forbids_shared_caches_what_depends_on_a_cookie(server: TestClient) -> None:
    paths = all_paths(server)
    assert len(paths) > 40
    for path in [*paths, "/en/nowhere", "/fr/facts?variant=brandub-globe", "/en/new?variant=brandub-globe"]:
        answers = []
        for kept in (None, "en", "fr"):
            server.cookies.clear()
            if kept is not None:
                server.cookies.set("hnefi_lang", kept)
            answers.append(server.get(path, headers=DOCUMENT))
        for answer in answers:
            control = answer.headers["cache-control"]
            assert control.startswith(("public", "private", "no-store")), (path, control)
            if "set-cookie" in answer.headers:
                assert control.startswith(("private", "no-store")), path
        bodies = {(answer.status_code, answer.text, answer.headers.get("location")) for answer in answers}
        if len(bodies) > 1:
            assert all(not one.headers["cache-control"].startswith("public") for one in answers), path


def test_a_page_is_public_unless_it_sets_the_cookie(browser: TestClient) -> None:
    first = browser.get("/en/rules", headers=DOCUMENT)
    assert first.headers["cache-control"] == "private, no-cache"
    assert "hnefi_lang" in first.headers["set-cookie"]
    second = browser.get("/en/rules", headers=DOCUMENT)
    assert second.headers["cache-control"] == "public, no-cache"
    assert "set-cookie" not in second.headers
    assert browser.get("/fr/facts?variant=brandub-globe").headers["cache-control"] == "public, no-cache"


@pytest.mark.parametrize(
    "path", ["/en/", "/fr/rules/brandub-globe", "/en/new?variant=brandub-globe", "/icon-180.png"]
)
def test_a_browser_that_has_a_page_does_not_get_it_again(browser: TestClient, path: str) -> None:
    first = browser.get(path, headers=SCRIPT)
    tag = first.headers["etag"]
    again = browser.get(path, headers={**SCRIPT, "If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert again.headers["content-security-policy"] == first.headers["content-security-policy"]
    assert browser.get(path, headers={**SCRIPT, "If-None-Match": '"other"'}).status_code == 200


def test_pages_are_sent_with_and_without_compression(browser: TestClient) -> None:
    packed = browser.get("/en/rules", headers={**SCRIPT, "Accept-Encoding": "gzip"})
    plain = browser.get("/en/rules", headers={**SCRIPT, "Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text
    assert "Accept-Encoding" in packed.headers["vary"]


def test_no_page_is_rendered_in_the_process_of_the_server(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[object] = []

    async def run(_: AsyncWorker, job: object) -> RenderedPage:
        jobs.append(job)
        return page()

    monkeypatch.setattr(AsyncWorker, "run", run)
    by_query = {"editor", "new", "table", "analysis", "facts"}
    for one in PAGES:
        query = "?rule.quiet_limit=77&utm=1" if one.name in by_query else "?utm=1"
        browser.get(f"/en{one.path.format_map(defaultdict(lambda: 'unseen'))}{query}")
    rendered = [job for job in jobs if isinstance(job, PageRequest)]
    assert all(("utm", "1") not in job.query for job in rendered)
    # All others are in the cache from other tests, or would be rendered by the worker too.
    assert by_query | {"rules", "lessons", "game", "embed"} <= {job.name for job in rendered}


async def test_a_value_is_computed_once_for_all_who_ask_but_a_failure_is_not_kept() -> None:
    """A full disk or want of memory that has passed must not last until the server is restarted."""
    once = Once(Mock(side_effect=[OSError("no space left"), *range(1, 9)]))
    with pytest.raises(OSError, match="no space left"):
        await once.value()
    assert [*await asyncio.gather(once.value(), once.value()), await once.value()] == [1, 1, 1]
