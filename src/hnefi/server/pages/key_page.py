"""The page that enters the key of a school or club: a form, and links with the key."""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hnefi.server.http.access_keys import COOKIE, AccessKeys
from hnefi.server.http.visitors import cookie_for, new_visitor, visitor_of
from hnefi.server.pages.rendering import PageWriter
from hnefi.server.settings import SECRET

__all__ = ["key_page"]

_PARAMETER = "key"


def key_page(writer: PageWriter, request: Request, lang: str) -> Response:
    """Returns the form; with a key of this server, the home page and cookies for the key and the visitor.

    The device becomes a visitor at once, since it is charged by its visitor from the first game on. The key
    disappears from the address.
    """
    keys: AccessKeys = request.app.state.service.keys
    secret = request.query_params.get(_PARAMETER, "").strip()
    if not secret or keys.find(secret) is None:
        status = HTTPStatus.FORBIDDEN if secret else HTTPStatus.OK
        page = writer.page(
            request, "key.html", lang, status=status, is_wrong=bool(secret), pattern=SECRET.pattern
        )
        page.headers["Cache-Control"] = "no-store"
        return page
    answer = RedirectResponse(f"/{lang}/", HTTPStatus.SEE_OTHER, {"Cache-Control": "no-store"})
    answer.headers.append("set-cookie", cookie_for(request.scope, secret, COOKIE))
    if visitor_of(request.scope) is None:
        answer.headers.append("set-cookie", cookie_for(request.scope, new_visitor()[0]))
    return answer
