"""Makes the contents of all pages, from the values that their folders return; it runs in the page worker."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from http import HTTPStatus
from importlib import import_module

from hnefi.errors import SetupError, VariantError
from hnefi.i18n import explain
from hnefi.server.game_facts import all_game_facts
from hnefi.server.pages.all_pages import PAGE_BY_NAME
from hnefi.server.pages.facts import requested_facts
from hnefi.server.pages.offline.bundles import bundle, kept_pages
from hnefi.server.pages.page import Page, PageNotFound, PageRequest
from hnefi.server.pages.rendering import PageWriter
from hnefi.server.pages.worker import Content

_HTML = "text/html; charset=utf-8"


class PageContents:
    """All pages by name."""

    def __init__(self, writer: PageWriter) -> None:
        self._writer = writer

    def content(self, request: PageRequest) -> Content:
        """Returns a page; that of its error if there is none."""
        try:
            return self._content(request)
        except PageNotFound:
            return self._failure(request, HTTPStatus.NOT_FOUND)
        except (SetupError, VariantError) as error:
            # What is named in the path is not there; what is named in the query is wrong.
            if request.parameters:
                return self._failure(request, HTTPStatus.NOT_FOUND)
            return self._failure(request, HTTPStatus.BAD_REQUEST, explain(error, request.lang))

    def _content(self, request: PageRequest) -> Content:
        match request.name:
            case "facts":
                return _json(requested_facts(request) if request.query else all_game_facts(request.lang))
            case "kept":
                return self._kept(request)
        page = PAGE_BY_NAME[request.name]
        template = f"{page.folder}/{page.template or page.name}.html"
        declared = {"files": page.files, "nav": page.nav, "keys": page.texts}
        html = self._writer.page(request, template, **{**declared, **_values(page)(request)})
        return Content(html.encode(), _HTML)

    def _failure(self, request: PageRequest, status: HTTPStatus, detail: str | None = None) -> Content:
        key = "page.missing" if status == HTTPStatus.NOT_FOUND else "page.failed"
        html = self._writer.failure(request, key, f"{key}.text", detail)
        return Content(html.encode(), _HTML, int(status))

    def _kept(self, request: PageRequest) -> Content:
        """Returns a bundle of pages that browsers keep for use offline, as JSON."""
        try:
            pages = kept_pages(request, request.parameter("bundle"))
        except KeyError:
            raise PageNotFound from None
        return _json(bundle({address: self.content(page).body.decode() for address, page in pages.items()}))


@cache
def _values(page: Page) -> Callable[[PageRequest], Mapping[str, object]]:
    """Returns the function of a page; its module is imported for the first request."""
    module = import_module(f"hnefi.server.pages.{page.folder}.content")
    values: Callable[[PageRequest], Mapping[str, object]] = getattr(
        module, f"{page.template or page.name}_values"
    )
    return values


def _json(facts: object) -> Content:
    return Content(json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode(), "application/json")
