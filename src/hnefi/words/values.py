"""Values of rules in a few words, as the answers in the rules editor are worded."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hnefi.i18n import plural, text
from hnefi.variants.schema import schema, value_at
from hnefi.variants.switches import CALL_SWITCHES
from hnefi.words.nouns import nouns_of, uncapitalised
from hnefi.words.wording import listed

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

# The text keys of entries and values that are not named after the rule.
_SENSES = {
    "range": "kind",
    "king_capture": "zone",
    "jumps": "jumper",
    "throne_hostile": "hostile",
    "corner_hostile": "hostile",
}
_VALUES = {"throne_hostile": "hostility", "corner_hostile": "hostility", "jumps": "jump"}


def value_words(leaf: str, value: object, lang: str) -> str:
    """Formats the value of a rule, to follow the name of the rule within a sentence.

    Args:
        value: Its value as in JSON; of a map perhaps only some entries. A start position is only called
            another one.

    >>> value_words("throne_stop", ["attackers", "king"], "en"), value_words("quiet_limit", 40, "fr")
    ('the attackers and the king', '40 coups')
    >>> value_words("king_capture", {"elsewhere": "custodial"}, "en")
    'anywhere else: between two attackers'
    >>> value_words("range", {"attackers": 1, "defenders": 1, "king": 1}, "en")
    '1 square'
    """
    if leaf == "repetition" and isinstance(value, Mapping):
        return _repetition(value, lang)
    if isinstance(value, Mapping):
        if len(value) == len(schema()[leaf]["keys"]) and len(set(value.values())) == 1:
            return value_words(leaf, next(iter(value.values())), lang)
        return ", ".join(_entry(leaf, entry, each, lang) for entry, each in value.items())
    if leaf == "start":
        return text("words.value.start", lang)
    if leaf == "size":
        return f"{value}×{value}"
    if isinstance(value, bool):
        return uncapitalised(answer_words(leaf, str(value).lower(), lang))
    if isinstance(value, int):
        return _number(leaf, value, lang)
    if isinstance(value, list):
        return _camps(value, lang) if leaf == "camps" else _kinds(value, lang)
    return uncapitalised(answer_words(leaf, str(value), lang))


def switch_words(variant: "Variant", switch: str, lang: str) -> str:
    """Returns what a switch makes of a variant: the name of the rule, and its value.

    >>> from hnefi import variant
    >>> switch_words(variant("brandub-globe"), "quiet_limit=40", "en")
    'Moves without a capture: 40 moves'
    """
    key, _, value = switch.partition("=")
    leaf, _, entry = key.partition(".")
    if leaf in CALL_SWITCHES:
        words = uncapitalised(answer_words(leaf, value, lang))
    else:
        changed = value_at(variant.with_switches({key: value}).tree_dict, leaf)
        words = value_words(leaf, {entry: changed[entry]} if entry else changed, lang)
    return text("words.value.entry", lang, entry=rule_title(leaf, lang, variant.about), value=words)


def rule_title(leaf: str, lang: str, about: Mapping[str, Any] | None = None) -> str:
    """Returns the title of a rule, or of a switch of the calls, with the names of a variant's facts.

    >>> from hnefi import variant
    >>> rule_title("throne_pass", "fr"), rule_title("throne_pass", "fr", variant("tablut-kouvia").about)
    ('Traverser le trône', 'Traverser le Konakis')
    """
    if leaf in CALL_SWITCHES:
        return text(f"page.editor.calls.{leaf}", lang)
    return text(f"words.leaf.{leaf}", lang, **nouns_of(about or {}, lang))


def answer_words(leaf: str, value: str, lang: str) -> str:
    """Returns the answer that a value is to the question about a rule or one of its entries.

    >>> answer_words("king_armed", "none", "en"), answer_words("jumps", "over", "fr")
    ('Takes no part in captures', 'Saute sans prendre')
    """
    return text(f"answer.{_VALUES.get(leaf, leaf)}.{value}", lang)


def entry_words(leaf: str, entry: str, lang: str) -> str:
    """Returns the name of an entry of a rule: a kind of piece, or a place of the king.

    >>> entry_words("king_capture", "beside_throne", "en")
    'Beside the throne'
    """
    return text(f"answer.{_SENSES.get(leaf, leaf)}.{entry}", lang)


def _entry(leaf: str, entry: str, value: object, lang: str) -> str:
    said = value_words(leaf, value, lang)
    return text("words.value.entry", lang, entry=uncapitalised(entry_words(leaf, entry, lang)), value=said)


def _repetition(value: Mapping[str, object], lang: str) -> str:
    if not value["count"]:
        return text("words.value.repetition.none", lang)
    result = uncapitalised(answer_words("repetition", str(value["result"]), lang))
    return plural("words.value.repetition.some", int(str(value["count"])), lang, result=result)


def _number(leaf: str, value: int, lang: str) -> str:
    if leaf == "range":
        return (
            plural("count.squares", value, lang) if value else uncapitalised(answer_words("range", "0", lang))
        )
    return plural("words.value.moves", value, lang) if value else text("words.value.unlimited", lang)


def _camps(camps: Sequence[Sequence[str]], lang: str) -> str:
    number = sum(len(camp) for camp in camps)
    return plural("count.squares", number, lang) if number else text("words.value.camps.none", lang)


def _kinds(kinds: Sequence[str], lang: str) -> str:
    nouns = nouns_of({}, lang)
    return listed([nouns[f"the_{kind}"] for kind in kinds], lang) or text("words.value.nobody", lang)
