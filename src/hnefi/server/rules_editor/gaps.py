"""What OpenTafl's rules strings cannot express, in the words of the rules editor."""

from typing import Any

from hnefi.formats import Gap, explain_gap
from hnefi.i18n import text
from hnefi.rule_tree import RuleTree
from hnefi.variants.schema import value_at
from hnefi.words.values import answer_words, rule_title, value_words

# The rule that a gap is about; `rules.no_key` names it.
_LEAVES = {
    "rules.repetition": "repetition",
    "rules.king_capture": "king_capture",
    "rules.linnaean": "linnaean",
    "rules.corner_hostile": "corner_hostile",
}


def gap_words(gap: Gap, tree: RuleTree, lang: str) -> str:
    """Returns a gap in words: the rule, its value, and what the format says instead.

    `explain_gap` names keys and values as they are in files.
    """
    leaf = gap.facts["key"] if gap.code == "rules.no_key" else _LEAVES.get(gap.code)
    if leaf is None:
        words = explain_gap(gap, lang)
        return f"{words[:1].upper()}{words[1:]}."
    title, value = rule_title(leaf, lang), value_words(leaf, value_at(tree, leaf), lang)
    if "instead" not in gap.facts:
        return text("page.editor.gap.lost", lang, title=title, value=value)
    instead = _instead(leaf, gap.facts["instead"], lang)
    return text("page.editor.gap.instead", lang, title=title, value=value, instead=instead)


def _instead(leaf: str, value: str, lang: str) -> str:
    if leaf == "repetition":
        # A result alone is that of the third repetition.
        count, _, result = value.rpartition(", ")
        return value_words(leaf, {"count": int(count or 3), "result": result}, lang)
    if leaf == "jumps":
        words = answer_words(leaf, value, lang)
        return words[:1].lower() + words[1:]
    parsed: Any = int(value) if value.isdecimal() else value
    return value_words(leaf, parsed, lang)
