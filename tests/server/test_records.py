"""Records over HTTP: parsing into trees with faults, and writing."""

import io
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hnefi import format_records, parse_records, variant
from hnefi.formats import RawGame, read_games
from hnefi.formats.opentafl import parse_rules_text, variant_from_rules
from tests.server.clients import refused
from tests.server.serving import ROOT

RECORD = '[Variant "brandub-globe"]\n{Begin.} 1. d2-c2 {!} (1. d6-e6 {<b>Or.}) 2. d5-c5 *\n'


def read(server: TestClient, text: str, **more: Any) -> Any:
    answer = server.post("/api/records", json={"text": text, **more}, headers={"Accept-Language": "en"})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_text_above_the_limits_of_the_guide_is_refused(server: TestClient) -> None:
    guide = (ROOT / "docs" / "guide" / "server.md").read_text(encoding="utf-8")
    (longest,) = re.findall(r"`POST /api/records` \| ([\d,]+) characters \| `bad_request`, status 422", guide)
    (most,) = re.findall(r"\| ([\d,]+) \| `too_many_plies`, status 413", guide)
    length, count = (int(number.replace(",", "")) for number in (longest, most))
    assert read(server, " " * length)["games"] == []
    answer = server.post("/api/records", json={"text": " " * (length + 1)})
    assert refused(answer) == (422, "bad_request")
    moves = "d2-c2 d5-c5 c2-d2 c5-d5 " * (count // 4)
    many = f'[Variant "brandub-globe"]\n{moves}'
    assert len(read(server, f"{many}*\n")["games"]) == 1
    assert refused(server.post("/api/records", json={"text": f"{many}d2-c2 *\n"})) == (413, "too_many_plies")


def tree_of(server: TestClient, text: str) -> dict[str, Any]:
    """Returns the game of a record as it is sent to be written."""
    (game,) = read(server, text)["games"]
    return {name: game[name] for name in ("variant", "switches", "start", "headers", "comments", "plies")}


def test_records_round_trip(server: TestClient) -> None:
    tree = tree_of(server, RECORD)
    moves = [(ply["parent"], ply["move"], ply["glyph"], ply["comments"]) for ply in tree["plies"]]
    assert moves == [(-1, "d2-c2", "!", []), (-1, "d6-e6", "", ["<b>Or."]), (0, "d5-c5", "", [])]
    answer = server.post("/api/records/text", json=tree)
    assert answer.headers["content-type"].startswith("text/plain")
    (written,), (given,) = parse_records(answer.text), parse_records(RECORD)
    assert (written.nodes, written.comments) == (given.nodes, given.comments)
    assert not written.replay().faults


def test_a_refused_escape_and_the_headers_of_calls_come_back(server: TestClient) -> None:
    text = Path("tests/records/refused-escape.tafl").read_text(encoding="utf-8")
    answer = server.post("/api/records/text", json=tree_of(server, text))
    (written,), (given,) = parse_records(answer.text), parse_records(text)
    assert written.nodes == given.nodes
    assert dict(given.headers).items() <= dict(written.headers).items()


def test_a_game_is_read_as_far_as_its_moves_are_legal(server: TestClient) -> None:
    found = read(server, "1. d6-c6 d5-e6 2. d7-d6", variant="brandub-globe")
    (game,), (fault,) = found["games"], found["faults"]
    assert [ply["move"] for ply in game["plies"]] == ["d6-c6"]
    assert fault["message"] == (
        "Read as far as 2. d5\N{EN DASH}e6, which isn’t legal: "
        "d5 to e6 is not a straight line: pieces move along a row or a column."
    )


def test_a_game_that_is_cut_is_read_up_to_the_cut(server: TestClient) -> None:
    # A text without a variant, and one that breaks off within a move.
    for text, where in (("1. d6-c6 d5-e5 2. d", (1, 19)), (RECORD[: RECORD.rindex("-")], (2, 46))):
        found = read(server, text, variant="brandub-globe")
        assert len(found["games"]) == 1
        assert found["games"][0]["plies"]
        fault = found["faults"][0]
        assert (fault["code"], (fault["line"], fault["column"])) == ("bad_move", where)


PROSE = "In the game we saw in the club on Monday the king went from d4-d7, and none of us there knew why. "


@pytest.mark.parametrize("text", ["hello world", "?", "https://example.org/games", PROSE * 3])
def test_texts_that_are_no_game_are_reported(server: TestClient, text: str) -> None:
    found = read(server, text, variant="brandub-globe")
    assert found["games"] == []
    (fault,) = found["faults"]
    assert (fault["code"], fault["line"]) == ("not_a_game", 0)
    assert "That doesn’t look like a game." in fault["message"]


OWN_RULES = "dim:7 name:Mine esc:e ka:n start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"


@pytest.mark.parametrize("form", ["otg", "tafl"])
def test_a_game_of_rules_of_its_own_becomes_one_of_a_variant_with_switches(
    server: TestClient, form: str
) -> None:
    text = f"[result:?]\n[rules:{OWN_RULES}]\n\n1. d2-c2 d5-c5\n"
    if form == "tafl":
        (raw,) = read_games(io.BytesIO(text.encode()))
        assert isinstance(raw, RawGame)
        text = format_records([raw.record()])
    found = read(server, text)
    (game,) = found["games"]
    assert (found["faults"], found["remarks"]) == ([], [])
    assert [ply["move"] for ply in game["plies"]] == ["d2-c2", "d5-c5"]
    played = variant(game["variant"]).with_switches(game["switches"]).rules
    assert played == variant_from_rules(parse_rules_text(OWN_RULES))[0].rules
    tree = {name: game[name] for name in ("variant", "switches", "start", "headers", "comments", "plies")}
    assert not parse_records(server.post("/api/records/text", json=tree).text)[0].replay().faults


def test_every_fault_has_a_place(server: TestClient) -> None:
    found = read(server, f'{RECORD}\n1. zz 2. d5-c5 )\n\n[Variant "brandub-globe"]\n1. a1-a2 *\n')
    reported = [(one["code"], one["game"], one["line"], one["column"], one["ply"]) for one in found["faults"]]
    assert ("bad_move", 2, 4, 4, 0) in reported
    assert ("no_piece", 3, 0, 0, 1) in reported
    assert [game["game"] for game in found["games"]] == [1, 3]
    assert found["games"][1]["plies"] == []
    assert all(one["message"] for one in found["faults"])


def test_an_omission_is_a_remark_and_no_fault(server: TestClient) -> None:
    found = read(server, RECORD)
    assert found["faults"] == []
    assert [(one["code"], one["game"], one["ply"]) for one in found["remarks"]] == [("missing_rules", 1, 0)]
    wrong = read(server, RECORD.replace("\n", f'\n[Rules "{"0" * 64}"]\n', 1))
    assert [one["code"] for one in wrong["faults"]] == ["rules_mismatch"]
    assert wrong["remarks"] == []


def test_gaps_of_reading_are_named_once(server: TestClient) -> None:
    text = f"[result:?]\n[stars:3]\n[rules:{OWN_RULES}]\n\n1. d2-c2 d5-c5\n\n"
    in_french = "étiquette inconnue omise\N{NO-BREAK SPACE}: stars"
    for lang, message in (("en", "unknown tag left out: stars"), ("fr", in_french)):
        answer = server.post("/api/records", json={"text": 2 * text}, headers={"Accept-Language": lang})
        found = answer.json()
        assert (len(found["games"]), found["gaps"]) == (2, [{"code": "tag", "message": message}])
    assert read(server, RECORD)["gaps"] == []


def test_a_record_without_a_variant_is_read_as_the_one_that_is_asked_for(server: TestClient) -> None:
    assert read(server, "1. d2-c2 *")["games"] == []
    switches = {"quiet_limit": "40"}
    (game,) = read(server, "1. d2-c2 *", variant="brandub-globe", switches=switches)["games"]
    assert (game["variant"], game["switches"]) == ("brandub-globe", switches)


def test_other_forms_are_recognised_and_written(server: TestClient) -> None:
    tree = tree_of(server, RECORD)
    for form in ("otg", "pgn", "moves"):
        text = server.post("/api/records/text", json={**tree, "form": form}).text
        (back,) = read(server, text, variant="brandub-globe")["games"]
        moves = [ply["move"] for ply in back["plies"]]
        assert [move for move in moves if move != "d6-e6"] == ["d2-c2", "d5-c5"]
        assert back["variant"] == "brandub-globe"
        assert form != "otg" or moves == ["d2-c2", "d6-e6", "d5-c5"]
    assert server.post("/api/records/text", json={**tree, "form": "pdf"}).status_code == 422


def test_gaps_of_a_format_are_named_to_programs_that_take_json(server: TestClient) -> None:
    tree = tree_of(server, Path("tests/records/refused-escape.tafl").read_text(encoding="utf-8"))
    for lang, message in (("en", "refused escapes left out"), ("fr", "sorties refusées omises")):
        headers = {"Accept": "application/json", "Accept-Language": lang}
        answers = {
            form: server.post("/api/records/text", json={**tree, "form": form}, headers=headers).json()
            for form in ("tafl", "pgn")
        }
        assert answers["tafl"]["gaps"] == []
        gaps = {gap["code"]: gap["message"] for gap in answers["pgn"]["gaps"]}
        assert gaps["refused_escapes"] == message
        assert gaps["headers"].endswith(": Calls, Sanction, Replay")
        assert answers["pgn"]["text"] == server.post("/api/records/text", json={**tree, "form": "pgn"}).text


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
    ("changed", "refusal"),
    [
        ({"variant": "nowhere"}, (404, "unknown_variant")),
        ({"start": "7/7"}, (422, "bad_position")),
        ({"plies": [{"parent": -1, "move": "d5-a1"}]}, (422, "not_your_piece")),
        ({"plies": [{"parent": 0, "move": "d2-c2"}]}, (422, "bad_parent")),
        ({"plies": [{"parent": -1, "move": "zz"}]}, (422, "bad_move")),
        ({"headers": [{"name": "no name", "value": ""}]}, (422, "bad_header")),
        # No response could carry these.
        ({"headers": [{"name": "Site", "value": "\ud800"}]}, (422, "bad_request")),
        ({"comments": ["\ud800"]}, (422, "bad_request")),
        ({"plies": [{"parent": -1, "move": "d2-c2", "before": ["\udfff"]}]}, (422, "bad_request")),
        ({"switches": {"\ud800": "1"}}, (422, "bad_request")),
        ({"switches": {"x" * 61: "1"}}, (422, "bad_request")),
    ],
    ids=ascii,
)
def test_invalid_trees_are_refused(
    server: TestClient, changed: dict[str, Any], refusal: tuple[int, str]
) -> None:
    for form in ("tafl", "otg", "pgn", "moves"):
        body = json.dumps({"variant": "brandub-globe", "form": form, **changed})
        answer = server.post("/api/records/text", content=body, headers={"Content-Type": "application/json"})
        assert refused(answer) == refusal, form


