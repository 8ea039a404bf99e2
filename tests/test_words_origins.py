"""Where the rules of a variant come from, in words: origins, sources, other readings."""

import tomllib
from dataclasses import replace
from importlib.resources import files
from itertools import product

import pytest

from hnefi import variant, variant_ids, words
from hnefi.variants.built_in import booklet_ids
from hnefi.variants.schema import schema
from tests.rules_text import section_of
from tests.samples import sampled
from tests.test_i18n import LANGUAGES


def leaves_of_file(variant_id: str) -> list[str]:
    """Returns the leaves in the file of a variant; it may omit an optional section."""
    source = files("hnefi").joinpath("variants", "data", f"{variant_id}.toml").read_text("utf-8")
    given = tomllib.loads(source)["rules"].get("special", {})
    return [leaf for leaf in schema() if leaf in given or section_of(leaf)[0] != "special"]


@pytest.mark.parametrize(("variant_id", "lang"), list(product(variant_ids(), LANGUAGES)))
def test_every_rule_has_an_origin_and_a_sentence(variant_id: str, lang: str) -> None:
    one = variant(variant_id)
    origins = words.why(one, lang)
    assert [origin.leaf for origin in origins if origin.leaf in schema()] == leaves_of_file(variant_id)
    for origin in origins:
        assert origin.sources, origin.leaf
        assert origin.sentences or origin.leaf == "fixed"
    shown = words.why_text(one, origins, lang, width=90)
    for source in one.about["sources"]:
        assert " ".join(source["title"].split()) in " ".join(shown.split())
    for origin in origins:
        for source in origin.sources:
            assert source.clause is None or source.clause in shown
            assert source.where != "-"
            assert source.ruling or source.mark != "doubtful"
    assert max(map(len, shown.splitlines())) <= 90


def test_origins_mark_the_rules_that_a_switch_changes() -> None:
    one = variant("brandub-globe").with_switches({"quiet_limit": "40"})
    origins = words.why(one, "en")
    assert [origin.leaf for origin in origins if origin.is_changed] == ["quiet_limit"]
    shown = words.why_text(one, origins, "en")
    changed = shown.partition("(quiet_limit)")[2]
    assert shown.count("Changed by a switch.") == 1
    assert "both\n    sides count.\n    Changed by a switch." in changed
    assert "Text: " in shown
    assert "Text: " not in words.why_text(one, [replace(origin, sources=()) for origin in origins], "en")


@pytest.mark.parametrize(("variant_id", "lang"), list(product(booklet_ids(), LANGUAGES)))
def test_the_calls_are_told_in_the_order_of_the_rules(variant_id: str, lang: str) -> None:
    told = [part for part in words.rules(variant(variant_id), lang).sections if part.id == "calls"]
    origins = [origin for origin in words.why(variant(variant_id), lang) if origin.leaf == "calls"]
    assert [" ".join(origin.sentences) for origin in origins] == [" ".join(part.paragraphs) for part in told]


def test_the_origin_of_a_rule_covers_only_that_rule() -> None:
    kouvia = {origin.leaf: origin.sentences for origin in words.why(variant("tablut-kouvia"), "en")}
    assert kouvia["guards_captured"] == ("If all the defenders are captured, the king plays on alone.",)
    assert kouvia["calls"][-2] == "No penalty is laid down for forgetting this call."


def test_advice_for_the_game_without_changes_says_so() -> None:
    """Its king has to get to a corner, whatever a switch says."""
    for switches, begins in (({}, "White has to get"), ({"goal": "edge"}, "What follows was written about")):
        told = words.rules(variant("tablut-geoludie").with_switches(switches), "en")
        advice = next(section for section in told.sections if section.id == "advice")
        assert advice.paragraphs[0].startswith(begins)


@pytest.mark.parametrize("variant_id", sampled(variant_ids(), "brandub-breyer", "tablut-geoludie"))
def test_every_suggested_switch_changes_the_text(variant_id: str) -> None:
    one = variant(variant_id)
    for origin in words.why(one, "en"):
        for source in origin.sources:
            for switch in source.switches:
                key, _, value = switch.partition("=")
                other = words.rules(one.with_switches({key: value}), "en")
                assert words.to_text(other) != words.to_text(words.rules(one, "en")), switch
