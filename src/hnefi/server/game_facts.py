"""Facts of variants as JSON, which scripts need to play a variant and to name its pieces and rules."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from hnefi import words
from hnefi.i18n import text
from hnefi.pieces import Piece
from hnefi.variants.balance import harder_side
from hnefi.variants.finding import all_variants, variant_ids
from hnefi.variants.links import format_changes
from hnefi.variants.model import Variant
from hnefi.words.nouns import capitalised
from hnefi.words.variant_texts import in_language, lookup, original_call


def _rules_of(one: Variant, lang: str, title: str) -> str | None:
    """Returns the path of the rules page, with the changes of the rules and their name."""
    if one.id not in variant_ids():
        return None
    changes = f"?{format_changes(one.switches, name=title)}" if one.switches else ""
    return f"/{lang}/rules/{one.id}{changes}"


@cache
def all_game_facts(lang: str) -> dict[str, dict[str, Any]]:
    """Returns the facts of all variants by id; it is cached."""
    return {one.id: game_facts(one, lang) for one in all_variants()}


def game_facts(
    one: Variant, lang: str, told: words.RulesText | None = None, title: str = ""
) -> dict[str, Any]:
    """Returns the facts of a variant; web/src/variants.ts declares their types.

    Pages with a board say king, attackers and defenders, whatever words the source has: those are on the page
    of the rules. `told` has its rules in words, if the caller has them. `title` is the name that changed
    rules were given; without changed rules it is ignored.
    """
    standing = [piece.soldier for piece in one.rules.start.pieces.values()]
    harder = harder_side(one)
    heading, edition = heading_of(one, lang)
    return {
        **({"title": title} if title and one.switches else {}),
        "id": one.id,
        "name": one.name(lang),
        "family": heading,
        "author": edition,
        "rules": _rules_of(one, lang, title),
        "tree": one.tree_dict,
        "hash": one.rules.hash,
        "switches": dict(one.switches),
        "changes": _changes(one, lang, told),
        "goals": {
            "attackers": text(f"web.goal.{words.attackers_aim(one.tree.ends)}", lang),
            "defenders": text(f"web.goal.{one.tree.ends.goal}", lang),
        },
        "counts": {
            piece.value: standing.count(piece) for piece in (Piece.ATTACKER, Piece.DEFENDER, Piece.KING)
        },
        "calls": None if one.calls is None else _calls(one.calls, lang),
        "harder": None if harder is None else harder.value,
        "match": {"legs": one.match["legs"], "tie_break": one.match["tie_break"]},
    }


def _changes(one: Variant, lang: str, told: words.RulesText | None) -> list[str]:
    """Returns the sentences of the rules that are changed by switches."""
    if not one.switches:
        return []
    rules = told or words.rules(one, lang, pictures=False)
    leaves = dict.fromkeys(key.partition(".")[0] for key in one.switches)
    clauses = (clause.text for leaf in leaves for clause in rules.clauses_about(leaf))
    return list(dict.fromkeys(clauses))


def call_words(calls: Mapping[str, Any] | None, lang: str) -> dict[str, str]:
    """Returns the words of the calls of a variant, the usual ones if it has none."""
    return {
        name: in_language(lookup(calls, "words", name), lang) or text(f"play.word.{name}", lang)
        for name in _CALLS
    }


_CALLS = ("one_exit", "two_exits", "king_in_danger")


def _calls(calls: Mapping[str, Any], lang: str) -> dict[str, Any]:
    return {
        "sanction": calls["sanction"],
        "replay": calls["replay"],
        "wrong_number": calls["wrong_number"],
        "in_danger": bool(calls.get("king_in_danger")),
        "words": call_words(calls, lang),
        "originals": {name: original_call(calls, name, lang) for name in _CALLS},
    }


def family_of(one: Variant, lang: str) -> str:
    """Returns the name of the family of a variant; the name of the variant if it has none."""
    return in_language(one.about.get("family"), lang) or one.name(lang)


def heading_of(one: Variant, lang: str) -> tuple[str, str]:
    """Returns a variant's name for a heading in two parts: the family, and the part in brackets, capitalised.

    A name that is not that of the family stands instead of it; the second part may be empty.

    >>> from hnefi.variants import variant
    >>> [heading_of(variant(name), "en") for name in ("hist-tablut-9", "old-magpie-7", "berserk-11")]
    [('Tablut', 'Historical rules'), ('Old Magpie', '7\\xa0×\\xa07'), ('Berserk Hnefatafl', '')]
    """
    head, _, rest = one.name(lang).partition(" (")
    brackets, family = rest.rstrip(")"), family_of(one, lang)
    if head == family or any(map(str.isalpha, brackets)):
        return (family, capitalised(brackets))
    return head, brackets
