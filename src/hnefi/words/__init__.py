"""The rules of a variant in words, in every language, made from its parameters.

>>> from hnefi import variant, words
>>> told = words.rules(variant("brandub-globe"), "en")
>>> [clause.text for clause in told.clauses_about("goal")][-1]
'The brannán reaches a corner: the princes win.'
"""

from typing import TYPE_CHECKING

from hnefi.i18n import language_of
from hnefi.words import captures, ends, opening
from hnefi.words.facts import in_language
from hnefi.words.model import Clause, Picture, RulesText, Section
from hnefi.words.render import to_html, to_markdown, to_text
from hnefi.words.teller import Teller, teller_of
from hnefi.words.why import ClauseSource, RuleOrigin, origins_of, why_text

if TYPE_CHECKING:
    from hnefi._core import Rules
    from hnefi.variants.model import Variant

__all__ = [
    "Clause",
    "ClauseSource",
    "Picture",
    "RuleOrigin",
    "RulesText",
    "Section",
    "rules",
    "to_html",
    "to_markdown",
    "to_text",
    "why",
    "why_text",
]


def rules(subject: "Variant | Rules", lang: str | None = None) -> RulesText:
    """Tells the rules of a variant, or rules without a variant, in words.

    Every rule key has a clause; those that only say that something is not so are marked as silent.

    Args:
        subject: What to tell; of a variant also its names, calls and match.
        lang: The language, the user's own if None.
    """
    teller = teller_of(subject, language_of(lang))
    sections = (
        Section("board", teller.say("words.section.board"), tuple(opening.board(teller))),
        Section("aim", teller.say("words.section.aim"), tuple(opening.aim(teller))),
        Section("moves", teller.say("words.section.moves"), tuple(opening.moves(teller))),
        Section("captures", teller.say("words.section.captures"), tuple(captures.captures(teller))),
        Section("king", teller.say("words.section.king"), tuple(captures.king(teller))),
        Section("ends", teller.say("words.section.ends"), tuple(ends.ends(teller)), is_list=True),
        Section("calls", teller.say("words.section.calls"), tuple(ends.calls(teller))),
        Section("match", teller.say("words.section.match"), tuple(ends.match(teller))),
    )
    title = teller.say("words.title", name=teller.name) if teller.name else teller.say("words.title.plain")
    told = tuple(section for section in sections if section.clauses)
    return RulesText(title, teller.lang, tuple(_facts(teller)), told)


def why(variant: "Variant", lang: str | None = None) -> tuple[RuleOrigin, ...]:
    """Tells where each rule of a variant comes from, and how to play it otherwise.

    Args:
        variant: The variant.
        lang: The language, the user's own if None.
    """
    return origins_of(variant, rules(variant, lang))


def _facts(teller: Teller) -> list[str]:
    """What one wants to know first: where from, how large, how many against how many."""
    region = in_language(teller.about.get("region"), teller.lang)
    pieces = [piece.soldier.value for piece in teller.rules.start.pieces.values()]
    attackers = pieces.count("attacker")
    sides = teller.say("words.fact.sides", attackers=attackers, others=len(pieces) - attackers)
    return [*([region] if region else []), teller.say("words.fact.size", size=teller.rules.size), sides]
