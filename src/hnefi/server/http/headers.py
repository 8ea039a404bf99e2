"""Security and cache headers of every response, and its cookies."""

from collections.abc import Iterable
from http import HTTPStatus

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hnefi.server.http.visitors import COOKIES

# 'wasm-unsafe-eval' lets the compiled rules run; it allows no script to be made from text.
_POLICY = (
    "default-src 'none'; script-src 'self' {scripts} 'wasm-unsafe-eval'; "
    "style-src 'self'; font-src 'self'; img-src 'self' data: blob:; media-src 'self' data: blob:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "object-src 'none'; frame-ancestors {framers}"
)
_FIXED = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


_FRAMED = "may_be_framed"
# Responses below it are private and change: a browser must not show them from its cache.
_PRIVATE = "/api/"


class SecurityHeaders:
    """Middleware that adds the cookies of `set_secret`, and the headers that a response has not yet."""

    def __init__(self, app: ASGIApp, inline_scripts: Iterable[str]) -> None:
        """Lets the inline scripts with these digests run.

        They are the same for every response, so that pages can be cached.
        """
        self._app = app
        self._scripts = " ".join(f"'{digest}'" for digest in inline_scripts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, and adds the headers to its response."""

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_framed = scope["state"].get(_FRAMED, False)
                policy = _POLICY.format(scripts=self._scripts, framers="*" if is_framed else "'none'")
                headers.setdefault("Content-Security-Policy", policy)
                if message["status"] < HTTPStatus.BAD_REQUEST:
                    for cookie in scope["state"].get(COOKIES, ()):
                        headers.append("set-cookie", cookie)
                _set_cache_control(headers, scope["path"])
                for name, value in _FIXED.items():
                    if not (is_framed and name == "X-Frame-Options"):
                        headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, add)


def _set_cache_control(headers: MutableHeaders, path: str) -> None:
    """Forbids caches what they must not keep: responses of the API, and those with a cookie."""
    headers.setdefault("Cache-Control", "no-store" if path.startswith(_PRIVATE) else "private, no-cache")
    if "set-cookie" in headers:
        headers["Cache-Control"] = headers["Cache-Control"].replace("public", "private")


def allow_framing(scope: Scope) -> None:
    """Allows any page to show this response in a frame; only for pages without controls."""
    scope["state"][_FRAMED] = True
