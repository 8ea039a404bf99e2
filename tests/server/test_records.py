"""Records over HTTP: parsing into trees with faults, and writing."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from hnefi import parse_records

RECORD = '[Variant "brandub-globe"]\n{Begin.} 1. d2-c2 {!} (1. d6-e6 {Or.}) 2. d5-c5 *\n'


def read(server: TestClient, text: str, **more: Any) -> Any:
    answer = server.post("/api/records", json={"text": text, **more}, headers={"Accept-Language": "en"})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_records_round_trip(server: TestClient) -> None:
    (game,) = read(server, RECORD)["games"]
    moves = [(ply["parent"], ply["move"], ply["glyph"], ply["comments"]) for ply in game["plies"]]
    assert moves == [(-1, "d2-c2", "!", []), (-1, "d6-e6", "", ["Or."]), (0, "d5-c5", "", [])]
    asked = {name: game[name] for name in ("variant", "switches", "start", "headers", "comments", "plies")}
    answer = server.post("/api/records/text", json=asked)
    assert answer.headers["content-type"].startswith("text/plain")
    (written,), (given,) = parse_records(answer.text), parse_records(RECORD)
    assert (written.nodes, written.comments) == (given.nodes, given.comments)
    assert not written.replay().faults


def test_every_fault_has_a_place(server: TestClient) -> None:
    found = read(server, f'{RECORD}\n1. zz 2. d5-c5 )\n\n[Variant "brandub-globe"]\n1. a1-a2 *\n')
    reported = [(one["code"], one["game"], one["line"], one["column"], one["ply"]) for one in found["faults"]]
    assert ("bad_move", 2, 4, 4, 0) in reported
    assert ("no_piece", 3, 0, 0, 1) in reported
    assert [game["game"] for game in found["games"]] == [1, 3]
    assert found["games"][1]["plies"] == []
    assert all(one["message"] for one in found["faults"])


def test_a_record_without_a_variant_is_read_as_the_one_that_is_asked_for(server: TestClient) -> None:
    assert read(server, "1. d2-c2 *")["games"] == []
    switches = {"quiet_limit": "40"}
    (game,) = read(server, "1. d2-c2 *", variant="brandub-globe", switches=switches)["games"]
    assert (game["variant"], game["switches"]) == ("brandub-globe", switches)


def test_other_forms_are_recognised_and_written(server: TestClient) -> None:
    (game,) = read(server, RECORD)["games"]
    asked = {name: game[name] for name in ("variant", "switches", "start", "headers", "comments", "plies")}
    for form in ("otg", "pgn", "moves"):
        text = server.post("/api/records/text", json={**asked, "form": form}).text
        (back,) = read(server, text, variant="brandub-globe")["games"]
        main = [ply for ply in back["plies"] if ply["move"] != "d6-e6"]
        assert [ply["move"] for ply in main] == ["d2-c2", "d5-c5"]
        assert back["variant"] == "brandub-globe"
        if form == "otg":
            assert [ply["move"] for ply in back["plies"]] == ["d2-c2", "d6-e6", "d5-c5"]
    assert server.post("/api/records/text", json={**asked, "form": "pdf"}).status_code == 422


def test_unknown_opentafl_rules_are_reported(server: TestClient) -> None:
    text = "[rules:dim:7 name:Mine esc:e ka:n start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]\n\n1. d2-c2\n[]\n"
    found = read(server, text)
    assert found["games"] == []
    assert [(one["code"], one["line"]) for one in found["faults"]] == [("foreign_rules", 1)]
    assert "Mine" in found["faults"][0]["message"]


def test_markup_in_a_record_stays_text(server: TestClient) -> None:
    text = RECORD.replace("Or.", "<script>alert(1)</script>")
    (game,) = read(server, text)["games"]
    assert game["plies"][1]["comments"] == ["<script>alert(1)</script>"]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("1. d2-c2 " * 6_000 + "*", 200),
        ("(" * 100_000, 200),
        ("[" * 100_000, 200),
        ("{" * 100_000, 200),
        ("1. d2-c2 (" * 3_000 + ")" * 3_000 + "*", 200),
        (("d2-c2 c2-d2 " * 3_000) + "*", 413),
        ("x" * 300_001, 422),
        ("x" * 1_100_000, 413),
    ],
)
def test_a_text_that_explodes_is_answered_in_time(server: TestClient, text: str, status: int) -> None:
    answer = server.post("/api/records", json={"text": text, "variant": "brandub-globe"})
    assert answer.status_code == status
    assert len(answer.content) < 2_000_000


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"variant": "nowhere"}, "unknown_variant"),
        ({"start": "7/7"}, "bad_position"),
        ({"plies": [{"parent": -1, "move": "d5-a1"}]}, "not_your_piece"),
        ({"plies": [{"parent": 0, "move": "d2-c2"}]}, "bad_parent"),
        ({"plies": [{"parent": -1, "move": "zz"}]}, "bad_move"),
        ({"headers": [{"name": "no name", "value": ""}]}, "bad_header"),
    ],
)
def test_invalid_trees_are_refused(server: TestClient, changed: dict[str, Any], code: str) -> None:
    answer = server.post("/api/records/text", json={"variant": "brandub-globe", **changed})
    assert (answer.status_code in (404, 422), answer.json()["code"]) == (True, code)
