"""The rules in which two variants differ, in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hnefi.variants.model import Variant
from hnefi.variants.similarity import rule_differences
from hnefi.variants.switches import CALL_SWITCHES
from hnefi.words import Clause, RulesText, rules
from hnefi.words.values import rule_title

# The keys of [calls] and [match] without their clauses.
_CALLS = ("sides", *CALL_SWITCHES, "king_in_danger", "words")
_MATCH = ("legs", "tie_break", "lot")
_KING = "king_capture"


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

    How the king is captured is told as a whole: a part of it alone could mislead.

    >>> from hnefi import variant
    >>> found = differences(variant("brandub-globe"), variant("brandub-breyer"), "en")
    >>> [one.leaf for one in found][:3]
    ['corner_stop', 'throne_hostile', 'king_capture']
    """
    texts = rules(first, lang, pictures=False), rules(second, lang, pictures=False)
    found = list(rule_differences(first.tree, second.tree))
    has_king = any(one.leaf == _KING for one in found)

    def sentences(leaves: tuple[str, ...], *, has_king: bool) -> tuple[str, str]:
        said = (_clauses(told, leaves, has_king=has_king) for told in texts)
        one, other = (" ".join(dict.fromkeys(clause.text for clause in clauses)) for clauses in said)
        return one, other

    def difference(leaf: str, path: str, values: tuple[object, object], *others: str) -> Difference:
        told = sentences((leaf, *others), has_king=has_king)
        # What differs may be said of the king alone.
        if not all(told) or told[0] == told[1]:
            told = sentences((leaf, *others), has_king=False)
        return Difference(leaf, path, rule_title(leaf, lang), values, told)

    for one in found:
        yield difference(one.leaf, f"rules.{one.path}", one.values)
    calls = _part(first.calls, _CALLS), _part(second.calls, _CALLS)
    if calls[0] != calls[1]:
        yield difference("calls", "calls", calls, *CALL_SWITCHES)
    matches = _part(first.match, _MATCH), _part(second.match, _MATCH)
    if matches[0] != matches[1]:
        yield difference("match", "match", matches)


def _part(section: Mapping[str, Any] | None, keys: tuple[str, ...]) -> dict[str, Any] | None:
    return None if section is None else {key: section[key] for key in keys if key in section}


def _clauses(told: RulesText, leaves: tuple[str, ...], *, has_king: bool) -> list[Clause]:
    """Returns what rules say of the first of some keys, and aloud of the others, in the order of the rules.

    Args:
        has_king: Whether all about the capture of the king is said where its key is the first.
    """
    sections = [section for section in told.sections if section.id != "aim"]
    of_king = next(section.spoken_clauses for section in sections if section.id == "king")
    king = [clause for clause in of_king if clause.leaves != ("fixed",)]
    if has_king and leaves[0] == _KING:
        return king
    about = [*told.clauses_about(leaves[0])]
    about += [clause for leaf in leaves[1:] for clause in told.clauses_about(leaf) if not clause.is_silent]
    every = [clause for section in sections for clause in section.clauses if clause in about]
    return [clause for clause in every if not (has_king and clause in king)]
