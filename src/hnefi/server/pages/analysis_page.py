"""What the page for analysis needs besides the facts of the variants."""

from functools import lru_cache
from typing import Any

from hnefi.server.pages.game_texts import GAME_TEXTS
from hnefi.server.pages.new_page import new_page

__all__ = ["ANALYSIS_TEXTS", "rule_choices"]

# The texts of its script, by the beginnings of their keys.
ANALYSIS_TEXTS = (
    *GAME_TEXTS,
    "page.analysis.",
    "page.missing",
    "reason.",
    "result.",
    "score.",
    "error.bad_position.",
)


@lru_cache(maxsize=64)
def rule_choices(variant_id: str, lang: str) -> tuple[dict[str, Any], ...]:
    """Gives the rules that may be played differently, as web/src/analysis/variant_form.tsx names them."""
    rules = new_page({"variant": variant_id}, lang).rules
    return tuple({"leaf": rule.leaf, "title": rule.title, "choices": rule.ways} for rule in rules)
