"""Open challenges, quick pairing, games to watch and the count of people, over HTTP."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hnefi.server.app import create_app
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.time import SystemTime
from hnefi.server.people import People
from tests.server.clients import Browser, Program
from tests.server.conftest import OWN, settings_in
from tests.server.serving import HttpClient, RunningServer, SocketClient, running
from tests.timeouts import wait_until

OPEN = {"variant": "brandub-globe", "opponent": "friend", "side": "attackers", "name": "Ana", "open": True}
FAST = {"kind": "fischer", "initial_s": 300, "increment_s": 3}
DAYS = {"kind": "days", "days": 3}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server of its own whose list is never older than the request."""
    monkeypatch.setattr("hnefi.server.people._FRESH_S", 0.0)
    with TestClient(create_app(settings_in(tmp_path)), base_url=OWN) as client:
        yield client


def post(player: Program, **changes: object) -> dict[str, object]:
    made = player.post("/api/games", {**OPEN, **changes})
    assert made.status_code == 201, made.text
    found: dict[str, object] = made.json()
    return found


def challenges(player: Program) -> list[str]:
    return [one["game"] for one in player.get("/api/people").json()["challenges"]]


def pair(player: Program, **changes: object) -> tuple[str, bool]:
    done = player.post("/api/pairings", {**OPEN, "open": False, **changes})
    assert done.status_code == 200, done.text
    return done.json()["game"], done.json()["is_taken"]


def test_two_people_meet_through_a_challenge(server: TestClient) -> None:
    ana, bran = Program(server), Program(server)
    made = post(ana, clock=FAST)
    (shown,) = bran.get("/api/people").json()["challenges"]
    assert shown == {
        "game": made["game"],
        "variant": "brandub-globe",
        "switches": {},
        "position": "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0",
        "side": "attackers",
        "form": "single",
        "clock": FAST,
        "name": "Ana",
        "posted_ms": shown["posted_ms"],
        "until_ms": shown["posted_ms"] + 3_600_000,
        "yours": False,
    }
    assert ana.get("/api/people").json()["challenges"] == [{**shown, "yours": True}]
    joined = bran.post(f"/api/games/{made['game']}/join", {"name": "Bran"})
    assert joined.status_code == 200, joined.text
    assert (joined.json()["status"], joined.json()["you"]) == ("playing", [1])
    assert challenges(ana) == challenges(bran) == []


def test_a_seat_is_taken_once_and_never_by_its_maker(server: TestClient) -> None:
    ana, bran, late = Program(server), Program(server), Program(server)
    game = post(ana)["game"]
    assert ana.post(f"/api/games/{game}/join", {}).json()["code"] == "own_game"
    assert bran.post(f"/api/games/{game}/join", {}).status_code == 200
    assert late.post(f"/api/games/{game}/join", {}).json()["code"] == "seat_taken"


def test_a_game_for_a_friend_is_neither_listed_nor_taken_without_its_invitation(server: TestClient) -> None:
    ana, bran = Program(server), Program(server)
    made = post(ana, open=False)
    assert challenges(bran) == []
    refused = bran.post(f"/api/games/{made['game']}/join", {})
    assert (refused.status_code, refused.json()["code"]) == (403, "bad_invite")
    taken = bran.post(f"/api/games/{made['game']}/join", {"invite": made["invite"]})
    assert taken.status_code == 200
    assert bran.get("/api/people").json()["games"] == []


def test_a_challenge_can_also_be_sent_to_a_friend(server: TestClient) -> None:
    ana, bran = Program(server), Program(server)
    made = post(ana)
    taken = bran.post(f"/api/games/{made['game']}/join", {"invite": made["invite"]})
    assert taken.status_code == 200
    assert challenges(ana) == []


def test_only_its_maker_cancels_a_challenge(server: TestClient) -> None:
    ana, bran = Program(server), Program(server)
    game = post(ana)["game"]
    abort = {"id": "c1", "seq": 1, "do": "abort"}
    assert bran.post(f"/api/games/{game}/commands", abort).json()["code"] == "no_seat"
    assert challenges(bran) == [game]
    assert ana.post(f"/api/games/{game}/commands", abort).status_code == 200
    assert challenges(bran) == []
    assert bran.post(f"/api/games/{game}/join", {}).json()["code"] == "seat_taken"


