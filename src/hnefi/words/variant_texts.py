"""Reads the texts in variant files; custom files may lack any of them."""

from collections.abc import Mapping
from typing import Any

__all__ = ["entries", "in_language", "lookup"]


def lookup(data: object, *keys: str) -> Any:
    """Returns the value at a path of keys, None if it is missing.

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
    """Returns a text in a language, else in English, else None."""
    for code in (lang, "en"):
        value = lookup(texts, code)
        if isinstance(value, str) and value:
            return value
    return None


def entries(data: object) -> list[Mapping[str, Any]]:
    """Returns the tables of a list of tables, empty if there are none."""
    return [entry for entry in data if isinstance(entry, Mapping)] if isinstance(data, list | tuple) else []
