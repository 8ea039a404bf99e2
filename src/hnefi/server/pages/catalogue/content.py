"""The catalogue: all games as a wall of boards, with a search and filters."""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from hnefi.lessons import lessons
from hnefi.server.pages.all_pages import FILTERS
from hnefi.server.pages.game_choices import game_tile
from hnefi.server.pages.page import PageRequest
from hnefi.server.pages.variant_families import family_key, slogan
from hnefi.variants.finding import variant
from hnefi.variants.lengths import measured_length
from hnefi.variants.model import Variant
from hnefi.variants.search import FoundVariant, is_named, search_known_words, search_terms
from hnefi.words.variant_texts import in_language

_LARGE = 13
_FIRST = "copenhagen-11"
_LONGEST_QUERY = 60


def all_rules_values(request: PageRequest) -> dict[str, object]:
    """Returns the values of the catalogue: all variants, or those that fit the search of the query."""
    return {"page": catalogue(request.values, request.lang, request.known), "filters": FILTERS}


def catalogue(query: Mapping[str, str], lang: str, variants: tuple[str, ...]) -> dict[str, Any]:
    """Returns all games, and which of them fit a search; unknown values of filters are ignored.

    `variants` has the ids of the games.
    """
    cards = _cards(lang, variants)
    first = next((card for card in cards if card["id"] == _FIRST), cards[0])
    sought = query.get("q", "").strip()[:_LONGEST_QUERY]
    chosen = {
        name: query[name] if query.get(name) in values else values[0] for name, values in FILTERS.items()
    }
    # Games of this name before those that have it besides another.
    cards = tuple(sorted(cards, key=lambda card: not is_named(sought, card["name"])))
    listed, unknown = search_known_words(sought, lang) if sought else ((), ())
    found: Mapping[str, FoundVariant] = {one.id: one for one in listed}
    fitting = [
        card["id"]
        for card in cards
        if (not sought or card["id"] in found)
        and all(value in ("any", card["filters"][name]) for name, value in chosen.items())
    ]
    reasons = {one: found[one].why for one in fitting if sought}
    why, count = next(iter(Counter(reasons.values()).most_common(1)), ("", 0))
    why = why if 2 * count > len(fitting) else ""
    return {
        # Those with lessons first, then those that people have played most.
        "cards": cards,
        "query": sought,
        "chosen": chosen,
        "is_asked": bool(sought) or any(value != "any" for value in chosen.values()),
        "shown": fitting,
        # Why the search found most of them; empty if their names show it.
        "why": why,
        # Why it found the others, by id.
        "reasons": {one: reason for one, reason in reasons.items() if reason != why},
        # No game has the name: the nearest are shown.
        "is_near": any(found[one].mistakes for one in fitting if sought),
        "unknown": unknown,
        "first": first,
        "slogan": slogan(variant(first["id"]), lang),
    }


@cache
def _cards(lang: str, variants: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    seen: set[str] = set()
    cards = []
    for one in sorted(map(variant, variants), key=_prominence):
        family = family_key(one)
        cards.append(_card(one, lang, None if family in seen else family))
        seen.add(family)
    return tuple(cards)


def _prominence(one: Variant) -> tuple[bool, int, int, str]:
    """Returns a sort key: games with lessons, then those that people have played most, then small boards."""
    length = measured_length(one)
    played = length.games if length is not None and length.by == "people" else 0
    return not lessons(one.id) and one.id != _FIRST, -played, one.rules.size, one.id


def _card(one: Variant, lang: str, anchor: str | None) -> dict[str, Any]:
    tile = game_tile(one, lang)
    return {
        **tile,
        "title": one.name(lang),
        # How its rules are known, as a sentence.
        "note": in_language(one.about.get("status_note"), lang) or "",
        "region": in_language(one.about.get("region"), lang) or "",
        # The value of each filter that shows it.
        "filters": {
            "size": str(min(one.rules.size, _LARGE)),
            "goal": "edge" if one.tree.ends.goal == "edge" else "corner",
            "difficulty": str(tile["length"]["difficulty"] or ""),
        },
        # What a search compares: pairs of a name and the reason it stands for the game.
        "terms": json.dumps([[term.text, term.why] for term in search_terms(one, lang)], ensure_ascii=False),
        "has_lessons": bool(lessons(one.id)),
        # The key of its family at the family's first card.
        "anchor": anchor,
    }
