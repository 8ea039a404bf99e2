"""The analysis board, which runs in the browser."""

from functools import lru_cache
from typing import Any

from hnefi.server.pages.facts import requested_facts, site_games
from hnefi.server.pages.new.content import new_page
from hnefi.server.pages.page import PageRequest
from hnefi.variants.switches import CALL_SWITCHES


def analysis_values(request: PageRequest) -> dict[str, object]:
    """Returns the values of the analysis board."""
    facts = requested_facts(request, "brandub-globe")
    return {
        "games": site_games(request),
        "wanted": facts,
        "rules": rule_choices(facts["id"], request.lang),
        "library": request.has_library,
    }


@lru_cache(maxsize=64)
def rule_choices(variant_id: str, lang: str) -> tuple[dict[str, Any], ...]:
    """Returns the rules that a player may change, as web/src/pages/analysis/variant_form.tsx names them."""
    rules = new_page({"variant": variant_id}, lang).rules
    return tuple(
        {"leaf": rule.leaf, "title": rule.title, "choices": rule.choices}
        for rule in rules
        if rule.leaf not in CALL_SWITCHES
    )
