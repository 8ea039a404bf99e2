"""Every sentence of the five texts has a place in the product, which has its words in both languages."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import write_sentences

from hnefi import variant, words
from hnefi.variants.built_in import booklet_ids
from hnefi.variants.schema import schema
from tests.samples import grouped
from tests.test_i18n import LANGUAGES

KEYS = {"n", "says", "rules", "sections", "en", "fr", "in", "of", "left_out"}
LEFT_OUT = {"contacts", "navigation"}
TEXTS = write_sentences.texts()


def sentences() -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterates over the sentences, each with a variant that has to tell it."""
    for text in TEXTS:
        for sentence in text["sentences"]:
            for variant_id in [sentence["of"]] if "of" in sentence else text["variants"]:
                yield variant_id, sentence


every_sentence = grouped(sentences())


def clause_of(number: str) -> str:
    """Returns the clause of a sentence: `A5` of `A5.2`."""
    return number.partition(".")[0]


@cache
def cited(variant_id: str) -> dict[str, set[str]]:
    """Returns the clauses that each rule of a variant cites; also those of calls, match and fixed rules."""
    one = variant(variant_id)
    entries = {**one.why, "match": one.match["why"], "fixed": one.fixed}
    if one.calls is not None:
        entries["calls"] = one.calls["why"]
    return {leaf: {entry["clause"] for entry in found} for leaf, found in entries.items()}


@cache
def rules_text(variant_id: str, lang: str) -> words.RulesText:
    return words.rules(variant(variant_id), lang)


@cache
def sections(variant_id: str, lang: str) -> dict[str, str]:
    """Returns the text of each section that readers see, and of the heading."""
    rules = rules_text(variant_id, lang)
    found = {section.id: " ".join(section.paragraphs) for section in rules.sections}
    return found | {"heading": " ".join([rules.title, *rules.facts])}


@cache
def sentence_of(variant_id: str, leaf: str, lang: str) -> str:
    """Returns the sentences of a rule; the whole text of the rules for those without a key."""
    rules = rules_text(variant_id, lang)
    if leaf not in schema():
        return " ".join(paragraph for section in rules.rules_sections for paragraph in section.paragraphs)
    clauses = rules.clauses_about(leaf)
    assert clauses, leaf
    return " ".join(clause.text for clause in clauses)


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_every_clause_has_an_entry(variant_id: str) -> None:
    clauses = set().union(*cited(variant_id).values())
    listed = {clause_of(sentence["n"]) for name, sentence in sentences() if name == variant_id}
    # The option changes one clause of the usual rules and is a clause of its own file.
    assert clauses - listed == set()


def test_numbers_are_distinct_and_without_gaps() -> None:
    for text in TEXTS:
        numbers = [sentence["n"] for sentence in text["sentences"]]
        assert len(set(numbers)) == len(numbers), text["title"]
    for letter in "ABCDEF":
        besides = [
            one["n"] for text in TEXTS for one in text["sentences"] if one["n"].startswith(f"{letter}0.")
        ]
        counted = sorted(int(number.partition(".")[2]) for number in besides)
        assert counted == list(range(1, len(counted) + 1)), letter


@every_sentence
def test_every_sentence_has_a_place(variant_id: str, sentence: dict[str, Any]) -> None:
    assert sentence.keys() <= KEYS
    if "left_out" in sentence:
        assert sentence["left_out"] in LEFT_OUT
        return
    rules, places = sentence.get("rules", []), sentence.get("sections", [])
    assert rules or places
    for leaf in rules:
        assert clause_of(sentence["n"]) in cited(variant_id)[leaf], leaf
    # Where the text is silent, the rule says how it is played.
    assert ("en" in sentence) == ("fr" in sentence) != sentence["says"].startswith("Nothing on ")


@every_sentence
def test_every_place_has_the_words(variant_id: str, sentence: dict[str, Any]) -> None:
    for lang in LANGUAGES:
        assert missing_words(variant_id, sentence, lang) == [], (sentence["n"], lang)


def missing_words(variant_id: str, sentence: dict[str, Any], lang: str) -> list[str]:
    """Returns the words that the places of a sentence have to have and lack."""
    found = sections(variant_id, lang)
    assert all(found[place] for place in sentence.get("sections", ()))
    places = [sentence["in"]] if "in" in sentence else sentence.get("sections", [])
    text = [found[place] for place in places]
    if "in" not in sentence:
        text += [sentence_of(variant_id, leaf, lang) for leaf in sentence.get("rules", ())]
    read = " ".join(text).replace("\u00a0", " ").replace("\u202f", " ").casefold()
    return [word for word in sentence.get(lang, ()) if word.casefold() not in read]


def test_the_page_is_written_from_the_list() -> None:
    kept = write_sentences.TARGET.read_text(encoding="utf-8")
    assert kept == write_sentences.text(), "run tools/write_sentences.py"
