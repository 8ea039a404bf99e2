"""Search for variants, and similarity of rules: names, lengths, distances, identification."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hnefi import VariantError, all_variants, match_rules, variant, variant_ids, variants_where
from hnefi.server.pages.catalogue.content import catalogue
from hnefi.variants.built_in import built_in_ids, built_in_variant
from hnefi.variants.lengths import measured_length
from hnefi.variants.schema import schema
from hnefi.variants.search import SearchTerm, match, search_terms, search_variants
from hnefi.variants.similarity import rule_differences
from tests.cli_runs import answer, refusal, run
from tests.codes import has_code
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


def nearest(name: str, count: int = 3) -> list[str]:
    return [one.variant.id for one in match_rules(variant(name).tree)[:count]]


@pytest.mark.parametrize("name", variant_ids())
def test_every_variant_is_nearest_to_itself(name: str) -> None:
    found = match_rules(variant(name).tree)
    same = [one.variant.rules.hash for one in found if one.distance == 0 and not one.differences]
    assert variant(name).rules.hash in same
    assert [one.distance for one in found] == sorted(one.distance for one in found)
    assert len(found) == len(variant_ids())


def test_the_nearest_are_those_that_players_take_for_relatives() -> None:
    assert "fetlar-11" in nearest("copenhagen-11", 4)
    assert nearest("tablut-geoludie-slow", 2)[1] == "tablut-geoludie"
    assert "brandub-walker-7" in nearest("brandub-kouvia-7")


def test_distance_is_the_same_both_ways() -> None:
    for first, second in (("copenhagen-11", "sea-battle-9"), ("linnaean-tablut-9", "ashton-tablut-9")):
        there = {one.variant.id: one for one in match_rules(variant(first).tree)}[second]
        back = {one.variant.id: one for one in match_rules(variant(second).tree)}[first]
        assert there.distance == back.distance > 0
        assert [one.leaf for one in there.differences] == [one.leaf for one in back.differences]
        assert [one.values for one in there.differences] == [one.values[::-1] for one in back.differences]


def test_equivalent_rules_count_as_equal() -> None:
    tree = variant("fetlar-11").with_switches({"throne_hostile.attackers": "empty"}).tree
    assert match_rules(tree)[0].distance == 0
    unarmed = variant("tablut-geoludie").with_switches({"throne_hostile.attackers": "always"}).tree
    assert [one.leaf for one in match_rules(unarmed)[0].differences] == ["throne_hostile"]


def test_differences_name_leaf_path_and_both_values() -> None:
    found = rule_differences(variant("fetlar-11").tree, variant("copenhagen-11").tree)
    assert [one.leaf for one in found] == ["shieldwall", "exit_fort", "repetition"]
    assert found[0].path == schema()["shieldwall"]["path"]
    assert found[0].values == ("none", "with_corner")
    assert 0 < found[2].distance < 1


def test_rules_with_faults_are_refused() -> None:
    with pytest.raises(VariantError):
        match_rules({"first": "nobody"})


def test_variants_are_found_by_what_their_rules_are() -> None:
    found = variants_where({"king_armed": "none", "goal": "edge"})
    assert {one.id for one in found} == {
        one.id
        for one in all_variants()
        if one.tree.capture.king_armed == "none" and one.tree.ends.goal == "edge"
    }
    assert [one.id for one in variants_where({"size": "19"})] == ["alea-berserk-19", "alea-evangelii-19"]
    assert variants_where({"throne_hostile.king": "always"}) == ()
    weak = {one.id for one in variants_where({"king_capture": "two,two,two", "size": "7"})}
    assert weak >= {"brandubh1-7", "hist-ardri-7"}
    assert not weak & {"brandub-globe", "hist-brandubh-7"}
    with pytest.raises(VariantError, match="perhaps"):
        variants_where({"king_armed": "perhaps"})


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Fetlar", "fetlar-11"),
        ("  copenhagen ", "copenhagen-11"),
        ("Rachunek", "brainking-tablut-9"),
        ("saami tablut-w", None),
        ("Historical Hnefatafl 9x9 (Saami Tablut)", "hist-tablut-9"),
        ("Alea Evangelii", "alea-evangelii-19"),
        ("Combat naval (9 × 9)", "sea-battle-9"),
    ],
)
def test_a_name_finds_its_variant(name: str, meant: str | None) -> None:
    if meant is None:
        with pytest.raises(VariantError, check=has_code("unknown_variant")):
            variant(name)
    else:
        assert variant(name) is variant(meant)


@pytest.mark.parametrize("name", ["Brandubh", "Tablut", "tawlbwrdd", "Sea battle tafl", "Saami Tablut"])
def test_an_ambiguous_name_lists_its_variants(name: str) -> None:
    with pytest.raises(VariantError) as error:
        variant(name)
    assert error.value.code == "ambiguous_variant"
    meant = str(error.value.parameters["suggestions"]).split(", ")
    assert len(meant) > 1
    assert set(meant) <= set(variant_ids())
    assert refusal("rules", name)["code"] == "ambiguous_variant"


def test_full_names_mean_one_variant() -> None:
    """A full name, which lists show, means one variant only."""
    for one in all_variants():
        for name in one.about["names"].values():
            assert variant(name) is one


def test_the_command_lists_by_family_size_and_status() -> None:
    def ids(*words: str) -> list[str]:
        return [one["id"] for one in answer("variants", *words)["variants"]]

    assert ids("--size", "13") == ["large-hnefatafl-13", "parlett-13", "sea-battle-parlett-13", "tyr-13"]
    sizes = [set(ids("--size", size)) for size in ("7", "9", "7,9", "7-9,13", "13-13")]
    assert sizes[0] | sizes[1] == sizes[2] == sizes[3] - sizes[4]
    assert sizes[2] == {one.id for one in variants_where({}, sizes=(7, 9))}
    assert ids("--family", "brandub", "--status", "published") == ["brandub-kouvia-7"]
    assert ids("--region", "galles") == ids("--family", "tawlbwrdd") != []
    assert ids("--status", "doubtful") == ["alea-evangelii-19", "large-hnefatafl-13", "walker-15"]
    assert ids("rachunek") == ["brainking-tablut-9"]
    assert ids("--where", "king_armed=none", "--where", "goal=edge", "--size", "13") == [
        "sea-battle-parlett-13"
    ]
    assert refusal("variants", "--where", "goal=moon")["code"] == "bad_switch"
    for usage in (
        ("--status", "old"),
        *(("--size", size) for size in ("9-7", "7-", "7,,9", "3-9", "7-99", "")),
    ):
        assert refusal("variants", *usage)["code"] == "bad_usage"
    assert run("variants", "--size", "17")[:2] == (0, "")


def test_the_command_shows_the_nearest() -> None:
    found = answer("variants", "--like", "copenhagen-11")
    assert found["like"] == "copenhagen-11"
    assert len(found["variants"]) == 8
    first = next(one for one in found["variants"] if one["id"] == "fetlar-11")
    assert [one["leaf"] for one in first["differences"]] == ["shieldwall", "exit_fort", "repetition"]
    shown = run("variants", "--like", "copenhagen-11")[1]
    assert "Repetition: 3 times, then the game is drawn" in shown
    assert "Start position: another one" in shown
    assert "Capturing the king (anywhere else): between two attackers" in shown
    small = run("variants", "--like", "copenhagen-11", "--size", "9", "--lang", "fr")[1]
    assert "Taille du plateau\u00a0: 9×9" in small
    switched = answer("variants", "--like", "copenhagen-11", "-s", "shieldwall=none", "--size", "11")
    first = next(one for one in switched["variants"] if one["id"] == "fetlar-11")
    assert [one["leaf"] for one in first["differences"]] == ["exit_fort", "repetition"]
    assert len(switched["variants"]) > 8


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_command_describes_the_rules(lang: str) -> None:
    for one in ("brandub-globe", "copenhagen-11", "berserk-11", "tablut-geoludie"):
        shown = run("variants", "--like", one, "--size", "11", "--lang", lang)[1]
        assert not re.findall(r"=|\w_\w|answer\.|words\.", shown)