@pytest.mark.parametrize(("clock", "hours"), [(FAST, 1), (DAYS, 168), ({"kind": "none"}, 168)])
def test_a_challenge_expires(
    server: TestClient, monkeypatch: pytest.MonkeyPatch, clock: object, hours: int
) -> None:
    ana, bran = Program(server), Program(server)
    game, kept = post(ana, clock=clock)["game"], post(ana, clock=clock)
    now_us = SystemTime.now_us
    later_us = [(hours * 3600 - 60) * SECOND_US]
    monkeypatch.setattr(SystemTime, "now_us", lambda time: now_us(time) + later_us[0])
    assert set(challenges(bran)) == {game, kept["game"]}
    later_us[0] += 120 * SECOND_US
    assert challenges(bran) == []
    assert bran.post(f"/api/games/{game}/join", {}).json()["code"] == "challenge_over"
    invited = bran.post(f"/api/games/{kept['game']}/join", {"invite": kept["invite"]})
    assert invited.status_code == 200


def test_a_visitor_has_few_challenges_at_a_time_and_the_refusal_has_words(server: TestClient) -> None:
    ana, bran = Program(server), Program(server)
    games = [post(ana)["game"] for _ in range(5)]
    refused = ana.post("/api/games", OPEN, headers={"Accept-Language": "fr"})
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_challenges")
    assert refused.json()["message"].startswith("Vous avez déjà 5 défis en attente.")
    post(bran)
    assert bran.post(f"/api/games/{games[0]}/join", {}).status_code == 200
    post(ana)


def test_a_challenge_that_was_taken_meanwhile_is_not_cancelled(server: TestClient) -> None:
    ana, bran = Program(server), Program(server)
    game = post(ana)["game"]
    assert bran.post(f"/api/games/{game}/join", {}).status_code == 200
    refused = ana.post(f"/api/games/{game}/commands", {"id": "c1", "seq": 1, "do": "abort"})
    assert refused.json()["code"] == "board_changed"
    assert ana.get(f"/api/games/{game}").json()["status"] == "playing"


def test_an_open_game_is_between_two_people(server: TestClient) -> None:
    ana = Program(server)
    refused = ana.post("/api/games", {**OPEN, "opponent": "computer", "level": 1})
    assert refused.json()["code"] == "open_for_one"
    refused = ana.post("/api/pairings", {**OPEN, "opponent": "same_device"})
    assert refused.json()["code"] == "open_for_one"


def test_quick_pairing_takes_what_fits_or_waits(server: TestClient) -> None:
    ana, bran, cara = Program(server), Program(server), Program(server)
    waiting, is_taken = pair(ana, side="lot", clock=FAST)
    assert not is_taken
    assert challenges(bran) == [waiting]
    other, is_taken = pair(bran, side="lot", clock=DAYS)
    assert not is_taken
    assert pair(cara, side="lot", clock=FAST) == (waiting, True)
    assert challenges(cara) == [other]
    assert pair(ana, side="lot", clock=DAYS) == (other, True)


def test_quick_pairing_gives_the_side_that_was_wished_for(server: TestClient) -> None:
    ana, bran = Program(server), Program(server)
    attackers, lot, defenders = (post(ana, side=side)["game"] for side in ("attackers", "lot", "defenders"))
    assert pair(bran, side="attackers") == (defenders, True)
    assert pair(bran, side="attackers")[1] is False
    # Without a wish, a draw of lots is better than a side that nobody wanted.
    assert pair(Program(server), side="lot") == (lot, True)
    assert pair(Program(server), side="lot") == (attackers, True)


def test_a_visitor_is_not_paired_with_their_own_challenge_and_posts_it_once(server: TestClient) -> None:
    ana = Program(server)
    first, _ = pair(ana, side="lot")
    assert pair(ana, side="lot") == (first, False)
    other, is_taken = pair(ana, side="attackers")
    assert not is_taken
    assert other != first
    assert challenges(ana) == [other, first]


