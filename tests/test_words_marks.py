"""Marks in the rules as text: whether a sentence is the source's, our ruling, or changed by a switch."""

from itertools import product

import pytest

from hnefi import parse_variant, variant, variant_ids, words
from hnefi.variants.files import format_variant
from hnefi.variants.schema import schema
from tests.test_i18n import LANGUAGES


def clauses_of(text: words.RulesText) -> list[words.Clause]:
    return [clause for section in text.sections for clause in section.spoken_clauses]


@pytest.mark.parametrize(("variant_id", "lang"), list(product(variant_ids(), LANGUAGES)))
def test_every_sentence_about_a_rule_has_the_mark_of_its_weakest_source(variant_id: str, lang: str) -> None:
    for clause in clauses_of(words.rules(variant(variant_id), lang)):
        if clause.leaves:
            assert clause.sources, clause.text
        if clause.sources:
            decided = {source.mark for source in clause.sources} & {"usage", "doubtful"}
            assert clause.mark == ("ruling" if decided else "text"), clause.text
        else:
            assert clause.mark is None, clause.text


def test_a_switch_marks_the_sentences_that_it_changes() -> None:
    switches = {"quiet_limit": "40", "corner_hostile.king": "never"}
    changed = clauses_of(words.rules(variant("brandub-globe").with_switches(switches), "en"))
    assert {leaf for clause in changed if clause.mark == "choice" for leaf in clause.leaves} == {
        "quiet_limit",
        "corner_hostile",
    }
    assert [mark for mark, _, _ in words.legend(words.rules(variant("brandub-globe"), "en"))] == [
        "text",
        "ruling",
    ]


def test_rules_without_sources_have_no_marks() -> None:
    one = variant("brandub-globe")
    custom = parse_variant(format_variant(one))
    for text in (words.rules(one.rules, "en"), words.rules(custom, "en")):
        assert text.marks == ()
        assert words.legend(text) == ()


@pytest.mark.parametrize("variant_id", variant_ids())
def test_marked_paragraphs_are_the_paragraphs(variant_id: str) -> None:
    for section in words.rules(variant(variant_id), "fr").sections:
        assert tuple(" ".join(clause.text for clause in each) for each in section.marked_paragraphs) == (
            section.paragraphs
        )
        assert all(
            leaf in schema() or leaf in ("calls", "sanction", "replay", "match", "fixed")
            for clause in section.clauses
            for leaf in clause.leaves
        )
