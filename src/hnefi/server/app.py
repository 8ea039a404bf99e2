"""The ASGI application: its routes, middleware and error handlers."""

import asyncio
import json
from functools import partial
from http import HTTPStatus

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from hnefi import __version__
from hnefi.errors import HnefiError
from hnefi.server.api.games import make_api
from hnefi.server.assets import Assets
from hnefi.server.http.admission import Admission
from hnefi.server.http.cookies import take_cookies
from hnefi.server.http.costs import Charging
from hnefi.server.http.documentation import Documentation
from hnefi.server.http.guard import Guard
from hnefi.server.http.headers import SecurityHeaders
from hnefi.server.http.monitoring import Monitoring
from hnefi.server.http.refusal import fault_of, refusal_response
from hnefi.server.http.rendered import RenderedPage, rendered, response_of
from hnefi.server.messages.http import AnalysisView, Failure, QueueView
from hnefi.server.messages.records import RecordTextView
from hnefi.server.messages.socket import EventMessage, GameView
from hnefi.server.once import Once
from hnefi.server.pages.rendering import inline_script_hashes
from hnefi.server.pages.routes import add_pages
from hnefi.server.refusals import refused
from hnefi.server.service import Service
from hnefi.server.settings import Settings
from hnefi.server.sockets.socket import EXTENSION
from hnefi.server.store.rows import NotSaved

_MIN_GZIPPED = 1_000
_PATH = "/ws"
_REFERRED = (Failure, EventMessage, GameView, AnalysisView, QueueView, RecordTextView)
_TOKEN = "The secret of a visitor, from `POST /api/visitors`; browsers have it in a cookie."


def create_app(settings: Settings) -> FastAPI:
    """Creates the application; whoever serves it starts and stops `state.service`."""
    service = Service(settings)
    app = FastAPI(
        title="Hnefi",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        middleware=[
            Middleware(Monitoring, metrics=service.metrics),
            Middleware(_Entrance, service=service),
            Middleware(Charging, limit=service.request_costs, per_s=service.short_term_ms),
            Middleware(SecurityHeaders, inline_scripts=inline_script_hashes()),
            Middleware(
                Guard, origins=service.origins, requests_per_minute=service.settings.requests_per_minute
            ),
            Middleware(GZipMiddleware, minimum_size=_MIN_GZIPPED),
        ],
    )
    app.state.service = service
    assets = Assets.load()
    app.mount("/static", assets, name="static")
    if service.settings.docs is not None:
        app.mount("/docs", Documentation(directory=service.settings.docs, html=True), name="docs")
    # `include_router` would build every route a second time, at the first request.
    app.router.routes.extend(make_api(service))
    description = Once(partial(_describe, app))

    async def describe(request: Request) -> Response:
        return response_of(request, await description.value())

    app.add_route("/api/openapi.json", describe, include_in_schema=False)
    add_pages(app, assets)
    app.add_exception_handler(HnefiError, _on_refusal)
    app.add_exception_handler(NotSaved, _on_refusal)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    return app


def _describe(app: FastAPI) -> RenderedPage:
    """Returns the description of the API, which takes a fifth of a second to make."""
    description = app.openapi()
    parts = description["components"]
    # Responses refer to them or name them, and no route has them as its model.
    _, models = TypeAdapter.json_schemas(
        [(model.__name__, "serialization", TypeAdapter(model)) for model in _REFERRED],
        ref_template="#/components/schemas/{model}",
    )
    parts["schemas"] = models["$defs"] | parts["schemas"]
    parts["securitySchemes"] = {"visitor": {"type": "http", "scheme": "bearer", "description": _TOKEN}}
    # A request without it is one of a new visitor.
    description["security"] = [{"visitor": []}, {}]
    text = json.dumps(description, ensure_ascii=False, separators=(",", ":"))
    return rendered(text.encode(), "application/json")


class _Entrance:
    """Middleware that admits requests, reads their cookies and keys, and serves WebSockets.

    It ends a cancelled request without an error, if the server stops: uvicorn logs every exception of an
    application as its failure.
    """

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service
        self._admission = Admission()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._admission.admit(scope)
            take_cookies(scope)
            self._service.keys.note(scope)
            if scope["type"] == "http":
                await self._app(scope, receive, send)
            else:
                await self._serve_socket(scope, send)
        except asyncio.CancelledError:
            if self._service.is_ready:
                raise

    async def _serve_socket(self, scope: Scope, send: Send) -> None:
        socket = scope.get("extensions", {}).get(EXTENSION)
        if socket is None or scope["path"] != _PATH:
            await send({"type": "websocket.close"})
        else:
            await self._service.connections.serve(socket, scope)


async def _on_refusal(request: Request, error: Exception) -> JSONResponse:
    refusal = error if isinstance(error, HnefiError) else refused("not_saved")
    return refusal_response(request.scope, refusal)


async def _on_invalid_request(request: Request, error: Exception) -> JSONResponse:
    """Responds with the first invalid field of a request, without repeating its value."""
    assert isinstance(error, RequestValidationError)
    errors = error.errors()
    if errors[0]["type"] == "json_invalid":
        refusal = refused("bad_request", part="json", **fault_of(errors))
        return refusal_response(request.scope, refusal, HTTPStatus.BAD_REQUEST)
    return refusal_response(request.scope, refused("bad_request", **fault_of(errors)))