VARIANT = '[Variant "brandub-globe"]\n'


@pytest.mark.parametrize(
    "text",
    [
        f'[Site "{"x" * 200_000}"]\n1. d2-c2 *',
        f'[{"N" * 5_000} "x"]\n1. d2-c2 *',
        "".join(f'[Extra{number} ""]\n' for number in range(2_000)) + "1. d2-c2 *",
        f"1. d2-c2 {{{'x' * 250_000}}} *",
        f"{'{a} ' * 70} 1. d2-c2 {'{b} ' * 70} ({'{c} ' * 70} 1. d6-e6) *",
        "1. d2-c2 @999999:59:59 *",
        f'[Attackers "{"x" * 700}"]\n\n1. d2c2 d5c5 2. c2d2',
    ],
    ids=["value", "name", "headers", "comment", "comments", "clock", "pgn"],
)
def test_long_records_are_read_and_written_back(server: TestClient, text: str) -> None:
    tree = tree_of(server, VARIANT + text)
    texts = {}
    for form in ("otg", "pgn", "moves", "tafl"):
        answer = server.post("/api/records/text", json={**tree, "form": form})
        assert answer.status_code == 200, answer.text
        texts[form] = answer.text
    back = tree_of(server, texts["tafl"])
    assert (back["comments"], back["plies"]) == (tree["comments"], tree["plies"])
    assert [one for one in tree["headers"] if one not in back["headers"]] == []


