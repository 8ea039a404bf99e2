"""Custom rules over HTTP: text, conflicts, examples, imported rules."""

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hnefi import IllegalMove, Rules, Setup, parse_records, variant, words
from hnefi.formats.opentafl import variant_rules_text
from hnefi.server.rules_editor.editing import gap_words
from hnefi.variants.custom import derive
from hnefi.variants.files import format_variant, parse_variant
from hnefi.variants.finding import variant_ids
from hnefi.variants.links import format_link, parse_link
from hnefi.variants.schema import schema
from hnefi.variants.switches import CALL_SWITCHES
from tests.cli_runs import answer
from tests.samples import deep
from tests.server.clients import refused, rematch, two_at_a_game
from tests.strategies import invented

ALONE = {"start": "7/7/7/3K3/7/7/7"}


def ask(server: TestClient, variant_id: str, lang: str = "en", path: str = "", **more: Any) -> Any:
    answer = server.post(f"/api/rules{path}", json={"variant": variant_id, "lang": lang, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def read(server: TestClient, text: str) -> Any:
    answer = server.post("/api/rules/read", json={"text": text, "lang": "en"})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(("king", "offered"), [("0", range(12)), ("15", [*range(12), 15])])
def test_the_page_offers_the_distances_of_the_board_and_the_chosen_one(
    server: TestClient, king: str, offered: Sequence[int]
) -> None:
    page = server.get(f"/en/rules/new?variant=parlett-13&rule.range.king={king}").text
    (answers,) = re.findall(r'<select name="rule\.range\.king">(.*?)</select>', page, re.DOTALL)
    assert [int(one) for one in re.findall(r'value="(\d+)"(?! hidden)', answers)] == list(offered)


def test_rules_without_changes_are_those_of_the_variant(server: TestClient) -> None:
    found = ask(server, "copenhagen-11")
    assert (found["ok"], found["faults"], found["follows"], found["switches"]) == (True, [], [], {})
    assert found["query"] == "variant=copenhagen-11"
    assert set(schema()) <= set(found["rules"])
    assert not any(rule["differs"] for rule in found["rules"].values())
    assert found["like"]["variant"] == "copenhagen-11"
    expected = words.rules(variant("copenhagen-11"), "en")
    texts = [clause["text"] for section in found["sections"] for clause in section["clauses"]]
    assert texts == [clause.text for section in expected.rules_sections for clause in section.spoken_clauses]
    assert parse_variant(found["toml"]).rules == variant("copenhagen-11").rules


def test_a_change_is_described_and_marked(server: TestClient) -> None:
    unarmed, text = {"king_armed": "none"}, "The brannán takes no part in captures."
    found = ask(server, "brandub-globe", switches=unarmed, changed="king_armed", name="Mild")
    marked = [one["text"] for part in found["sections"] for one in part["clauses"] if one["differs"]]
    assert marked == [text]
    assert found["rules"]["king_armed"] == {"value": "none", "text": text, "differs": True, "applies": True}
    assert (found["file_name"], found["query"]) == ("mild.toml", "variant=brandub-globe&rule.king_armed=none")
    assert tomllib.loads(found["toml"])["about"]["names"] == {"en": "Mild"}
    french = ask(server, "brandub-globe", "fr", switches=unarmed)
    expected = words.rules(variant("brandub-globe").with_switches(unarmed), "fr")
    assert french["rules"]["king_armed"]["text"] == expected.clauses_about("king_armed")[0].text


def test_similarity_counts_the_rules_that_differ(server: TestClient) -> None:
    one = ask(server, "copenhagen-11", switches={"king_armed": "hammer"})["like"]
    assert one["variant"] == "copenhagen-11"
    assert one["message"].endswith("1 rule differs: The king’s part in captures.")
    # Where play is the same, how it is written does not count.
    same = ask(server, "copenhagen-11", switches={"throne_hostile.attackers": "empty"})["like"]
    assert same["message"] == "These are the rules of Hnefatafl (Copenhagen)."


def test_rules_made_meaningless_by_a_change_follow_it(server: TestClient) -> None:
    wishes = {"throne": "none", "throne_stop": "king", "quiet_limit": "40"}
    found = ask(server, "fetlar-11", switches=wishes, changed="throne")
    assert found["ok"]
    assert "throne_stop" in {one["leaf"] for one in found["follows"]}
    assert found["values"]["throne_stop"] == "attackers,defenders,king"
    assert not found["rules"]["throne_stop"]["applies"]
    assert found["switches"]["quiet_limit"] == "40"
    edge = ask(server, "fetlar-11", switches={"corners": "none"}, changed="corners")
    assert edge["values"]["goal"] == "edge"
    assert any("edge" in one["message"] for one in edge["follows"] if one["leaf"] == "goal")


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"start": "3t3/3t3/3T3/ttT1Ttt/3T3/3t3/3t3"}, "There must be exactly one king; there are 0."),
        ({"start": "K2t3/7/7/7/7/7/7"}, "The king stands on a7, where he has already won."),
        ({"start": "7/7/7"}, None),
        ({"start": "x"}, None),
        ({"camps": "d1 a1"}, "a1 is the throne, a corner, or already part of a camp."),
        ({"camps": "d1 k1"}, "k1 is not on this board."),
        ({"corner_stop": "attackers"}, "The king wins in a corner, so he must be allowed to enter it."),
        ({**ALONE, "attackers_captured": "none", "no_move": "loses"}, "The attackers have no legal move."),
        (
            {**ALONE, "attackers_captured": "defenders_win"},
            "The game ends when all attackers are captured, so there must be some.",
        ),
        ({"quiet_limit": "many"}, None),
        ({"size": "8"}, None),
        ({"nonsense": "1"}, None),
    ],
)
def test_every_fault_is_attached_to_its_rule(
    server: TestClient, switches: dict[str, str], message: str | None
) -> None:
    leaf = next(iter(switches))
    for lang in ("fr", "en"):
        found = ask(server, "brandub-globe", lang, switches=switches, changed=leaf)
        assert not found["ok"]
        (fault,) = [one["message"] for one in found["faults"] if one["leaf"] == leaf]
        assert lang == "fr" or message in (None, fault)
        assert found["shape"]["size"] == 7
        assert found["start"] == switches.get("start", str(variant("brandub-globe").rules.start).split()[0])
        assert found["values"].keys() >= schema().keys()


