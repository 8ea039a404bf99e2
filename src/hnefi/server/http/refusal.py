"""Refusals as sentences, and the responses to refused requests with their status."""

import math
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Scope

from hnefi import i18n
from hnefi.errors import HnefiError, shorten
from hnefi.server.http.language import preferred_language
from hnefi.server.refusals import Refused, TooManyRequests

CODE = "code"
"""The key of the code of an error, in the state of a request and in logs."""

_SECONDS, _MINUTES = 60, 120
"""Up to how many seconds a time to wait is told in seconds, and up to how many minutes in minutes."""

_CODES = {
    HTTPStatus.BAD_REQUEST: ("repeated_host",),
    HTTPStatus.UNAUTHORIZED: ("bad_token",),
    HTTPStatus.FORBIDDEN: (
        *("not_host", "no_seat", "bad_invite", "bad_link", "unknown_access_key", "foreign_origin"),
    ),
    HTTPStatus.NOT_FOUND: (
        *("unknown_game", "unknown_library_game", "no_openings", "unknown_variant", "ambiguous_variant"),
        *("no_such_leg", "no_such_ply", "unknown_class", "unknown_member"),
    ),
    HTTPStatus.CONFLICT: ("superseded",),
    HTTPStatus.GONE: ("damaged_game",),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("too_many_plies", "body_too_large"),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: ("not_json",),
    HTTPStatus.MISDIRECTED_REQUEST: ("unknown_host",),
    HTTPStatus.UNPROCESSABLE_ENTITY: ("bad_request",),
    # An EngineError: `hnefi.workers` does not know `TooManyRequests`.
    HTTPStatus.TOO_MANY_REQUESTS: ("too_many_analyses",),
    HTTPStatus.INTERNAL_SERVER_ERROR: ("internal_error",),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "library_fails",
        "engine_busy",
        "engine_died",
        "server_full",
        "not_saved",
    ),
}
_STATUS = {code: status for status, codes in _CODES.items() for code in codes}


def note_code(scope: Scope, code: str) -> None:
    """Notes the code of the error with which a request is answered, for metrics and logs."""
    scope.setdefault("state", {})[CODE] = code


def _message(error: HnefiError, lang: str) -> str:
    """Returns the message of an error; above a limit it says when to try again."""
    message = i18n.explain(error, lang)
    if not isinstance(error, TooManyRequests):
        return message
    wait_s = error.retry_after_s
    if wait_s <= _SECONDS:
        return f"{message} {i18n.plural('error.try_again.seconds', wait_s, lang)}"
    minutes = math.ceil(wait_s / 60)
    if minutes <= _MINUTES:
        return f"{message} {i18n.plural('error.try_again.minutes', minutes, lang)}"
    return f"{message} {i18n.plural('error.try_again.hours', math.ceil(wait_s / 3600), lang)}"


def refusal_body(error: HnefiError, lang: str = i18n.FALLBACK) -> dict[str, Any]:
    """Returns the body of the response to an error, which is the same for all errors."""
    return {"code": error.code, "message": _message(error, lang), "facts": error.parameters}


def fault_of(errors: Sequence[Any]) -> dict[str, str]:
    """Returns the first error of pydantic as facts, `where` and `why`, without the value that is refused."""
    where = ".".join(map(shorten, errors[0]["loc"])) or "body"
    return {"where": where, "why": shorten(errors[0]["msg"].removeprefix("Value error, "), 400)}


def status_of(error: HnefiError) -> HTTPStatus:
    """Returns the status of an error.

    Above a rate limit it is 429. A code without a status gets 409 if the request cannot be carried out now,
    and 422 if it never can.
    """
    if isinstance(error, TooManyRequests):
        return HTTPStatus.TOO_MANY_REQUESTS
    usual = HTTPStatus.CONFLICT if isinstance(error, Refused) else HTTPStatus.UNPROCESSABLE_ENTITY
    return _STATUS.get(error.code, usual)


def refusal_response(scope: Scope, error: HnefiError, status: HTTPStatus | None = None) -> JSONResponse:
    """Returns the response to an error in the language of the request, and notes its code.

    Its status follows from the error unless one is given.
    """
    note_code(scope, error.code)
    headers = {"Retry-After": str(error.retry_after_s)} if isinstance(error, TooManyRequests) else None
    return JSONResponse(
        refusal_body(error, preferred_language(Request(scope))), status or status_of(error), headers
    )