@pytest.mark.parametrize(
    "text",
    [
        VARIANT + '[Site "\\ud800"]\n1. d2-c2 *',
        VARIANT + "{\\ud800} 1. d2-c2 {\\udfff} ({\\ud800} 1. d6-e6) *",
        '[Variant "\\ud800"]\n1. d2-c2 *',
        VARIANT + '[Switches "\\ud800=1"]\n1. d2-c2 *',
        '{"id": "\\ud800", "type": 7, "moves": ["d2-c2"], "winner": ""}',
    ],
)
def test_lone_surrogates_in_a_record_are_replaced(server: TestClient, text: str) -> None:
    found = read(server, text, variant="brandub-globe")
    assert found["games"] or found["faults"]
    assert "\\ud" not in json.dumps(found)


ODD = [*'\x00\u202e\ufeff\uffff\U0001f600\u0663\\"}(', "\\ud800", "9" * 5_000, "x" * 700, "xd3" * 300]
ODD_HEADERS = ("Site", "Start", "Switches", "Revision", "GameType", "OpenTaflRules", "N" * 70)
VALUES = ('"\\ud800"', "1" + "0" * 30, "NaN", '[[{"a": null}]]', "true", '"§"')
# Odd texts come to `§`, and values to `¤`.
FORMS = {
    "native": VARIANT
    + "".join(f'[{name} "§"]\n' for name in ODD_HEADERS)
    + "{§} 1. d2-c2 @1§:00:00 {§} ({§} 1. d6-e6 {§}) 2. d5-c5 *",
    "opentafl": f"[rules:{OWN_RULES} name:§]\n[site:§]\n[clock:§]\n\n1. d2-c2 d5-c5\n[§]\n",
    "numbered": f'{VARIANT}[Attackers "§"]\n\n1§. d2c2 d5c5§',
    "site": '{"id": ¤, "type": 7, "variant": ¤, "attackers": ¤, "moves": ["d2-c2", "§"], "winner": ""}',
    "table": "d2-c2 d5-c5§,§0,0,White",
    "bare": "d2-c2 d5-c5 c2-d2§",
}


@pytest.mark.parametrize("form", FORMS)
def test_odd_records_never_fail(server: TestClient, form: str) -> None:
    # The client of the tests raises whatever the server does not answer.
    rng = random.Random(form)

    def odd_text(_: object) -> str:
        text = "".join(rng.choice(ODD) for _ in range(rng.choice([0, 0, 0, 1, 5, 70])))
        return json.dumps(text)[1:-1] if form == "site" else text

    for _ in range(30):
        lines = FORMS[form].splitlines(keepends=True)
        text = "".join(line for line in lines if line[:1] != "[" or "§" not in line or rng.random() < 0.3)
        text = re.sub("§", odd_text, re.sub("¤", lambda _: rng.choice(VALUES), text))[:300_000]
        found = read(server, text, **rng.choice([{}, {"variant": "brandub-globe"}]))
        assert found["games"] or found["faults"], text[:200]
