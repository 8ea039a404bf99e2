"""The rules of a variant as text, in every language, generated from its rule keys.

>>> from hnefi import words
>>> text = words.rules("brandub-globe", "en")
>>> [clause.text for clause in text.clauses_about("goal")][0]
'The brannán reaches a refuge: the princes win.'
"""

from typing import TYPE_CHECKING

from hnefi.i18n import language_of
from hnefi.variants import finding
from hnefi.words import about, captures, ends, introduction
from hnefi.words.introduction import attackers_aim
from hnefi.words.key_moments import KeyMoment, key_moments
from hnefi.words.marks import legend, with_marks
from hnefi.words.model import SIGNS, Clause, ClauseSource, Picture, RulesText, Section
from hnefi.words.origins import RuleOrigin, origins_of, why_text
from hnefi.words.render import to_html, to_markdown, to_text
from hnefi.words.variant_texts import in_language
from hnefi.words.wording import Wording, wording_of

if TYPE_CHECKING:
    from hnefi._core import Rules
    from hnefi.variants.model import Variant

__all__ = [
    "SIGNS",
    "Clause",
    "ClauseSource",
    "KeyMoment",
    "Picture",
    "RuleOrigin",
    "RulesText",
    "Section",
    "attackers_aim",
    "key_moments",
    "legend",
    "rules",
    "to_html",
    "to_markdown",
    "to_text",
    "why",
    "why_text",
]


def rules(
    subject: "Variant | Rules | str",
    lang: str | None = None,
    *,
    pictures: bool = True,
    explains_names: bool = False,
) -> RulesText:
    """Returns the rules of a variant (or its id or name), or rules without a variant, as text.

    Every rule key has a clause. Clauses that only state an absence are marked as silent. The clauses of a
    variant with sources have marks: `text` or `ruling`.

    Args:
        subject: The rules; a variant adds its names, calls, match and the sections of `hnefi.words.about`.
        lang: The language; the user's if None.
        pictures: Whether clauses have their pictures, which are half of the work.
        explains_names: Whether the usual names of pieces stand once beside a variant's own: "4 princes
            (defenders)".
    """
    subject = finding.subject_of(subject)
    wording = wording_of(subject, language_of(lang), has_pictures=pictures, explains_names=explains_names)
    sections = (
        Section("board", wording.text("words.section.board"), tuple(introduction.board(wording))),
        Section("aim", wording.text("words.section.aim"), tuple(introduction.aim(wording))),
        Section("moves", wording.text("words.section.moves"), tuple(introduction.moves(wording))),
        Section("captures", wording.text("words.section.captures"), tuple(captures.captures(wording))),
        Section("king", wording.text("words.section.king"), tuple(captures.king(wording))),
        Section("ends", wording.text("words.section.ends"), tuple(ends.ends(wording)), is_list=True),
        Section("calls", wording.text("words.section.calls"), tuple(ends.calls(wording))),
        Section("match", wording.text("words.section.match"), tuple(ends.match(wording))),
    )
    title = (
        wording.text("words.title", name=wording.name) if wording.name else wording.text("words.title.plain")
    )
    marked = with_marks((section for section in sections if section.clauses), subject, wording.lang)
    first, last = about.around_the_rules(subject, wording)
    filled = (*first, *marked, *last)
    return RulesText(title, wording.lang, tuple(_facts(wording)), filled)


def why(variant: "Variant | str", lang: str | None = None) -> tuple[RuleOrigin, ...]:
    """Returns the origin of each rule of a variant, with its sources, rulings and switches.

    Args:
        variant: The variant, or its id or name.
        lang: The language; the user's if None.
    """
    found = finding.variant(variant)
    return origins_of(found, rules(found, lang, pictures=False))


def _facts(wording: Wording) -> list[str]:
    """Returns the first facts: region, size of the board, number of pieces."""
    is_told = "region" not in wording.about.get("unsaid", ())
    region = in_language(wording.about.get("region"), wording.lang) if is_told else None
    pieces = [piece.soldier.value for piece in wording.rules.start.pieces.values()]
    attackers = pieces.count("attacker")
    sides = wording.text("words.fact.sides", attackers=attackers, others=len(pieces) - attackers)
    return [*([region] if region else []), wording.text("words.fact.size", size=wording.rules.size), sides]
