"""The rules in which two variants differ, in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hnefi.variants.model import Variant
from hnefi.variants.similarity import rule_differences
from hnefi.variants.switches import CALL_SWITCHES
from hnefi.words import RulesText, rules
from hnefi.words.values import rule_title

# The keys of [calls] and [match] without their clauses.
_CALLS = ("sides", *CALL_SWITCHES, "king_in_danger", "words")
_MATCH = ("legs", "tie_break", "lot")


@dataclass(frozen=True, slots=True)
class Difference:
    """One rule in which two variants differ.

    Attributes:
        leaf: The key of the rule; `calls` and `match` for those of calls and matches.
        path: Where it stands in a variant file.
        title: What it is about.
        values: Its values.
        sentences: What they mean; empty if the rules have nothing to say.
    """

    leaf: str
    path: str
    title: str
    values: tuple[object, object]
    sentences: tuple[str, str]


def differences(first: Variant, second: Variant, lang: str) -> Iterator[Difference]:
    """Iterates over the rules in which two variants differ, in schema order; then calls and match.

    >>> from hnefi import variant
    >>> found = differences(variant("brandub-globe"), variant("brandub-breyer"), "en")
    >>> [one.leaf for one in found][:3]
    ['corner_stop', 'throne_hostile', 'king_capture']
    """
    texts = rules(first, lang, pictures=False), rules(second, lang, pictures=False)

    def difference(leaf: str, path: str, values: tuple[object, object], *others: str) -> Difference:
        sentences = _sentences(texts[0], leaf, *others), _sentences(texts[1], leaf, *others)
        return Difference(leaf, path, rule_title(leaf, lang), values, sentences)

    for one in rule_differences(first.tree, second.tree):
        yield difference(one.leaf, f"rules.{one.path}", one.values)
    calls = _part(first.calls, _CALLS), _part(second.calls, _CALLS)
    if calls[0] != calls[1]:
        yield difference("calls", "calls", calls, *CALL_SWITCHES)
    matches = _part(first.match, _MATCH), _part(second.match, _MATCH)
    if matches[0] != matches[1]:
        yield difference("match", "match", matches)


def _part(section: Mapping[str, Any] | None, keys: tuple[str, ...]) -> dict[str, Any] | None:
    return None if section is None else {key: section[key] for key in keys if key in section}


def _sentences(told: RulesText, leaf: str, *others: str) -> str:
    """Returns what rules in words say of a rule; a silent clause about a dependent one adds nothing."""
    about = [*told.clauses_about(leaf)]
    about += [clause for other in others for clause in told.clauses_about(other) if not clause.is_silent]
    return " ".join(dict.fromkeys(clause.text for clause in about))
