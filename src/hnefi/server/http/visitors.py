"""Visitors: a browser is identified by a secret in a cookie, a program by a bearer token."""

import re
from typing import Annotated

from fastapi import Depends
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from hnefi.server.http.cookies import HOST_ONLY, cookies_of
from hnefi.server.secrets import hash_of, new_secret

COOKIES = "cookies"
"""The key of the cookies that the response to a request sets, unless it is an error."""

_VISITOR = "hnefi"
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")
_MAX_AGE_S = 400 * 86_400


def cookie_of(scope: Scope, name: str) -> str:
    """Returns a cookie that `set_secret` has set; an empty text if there is none."""
    return cookies_of(scope).get(_full_name(scope, name), "")


def visitor_of(scope: Scope) -> str | None:
    """Returns the visitor, identified by the hash of the secret; None without a secret.

    A bearer token takes precedence over a cookie.
    """
    found = _token_of(scope) if has_token(scope) else cookie_of(scope, _VISITOR)
    return hash_of(found) if _SECRET.fullmatch(found) else None


def has_token(scope: Scope) -> bool:
    """Checks whether a request has a bearer token, which no browser sends by itself."""
    return Headers(scope=scope).get("authorization", "").partition(" ")[0] == "Bearer"


def has_bad_token(scope: Scope) -> bool:
    """Checks whether a request has a bearer token that can be nobody's."""
    return has_token(scope) and not _SECRET.fullmatch(_token_of(scope))


def _token_of(scope: Scope) -> str:
    return Headers(scope=scope)["authorization"].partition(" ")[2].strip()


async def ensure_visitor(request: Request) -> str:
    """Returns the visitor; creates one if the request has none, whose cookie the response sets."""
    visitor = visitor_of(request.scope)
    if visitor is None:
        secret = new_secret()
        set_secret(request.scope, secret)
        visitor = hash_of(secret)
    return visitor


Visitor = Annotated[str, Depends(ensure_visitor)]


def set_secret(scope: Scope, secret: str, name: str = _VISITOR) -> None:
    """Has the response set the cookie of a secret, hidden from scripts and from other sites."""
    response, is_secure = Response(), _is_secure(scope)
    response.set_cookie(_full_name(scope, name), secret, _MAX_AGE_S, secure=is_secure, httponly=True)
    scope["state"].setdefault(COOKIES, []).append(response.headers["set-cookie"])


def _full_name(scope: Scope, name: str) -> str:
    return f"{HOST_ONLY}{name}" if _is_secure(scope) else name


def _is_secure(scope: Scope) -> bool:
    return scope.get("scheme") in ("https", "wss")
