"""Every sentence of the five texts has passages in the rules in words, with its facts in both languages."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import write_sentences

from hnefi import variant, words
from hnefi.variants.built_in import booklet_ids
from tests.samples import grouped
from tests.test_i18n import LANGUAGES

KEYS = {"n", "says", "told", "en", "fr", "of", "left_out"}
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
    return words.rules(variant(variant_id), lang, pictures=False)


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
def test_every_sentence_has_passages_and_a_clause_that_exists(
    variant_id: str, sentence: dict[str, Any]
) -> None:
    assert sentence.keys() <= KEYS
    if "left_out" in sentence:
        assert sentence["left_out"] in LEFT_OUT
        return
    assert sentence["told"]
    # Where the text is silent, the passage says how it is played.
    assert ("en" in sentence) == ("fr" in sentence) != sentence["says"].startswith("Nothing on ")
    clause = clause_of(sentence["n"])
    if clause[1:] != "0":
        assert clause in set().union(*cited(variant_id).values())


@every_sentence
def test_every_passage_has_the_facts(variant_id: str, sentence: dict[str, Any]) -> None:
    for lang in LANGUAGES:
        assert missing_facts(variant_id, sentence, lang) == [], (sentence["n"], lang)


def missing_facts(variant_id: str, sentence: dict[str, Any], lang: str) -> list[str]:
    """Returns the facts that the passages of a sentence have to have and lack.

    Raises:
        KeyError: If a passage is gone.
    """
    told = " ".join(rules_text(variant_id, lang).passage(name) for name in sentence.get("told", ()))
    read = told.replace("\u00a0", " ").replace("\u202f", " ").casefold()
    return [fact for fact in sentence.get(lang, ()) if fact.casefold() not in read]


def test_the_page_is_written_from_the_list() -> None:
    kept = write_sentences.TARGET.read_text(encoding="utf-8")
    assert kept == write_sentences.text(), "run tools/write_sentences.py"
