"""The language of a page: that of its address, else the one chosen last, else one the browser prefers.

What a script asks for is in the language that the script names, which is that of its page.
"""

from typing import TYPE_CHECKING

from hnefi.i18n import FALLBACK, languages
from hnefi.server.http.cookies import cookies_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

COOKIE = "hnefi_lang"
_A_YEAR = 365 * 24 * 60 * 60


def preferred_language(request: "Request") -> str:
    """Returns the language for a request whose path does not contain one."""
    chosen = cookies_of(request.scope).get(COOKIE, "")
    if chosen in languages() and request.headers.get("sec-fetch-dest") != "empty":
        return chosen
    return _preferred(request.headers.get("accept-language", "")) or FALLBACK


def _preferred(header: str) -> str | None:
    """Returns the preferred language of an `Accept-Language` header, None if no text has it.

    >>> _preferred("de-CH, fr;q=0.8, en;q=0.5"), _preferred("en;q=0.1, FR-be"), _preferred("tlh, *;q=x")
    ('fr', 'fr', None)
    """
    best, found = 0.0, None
    for item in header[:500].split(","):
        name, _, rest = item.strip().partition(";")
        code = name.strip().split("-")[0].lower()
        weight = _weight(rest)
        if code in languages() and weight > best:
            best, found = weight, code
    return found


def _weight(rest: str) -> float:
    name, _, value = rest.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def address_in(path: str, lang: str) -> str:
    """Returns the path of the same page in another language.

    >>> address_in("/en/rules/ard-ri-globe", "fr"), address_in("/en/", "fr")
    ('/fr/rules/ard-ri-globe', '/fr/')
    """
    _, _, rest = path.removeprefix("/").partition("/")
    return f"/{lang}/{rest}"


def keep_language(request: "Request", response: "Response", lang: str) -> None:
    """Sets a cookie with the language of a page, for paths that name none.

    Pages that a script fetches, pages in frames, and those that a link from elsewhere opens do not count:
    the user did not choose them.
    """
    headers = request.headers
    if headers.get("sec-fetch-dest", "document") != "document":
        return
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return
    if cookies_of(request.scope).get(COOKIE) != lang:
        response.set_cookie(
            COOKIE, lang, max_age=_A_YEAR, samesite="lax", httponly=True, secure=request.url.scheme == "https"
        )
