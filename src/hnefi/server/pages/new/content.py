"""The form of a new game, with the choices of the query."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from hnefi import words
from hnefi._core import Setup
from hnefi.engine.levels import LEVEL_COUNT, USUAL_LEVEL
from hnefi.errors import VariantError
from hnefi.i18n import outcome_text, text
from hnefi.server.game_facts import game_facts
from hnefi.server.pages import drawings
from hnefi.server.pages.all_pages import CHOICES
from hnefi.server.pages.facts import asked_title
from hnefi.server.pages.game_choices import game_tile, offered_games
from hnefi.server.pages.page import PageRequest
from hnefi.variants.finding import variant
from hnefi.variants.links import format_query, query_switches
from hnefi.variants.model import Variant
from hnefi.variants.switches import CALL_SWITCHES
from hnefi.words.origins import origins_of
from hnefi.words.values import rule_title

# Opponents without a server.
_OPPONENTS_HERE = ("computer", "here")
_LEVELS = tuple(range(1, LEVEL_COUNT + 1))
# The games shown as pictures, from the smallest board to the largest.
_TILES = (
    "brandub-globe",
    "ard-ri-globe",
    "tablut-geoludie",
    "gwezboell-globe",
    "copenhagen-11",
    "tawlbwrdd-bell-11",
)


def new_values(request: PageRequest) -> dict[str, object]:
    """Returns the values of the form of a new game."""
    return {
        "new": new_page(request.values, request.lang, request.variants),
        "choices": CHOICES if request.has_server else {**CHOICES, "opponent": _OPPONENTS_HERE},
        "levels": _LEVELS,
        "count": len(request.known),
        "known": request.known,
    }


def new_page(query: Mapping[str, str], lang: str, variants: tuple[str, ...] | None = None) -> dict[str, Any]:
    """Returns the template values for a query.

    Unknown values are ignored. `variants` has the ids to choose from, None for all.

    Raises:
        VariantError: If there is no variant with the id in the query.
        SetupError: If the rules do not allow the position in the query.
    """
    one = variant(query.get("variant", "brandub-globe"))
    chosen = {
        name: query.get(name, values[0]) if query.get(name) in values else values[0]
        for name, values in CHOICES.items()
    }
    if "legs" not in query:
        # A position is for one game.
        chosen["legs"] = "1" if query.get("position") else str(one.match["legs"])
    if chosen["clock"].startswith("days") and chosen["opponent"] != "friend":
        chosen["clock"] = "none"
    level = query.get("level", "")
    chosen["level"] = level if level.isdecimal() and int(level) in _LEVELS else str(USUAL_LEVEL)
    chosen |= {key: value for key, value in query.items() if key.startswith("rule.")}
    rules = rule_choices(one.id, lang)
    linked = _linked(rules, query)
    played = one.with_switches(query_switches(query))
    game = game_facts(played, lang, title=asked_title(query))
    start = played.new_game(Setup(query["position"])) if query.get("position") else None
    rules_text = words.rules(played, lang, pictures=False)
    return {
        "game": game,
        "facts": rules_text.facts,
        "calls": game["calls"] and text("page.new.calls.what", lang, **game["calls"]["words"]),
        "harder": None if start else game["harder"],
        # The games to choose from, the chosen one among them; folded if the address names it.
        "tiles": _tiles(one, lang, variants),
        "is_given": "variant" in query,
        "rules": rules,
        "board": drawings.board(played, start, lang)
        if start or linked
        else drawings.start_board(one.id, lang),
        "position": None if start is None else str(start.position.setup),
        "outcome": None if start is None or start.outcome is None else outcome_text(start.outcome, lang),
        "query": _query(one, query, "position"),
        "query_without_position": _query(one, query),
        # Rules that the address changes and no question asks for: field, value, and the rule in words.
        "linked": [(f"rule.{key}", value, _text_about(rules_text, _leaf(key))) for key, value in linked],
        # Whether these depend on each other, so that none can be left out.
        "only_together": any(not _sentence(one, key, value, _leaf(key), lang) for key, value in linked),
        "chosen": chosen,
    }


def _tiles(chosen: Variant, lang: str, variants: tuple[str, ...] | None) -> list[dict[str, Any]]:
    usual = offered_games(_TILES, variants)
    return [game_tile(variant(name), lang) for name in (usual if chosen.id in usual else (chosen.id, *usual))]


def _query(one: Variant, query: Mapping[str, str], *names: str) -> str:
    """Returns a query with some of the choices and the switches."""
    kept = {name: query[name] for name in names if name in query}
    return format_query(one.id, query_switches(query), name=asked_title(query), **kept)


def _linked(rules: tuple[dict[str, Any], ...], query: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns the switches that are not among the choices of the page."""
    asked = {(rule["leaf"], value) for rule in rules for value, _ in rule["choices"]}
    return [switch for switch in query_switches(query).items() if switch not in asked]


def _leaf(key: str) -> str:
    return "calls" if key in CALL_SWITCHES else key.partition(".")[0]


@lru_cache(maxsize=64)
def rule_choices(variant_id: str, lang: str) -> tuple[dict[str, Any], ...]:
    """Returns the rules that the sources of a variant leave open: those for which they name another value."""
    one = variant(variant_id)
    # Without sources the sentences of the rules do not name the other readings, which are choices here.
    bare = replace(one, why={})
    rules_text = words.rules(bare, lang, pictures=False)
    rules: dict[str, dict[str, Any]] = {}
    named = [
        (origin, source, switch)
        for origin in origins_of(one, rules_text)
        for source in origin.sources
        for switch in source.switches
    ]
    for origin, source, switch in named:
        key, _, value = switch.partition("=")
        leaf = key.partition(".")[0]
        sentence = _sentence(bare, key, value, leaf, lang)
        if not sentence or origin.leaf not in (leaf, _leaf(key)):
            continue
        usual = _text_about(rules_text, leaf)
        rule = rules.setdefault(
            key,
            {
                "leaf": key,
                "title": rule_title(leaf, lang),
                # The values with their sentences; the first, without a value, is the usual one here.
                "choices": [("", usual)] if usual != sentence else [],
                # Why it is usually played so, and what the choice changes: the rulings.
                "reasons": [],
            },
        )
        if all(sentence != other for _, other in rule["choices"]):
            rule["choices"].append((value, sentence))
            is_about_it = source.switches[0].partition("=")[0] == key
            if source.ruling and is_about_it and source.ruling not in rule["reasons"]:
                rule["reasons"].append(source.ruling)
    return tuple(rule for rule in rules.values() if len(rule["choices"]) > 1)


def _sentence(one: Variant, key: str, value: str, leaf: str, lang: str) -> str:
    """Returns the sentence of a rule with a switch; empty if the switch contradicts other rules."""
    try:
        changed = one.with_switches({key: value})
    except VariantError:
        return ""
    return _text_about(words.rules(changed, lang, pictures=False), leaf)


def _text_about(rules_text: words.RulesText, leaf: str) -> str:
    return " ".join(clause.text for clause in rules_text.clauses_about(leaf))