def test_a_challenge_with_a_clock_is_listed_while_its_poster_is_here(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    later_s = [1_000.0]
    people = server.app.state.service.people  # type: ignore[attr-defined]
    monkeypatch.setattr(people, "_now", lambda: time.monotonic() + later_s[0])
    ana, bran = Program(server), Program(server)
    timed, slow = post(ana, clock=FAST)["game"], post(ana, clock=DAYS)["game"]
    later_s[0] += 80
    assert challenges(bran) == [slow, timed]
    assert challenges(ana) == [slow, timed]
    later_s[0] += 80
    assert challenges(bran) == [slow, timed]
    later_s[0] += 20
    assert challenges(bran) == [slow]
    refused = bran.post(f"/api/games/{timed}/join", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "challenger_away")
    assert pair(bran, side="lot", clock=FAST)[1] is False
    # The poster still sees it, which brings it back.
    assert timed in challenges(ana)
    assert timed in challenges(bran)
    assert bran.post(f"/api/games/{timed}/join", {}).status_code == 200


def test_someone_who_posts_a_challenge_counts_once(server: TestClient) -> None:
    ana = Browser(server)
    assert ana.get("/api/people").json()["here"] == 1
    assert ana.post("/api/pairings", {**OPEN, "open": False}).status_code == 200
    assert ana.get("/api/people").json()["here"] == 1


def test_a_public_game_and_its_rematch_can_be_watched(server: TestClient) -> None:
    ana, bran = Program(server), Program(server)
    game = str(post(ana)["game"])
    bran.post(f"/api/games/{game}/join", {"name": "Bran"})
    ana.move(game, "d2-c2", 3)
    (live,) = Program(server).get("/api/people").json()["games"]
    assert (live["game"], live["names"], live["moves"], live["turn"]) == (
        game,
        ["Ana", "Bran"],
        1,
        "defenders",
    )
    bran.post(f"/api/games/{game}/commands", {"id": "r", "seq": 4, "do": "resign"})
    assert ana.get("/api/people").json()["games"] == []
    ana.post(f"/api/games/{game}/commands", {"id": "o", "seq": 5, "do": "offer_rematch"})
    bran.post(f"/api/games/{game}/commands", {"id": "a", "seq": 6, "do": "accept_rematch"})
    rematch = ana.get(f"/api/games/{game}").json()["rematch"]
    assert [one["game"] for one in ana.get("/api/people").json()["games"]] == [rematch]
    assert challenges(ana) == []


def test_an_unchanged_list_is_not_sent_again(server: TestClient) -> None:
    ana = Program(server)
    first = ana.get("/api/people")
    tag = {"If-None-Match": first.headers["etag"]}
    same = server.get("/api/people", headers={**ana.headers, **tag})
    assert (same.status_code, same.content) == (304, b"")
    post(ana)
    assert server.get("/api/people", headers={**ana.headers, **tag}).status_code == 200


def test_a_browser_gets_its_secret_with_its_first_challenge(server: TestClient) -> None:
    ana = Browser(server)
    assert "set-cookie" not in ana.get("/api/people").headers
    assert ana.post("/api/pairings", {**OPEN, "open": False}).status_code == 200
    (shown,) = ana.get("/api/people").json()["challenges"]
    assert shown["yours"]


class _Elsewhere:
    """Other processes with some people, or an unknown number."""

    def __init__(self, people: int | None) -> None:
        self.people = people

    def people_elsewhere(self) -> int | None:
        return self.people


def test_people_are_counted_by_their_connections_and_requests() -> None:
    now_s, connected = [0.0], {"visitor a"}
    elsewhere = _Elsewhere(3)
    people = People(elsewhere, lambda: connected, 5, lambda: now_s[0])  # type: ignore[arg-type]
    people.presence.note("visitor a")
    people.presence.note("address b")
    assert (people.presence.count(), people._all_here()) == (2, 5)
    now_s[0] = 26.0
    assert people.presence.count() == 1


def test_connections_in_games_count_once_for_each_visitor(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ana, bran = HttpClient(server.address), HttpClient(server.address)
        game = ana.request("POST", "/api/games", OPEN)["game"]

        async def follow() -> None:
            tabs = [SocketClient(server, game, bran.token) for _ in range(2)]
            for tab in tabs:
                await tab.connect()
                await tab.receive_until("state")
            people = await asyncio.to_thread(ana.request, "GET", "/api/people")
            assert people["here"] == 2
            for tab in tabs:
                await tab.close()

        asyncio.run(follow())
        wait_until(lambda: ana.request("GET", "/api/people")["here"] == 1, "the connections are closed")


def test_a_challenge_survives_a_kill(tmp_path: Path) -> None:
    server = RunningServer(tmp_path)
    server.start()
    try:
        ana, bran = HttpClient(server.address), HttpClient(server.address)
        game = ana.request("POST", "/api/games", {**OPEN, "clock": FAST})["game"]
        server.kill()
        server.start()
        (shown,) = bran.request("GET", "/api/people")["challenges"]
        assert (shown["game"], shown["yours"]) == (game, False)
        assert ana.request("GET", "/api/people")["challenges"][0]["yours"]
        assert bran.request("POST", f"/api/games/{game}/join", {})["status"] == "playing"
        server.kill()
        server.start()
        assert ana.request("GET", "/api/people")["challenges"] == []
        assert ana.request("GET", f"/api/games/{game}")["status"] == "playing"
    finally:
        server.kill()


def test_a_game_has_a_picture_before_its_second_player_joins(server: TestClient) -> None:
    game = post(Program(server))["game"]
    for kind, begin in (("svg", b"<svg"), ("png", b"\x89PNG")):
        picture = server.get(f"/api/games/{game}/picture.{kind}")
        assert picture.status_code == 200
        assert begin in picture.content[:200]
    assert server.get(f"/api/games/{game}/picture.gif").json()["code"] == "no_such_leg"