WITHOUT_CORNERS = {"switches": {"corners": "none"}}


@pytest.mark.parametrize(
    ("path", "changes", "refusal"),
    [
        ("", {"variant": "chess"}, (404, "unknown_variant")),
        ("", {"switches": {"start": "7" * 401}}, (422, "bad_request")),
        ("", {"switches": {str(k): "1" for k in range(61)}}, (422, "bad_request")),
        ("", {"more": 1}, (422, "bad_request")),
        ("/answers", {"variant": "chess", "leaf": "goal"}, (404, "unknown_variant")),
        ("/answers", {"leaf": "nonsense"}, (422, "bad_switch")),
        ("/answers", {"leaf": "goal", **WITHOUT_CORNERS}, (422, "bad_rules")),
        ("/example", {"variant": "chess", "leaf": "goal"}, (404, "unknown_variant")),
        ("/example", {"leaf": "nonsense"}, (422, "bad_switch")),
        ("/example", {"leaf": "goal", "value": "nowhere"}, (422, "bad_rules")),
        ("/example", {"leaf": "goal", **WITHOUT_CORNERS}, (422, "bad_rules")),
        ("/read", {"text": "= no toml"}, (422, "bad_variant")),
        ("/read", {"text": "dim:7 start:/x/"}, (422, "bad_rules_text")),
        ("/read", {"text": "#zzzz"}, (422, "damaged_link")),
        ("/read", {"text": "http://[x?variant="}, (422, "damaged_link")),
        ("/read", {"text": "a" * 59_999 + "!"}, (422, "damaged_link")),
        *(("/read", {"text": text}, (422, "bad_variant")) for text in ('id="x"', "a.b='c'", "[rules]")),
        ("/read", {"text": "a:b:c " * 9_999}, (422, "bad_variant")),
        ("/read", {"text": "id = " + "9" * 5_000}, (422, "bad_variant")),
        ("/read", {"text": "[rules]\nsize = 0x" + "f" * 5_000}, (422, "bad_variant")),
        ("/read", {"text": "?" * 60_000}, (422, "damaged_link")),
        ("/read", {"text": "https://tafl.example/en/rules/new?variant=chess"}, (404, "unknown_variant")),
        ("/read", {"text": "/rules/new?variant=brandub-globe&rule.goal=nowhere"}, (422, "bad_rules")),
        ("/read", {"text": "a" * 60_001}, (422, "bad_request")),
    ],
    ids=lambda value: str(value)[:40],
)
def test_invalid_requests_are_refused(
    server: TestClient, path: str, changes: dict[str, Any], refusal: tuple[int, str]
) -> None:
    body = changes if path == "/read" else {"variant": "brandub-globe", **changes}
    for lang in ("fr", "en"):
        answer = server.post(f"/api/rules{path}", json=body, headers={"Accept-Language": lang})
        assert refused(answer) == refusal
    # A worker that has refused goes on.
    assert ask(server, "brandub-globe", path="/example", leaf="goal")["example"] is not None


