"""The body of a response that refuses a request before the application has seen it."""

import json

from hnefi import i18n
from hnefi.server.refusals import refused

__all__ = ["refusal_body"]


def refusal_body(code: str, lang: str = i18n.FALLBACK) -> bytes:
    """Returns the body, as JSON like that of all other errors."""
    message = i18n.explain(refused(code), lang)
    return json.dumps({"code": code, "message": message, "facts": {}}, ensure_ascii=False).encode()
