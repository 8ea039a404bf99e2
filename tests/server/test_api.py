"""The HTTP API, used by a program."""

import json
import re
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any, get_args

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from hnefi import Move, parse_records, variant, variant_ids
from hnefi.server.api.games import make_api
from hnefi.server.events import Body
from tests.server.clients import FRIENDLY, Browser, Program, refused, rematch, two_at_a_game
from tests.server.serving import ROOT, RunningServer
from tests.timeouts import timeout_s

BOT = ROOT / "examples" / "bot.py"
UNKNOWN_GAME = {"variant": "brandub-globe", "switches": {"quiet_limit": "40"}, "moves": ["d2-c2"], "level": 1}


def test_variants_are_listed_with_their_rules(server: TestClient) -> None:
    found = server.get("/api/variants").json()["variants"]
    assert [one["id"] for one in found] == list(variant_ids())
    changed = server.get("/api/variants/brandub-globe?switch=quiet_limit%3D40").json()
    assert changed["switches"] == {"quiet_limit": "40"}
    assert changed["rules"]["ends"]["quiet_limit"] == 40
    rules = server.get("/api/variants/brandub-globe/rules", headers={"Origin": "https://elsewhere.example"})
    assert rules.json() == variant("brandub-globe").tree.to_dict()
    assert rules.headers["access-control-allow-origin"] == "*"
    wrong = server.get("/api/variants/brandu", headers={"Accept-Language": "fr"})
    assert (wrong.status_code, wrong.json()["code"]) == (404, "unknown_variant")
    assert "Vouliez-vous" in wrong.json()["message"]
    # Pages show this sentence too: it names no command.
    assert server.get("/api/variants/x").json()["message"] == "There is no variant “x”."
    assert server.get("/api/variants/brandub-globe?switch=no").status_code == 422


def test_a_game_between_programs_from_invitation_to_record(server: TestClient) -> None:
    game, ana, bran = two_at_a_game(server, clock={"kind": "fischer", "initial_s": 60, "increment_s": 1})
    state = ana.state(game)
    assert (state["you"], state["seq"], len(state["legal"])) == ([0], 3, 40)
    assert ana.move(game, "d2-c2", 3).json() == {"seq": 4}
    assert ana.move(game, "d2-c2", 3).json() == {"seq": 4}
    assert bran.move(game, "d2-c2", 4).status_code == 422
    assert bran.move(game, "d3-c3", 4, "n").json() == {"seq": 5}
    assert bran.do(game, "resign", 5).json() == {"seq": 6}
    text = server.get(f"/api/games/{game}/record").text
    record = parse_records(text)[0]
    replay = record.replay()
    assert not replay.faults
    assert (record.header("Attackers"), record.result) == ("Ana", "attackers")
    assert server.get(f"/api/games/{game}/record?leg=2").status_code == 404
    mine = bran.get("/api/games").json()["games"]
    assert [(one["game"], one["status"], one["you"]) for one in mine] == [(game, "over", [1])]
    assert mine[0]["outcome"] == {"winner": "attackers", "reason": "resignation"}


def test_events_are_streamed_from_any_sequence_number(server: TestClient) -> None:
    game, ana, _ = two_at_a_game(server)
    ana.move(game, "d2-c2", 3)
    lines = server.get(f"/api/games/{game}/events?since=1&follow=false").text.splitlines()
    kinds = [json.loads(line)["body"]["kind"] for line in lines]
    assert kinds == ["joined", "began", "moved"]
    whole = server.get(f"/api/games/{game}/events?follow=false").text.splitlines()
    assert [json.loads(line)["type"] for line in whole] == ["state"]


def test_a_browser_keeps_its_seat_in_a_cookie(server: TestClient) -> None:
    browser = Browser(server)
    made = browser.post("/api/games", FRIENDLY)
    assert made.status_code == 201
    cookie = made.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=lax", "Path=/"))
    secret = cookie.split("=", 1)[1].split(";")[0]
    assert secret not in made.text
    game = made.json()["game"]
    assert browser.get(f"/api/games/{game}").json()["you"] == [0]
    assert server.get(f"/api/games/{game}").json()["you"] == []
    link = browser.post(f"/api/games/{game}/links").json()
    phone = Browser(server)
    assert phone.post("/api/links", {"secret": link["secret"]}).json()["you"] == [0]
    assert phone.post("/api/links", {"secret": link["secret"]}).status_code == 403
    (listed,) = phone.get("/api/games").json()["games"]
    assert (listed["game"], listed["status"]) == (game, "waiting")
    assert listed["position"] == str(variant("brandub-globe").rules.start)