def test_files_strings_and_links_are_read_again(server: TestClient) -> None:
    mine = derive(variant("fetlar-11"), "mine", {"en": "Mine"}, {"king_armed": "none", "quiet_limit": "50"})
    link = format_link(mine)
    for text in (format_variant(mine), link, f"https://tafl.example/en/rules/new#{link}"):
        found = read(server, text)
        assert (found["variant"], found["name"]) == ("fetlar-11", "Mine")
        assert found["switches"] == {"king_armed": "none", "quiet_limit": "50"}
    unarmed = {"king_armed": "none"}
    view = ask(server, "fetlar-11", switches=unarmed)
    found = read(server, view["opentafl"])
    assert ask(server, found["variant"], switches=found["switches"])["facts"]["tree"] == view["facts"]["tree"]
    address = f"http://localhost:8730/fr/rules/new?{view['query']}&name=Doux"
    assert read(server, address) == {"variant": "fetlar-11", "switches": unarmed, "name": "Doux", "notes": []}


def test_calls_are_changed_and_come_back(server: TestClient) -> None:
    calls = variant("gwezboell-globe").calls
    assert calls is not None
    changed = {"sanction": "none" if calls["sanction"] == "replay" else "replay"}
    view = ask(server, "gwezboell-globe", switches=changed, changed="sanction")
    assert (view["ok"], view["switches"]) == (True, changed)
    found = read(server, view["toml"])
    assert (found["variant"], found["switches"]) == ("gwezboell-globe", changed)


def answers_of(server: TestClient, variant_id: str, leaf: str, **more: Any) -> dict[str, str]:
    found = ask(server, variant_id, path="/answers", leaf=leaf, **more)
    return {one["words"]: one["text"] for one in found["answers"]}


@pytest.mark.parametrize(
    ("base", "lang"),
    [
        ("gwezboell-globe", "en"),
        ("berserk-11", "fr"),
        pytest.param("gwezboell-globe", "fr", marks=pytest.mark.deep),
        pytest.param("berserk-11", "en", marks=pytest.mark.deep),
    ],
)
def test_every_choice_has_a_distinct_sentence(server: TestClient, base: str, lang: str) -> None:
    choices = 0
    for leaf in (*schema(), *(CALL_SWITCHES if variant(base).calls else ())):
        if leaf in ("occupied_camps", "edge_hostile_king"):
            # They say nothing where there are no camps, or where the edge is the goal.
            continue
        answers = answers_of(server, base, leaf, lang=lang)
        assert all(answers.values()), leaf
        assert len({*answers.values()}) == len(answers), (leaf, answers)
        choices += len(answers)
    assert choices > 50


def test_a_choice_is_described_with_the_other_rules(server: TestClient) -> None:
    roads = answers_of(server, "gwezboell-globe", "goal")
    assert roads["In a corner"] == "The king reaches a refuge: the defenders win."
    chosen = ask(server, "gwezboell-globe", switches={"goal": "corner"}, changed="goal")
    assert chosen["rules"]["goal"]["text"] == roads["In a corner"]
    # Some count stays, and without one it is the usual one.
    often = answers_of(server, "fetlar-11", "repetition", switches={"repetition": "5,draw"})
    assert "occurs five times" in often["The game is drawn"]
    assert "occurs three times" in answers_of(server, "brandub-globe", "repetition")["The game is drawn"]
    # What cannot be chosen says what stands against it.
    camps = answers_of(server, "brandub-globe", "occupied_camps")
    assert camps["Count against attackers"] == "This needs camps that help to capture attackers."
    assert answers_of(server, "brandub-globe", "size") == {}


def example_of(server: TestClient, variant_id: str, leaf: str, **more: Any) -> Any:
    return ask(server, variant_id, path="/example", leaf=leaf, **more)["example"]


def test_an_example_is_played_by_the_rules_it_is_of(server: TestClient) -> None:
    for leaf in ("throne_stop", "king_armed", "king_capture", "corner_hostile", "goal", "no_move"):
        found = example_of(server, "brandub-globe", leaf)
        rules = variant("brandub-globe").with_switches({leaf: found["value"]})
        game = rules.new_game(Setup(found["position"]))
        move = f"{found['origin']}-{found['target']}"
        if not found["legal"]:
            with pytest.raises(IllegalMove):
                game.play(move)
            assert found["after"] is None
            continue
        after = game.play(move)
        assert found["after"].split()[0] == str(after.position.setup).split()[0]
        assert after.last is not None
        taken = {str(square) for square in after.last.captures}
        assert {*found["captures"]} - taken <= {str(game.position.king)}
        assert taken <= {*found["captures"]}
        assert found["text"]
        assert found["shape"]["size"] == 7


