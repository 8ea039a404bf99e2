"""What the page for a new game asks, with what has been chosen so far."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from hnefi import words
from hnefi._core import Game, Setup
from hnefi.errors import VariantError
from hnefi.server.pages import drawings
from hnefi.server.pages.game_facts import game_facts
from hnefi.server.pages.shelf import author_of
from hnefi.variant import Variant, variant

__all__ = ["CHOICES", "LEVELS", "NewPage", "RuleChoice", "new_page"]

# What is asked besides the variant and its rules: the values of each question, the usual one first.
CHOICES: dict[str, tuple[str, ...]] = {
    "opponent": ("computer", "here", "friend"),
    "side": ("attackers", "defenders", "lot"),
    "clock": ("none", "5_3", "10_5", "15_10", "days_1", "days_3", "days_7"),
    "legs": ("1", "2"),
    "calls": ("auto", "manual", "off"),
}
LEVELS = tuple(range(1, 11))
_USUAL_LEVEL = 3


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """A rule that the text leaves open, and how it may be played.

    Attributes:
        leaf: The name of the switch.
        title: What it is about.
        ways: The values with their sentences; the first is how it is usually played here and has no value.
    """

    leaf: str
    title: str
    ways: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class NewPage:
    """Everything that the page shows besides fixed texts."""

    id: str
    name: str
    author: str
    goal: str
    facts: tuple[str, ...]
    has_calls: bool
    rules: tuple[RuleChoice, ...]
    board: Markup
    position: str | None
    chosen: Mapping[str, str]


def new_page(query: Mapping[str, str], lang: str) -> NewPage:
    """Puts the page together.

    Args:
        query: What has been chosen; what is no answer to a question is left out of account.
        lang: The language.

    Raises:
        VariantError: If it names a variant that there is not.
        SetupError: If it names a position that the rules do not allow.
    """
    one = variant(query.get("variant", "brandub-globe"))
    chosen = {
        name: query.get(name, values[0]) if query.get(name) in values else values[0]
        for name, values in CHOICES.items()
    }
    if "legs" not in query:
        chosen["legs"] = str(one.match["legs"])
    level = query.get("level", "")
    chosen["level"] = level if level.isdecimal() and int(level) in LEVELS else str(_USUAL_LEVEL)
    chosen |= {key: value for key, value in query.items() if key.startswith("rule.")}
    facts: dict[str, Any] = game_facts(one, lang)
    start = _start(one, query)
    return NewPage(
        id=one.id,
        name=facts["family"],
        author=author_of(one.name(lang)),
        goal=facts["goals"]["defenders"],
        facts=words.rules(one, lang).facts,
        has_calls=one.calls is not None,
        rules=_rule_choices(one.id, lang),
        board=drawings.start_board(one.id, lang) if start is None else drawings.board(one, start, lang),
        position=None if start is None else str(start.position.setup),
        chosen=chosen,
    )


def _start(one: Variant, query: Mapping[str, str]) -> Game | None:
    """Sets up the position that the game is to begin from, by the rules it is to be played by."""
    if not query.get("position"):
        return None
    switches = {
        key.removeprefix("rule."): value for key, value in query.items() if key.startswith("rule.") and value
    }
    return one.with_switches(switches).new_game(Setup(query["position"]))


@lru_cache(maxsize=64)
def _rule_choices(variant_id: str, lang: str) -> tuple[RuleChoice, ...]:
    return tuple(_each_rule(variant(variant_id), lang))


def _each_rule(one: Variant, lang: str) -> Iterator[RuleChoice]:
    """Goes through the rules for which the sources name another way; each is asked about once."""
    told = words.rules(one, lang)
    ways: dict[str, list[tuple[str, str]]] = {}
    titles: dict[str, str] = {}
    for origin in words.why(one, lang):
        for switch in (switch for source in origin.sources for switch in source.switches):
            key, _, value = switch.partition("=")
            leaf = key.partition(".")[0]
            sentence = _sentence(one, key, value, leaf, lang)
            if sentence and leaf == origin.leaf and all(sentence != other for _, other in ways.get(key, [])):
                usual = _told_about(told, leaf)
                ways.setdefault(key, [("", usual)] if usual != sentence else []).append((value, sentence))
                titles[key] = origin.title
    yield from (RuleChoice(key, titles[key], tuple(found)) for key, found in ways.items() if len(found) > 1)


def _sentence(one: Variant, key: str, value: str, leaf: str, lang: str) -> str:
    """Tells a rule as it is with a switch; nothing if the switch does not go with the other rules."""
    try:
        changed = one.with_switches({key: value})
    except VariantError:
        return ""
    return _told_about(words.rules(changed, lang), leaf)


def _told_about(told: words.RulesText, leaf: str) -> str:
    return " ".join(clause.text for clause in told.clauses_about(leaf))
