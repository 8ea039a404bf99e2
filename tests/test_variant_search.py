"""Search for variants, and the data it reads: other names, lengths."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hnefi import variant
from hnefi.server.pages.catalogue.content import catalogue
from hnefi.variants.built_in import built_in_ids, built_in_variant
from hnefi.variants.lengths import measured_length
from hnefi.variants.search import SearchTerm, match, search_terms, search_variants
from tests.samples import deep

EXAMPLES = json.loads(Path(__file__).with_name("variant_searches.json").read_text("utf-8"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["query"])
def test_the_examples_of_searches_are_found(example: dict[str, Any]) -> None:
    page = catalogue({"q": example["query"]}, "en", built_in_ids())
    assert len(page["shown"]) == example["count"]
    assert next(iter(page["shown"]), None) == example["first"]
    assert example["why"] in page["why"]
    assert bool(page["why"]) == bool(example["why"])


def test_a_name_that_the_card_does_not_show_is_on_the_card() -> None:
    page = catalogue({"q": "tawl"}, "en", built_in_ids())
    assert page["reasons"]["hist-hnefatafl-11"] == "Also called Historical Hnefatafl 11x11 (Welsh Tawlbwrdd)."
    assert not page["reasons"].get("tawlbwrdd-bell-11")


def test_an_empty_search_and_unknown_filters_show_every_game() -> None:
    for query in ({}, {"q": "  "}, {"q": "…"}, {"size": "8", "goal": "throne", "difficulty": "-1"}):
        assert set(catalogue(query, "fr", built_in_ids())["shown"]) == set(built_in_ids())


def test_filters_and_search_restrict_each_other() -> None:
    shown = catalogue({"q": "tablut", "goal": "corner", "difficulty": "2"}, "en", built_in_ids())["shown"]
    assert "tablut-geoludie" in shown
    for name in shown:
        assert variant(name).tree.ends.goal != "edge"
    sizes = {variant(name).rules.size for name in catalogue({"size": "13"}, "en", built_in_ids())["shown"]}
    assert sizes == {13, 15, 19}


def test_every_game_is_found_by_its_names_and_no_two_cards_are_alike() -> None:
    cards = catalogue({}, "en", built_in_ids())["cards"]
    described = [(card["name"], card["author"], card["size"], card["note"]) for card in cards]
    assert len(set(described)) == len(cards)
    for name in built_in_ids():
        for title in built_in_variant(name).about["names"].values():
            assert name in {found.id for found in search_variants(title, "en")}


def test_a_name_that_a_list_shows_needs_no_reason() -> None:
    terms = [SearchTerm("Norse game", "because"), SearchTerm("Norse")]
    assert match("norse", terms) == (0, "")
    assert match("game", terms) == (0, "because")
    assert match("norse chess", terms) is None


def test_short_words_and_numbers_allow_no_mistakes() -> None:
    terms = [SearchTerm("ard ri 11x11 204577")]
    for query in ("art", "11x12", "204578"):
        assert match(query, terms) is None


@pytest.mark.parametrize("lang", ["en", *deep("fr")])
def test_every_other_name_finds_games_and_gives_a_reason(lang: str) -> None:
    reasons = {
        (term.text, term.why)
        for name in built_in_ids()
        for term in search_terms(built_in_variant(name), lang)
        if term.why
    }
    assert len(reasons) > 20
    for text, why in reasons:
        assert search_variants(text, lang), text
        assert why.endswith(".")


def test_every_built_in_variant_has_a_measured_length() -> None:
    lengths = {name: measured_length(built_in_variant(name)) for name in built_in_ids()}
    assert None not in lengths.values()
    found = sorted((one for one in lengths.values() if one), key=lambda one: one.complexity)
    assert {one.difficulty for one in found} == {1, 2, 3}
    for simpler, deeper in pairwise(found):
        assert simpler.difficulty <= deeper.difficulty
    assert {one.minutes % 5 for one in found} == {0}
