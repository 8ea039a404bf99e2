"""The marks of clauses: whether a sentence is the source's, our ruling, or changed by a switch."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hnefi.i18n import text
from hnefi.words.model import SIGNS, Clause, RulesText, Section
from hnefi.words.origins import Documents, documents_of, source_of
from hnefi.words.variant_texts import parts_of, why_entries

if TYPE_CHECKING:
    from hnefi._core import Rules
    from hnefi.variants.model import Variant

_OF_TEXT = ("text", "other_clause")


def with_marks(sections: Iterable[Section], subject: "Variant | Rules", lang: str) -> tuple[Section, ...]:
    """Returns the sections with the marks and sources of their clauses; those of rules alone have none.

    The mark is the weakest of the sources: a clause for which one of them needed a decision is a ruling.
    """
    from hnefi._core import Rules

    if isinstance(subject, Rules):
        return tuple(sections)
    documents = documents_of(subject)
    return tuple(
        replace(
            section,
            clauses=tuple(_with_mark(clause, subject, documents, lang) for clause in section.clauses),
        )
        for section in sections
    )


def legend(rules_text: RulesText) -> tuple[tuple[str, str, str], ...]:
    """Returns the marks that occur in a text, each with its sign and its meaning.

    >>> from hnefi import variant, words
    >>> words.legend(words.rules(variant("ard-ri-globe"), "en"))[0]
    ('text', '§', 'the text says it')
    """
    lang = rules_text.lang
    return tuple((mark, SIGNS[mark], text(f"words.legend.{mark}", lang)) for mark in rules_text.marks)


def _with_mark(clause: Clause, variant: "Variant", documents: Documents, lang: str) -> Clause:
    if clause.is_silent:
        return clause
    found = list(_entries_of(clause, variant))
    mark = None
    if _is_switched(clause, variant.switches):
        mark = "choice" if found else None
    elif found:
        mark = "text" if all(entry.get("mark") in _OF_TEXT for entry in found) else "ruling"
    return replace(clause, mark=mark, sources=tuple(source_of(entry, documents, lang) for entry in found))


def _entries_of(clause: Clause, variant: "Variant") -> Iterator[Mapping[str, Any]]:
    """Iterates over the `why` entries about a clause.

    An entry may name the parts of a rule that it is about. A clause about some parts takes the entries that
    name one of them, else those that name none; a clause about a whole rule takes all entries.
    """
    for leaf in clause.leaves:
        written = why_entries(variant, leaf)
        named = [entry for entry in written if set(clause.parts) & set(parts_of(entry))]
        yield from named or [entry for entry in written if not (clause.parts and parts_of(entry))]


def _is_switched(clause: Clause, switches: Mapping[str, str]) -> bool:
    """Checks whether a switch changes one of the rules of a clause, in a part that it is about."""
    for switch in switches:
        leaf, _, entry = switch.partition(".")
        if leaf in clause.leaves and not (entry and clause.parts and entry not in clause.parts):
            return True
    return False
