"""The installable web application: manifest, icons, and the service worker for offline use."""

import hashlib
import json

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hnefi import __version__
from hnefi.i18n import languages, text
from hnefi.server.assets import Assets
from hnefi.server.http.language import preferred_language
from hnefi.server.pages.icons import SIZES, icon_svg

__all__ = ["add_installing"]

_A_DAY = {"Cache-Control": "public, max-age=86400"}
# Pages that are cached before they are opened.
_KEPT = ("/", "/new", "/table", "/games", "/lessons", "/rules", "/analysis", "/offline")


def add_installing(app: FastAPI, assets: Assets) -> None:
    """Adds manifest, icon and service worker to an application."""
    worker = _worker(assets)

    async def manifest(request: Request) -> Response:
        return JSONResponse(
            _manifest(preferred_language(request)),
            headers={"Cache-Control": "private, no-cache", "Vary": "Accept-Language, Cookie"},
            media_type="application/manifest+json",
        )

    async def service_worker(_: Request) -> Response:
        return Response(worker, headers={"Cache-Control": "public, no-cache"}, media_type="text/javascript")

    async def svg(_: Request) -> Response:
        return Response(icon_svg(), headers=_A_DAY, media_type="image/svg+xml")

    for path, answer in (
        ("/manifest.webmanifest", manifest),
        ("/sw.js", service_worker),
        ("/icon.svg", svg),
    ):
        app.add_route(path, answer, methods=["GET"], include_in_schema=False)


def _manifest(lang: str) -> dict[str, object]:
    icons: list[dict[str, str]] = [{"src": "/icon.svg", "sizes": "any", "type": "image/svg+xml"}]
    icons += [
        {"src": f"/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size in SIZES
        for purpose in ("any", "maskable")
    ]
    return {
        "id": "/",
        "name": text("page.title", lang),
        "short_name": "Hnefi",
        "description": text("page.description", lang),
        "lang": lang,
        "start_url": f"/{lang}/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#E6EBE9",
        "theme_color": "#E6EBE9",
        "icons": icons,
        "shortcuts": [
            {"name": text("page.new", lang), "url": f"/{lang}/new"},
            {"name": text("page.table.title", lang), "url": f"/{lang}/table"},
        ],
    }


def _worker(assets: Assets) -> str:
    """Returns the script of the service worker with its version and the pages to cache."""
    files = assets.all_urls()
    version = hashlib.sha256(" ".join([__version__, *files]).encode()).hexdigest()[:12]
    kept = {
        "version": version,
        "files": files,
        "pages": [f"/{lang}{path}" for lang in languages() for path in _KEPT],
    }
    return f"self.KEPT = {json.dumps(kept)};\n{assets.content('sw.js').decode()}"
