"""The page that enters the key of a school or club: a form, and links with the key."""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hnefi.server.http.access_keys import COOKIE, AccessKeys
from hnefi.server.http.visitors import cookie_for, new_visitor, visitor_of

_PARAMETER = "key"


def key_of(request: Request) -> str:
    """Returns the key in the query of a request; empty if there is none."""
    return request.query_params.get(_PARAMETER, "").strip()


def accept_key(request: Request, lang: str) -> Response | None:
    """Returns the home page, and cookies for the key and the visitor; None without a key of this server.

    The device becomes a visitor at once, since it is charged by its visitor from the first game on. The key
    disappears from the address.
    """
    keys: AccessKeys = request.app.state.service.keys
    secret = key_of(request)
    if not secret or keys.find(secret) is None:
        return None
    answer = RedirectResponse(f"/{lang}/", HTTPStatus.SEE_OTHER, {"Cache-Control": "no-store"})
    answer.headers.append("set-cookie", cookie_for(request.scope, secret, COOKIE))
    if visitor_of(request.scope) is None:
        answer.headers.append("set-cookie", cookie_for(request.scope, new_visitor()[0]))
    return answer
