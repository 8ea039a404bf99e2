"""Routes of the HTML pages. Every path begins with a language; paths without one are redirected."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from http import HTTPStatus

from fastapi import FastAPI
from starlette.background import BackgroundTask
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Scope

from hnefi.errors import HnefiError, shorten
from hnefi.i18n import explain, languages
from hnefi.server.assets import Assets
from hnefi.server.http.access_keys import COOKIE
from hnefi.server.http.cached_work import CachedWork
from hnefi.server.http.costs import ChargedWorker
from hnefi.server.http.headers import allow_framing
from hnefi.server.http.language import keep_language, preferred_language
from hnefi.server.http.refusal import note_code, refusal_response, status_of
from hnefi.server.http.rendered import RenderedPage, response_of
from hnefi.server.http.visitors import ensure_visitor, set_secret
from hnefi.server.once import Once
from hnefi.server.pages.all_pages import PAGE_BY_NAME, PAGES
from hnefi.server.pages.installing import add_installing
from hnefi.server.pages.page import Page, PageRequest
from hnefi.server.pages.prints import PRINT_PATH, print_names, print_worker
from hnefi.server.pages.rendering import PageWriter
from hnefi.server.pages.worker import page_worker
from hnefi.server.refusals import TooManyRequests, refused
from hnefi.server.service import Service
from hnefi.server.store.rows import NotSaved
from hnefi.variants.custom import plain_words
from hnefi.variants.finding import variant_ids
from hnefi.variants.page_addresses import print_file

_PROGRAM_PATHS = ("/api/", "/static/")
_MOST_CACHED_B = 32 * 2**20
_OVERHEAD_B = 1_000
"""What a cached page takes besides its body and its address."""

_FOR_ALL = "kept"
"""The pages that are rendered once for everybody: nobody is charged for the bundles that browsers keep."""

_MISSING = ("page.missing", "page.missing.text")
_FAILED = ("page.failed", "page.failed.text")
_BUSY = ("page.busy", "page.busy.text")
_REFUSED = ("page.refused", "page.missing.text")
_FAILURE = Page("failure", "", "")
_RULES = PAGE_BY_NAME["rules"]
# The viewers of browsers are pages that embed the file, with styles.
_PDF_POLICY = (
    "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


class _LanguageConvertor(StringConvertor):
    regex = "|".join(languages())


register_url_convertor("language", _LanguageConvertor())


def add_pages(app: FastAPI, assets: Assets) -> None:
    """Adds all pages to an application, and its error pages."""
    service: Service = app.state.service
    worker, printer = service.charge_for(page_worker()), service.charge_for(print_worker())
    renderer, prints = (PageRenderer(one, _MOST_CACHED_B) for one in (worker, printer))
    service.metrics.read({"hnefi_page_queue": lambda: worker.queued + printer.queued})
    pages = _Pages(service, renderer, prints, Once(partial(PageWriter, assets)))
    answers: dict[str, Callable[[Request], Awaitable[Response]]] = {
        page.path: partial(pages.answer, page) for page in PAGES
    }
    answers[PRINT_PATH] = pages.printed
    for path, answer in answers.items():
        app.add_route(f"/{{lang:language}}{path}", answer, methods=["GET"], include_in_schema=False)
        app.add_route(path, _redirect, methods=["GET"], include_in_schema=False)
    add_installing(app, assets)
    app.add_exception_handler(HTTPException, pages.failed)


async def _redirect(request: Request) -> Response:
    """Redirects to the same page in the preferred language."""
    query = f"?{request.url.query}" if request.url.query else ""
    address = f"/{preferred_language(request)}{request.url.path}{query}"
    headers = {"Vary": "Accept-Language, Cookie", "Cache-Control": "private, no-cache"}
    return RedirectResponse(address, HTTPStatus.FOUND, headers)


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


def _key_of(request: Request) -> str:
    """Returns the key of a school or club in the query of a request; empty if there is none."""
    return request.query_params.get("key", "").strip()


class _Pages:
    """Answers requests for pages: from the cache, or by the page worker."""

    def __init__(
        self, service: Service, renderer: PageRenderer, prints: PageRenderer, writer: Once[PageWriter]
    ) -> None:
        self._service, self._renderer, self._prints, self._writer = service, renderer, prints, writer
        self._forms = print_names()
        self._failures: dict[PageRequest, str] = {}

    async def answer(self, page: Page, request: Request) -> Response:
        """Answers a request for a page."""
        lang = str(request.path_params["lang"])
        if page.name == "key" and (accepted := await self._accept_key(request, lang)) is not None:
            return accepted
        wanted = self._page_request(page, lang, request)
        if page.name == "game":
            wanted = await self._with_preview(wanted)
        try:
            rendered = await self._renderer.page(wanted, request.scope)
        except HnefiError as error:
            if not page.folder:
                raise
            return await self._refusal(request, lang, error)
        response = response_of(request, rendered)
        response.headers["Content-Language"] = lang
        if rendered.media_type.startswith("text/html"):
            keep_language(request, response, lang)
        if page.name == "key":
            response.headers["Cache-Control"] = "no-store"
            if _key_of(request):
                response.status_code = HTTPStatus.FORBIDDEN
        if page.name == "embed":
            allow_framing(request.scope)
        if page.name == "editor":
            response.background = BackgroundTask(self._service.rules.prepare)
        return response

    async def _accept_key(self, request: Request, lang: str) -> Response | None:
        """Returns the home page, and cookies for the key and the visitor; None without a key of this server.

        The device becomes a visitor at once, since it is charged by its visitor from the first game on. The
        key disappears from the address.
        """
        secret = _key_of(request)
        if self._service.keys.find(secret) is None:
            return None
        set_secret(request.scope, secret, COOKIE)
        await ensure_visitor(request)
        return RedirectResponse(f"/{lang}/", HTTPStatus.SEE_OTHER, {"Cache-Control": "no-store"})

    async def printed(self, request: Request) -> Response:
        """Returns a printed form of a game, as PDF."""
        lang, variant_id, form = (str(request.path_params[name]) for name in ("lang", "variant", "form"))
        if form not in self._forms or variant_id not in variant_ids():
            raise HTTPException(HTTPStatus.NOT_FOUND)
        query = tuple(one for one in request.query_params.multi_items() if _RULES.reads(one[0]))
        wanted = PageRequest("print", lang, "", (("variant", variant_id), ("form", form)), query)
        try:
            page = await self._prints.page(wanted, request.scope)
        except HnefiError as error:
            return await self._refusal(request, lang, error)
        if page.status != HTTPStatus.OK:
            raise HTTPException(page.status)
        response = response_of(request, page)
        response.headers["Content-Language"] = lang
        # Changed rules have a name of their own.
        file = print_file(plain_words(dict(query).get("name", "")) or variant_id, form, lang)
        response.headers["Content-Disposition"] = f'inline; filename="{file}"'
        response.headers["Content-Security-Policy"] = _PDF_POLICY
        return response

    def _page_request(self, page: Page, lang: str, request: Request) -> PageRequest:
        """Returns what a page depends on; parameters that it does not read do not count."""
        settings = self._service.settings
        parameters = tuple((key, str(value)) for key, value in request.path_params.items() if key != "lang")
        query = tuple(one for one in request.query_params.multi_items() if page.reads(one[0]))
        if page.name == "key" and _key_of(request):
            parameters += (("wrong", "1"),)
        if page.name == "imprint":
            parameters += (("text", settings.imprint or ""),)
        if page.is_daily:
            query += (("day", dt.datetime.now(dt.UTC).date().isoformat()),)
        return PageRequest(
            page.name,
            lang,
            request.url.path,
            parameters,
            query,
            self._origin(request),
            settings.docs is not None,
            bool(settings.imprint),
            settings.has_library,
            self._forms,
        )

    async def _with_preview(self, wanted: PageRequest) -> PageRequest:
        """Adds what a link preview says of the game; that of no game in particular has nothing to add."""
        # Names of variants need modules that a server starts without.
        from hnefi.server.pages.game.preview import game_preview

        try:
            state = (await self._service.games.read(wanted.parameter("game"))).state
        except (HnefiError, NotSaved):  # in an outage the page says so itself
            return wanted
        title, description = game_preview(state, wanted.lang)
        told = (("title", title), ("description", description))
        return replace(wanted, parameters=wanted.parameters + told)

    def _origin(self, request: Request) -> str:
        """Returns the origin of the pages, for link previews."""
        origins = self._service.settings.origins
        return str(origins[0] if origins else request.base_url).rstrip("/")

    async def _refusal(self, request: Request, lang: str, error: HnefiError) -> Response:
        """Returns the page of a request that is refused, or cannot be answered in time."""
        note_code(request.scope, error.code)
        if isinstance(error, TooManyRequests):
            response = await self._failure(request, lang, HTTPStatus.TOO_MANY_REQUESTS, _BUSY, error.code)
            response.headers["Retry-After"] = str(error.retry_after_s)
            return response
        status = status_of(error)
        if status == HTTPStatus.UNPROCESSABLE_ENTITY:
            return await self._failure(request, lang, status, _REFUSED, error.code, explain(error, lang))
        return await self._failure(request, lang, HTTPStatus.SERVICE_UNAVAILABLE, _FAILED, error.code)

    async def _failure(
        self,
        request: Request,
        lang: str,
        status: HTTPStatus,
        texts: tuple[str, str],
        code: str = "",
        detail: str | None = None,
    ) -> Response:
        """Returns the page of an error, which is the same for all paths unless it has details."""
        known = self._page_request(_FAILURE, lang, request)
        known = replace(known, name=texts[0], path=f"/{lang}/", parameters=(), origin="")
        html = None if detail else self._failures.get(known)
        if html is None:
            writer = await self._writer.value()
            html = await asyncio.to_thread(writer.failure, known, *texts, detail, code)
            if detail is None:
                self._failures[known] = html
        response = HTMLResponse(html, int(status), {"Cache-Control": "no-store", "Content-Language": lang})
        keep_language(request, response, lang)
        return response

    async def failed(self, request: Request, error: Exception) -> Response:
        """Returns an error: a page, or JSON for programs."""
        assert isinstance(error, HTTPException)
        path, status = request.url.path, HTTPStatus(error.status_code)
        if path.startswith(_PROGRAM_PATHS):
            if status == HTTPStatus.BAD_REQUEST:  # only of bodies that FastAPI cannot decode
                refusal = refused("bad_request", part="json", where="body", why="not JSON")
            else:
                code = "wrong_method" if status == HTTPStatus.METHOD_NOT_ALLOWED else "unknown_path"
                refusal = refused(code, method=request.method, path=shorten(path))
            answer: Response = refusal_response(request.scope, refusal, status)
        else:
            lang = path.removeprefix("/").partition("/")[0]
            lang = lang if lang in languages() else preferred_language(request)
            texts = _MISSING if status == HTTPStatus.NOT_FOUND else _FAILED
            answer = await self._failure(request, lang, status, texts)
        answer.headers.update(error.headers or {})
        return answer