def test_an_example_may_be_of_another_value_and_of_changed_rules(server: TestClient) -> None:
    found = example_of(server, "brandub-globe", "king_armed", value="none")
    assert (found["value"], found["shape"]["throne"]) == ("none", "d4")
    assert example_of(server, "brandub-globe", "king_armed", value="none", lang="fr")["text"] != found["text"]
    corners = {"corner_stop": "attackers,defenders,king", "corner_hostile": "never,never,never"}
    plain = {"corners": "none", "goal": "edge", **corners}
    assert example_of(server, "brandub-globe", "goal", switches=plain)["shape"]["corners"] == []
    assert example_of(server, "brandub-globe", "size") is None


WHOLE = {
    "first": "defenders",
    "range.king": "3",
    "throne": "none",
    "goal": "edge",
    "corners": "2x2",
    "king_capture": "four_sides,four_sides,four_sides",
    "repetition": "3,draw",
}


@pytest.mark.parametrize("size", ["5", "19", *deep("17")])
def test_a_game_by_custom_rules_works_everywhere(server: TestClient, size: str, tmp_path: Path) -> None:
    view = ask(server, "brandub-globe", switches={**WHOLE, "size": size}, changed="size")
    assert view["ok"], view["faults"]
    switches, query = view["switches"], view["query"]
    game, ana, bran = two_at_a_game(server, variant="brandub-globe", switches=switches)
    for mover in (bran, ana):
        seen = mover.state(game)
        assert mover.move(game, seen["legal"][0], seen["seq"]).status_code == 200
    assert ana.state(game)["created"]["switches"] == switches
    text = server.get(f"/api/games/{game}/record").text
    (record,) = parse_records(text)
    replay = record.replay()
    assert not replay.faults
    assert replay.called is not None
    assert replay.called.game.rules == Rules(json.dumps(view["facts"]["tree"]))
    kept = tmp_path / "own.tafl"
    kept.write_text(text, encoding="utf-8")
    assert answer("replay", str(kept))["faults"] == []
    library = ("--library", str(tmp_path / "games.db"))
    assert answer("library", "add", str(kept), *library)["added"] == 1
    pages = [f"embed/{game}", f"game/{game}", *(f"{name}?{query}" for name in ("new", "table", "analysis"))]
    kinds = ["svg", "png", *(["gif"] if size == "5" else [])]
    pictures = [f"/api/games/{game}/picture.{kind}" for kind in kinds]
    for address in (*pictures, *(f"/en/{page}" for page in pages)):
        assert server.get(address).status_code == 200, address
    assert server.get(f"/fr/facts?{query}").json()["tree"] == view["facts"]["tree"]
    assert rematch(game, ana, bran)["created"]["switches"] == switches
    asked = {"variant": "brandub-globe", "switches": switches, "time_ms": 100, "lines": 1}
    lines = [json.loads(line) for line in server.post("/api/analysis", json=asked).text.splitlines()]
    assert lines[-1]["final"]


@pytest.mark.parametrize("count", [15, *deep(60)])
def test_rules_invented_at_random_go_in_and_come_out_the_same(server: TestClient, count: int) -> None:
    for made in invented(count, 77):
        found = read(server, format_variant(made))
        view = ask(server, found["variant"], switches=found["switches"], name=found["name"])
        assert view["ok"], view["faults"]
        assert view["facts"]["switches"] == found["switches"] == view["switches"]
        assert parse_variant(view["toml"]).rules == made.rules
        assert variant(found["variant"]).with_switches(found["switches"]).rules == made.rules
        assert Rules(json.dumps(view["facts"]["tree"])) == made.rules
        assert read(server, view["toml"])["switches"] == found["switches"]
        assert read(server, f"/en/rules/new?{view['query']}")["switches"] == found["switches"]
        assert all(len(value) <= 400 for value in found["switches"].values())
        assert parse_link(format_link(made)).rules == made.rules
        assert all(clause["text"] for section in view["sections"] for clause in section["clauses"])


def test_gaps_of_opentafl_are_reported_in_words() -> None:
    """No gap of a built-in variant shows the name of a rule or of a value as it is in files."""
    reported = {lang: set[str]() for lang in ("en", "fr")}
    for name in variant_ids():
        of = variant(name)
        for gap in variant_rules_text(of)[1]:
            for lang, texts in reported.items():
                texts.add(gap_words(gap, of.tree, lang))
    raw = re.compile(r"\w_\w|[=`]|\bnone\b|\bcustodial\b|\bguard\b")
    for lang, texts in reported.items():
        assert not [one for one in texts if raw.search(one)], lang
        assert all(one[0].isupper() and one.endswith(".") for one in texts), lang
    assert "Repetition: here, allowed; in this format, 3 times, then the game is drawn." in reported["en"]
