"""The origin of each rule of a variant: quotation, ruling, and switches for other readings."""

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hnefi.i18n import language_of, text
from hnefi.variants.schema import neutral_section, schema
from hnefi.words.model import ClauseSource, RulesText
from hnefi.words.nouns import uncapitalised
from hnefi.words.values import rule_title
from hnefi.words.variant_texts import entries, in_language

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

Documents = Mapping[Any, Mapping[str, Any]]
_MARKS = ("text", "other_clause", "usage", "doubtful")


@dataclass(frozen=True, slots=True)
class RuleOrigin:
    """The origin of one rule.

    Attributes:
        leaf: The rule key; `calls`, `match` or `fixed` for rules without a key.
        title: The subject of the rule.
        sentences: The rule as text.
        sources: The places in the text.
        is_changed: Whether a switch changes it, so that the places are about the rule as it was.
    """

    leaf: str
    title: str
    sentences: tuple[str, ...]
    sources: tuple[ClauseSource, ...]
    is_changed: bool = False


def origins_of(variant: "Variant", rules_text: RulesText) -> tuple[RuleOrigin, ...]:
    """Returns the origin of every rule of a variant in schema order, then of rules without a key."""
    left_out = {leaf for leaf in neutral_section("special") if leaf not in variant.why}
    leaves = [leaf for leaf in schema() if leaf not in left_out]
    written: list[tuple[str, object]] = [(leaf, variant.why.get(leaf)) for leaf in leaves]
    if variant.calls is not None:
        written.append(("calls", variant.calls.get("why")))
    written.append(("match", variant.match.get("why")))
    if variant.fixed:
        written.append(("fixed", variant.fixed))
    documents = documents_of(variant)
    in_force = frozenset(f"{key}={value}" for key, value in variant.switches.items())
    return tuple(
        _origin(leaf, rules_text, places, documents, variant.about, in_force) for leaf, places in written
    )


def documents_of(variant: "Variant") -> Documents:
    """Returns the sources of a variant by the names of their documents."""
    return {one.get("document"): one for one in entries(variant.about.get("sources"))}


def _origin(
    leaf: str,
    rules_text: RulesText,
    written: object,
    documents: Documents,
    about: Mapping[str, Any],
    in_force: frozenset[str],
) -> RuleOrigin:
    lang = rules_text.lang
    clauses = rules_text.clauses_about(leaf)
    if leaf == "calls":
        sections = (section for section in rules_text.sections if section.id == "calls")
        clauses = tuple(clause for section in sections for clause in section.spoken_clauses)
    sentences = [clause.text for clause in clauses]
    sources = tuple(source_of(entry, documents, lang, in_force) for entry in entries(written))
    is_changed = any(clause.mark == "choice" for clause in clauses)
    return RuleOrigin(
        leaf, rule_title(leaf, lang, about), tuple(dict.fromkeys(sentences)), sources, is_changed
    )


def source_of(
    entry: Mapping[str, Any], documents: Documents, lang: str, in_force: frozenset[str] = frozenset()
) -> ClauseSource:
    """Returns a `why` entry of a variant file in one language, without the switches in force."""
    mark = entry.get("mark")
    doubt = entry.get("doubt")
    clause = entry.get("clause")
    return ClauseSource(
        clause=None if clause is None else str(clause),
        mark=str(mark),
        mark_words=text(f"words.mark.{mark}", lang) if mark in _MARKS else str(mark),
        where=in_language(entry.get("where"), lang)
        or _document_title(documents.get(entry.get("source")))
        or "-",
        quotation=in_language(entry.get("says"), lang) or "-",
        ruling=in_language(entry.get("ruling"), lang),
        doubt=doubt if isinstance(doubt, int) else None,
        switches=tuple(str(one) for one in entry.get("switch") or () if str(one) not in in_force),
    )


def _document_title(document: Mapping[str, Any] | None) -> str | None:
    if document is None or not {"title", "publisher"} <= document.keys():
        return None
    return f"{document['title']} ({document['publisher']})"


def why_text(
    variant: "Variant", origins: Iterable[RuleOrigin], lang: str | None = None, *, width: int = 80
) -> str:
    """Formats the origins of a variant's rules as text for terminals."""
    language = language_of(lang)
    title = text("words.why.title", language, name=variant.name(language))
    origins = tuple(origins)
    lines = [title, "=" * len(title)]
    if any(origin.sources for origin in origins):
        lines += _document_lines(variant, language, width)
    for origin in origins:
        key = f" ({origin.leaf})" if origin.leaf in schema() else ""
        lines += ["", f"{origin.title}{key}"]
        lines += _wrapped(" ".join(origin.sentences), "  ", width)
        if origin.is_changed:
            lines += _wrapped(text("words.why.changed", language), "    ", width)
        for source in origin.sources:
            lines += _source_lines(source, language, width)
    return "\n".join(lines)


def _document_lines(variant: "Variant", lang: str, width: int) -> list[str]:
    """Returns the lines about the documents."""
    lines = [""]
    for one in entries(variant.about.get("sources")):
        if {"title", "publisher"} <= one.keys():
            document = text("words.why.document", lang, title=one["title"], publisher=one["publisher"])
            part = in_language(one.get("part"), lang)
            lines += _wrapped(f"{document} {part}." if part else document, "", width)
    return lines if lines[1:] else []


def _source_lines(source: ClauseSource, lang: str, width: int) -> list[str]:
    place = {"mark": source.mark_words, "where": source.where, "says": source.quotation}
    if source.clause is None:
        where = text("words.why.source", lang, **place)
    else:
        where = text("words.why.where", lang, clause=source.clause, **place)
    lines = _wrapped(where, "    ", width)
    if source.ruling:
        ruling = uncapitalised(source.ruling)
        lines += _wrapped(text("words.why.ruling", lang, ruling=ruling), "      ", width)
    if source.switches:
        switches = ", ".join(f"--switch {switch}" for switch in source.switches)
        lines += _wrapped(text("words.why.switch", lang, switches=switches), "      ", width)
    return lines


def _wrapped(words: str, indent: str, width: int) -> list[str]:
    return textwrap.wrap(
        words,
        width,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
