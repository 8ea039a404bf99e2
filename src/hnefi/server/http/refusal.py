"""Refusals as sentences, and the body of one before the application has seen the request."""

import json
import math

from hnefi import i18n
from hnefi.errors import HnefiError
from hnefi.server.refusals import TooManyRequests, refused

_SECONDS = 60
"""Up to how many seconds a time to wait is told in seconds."""


def explain_refusal(error: HnefiError, lang: str = i18n.FALLBACK) -> str:
    """Returns the message of an error; above a limit it says when to try again."""
    message = i18n.explain(error, lang)
    if not isinstance(error, TooManyRequests):
        return message
    wait_s = error.retry_after_s
    if wait_s <= _SECONDS:
        return f"{message} {i18n.plural('error.try_again.seconds', wait_s, lang)}"
    return f"{message} {i18n.plural('error.try_again.minutes', math.ceil(wait_s / 60), lang)}"


def refusal_body(code: str, lang: str = i18n.FALLBACK, wait_s: float | None = None) -> bytes:
    """Returns the body, as JSON like that of all other errors.

    Args:
        code: The code of the refusal.
        lang: The language.
        wait_s: After how many seconds the request may be repeated; None if that is no reason.
    """
    error = refused(code) if wait_s is None else TooManyRequests(code, code, wait_s)
    message = explain_refusal(error, lang)
    return json.dumps({"code": code, "message": message, "facts": {}}, ensure_ascii=False).encode()
