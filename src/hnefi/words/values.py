"""The values of the rules in a few words: "on all four sides", "the attackers and the king"."""

from collections.abc import Mapping, Sequence

from hnefi.i18n import FALLBACK, has_text, plural, text
from hnefi.words.nouns import nouns_of
from hnefi.words.teller import listed

__all__ = ["entry_words", "value_words"]


def value_words(leaf: str, value: object, lang: str) -> str:
    """Says what the value of a rule is; it stands behind the name of the rule.

    Args:
        leaf: The name of the rule.
        value: Its value as in a rules tree; of a map perhaps only some entries.
        lang: The language.

    >>> value_words("throne_stop", ["attackers", "king"], "en"), value_words("quiet_limit", 40, "fr")
    ('the attackers and the king', '40 coups')
    >>> value_words("king_capture", {"elsewhere": "custodial"}, "en")
    'elsewhere: between two'
    """
    if leaf == "repetition" and isinstance(value, Mapping):
        return _repetition(value, lang)
    if isinstance(value, Mapping):
        return ", ".join(_entry(leaf, entry, each, lang) for entry, each in value.items())
    if isinstance(value, bool):
        return text("words.value.yes" if value else "words.value.no", lang)
    if isinstance(value, int):
        return _number(leaf, value, lang)
    if isinstance(value, list):
        return _camps(value, lang) if leaf == "camps" else _kinds(value, lang)
    own = f"words.value.{leaf}.{value}"
    return text(own, lang) if has_text(own, FALLBACK) else text(f"words.value.{value}", lang)


def entry_words(entry: str, lang: str) -> str:
    """Names an entry of a map: a kind of pieces, or where the king stands.

    >>> entry_words("beside_throne", "en")
    'beside the throne'
    """
    return text(f"words.entry.{entry}", lang)


def _entry(leaf: str, entry: str, value: object, lang: str) -> str:
    return text(
        "words.value.entry", lang, entry=entry_words(entry, lang), value=value_words(leaf, value, lang)
    )


def _repetition(value: Mapping[str, object], lang: str) -> str:
    if not value["count"]:
        return text("words.value.repetition.none", lang)
    result = text(f"words.value.repetition.{value['result']}", lang)
    return plural("words.value.repetition.some", int(str(value["count"])), lang, result=result)


def _number(leaf: str, value: int, lang: str) -> str:
    if value == 0:
        return text("words.value.unlimited", lang)
    if leaf == "quiet_limit":
        return plural("words.value.moves", value, lang)
    return plural("count.squares", value, lang)


def _camps(camps: Sequence[Sequence[str]], lang: str) -> str:
    number = sum(len(camp) for camp in camps)
    return plural("count.squares", number, lang) if number else text("words.value.camps.none", lang)


def _kinds(kinds: Sequence[str], lang: str) -> str:
    nouns = nouns_of({}, lang)
    said = {kind: text(f"words.who.{kind}", lang, **nouns) for kind in ("attackers", "defenders")}
    said["king"] = nouns["the_king"]
    return listed([said[kind] for kind in kinds], lang) or text("words.value.nobody", lang)
