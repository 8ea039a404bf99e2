"""What every answer tells the browser: to refuse code, frames and content not ours; what not to keep."""

import secrets

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["SecurityHeaders", "let_be_framed", "nonce_of"]

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
# What is answered below it is somebody's own and true for a moment: a browser that goes back asks again.
_ASKED = "/api/"


class SecurityHeaders:
    """Adds these headers to every answer; one that an answer has already is left as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on with a nonce of its own, and adds the headers to the answer."""
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
                if scope["path"].startswith(_ASKED):
                    headers.setdefault("Cache-Control", "no-store")
                for name, value in _FIXED.items():
                    if not (is_framed and name == "X-Frame-Options"):
                        headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, add)


def let_be_framed(scope: Scope) -> None:
    """Lets any page show this one answer in a frame: only for what has nothing on it to be tricked into."""
    scope["state"][_FRAMED] = True


def nonce_of(scope: Scope) -> str:
    """Gives the word that lets an inline script of this one answer run."""
    return str(scope["state"]["nonce"])
