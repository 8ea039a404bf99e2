"""Visitors: a browser is known by a secret in a cookie, a program by one in a header."""

import re
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.types import Scope

from hnefi.server.secrets import hash_of, new_secret

__all__ = ["cookie_for", "has_token", "new_visitor", "secret_of", "visitor_of"]

_PLAIN, _SECURE = "hnefi", "__Host-hnefi"
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
_MAX_AGE_S = 400 * 86_400


def secret_of(scope: Scope) -> str | None:
    """Gives the secret of whoever asks, None if he has none. A token in a header goes before a cookie."""
    headers = Headers(scope=scope)
    if has_token(scope):
        found = headers["authorization"][len("Bearer ") :].strip()
    else:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return None
        name = _SECURE if _is_secure(scope) else _PLAIN
        found = cookies[name].value if name in cookies else ""
    return found if _SECRET.fullmatch(found) else None


def visitor_of(scope: Scope) -> str | None:
    """Gives the visitor, by the hash of his secret; None if he has none."""
    secret = secret_of(scope)
    return None if secret is None else hash_of(secret)


def has_token(scope: Scope) -> bool:
    """Whether the secret comes in a header, which no browser sends by itself."""
    return Headers(scope=scope).get("authorization", "").startswith("Bearer ")


def new_visitor() -> tuple[str, str]:
    """Makes a visitor: his secret, and the hash that is kept of it."""
    secret = new_secret()
    return secret, hash_of(secret)


def cookie_for(scope: Scope, secret: str) -> str:
    """Gives the header that makes a browser keep a secret: out of reach of scripts and of other sites."""
    secure = _is_secure(scope)
    name = _SECURE if secure else _PLAIN
    parts = [f"{name}={secret}", "Path=/", f"Max-Age={_MAX_AGE_S}", "HttpOnly", "SameSite=Lax"]
    return "; ".join([*parts, "Secure"] if secure else parts)


def _is_secure(scope: Scope) -> bool:
    return scope.get("scheme") in ("https", "wss")
