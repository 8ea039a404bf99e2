"""Open challenges, quick pairing, games to watch and the count of people, over HTTP."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.time import SystemTime
from hnefi.server.presence import PeopleHere
from tests.server.clients import Browser, Program, refused, rematch
from tests.server.serving import HttpClient, RunningServer, SocketClient
from tests.timeouts import wait_until

OPEN = {"variant": "brandub-globe", "opponent": "friend", "side": "attackers", "name": "Ana", "open": True}
FAST = {"kind": "fischer", "initial_s": 300, "increment_s": 3}
DAYS = {"kind": "days", "days": 3}
CORNERS = ["a1", "a7", "g1", "g7"]


@pytest.fixture
def server(own_server: TestClient, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """A server of its own whose list is never older than the request."""
    monkeypatch.setattr("hnefi.server.people._FRESH_S", 0.0)
    return own_server


Three = tuple[Program, Program, Program]


@pytest.fixture
def three(server: TestClient) -> Three:
    """Ana, who posts challenges, Bran, and another."""
    return Program(server), Program(server), Program(server)


def post(player: Program, **changes: object) -> str:
    """Posts a challenge, and returns its game."""
    return str(posted(player, **changes)["game"])


def posted(player: Program, **changes: object) -> dict[str, Any]:
    made = player.post("/api/games", {**OPEN, **changes})
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found


def join(player: Program, game: str, **how: str) -> Response:
    return player.post(f"/api/games/{game}/join", how)


def challenges(player: Program) -> list[str]:
    return [one["game"] for one in player.get("/api/people").json()["challenges"]]


def pair(player: Program, **changes: object) -> tuple[str, bool]:
    done = player.post("/api/pairings", {**OPEN, "open": False, **changes})
    assert done.status_code == 200, done.text
    return done.json()["game"], done.json()["is_taken"]


def test_two_people_meet_through_a_challenge_which_only_another_takes_and_only_once(three: Three) -> None:
    ana, bran, late = three
    game = post(ana, clock=FAST)
    (shown,) = bran.get("/api/people").json()["challenges"]
    assert shown == {
        "game": game,
        "variant": "brandub-globe",
        "title": None,
        "switches": {},
        "position": "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0",
        "shape": {"size": 7, "throne": "d4", "corners": CORNERS, "camps": [], "goals": CORNERS},
        "side": "attackers",
        "form": "single",
        "clock": FAST,
        "name": "Ana",
        "posted_ms": shown["posted_ms"],
        "until_ms": shown["posted_ms"] + 3_600_000,
        "yours": False,
        "away": False,
    }
    assert ana.get("/api/people").json()["challenges"] == [{**shown, "yours": True}]
    assert refused(join(ana, game))[1] == "own_game"
    joined = join(bran, game, name="Bran")
    assert joined.status_code == 200, joined.text
    assert (joined.json()["status"], joined.json()["you"]) == ("playing", [1])
    assert challenges(ana) == challenges(bran) == []
    assert refused(join(late, game))[1] == "seat_taken"


def test_a_friend_takes_a_game_with_its_invitation_which_one_that_is_not_open_needs(three: Three) -> None:
    ana, bran, late = three
    made, challenge = posted(ana, open=False), posted(ana)
    assert challenges(bran) == [challenge["game"]]
    for player, how, refusal in (
        (bran, {}, (403, "bad_invite")),
        (bran, {"invite": "x" * 43}, (403, "bad_invite")),
        (ana, {"invite": made["invite"]}, (409, "own_game")),
    ):
        assert refused(join(player, made["game"], **how)) == refusal
    assert refused(join(bran, "nowhere", invite=made["invite"])) == (404, "unknown_game")
    # Sent twice, it acts once; then it is used.
    for _ in range(2):
        assert join(bran, made["game"], invite=made["invite"], name="Bran").json()["seq"] == 3
    assert refused(join(late, made["game"], invite=made["invite"])) == (409, "seat_taken")
    assert bran.get("/api/people").json()["games"] == []
    assert join(bran, challenge["game"], invite=challenge["invite"]).status_code == 200
    assert challenges(ana) == []


def test_only_its_maker_cancels_a_challenge_and_not_one_that_was_taken_meanwhile(three: Three) -> None:
    ana, bran, _ = three
    game = post(ana)
    assert refused(bran.do(game, "abort", 1))[1] == "no_seat"
    assert challenges(bran) == [game]
    assert ana.do(game, "abort", 1).status_code == 200
    assert challenges(bran) == []
    assert refused(join(bran, game))[1] == "already_over"
    taken = post(ana)
    assert join(bran, taken).status_code == 200
    assert refused(ana.do(taken, "abort", 1))[1] == "board_changed"
    assert ana.state(taken)["status"] == "playing"


@pytest.mark.parametrize(("clock", "hours"), [(FAST, 1), (DAYS, 168), ({"kind": "none"}, 168)])
def test_a_challenge_expires(
    three: Three, monkeypatch: pytest.MonkeyPatch, clock: object, hours: int
) -> None:
    ana, bran, _ = three
    game, kept = post(ana, clock=clock), posted(ana, clock=clock)
    now_us = SystemTime.now_us
    later_us = [(hours * 3600 - 60) * SECOND_US]
    monkeypatch.setattr(SystemTime, "now_us", lambda time: now_us(time) + later_us[0])
    assert set(challenges(bran)) == {game, kept["game"]}
    later_us[0] += 120 * SECOND_US
    assert challenges(bran) == []
    assert refused(join(bran, game))[1] == "challenge_over"
    assert join(bran, kept["game"], invite=kept["invite"]).status_code == 200


def test_a_visitor_has_few_challenges_at_a_time_and_the_refusal_has_words(three: Three) -> None:
    ana, bran, _ = three
    games = [post(ana) for _ in range(5)]
    answer = ana.post("/api/games", OPEN, headers={"Accept-Language": "fr"})
    assert refused(answer) == (409, "too_many_challenges")
    assert answer.json()["message"].startswith("Vous avez déjà 5 défis en attente.")
    post(bran)
    assert join(bran, games[0]).status_code == 200
    post(ana)


def test_an_open_game_is_between_two_people(three: Three) -> None:
    for path, body in (
        ("games", {"opponent": "computer", "level": 1}),
        ("pairings", {"opponent": "same_device"}),
    ):
        assert refused(three[0].post(f"/api/{path}", {**OPEN, **body}))[1] == "open_for_one"


def test_quick_pairing_takes_what_fits_or_waits(three: Three) -> None:
    ana, bran, cara = three
    waiting, is_taken = pair(ana, side="lot", clock=FAST)
    assert not is_taken
    assert challenges(bran) == [waiting]
    other, is_taken = pair(bran, side="lot", clock=DAYS)
    assert not is_taken
    assert pair(cara, side="lot", clock=FAST) == (waiting, True)
    assert challenges(cara) == [other]
    assert pair(ana, side="lot", clock=DAYS) == (other, True)


def test_quick_pairing_gives_the_side_that_was_wished_for(three: Three) -> None:
    ana, bran, cara = three
    attackers, lot, defenders = (post(ana, side=side) for side in ("attackers", "lot", "defenders"))
    assert pair(bran, side="attackers") == (defenders, True)
    assert pair(bran, side="attackers")[1] is False
    # Without a wish, a draw of lots is better than a side that nobody wanted.
    assert pair(cara, side="lot") == (lot, True)
    assert pair(cara, side="lot") == (attackers, True)


def test_a_visitor_is_not_paired_with_their_own_challenge_and_posts_it_once(three: Three) -> None:
    ana = three[0]
    first, _ = pair(ana, side="lot")
    assert pair(ana, side="lot") == (first, False)
    other, is_taken = pair(ana, side="attackers")
    assert (is_taken, challenges(ana)) == (False, [other, first])
    assert other != first


Wait = Callable[[float], None]


@pytest.fixture
def wait(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> Wait:
    """Lets seconds pass for all clocks of the server, which has run for some time."""
    now_us, passed_s = SystemTime.now_us, [0.0]
    monkeypatch.setattr(server.app.state.service.people, "_started_s", -1_000.0)  # type: ignore[attr-defined]
    for module in ("people", "presence"):
        monkeypatch.setattr(f"hnefi.server.{module}.monotonic", lambda: time.monotonic() + passed_s[0])
    monkeypatch.setattr(SystemTime, "now_us", lambda source: now_us(source) + int(passed_s[0] * SECOND_US))

    def pass_s(seconds: float) -> None:
        passed_s[0] += seconds

    return pass_s


def test_a_challenge_with_a_clock_is_listed_while_its_poster_is_here(three: Three, wait: Wait) -> None:
    ana, bran, _ = three
    timed, slow = post(ana, clock=FAST), post(ana, clock=DAYS)
    wait(6)
    assert challenges(bran) == challenges(ana) == [slow, timed]
    wait(6)
    assert [one["away"] for one in bran.get("/api/people").json()["challenges"]] == [False, False]
    wait(6)
    (shown,) = bran.get("/api/people").json()["challenges"]
    assert (shown["game"], shown["away"]) == (slow, True)
    assert refused(join(bran, timed)) == (409, "challenger_away")
    # Nobody is seated against somebody who is away, not even for a game of days.
    assert pair(bran, side="lot", clock=FAST)[1] is pair(bran, side="lot", clock=DAYS)[1] is False
    # The poster still sees it, which brings it back.
    assert timed in challenges(ana)
    assert timed in challenges(bran)
    assert join(bran, timed).status_code == 200


@pytest.mark.parametrize("clock", [FAST, DAYS])
def test_quick_pairing_ends_with_its_page(three: Three, wait: Wait, clock: object) -> None:
    ana, bran, _ = three
    waiting, _ = pair(ana, side="lot", clock=clock)
    wait(5)
    assert challenges(bran) == challenges(ana) == [waiting]
    wait(15)
    assert refused(join(bran, waiting))[1] == "already_over"
    assert pair(bran, side="lot", clock=clock)[1] is False
    # It stays over when the page is opened again.
    assert waiting not in challenges(ana)
    assert ana.state(waiting)["status"] == "aborted"


def test_a_browser_gets_its_secret_with_its_first_challenge_and_counts_once(server: TestClient) -> None:
    ana = Browser(server)
    seen = ana.get("/api/people")
    assert (seen.json()["here"], "set-cookie" in seen.headers) == (1, False)
    assert ana.post("/api/pairings", {**OPEN, "open": False}).status_code == 200
    people = ana.get("/api/people").json()
    assert (people["here"], [one["yours"] for one in people["challenges"]]) == (1, [True])


def test_new_browsers_behind_one_address_are_told_apart_by_their_kind_and_counted_for_a_time(
    server: TestClient, wait: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = ("Mozilla/5.0 (Android 14)", "Mozilla/5.0 (iPhone)", "Mozilla/5.0 (Android 14)")
    seen = [server.get("/api/people", headers={"User-Agent": kind}).json()["here"] for kind in kinds]
    assert seen == [1, 2, 2]
    wait(26)
    backend = server.app.state.service.backend  # type: ignore[attr-defined]
    monkeypatch.setattr(type(backend), "elsewhere", [PeopleHere(people=3, members={}, posters=[])])
    assert server.get("/api/people", headers={"User-Agent": kinds[0]}).json()["here"] == 1 + 3


def test_a_public_game_and_its_rematch_can_be_watched(three: Three, wait: Wait) -> None:
    ana, bran, watcher = three
    game = post(ana)
    join(bran, game, name="Bran")
    ana.move(game, "d2-c2", 3)
    (live,) = watcher.get("/api/people").json()["games"]
    shown = (live["game"], live["names"], live["moves"], live["turn"])
    assert shown == (game, ["Ana", "Bran"], 1, "defenders")
    again = rematch(game, bran, ana)
    assert ana.get("/api/people").json()["games"] == []
    assert bran.move(again["game"], "d2-c2", again["seq"]).status_code == 200
    assert [one["game"] for one in ana.get("/api/people").json()["games"]] == [again["game"]]
    assert challenges(ana) == []
    # Both have left.
    wait(61)
    assert ana.get("/api/people").json()["games"] == []


def test_an_unchanged_list_is_not_sent_again(three: Three) -> None:
    ana = three[0]
    headers = {**ana.headers, "If-None-Match": ana.get("/api/people").headers["etag"]}
    same = ana.server.get("/api/people", headers=headers)
    assert (same.status_code, same.content) == (304, b"")
    post(ana)
    assert ana.server.get("/api/people", headers=headers).status_code == 200


async def test_players_count_once_and_are_watched_without_moves_while_both_are_there(tmp_path: Path) -> None:
    with RunningServer(tmp_path, people_fresh_s=0.0) as server:
        ana, bran, cara = (HttpClient(server.address) for _ in range(3))
        game = ana.request("POST", "/api/games", OPEN)["game"]
        bran.request("POST", f"/api/games/{game}/join", {})

        def watched() -> bool:
            return [one["game"] for one in cara.request("GET", "/api/people")["games"]] == [game]

        async with SocketClient(server, game, ana.token):
            assert not watched()
            async with SocketClient(server, game, bran.token), SocketClient(server, game, bran.token):
                wait_until(watched, "both are there")
                assert cara.request("GET", "/api/people")["here"] == 3
        wait_until(lambda: not watched(), "both are gone")
        wait_until(lambda: cara.request("GET", "/api/people")["here"] == 1, "the connections are closed")


def test_a_challenge_survives_a_kill(tmp_path: Path) -> None:
    with RunningServer(tmp_path) as server:
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


async def test_nobody_is_paired_with_somebody_who_has_just_closed_the_page(tmp_path: Path) -> None:
    """A page that is loaded again in time goes on waiting, and is met."""
    with RunningServer(tmp_path) as server:
        ana, bran, cara = (HttpClient(server.address) for _ in range(3))
        wish = {**OPEN, "open": False, "side": "lot"}

        def found(player: HttpClient) -> tuple[str, bool]:
            paired = player.request("POST", "/api/pairings", wish)
            return paired["game"], paired["is_taken"]

        async def wait_and_close(game: str, player: HttpClient) -> None:
            async with SocketClient(server, game, player.token):
                pass
            wait_until(lambda: not is_here(game), "the server has seen the page go")

        def is_here(game: str) -> bool:
            here: bool = cara.request("GET", f"/api/games/{game}")["players"][0]["present"]
            return here

        left, _ = found(ana)
        await wait_and_close(left, ana)
        waiting, is_taken = found(bran)
        assert (waiting != left, is_taken) == (True, False)
        assert ana.request("GET", f"/api/games/{left}")["status"] == "aborted"
        await wait_and_close(waiting, bran)
        looks = asyncio.create_task(asyncio.to_thread(found, cara))
        async with SocketClient(server, waiting, bran.token):
            assert await looks == (waiting, True)
