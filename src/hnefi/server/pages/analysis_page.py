"""Texts and rule choices of the analysis page."""

from functools import lru_cache
from typing import Any

from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.new_page import new_page
from hnefi.variants.switches import CALL_SWITCHES

# Prefixes of the keys of its texts.
ANALYSIS_TEXTS = (
    *GAME_TEXTS,
    "page.analysis.",
    "page.board.size",
    "page.missing",
    "score.",
    "error.bad_position.",
)


@lru_cache(maxsize=64)
def rule_choices(variant_id: str, lang: str) -> tuple[dict[str, Any], ...]:
    """Returns the rules that a player may change, as web/src/analysis/variant_form.tsx names them."""
    rules = new_page({"variant": variant_id}, lang).rules
    return tuple(
        {"leaf": rule.leaf, "title": rule.title, "choices": rule.choices}
        for rule in rules
        if rule.leaf not in CALL_SWITCHES
    )
