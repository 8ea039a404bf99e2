"""Security and cache headers of every response."""

import secrets

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["SecurityHeaders", "allow_framing", "nonce_of"]

# 'wasm-unsafe-eval' lets the compiled rules run; it allows no script to be made from text.
_POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; "
    "style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; media-src 'self' data: blob:; "
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
    """Middleware that adds the headers, unless a response has them already."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on with a new nonce, and adds the headers to its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(18)
        scope.setdefault("state", {})["nonce"] = nonce

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_framed = scope["state"].get(_FRAMED, False)
                policy = _POLICY.format(nonce=nonce, framers="*" if is_framed else "'none'")
                headers.setdefault("Content-Security-Policy", policy)
                if scope["path"].startswith(_PRIVATE):
                    headers.setdefault("Cache-Control", "no-store")
                for name, value in _FIXED.items():
                    if not (is_framed and name == "X-Frame-Options"):
                        headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, add)


def allow_framing(scope: Scope) -> None:
    """Allows any page to show this response in a frame; only for pages without controls."""
    scope["state"][_FRAMED] = True


def nonce_of(scope: Scope) -> str:
    """Returns the nonce that allows inline scripts of this response."""
    return str(scope["state"]["nonce"])
