"""Reading what a variant file says for people: a file of one's own may leave out anything of it."""

from collections.abc import Mapping
from typing import Any

__all__ = ["entries", "in_language", "lookup"]


def lookup(data: object, *keys: str) -> Any:
    """Returns what stands at the end of some keys, None if it is not there.

    >>> lookup({"words": {"king": {"fr": "roi"}}}, "words", "king", "fr")
    'roi'
    >>> lookup({"words": "none"}, "words", "king") is None
    True
    """
    for key in keys:
        if not isinstance(data, Mapping):
            return None
        data = data.get(key)
    return data


def in_language(texts: object, lang: str) -> str | None:
    """Returns a text in a language, the English one if it has none there, None if it has neither."""
    for code in (lang, "en"):
        found = lookup(texts, code)
        if isinstance(found, str) and found:
            return found
    return None


def entries(data: object) -> list[Mapping[str, Any]]:
    """Returns the tables of a list of tables; nothing where there is none."""
    return [entry for entry in data if isinstance(entry, Mapping)] if isinstance(data, list | tuple) else []
