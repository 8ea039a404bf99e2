"""The page of a new game: the points that the source leaves open, as choices in words."""

from dataclasses import replace
from typing import Any

import pytest

from hnefi import variant
from hnefi.server.pages.analysis.content import changeable_rules
from hnefi.server.pages.new.content import new_page, rule_choices
from hnefi.variants.balance import harder_side, measured_balance
from hnefi.variants.built_in import booklet_ids


def choices(variant_id: str, lang: str = "en") -> dict[str, dict[str, Any]]:
    return {rule["leaf"]: rule for rule in rule_choices(variant_id, lang)}


def test_the_quiet_limit_is_offered_in_words_with_its_effect() -> None:
    for variant_id, share in (
        ("ard-ri-globe", "nearly half"),
        ("gwezboell-globe", "more than a third"),
        ("brandub-globe", "a fifth to a quarter"),
    ):
        rule = choices(variant_id)["quiet_limit"]
        assert [value for value, _ in rule["choices"]] == ["", "40"]
        assert "Twenty moves" in rule["choices"][0][1]
        assert "Forty moves" in rule["choices"][1][1]
        assert share in rule["reasons"][0]
    slow = choices("tablut-geoludie-slow", "fr")["quiet_limit"]
    assert [value for value, _ in slow["choices"]] == ["", "100", "200"]
    assert "trois fois plus" in slow["reasons"][0]


def test_switches_of_the_calls_are_offered() -> None:
    found = choices("brandub-globe")
    assert [value for value, _ in found["wrong_number"]["choices"]] == ["", "call"]
    assert "the text demands the number" in found["wrong_number"]["reasons"][0]
    assert {"replay", "sanction"} <= found.keys()
    assert [value for value, _ in found["sanction"]["choices"]] == ["", "none", "until_called"]
    assert "until the road is called" in found["sanction"]["reasons"][0]
    assert not {"replay", "sanction", "wrong_number"} & {
        one["leaf"] for one in changeable_rules("brandub-globe", "en")
    }


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("variant_id", booklet_ids())
def test_every_choice_can_be_played_and_differs_from_the_usual_one(variant_id: str, lang: str) -> None:
    for rule in choices(variant_id, lang).values():
        sentences = [sentence for _, sentence in rule["choices"]]
        assert len(set(sentences)) == len(sentences) >= 2
        assert not any("Other reading" in sentence or "Autre" in sentence for sentence in sentences)
        for value, _ in rule["choices"][1:]:
            variant(variant_id).with_switches({rule["leaf"]: value}).new_game()


def test_the_game_of_the_address_is_among_the_tiles_and_folds_the_others() -> None:
    given, usual = new_page({"variant": "sea-battle-204577-11"}, "en"), new_page({}, "en")
    assert (given["is_given"], usual["is_given"]) == (True, False)
    assert given["tiles"][0]["id"] == given["game"]["id"] == "sea-battle-204577-11"
    assert given["tiles"][0]["length"] == {"minutes": "20", "difficulty": 3, "ease": ""}
    assert [tile["id"] for tile in usual["tiles"]] == [tile["id"] for tile in given["tiles"][1:]]


def test_only_people_play_by_correspondence() -> None:
    for opponent, clock in (("computer", "none"), ("here", "none"), ("friend", "days_3")):
        chosen = new_page({"opponent": opponent, "clock": "days_3"}, "en")["chosen"]
        assert chosen["clock"] == clock, opponent


def test_the_harder_side_is_named_only_where_measurements_of_these_rules_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert new_page({"variant": "brandub-globe"}, "en")["harder"] == "attackers"
    assert new_page({"variant": "ard-ri-globe"}, "en")["harder"] == "defenders"
    for query in (
        {"variant": "copenhagen-11"},
        {"variant": "brandub-globe", "rule.quiet_limit": "40"},
        {"variant": "brandub-globe", "position": "7/7/3t3/3K3/7/7/7 a"},
    ):
        assert new_page(query, "en")["harder"] is None
    # The stronger the player, the more the other side wins.
    weak, strong = measured_balance(variant("brandub-globe"))
    parted = (replace(weak, low=40.0, high=49.0), strong)
    monkeypatch.setattr("hnefi.variants.balance.measured_balance", lambda _: parted)
    assert harder_side(variant("brandub-globe")) is None


def test_calls_are_explained_with_their_words() -> None:
    calls = new_page({"variant": "gwezboell-globe"}, "fr")["calls"] or ""
    assert "raichi" in calls
    assert "tuichi" in calls
    assert new_page({"variant": "copenhagen-11"}, "fr")["calls"] is None
