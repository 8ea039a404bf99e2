"""Marks in the rules as text: whether a sentence is the source's, our ruling, or changed by a switch."""

import xml.etree.ElementTree as ET
from itertools import product

import pytest

from hnefi import parse_variant, variant, variant_ids, words
from hnefi.server.pages.rules.content import rules_page
from hnefi.variants.clauses import without_clauses
from hnefi.variants.files import format_variant
from hnefi.variants.schema import schema
from hnefi.variants.switches import CALL_SWITCHES
from tests.samples import deep, sampled
from tests.test_i18n import LANGUAGES


def clauses_of(text: words.RulesText) -> list[words.Clause]:
    return [clause for section in text.sections for clause in section.spoken_clauses]


@pytest.mark.parametrize(("variant_id", "lang"), list(product(variant_ids(), LANGUAGES)))
def test_every_sentence_about_a_rule_has_the_mark_of_its_weakest_source(variant_id: str, lang: str) -> None:
    for clause in clauses_of(words.rules(variant(variant_id), lang)):
        if set(clause.leaves) - {"fixed"}:
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
    custom = parse_variant(format_variant(without_clauses(one)))
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
            leaf in schema() or leaf in ("calls", *CALL_SWITCHES, "match", "fixed")
            for clause in section.clauses
            for leaf in clause.leaves
        )


@pytest.mark.parametrize("lang", ["fr", *deep("en")])
@pytest.mark.parametrize("variant_id", sampled(variant_ids()))
def test_each_mark_of_the_rules_page_leads_to_its_source(variant_id: str, lang: str) -> None:
    page = rules_page(variant_id, lang)
    sources = {
        f"why-{section['id']}-{origin.leaf}" for section in page["sections"] for origin in section["origins"]
    }
    shown = [
        each for section in page["sections"] for sentences in section["paragraphs"] for each in sentences
    ]
    assert {each["mark"] for each in shown} >= {"text", "ruling"}
    cited = [
        source for section in page["sections"] for origin in section["origins"] for source in origin.sources
    ]
    assert all(
        source in cited for origin in words.why(variant(variant_id), lang) for source in origin.sources
    )
    for each in (*page["aims"], *shown):
        assert each["mark"] is None or each["target"] in sources, each
    assert not any("=" in reading for reading in page["readings"].values())


def test_signs_follow_their_sentences_in_every_format() -> None:
    text = words.rules(variant("ard-ri-globe"), "fr")
    ruled = next(clause for clause in clauses_of(text) if clause.leaves == ("attackers_captured",))
    stated = next(clause for clause in clauses_of(text) if clause.leaves == ("king_armed",))
    assert (ruled.sign, stated.sign) == ("*", "§")
    terminal = words.to_text(text, width=200)
    assert f"- {ruled.text}*\n" in terminal
    assert f"{stated.text}§ " in terminal
    assert terminal.splitlines()[-2:] == [f"{sign} {meaning}" for _, sign, meaning in words.legend(text)]
    assert f"- {ruled.text}\\*\n" in words.to_markdown(text)
    page = ET.fromstring(words.to_html(text))
    links = [link for link in page.iter("a") if link.get("href") == "#rules-mark-ruling"]
    assert links
    assert all(link.text == "*" and link.get("aria-label") == "notre lecture" for link in links)
    assert page.find(".//*[@id='rules-mark-ruling']") is not None
