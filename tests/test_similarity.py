"""Similarity of rules: distances, identification of rules, ambiguous names."""

import re

import pytest

from hnefi import VariantError, all_variants, match_rules, variant, variant_ids, variants_where
from hnefi.variants.schema import schema
from hnefi.variants.similarity import rule_differences
from tests.cli_runs import answer, refusal, run


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
        with pytest.raises(VariantError) as error:
            variant(name)
        assert error.value.code == "unknown_variant"
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
