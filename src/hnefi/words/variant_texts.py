"""Reads the texts in variant files; custom files may lack any of them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hnefi.i18n import text
from hnefi.variants.switches import CALL_SWITCHES

if TYPE_CHECKING:
    from hnefi.variants.model import Variant


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


# What keyboards have, and what print has, in French.
_PRINTED = {"'": "’", "« ": "«\u00a0", " »": "\u00a0»", " :": "\u00a0:"} | {
    f" {mark}": f"\u202f{mark}" for mark in ";!?"
}


def in_language(texts: object, lang: str) -> str | None:
    """Returns a text in a language, else in English, else None."""
    for code in (lang, "en"):
        value = lookup(texts, code)
        if isinstance(value, str) and value:
            return typeset(value) if code == "fr" else value
    return None


def typeset(french: str) -> str:
    """Returns a text with the apostrophes and no-break spaces of print, which are hard to type.

    >>> typeset("L'arbre : « Qui l'a vu ? »")
    'L’arbre\\xa0: «\\xa0Qui l’a vu\\u202f?\\xa0»'
    """
    for typed, printed in _PRINTED.items():
        french = french.replace(typed, printed)
    return french


def call_name(calls: Mapping[str, Any] | None, name: str, lang: str) -> str | None:
    """Returns the word of a call in quotation marks, followed by that of the source if it is another one.

    Args:
        calls: The calls of a variant.
        name: `one_exit`, `two_exits` or `king_in_danger`.

    >>> from hnefi import variant
    >>> call_name(variant("tablut-geoludie").calls, "king_in_danger", "en")
    '“watch your king” (“gare au roi”)'
    """
    word, original = in_language(lookup(calls, "words", name), lang), original_call(calls, name, lang)
    if word is None:
        return None
    if not original:
        return text("words.call.word", lang, word=word)
    return text("words.call.translated", lang, word=word, original=original)


def original_call(calls: Mapping[str, Any] | None, name: str, lang: str) -> str:
    """Returns the source's word of a call, empty if it is unknown or the same as in this language."""
    words = lookup(calls, "words", name)
    original = lookup(words, str(lookup(calls, "language")))
    return original if isinstance(original, str) and original != in_language(words, lang) else ""


def entries(data: object) -> list[Mapping[str, Any]]:
    """Returns the tables of a list of tables, empty if there are none."""
    return [entry for entry in data if isinstance(entry, Mapping)] if isinstance(data, list | tuple) else []


def why_entries(variant: "Variant", leaf: str) -> list[Mapping[str, Any]]:
    """Returns the `why` entries of a rule, of the calls, of the `match`, or of rules without a key."""
    if leaf == "calls" or leaf in CALL_SWITCHES:
        return entries((variant.calls or {}).get("why"))
    if leaf == "match":
        return entries(variant.match.get("why"))
    return entries(variant.fixed if leaf == "fixed" else variant.why.get(leaf))


def parts_of(entry: Mapping[str, Any]) -> Sequence[str]:
    """Returns the parts of its rule that a `why` entry is about; none if it is about the whole rule."""
    parts = entry.get("parts")
    return [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else []
