"""The application as a whole: what answers which address, and what is around all of it."""

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from hnefi import __version__
from hnefi.server.assets import Assets
from hnefi.server.headers import SecurityHeaders
from hnefi.server.pages import add_pages
from hnefi.server.settings import Settings

__all__ = ["create_app"]

_LEAST_GZIPPED = 1_000


def create_app(settings: Settings | None = None) -> FastAPI:
    """Makes the application.

    Args:
        settings: How it is to run; the defaults if None.
    """
    app = FastAPI(
        title="Hnefi",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        middleware=[Middleware(SecurityHeaders), Middleware(GZipMiddleware, minimum_size=_LEAST_GZIPPED)],
    )
    app.state.settings = settings or Settings()
    app.state.assets = Assets.load()
    app.mount("/static", app.state.assets, name="static")
    add_pages(app, app.state.assets)
    return app