def test_a_level_chooses_a_move_in_a_game_that_the_server_does_not_know(server: TestClient) -> None:
    answer = Program(server).post("/api/moves", UNKNOWN_GAME)
    played = variant("brandub-globe").new_game().play("d2-c2")
    assert Move(answer.json()["move"]) in played.legal_moves()


@pytest.mark.parametrize(
    ("path", "body", "refusal"),
    [
        ("/api/games/nowhere/moves", {"id": "1", "seq": 0, "move": "a1-a2"}, (404, "unknown_game")),
        ("/api/games", {**FRIENDLY, "variant": "chess"}, (404, "unknown_variant")),
        ("/api/games", {**FRIENDLY, "level": "3"}, (422, "bad_request")),
        ("/api/games", {**FRIENDLY, "opponent": "computer"}, (409, "bad_level")),
        ("/api/games", {**FRIENDLY, "level": 4}, (409, "bad_level")),
        ("/api/games", {**FRIENDLY, "start": "nonsense"}, (422, "bad_position")),
        ("/api/games", {**FRIENDLY, "start": "7/7/7/7/7/7/K6 a 0"}, (409, "start_is_over")),
        *(
            ("/api/games", {**FRIENDLY, "name": deceptive}, (422, "bad_request"))
            for deceptive in ("a\u202eb", "a\x00b", "\u2066x", "a" * 31)
        ),
        ("/api/links", {"secret": "x" * 43}, (403, "bad_link")),
        ("/api/analysis", {"variant": "brandub-globe", "moves": ["d2-d2"]}, (422, "no_move_made")),
        # Engines are not given what explodes.
        *(
            ("/api/analysis", {"variant": "brandub-globe", **more}, (422, code))
            for more, code in (
                ({"moves": ["d2-c2"] * 3_000}, "bad_request"),
                ({"time_ms": 10**9}, "bad_request"),
                ({"lines": 500}, "bad_request"),
                ({"start": "9" * 600}, "bad_position"),
                ({"switches": {"quiet_limit": "9" * 300}}, "bad_switch"),
                ({"switches": {str(k): "1" for k in range(100)}}, "bad_request"),
            )
        ),
        *(
            ("/api/analysis", {"variant": name}, (404, "unknown_variant"))
            for name in ("../../etc/passwd", "brandub-globe\x00")
        ),
        ("/api/moves", {**UNKNOWN_GAME, "start": "K6/7/7/7/7/7/t6 a 0", "moves": []}, (409, "leg_over")),
        ("/api/moves", {**UNKNOWN_GAME, "level": 11}, (422, "bad_request")),
        ("/api/qr", {"text": "a" * 301}, (422, "bad_request")),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_errors_have_a_code_a_sentence_and_a_status(
    server: TestClient, path: str, body: dict[str, Any], refusal: tuple[int, str]
) -> None:
    assert refused(Program(server).post(path, body)) == refusal


@pytest.mark.parametrize("body", [b"[" * 60_000, b"\xff", b'{"text": %s}' % (b"9" * 10_000), b'{"text":'])
def test_a_body_that_is_not_json_is_refused_in_a_sentence(server: TestClient, body: bytes) -> None:
    answer = server.post("/api/qr", content=body, headers={"Content-Type": "application/json"})
    assert refused(answer) == (400, "bad_request")
    assert answer.json()["message"] == "The body of the request cannot be read as JSON."


def test_reasons_of_a_refusal_have_no_prefix_of_pydantic(server: TestClient) -> None:
    answer = Program(server).post("/api/games", {**FRIENDLY, "name": "a\x00b"})
    assert answer.json()["facts"]["why"] == "a name has letters that cannot be seen"


def test_the_description_is_complete(server: TestClient) -> None:
    found = server.get("/api/openapi.json").json()
    paths = {path for path in found["paths"] if path.startswith("/api")}
    assert len(paths) >= 13
    for path, methods in found["paths"].items():
        for method, described in methods.items():
            assert described.get("description"), (path, method)
    models = set(found["components"]["schemas"])
    references = set(re.findall('"#/components/schemas/([^"]+)"', json.dumps(found)))
    assert "Failure" in references <= models
    streams = [found["paths"]["/api/games/{game}/events"]["get"], found["paths"]["/api/analysis"]["post"]]
    told = {
        name for one in streams for name in re.findall(r"`(\w+)`", one["responses"]["200"]["description"])
    }
    assert told == {"EventMessage", "GameView", "AnalysisView", "QueueView"} <= models
    assert len(found["components"]["schemas"]["EventMessage"]["properties"]["body"]["oneOf"]) == len(
        get_args(Body)
    )


def test_the_description_tells_how_programs_send_their_token_and_ask_for_the_health(
    server: TestClient,
) -> None:
    found = server.get("/api/openapi.json").json()
    (scheme,) = (found["components"]["securitySchemes"][name] for one in found["security"] for name in one)
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert {"/api/health", "/api/ready"} < set(found["paths"])


def test_every_route_of_the_interface_is_built_once(server: TestClient) -> None:
    """A router that is included would build each again at the first request, which took 0.7 s."""
    app: Any = server.app
    routes, built = (
        [route for route in found if isinstance(route, APIRoute)]
        for found in (make_api(app.state.service), app.routes)
    )
    assert len(built) == len(routes) >= 40
    # A model would have a validator of its own in every route.
    assert not any(route.response_fields for route in routes)


def bot(*words: str) -> str:
    """Runs the example bot, and returns what it prints."""
    command = [sys.executable, str(BOT), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s(), check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_example_bot_plays_a_whole_game_and_describes_its_argument(tmp_path: Path) -> None:
    with RunningServer(tmp_path, requests_per_minute=10_000) as server:
        assert "reason" in bot(server.address)
    assert "http://127.0.0.1:8730" in bot("--help")
    assert len(BOT.read_text(encoding="utf-8").splitlines()) <= 55


def test_a_name_of_changed_rules_goes_with_the_game(server: TestClient) -> None:
    ana, bran = Program(server), Program(server)
    named = {"switches": {"goal": "edge"}, "title": " To  the <b>edge "}
    game = ana.post("/api/games", {**FRIENDLY, **named, "open": True}).json()["game"]
    (offered,) = bran.get("/api/people").json()["challenges"]
    bran.post(f"/api/games/{game}/join", {"name": "Bran"})
    again = rematch(game, ana, bran)["created"]["title"]
    listed = ana.get("/api/games").json()["games"]
    assert all(own["switches"] == named["switches"] for own in listed)
    titles = {offered["title"], again, *(own["title"] for own in listed)}
    assert titles == {"To the <b>edge"}
    assert '[Title "To the <b>edge"]' in server.get(f"/api/games/{game}/record").text
    plain = ana.post("/api/games", FRIENDLY | {"title": "Brandub"}).json()["state"]
    assert plain["created"]["title"] is None
    for bad in ("x" * 61, "\u202eegde", "\x00"):
        assert refused(ana.post("/api/games", {**FRIENDLY, **named, "title": bad})) == (422, "bad_request")


def test_pages_use_the_name_of_changed_rules(server: TestClient) -> None:
    query = "variant=brandub-globe&name=%3Cb%3EEdge&rule.goal=edge"
    facts = server.get(f"/en/facts?{query}").json()
    assert facts["title"] == "<b>Edge"
    assert facts["rules"] == f"/en/rules/{query.partition('=')[2].replace('&', '?', 1)}"
    assert "<h1>&lt;b&gt;Edge <span>After Brandub" in server.get(facts["rules"]).text
    new = server.get(f"/en/new?{query}").text
    assert '<b class="cut">&lt;b&gt;Edge</b>' in new
    assert f'<a href="{escape(facts["rules"])}">Rules</a>' in new
    assert '<b class="name">&lt;b&gt;Edge</b> After Brandub (Le Globe Joueur)</summary>' in new
    assert "rule.goal=edge&amp;name=%3Cb%3EEdge" in server.get(f"/en/rules/new?{query}").text
    assert "title" not in server.get(f"/en/facts?{query.replace('Edge', '%00')}").json()
    assert "Edge" not in server.get("/en/new?variant=brandub-globe&name=Edge").text


def test_records_name_the_computer_as_the_terminal_does(server: TestClient) -> None:
    game = Program(server).post("/api/games", {**FRIENDLY, "opponent": "computer", "level": 2}).json()["game"]
    (record,) = parse_records(server.get(f"/api/games/{game}/record").text)
    assert "Hnefi (2)" in (record.header("Attackers"), record.header("Defenders"))
