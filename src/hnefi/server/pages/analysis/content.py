"""The analysis board, which runs in the browser."""

from typing import Any

from hnefi.server.pages.facts import requested_facts, site_games
from hnefi.server.pages.new.content import rule_choices
from hnefi.server.pages.page import PageRequest
from hnefi.variants.switches import CALL_SWITCHES


def analysis_values(request: PageRequest) -> dict[str, object]:
    """Returns the values of the analysis board."""
    facts = requested_facts(request, "brandub-globe")
    return {
        "games": site_games(request),
        "wanted": facts,
        "rules": changeable_rules(facts["id"], request.lang),
    }


def changeable_rules(variant_id: str, lang: str) -> list[dict[str, Any]]:
    """Returns the rules that a player may change, as web/src/pages/analysis/variant_form.tsx names them."""
    return [
        {name: rule[name] for name in ("leaf", "title", "choices")}
        for rule in rule_choices(variant_id, lang)
        if rule["leaf"] not in CALL_SWITCHES
    ]
