"""The installable web application: manifest, icons, and the service worker for offline use."""

import hashlib
import json
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hnefi import __version__
from hnefi.i18n import text
from hnefi.server.assets import Assets
from hnefi.server.http.language import preferred_language
from hnefi.server.http.rendered import RenderedPage, rendered, response_of
from hnefi.server.once import Once
from hnefi.server.pages.icons import NAMES, SIZES, icon

if TYPE_CHECKING:
    from fastapi import FastAPI

# What is kept one by one: the page that is shown where nothing else is kept, and what pages ask for.
_PAGES = ("/offline", "/facts")
# The files of the first of these pages.
_FIRST = ("site.css", "failure.css", "cut.woff2", "text.woff2")
# What every page names, at addresses that stay the same.
_OF_EVERY_PAGE = ("/manifest.webmanifest", "/icon.svg")
# Files that no page loads.
_OF_PROGRAMS = ("alone.js", "notebook.js", "opened.js", "sw.js")
# The largest file comes after everything that pages need to show themselves.
_LAST = "engine.wasm"


def add_installing(app: "FastAPI", assets: Assets) -> None:
    """Adds manifest, icon and service worker to an application."""
    worker = Once(partial(_worker, assets))

    async def manifest(request: Request) -> Response:
        return JSONResponse(
            manifest_facts(preferred_language(request)),
            headers={"Cache-Control": "private, no-cache", "Vary": "Accept-Language, Cookie"},
            media_type="application/manifest+json",
        )

    async def service_worker(_: Request) -> Response:
        headers = {"Cache-Control": "public, no-cache"}
        return Response(await worker.value(), headers=headers, media_type="text/javascript")

    async def drawing(page: RenderedPage, request: Request) -> Response:
        response = response_of(request, page)
        response.headers["Cache-Control"] = "public, max-age=86400"
        return response

    answers = {"manifest.webmanifest": manifest, "sw.js": service_worker}
    for name in NAMES:
        kind = "image/svg+xml" if name.endswith(".svg") else "image/png"
        answers[name] = partial(drawing, rendered(icon(name), kind))
    for name, answer in answers.items():
        app.add_route(f"/{name}", answer, methods=["GET"], include_in_schema=False)


def manifest_facts(lang: str, root: str = "/") -> dict[str, object]:
    """Returns the manifest of the installable application.

    `root` is the address of the site: "/" at a server, "./" in a folder of static files.
    """
    ending = "" if root == "/" else "/"
    icons: list[dict[str, str]] = [{"src": f"{root}icon.svg", "sizes": "any", "type": "image/svg+xml"}]
    icons += [
        {"src": f"{root}icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size in SIZES
        for purpose in ("any", "maskable")
    ]
    return {
        "id": root,
        "name": text("page.title", lang),
        "short_name": "Hnefi",
        "description": text("page.description", lang),
        "lang": lang,
        "start_url": f"{root}{lang}/",
        "scope": root,
        "display": "standalone",
        "background_color": "#F8F9F7",
        "theme_color": "#F8F9F7",
        "icons": icons,
        "shortcuts": [
            {"name": text("page.new", lang), "url": f"{root}{lang}/new{ending}"},
            {"name": text("page.computer.title", lang), "url": f"{root}{lang}/computer{ending}"},
            {"name": text("page.table.title", lang), "url": f"{root}{lang}/table{ending}"},
        ],
    }


def _worker(assets: Assets) -> str:
    """Returns the script of the service worker with its version and what it keeps."""
    from hnefi.server.pages.offline.bundles import bundle_names, site_addresses

    files = assets.all_urls()
    version = hashlib.sha256(" ".join([__version__, *files]).encode()).hexdigest()[:12]
    apart = {assets.url(name) for name in (*_OF_PROGRAMS, _LAST)}
    needs = {
        file: sorted(f"/static/{name}" for name in needed)
        for file in files
        if (needed := assets.needed_by(file.removeprefix("/static/")))
    }
    # A page works once all of its files have come, so those that most others need come first.
    times = Counter(one for needed in needs.values() for one in needed)
    kept = {
        "version": version,
        "first": [assets.url(name) for name in _FIRST],
        "files": sorted(set(files) - apart, key=lambda file: (-times[file], file)),
        "last": [assets.url(_LAST)],
        "needs": needs,
        "fixed": _OF_EVERY_PAGE,
        "site": site_addresses(),
        "bundles": bundle_names(),
        "pages": _PAGES,
    }
    return f"self.KEPT = {json.dumps(kept)};\n{assets.content('sw.js').decode()}"
