"""Refusals as sentences, and the responses to refused requests."""

import math
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Scope

from hnefi import i18n
from hnefi.errors import HnefiError
from hnefi.server.http.language import preferred_language
from hnefi.server.refusals import TooManyRequests

CODE = "code"
"""The key of the code of an error, in the state of a request and in logs."""

_SECONDS = 60
"""Up to how many seconds a time to wait is told in seconds."""


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
    return f"{message} {i18n.plural('error.try_again.minutes', math.ceil(wait_s / 60), lang)}"


def refusal_body(error: HnefiError, lang: str = i18n.FALLBACK) -> dict[str, Any]:
    """Returns the body of the response to an error, which is the same for all errors."""
    return {"code": error.code, "message": _message(error, lang), "facts": error.parameters}


def refusal_response(scope: Scope, error: HnefiError, status: HTTPStatus) -> JSONResponse:
    """Returns the response to an error in the language of the request, and notes its code."""
    note_code(scope, error.code)
    headers = {"Retry-After": str(error.retry_after_s)} if isinstance(error, TooManyRequests) else None
    return JSONResponse(refusal_body(error, preferred_language(Request(scope))), status, headers)
