"""Classes over HTTP: joining, devices, results, limits."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from hnefi.server.games.class_codes import new_code, normalised_code
from hnefi.server.games.classroom import Classroom
from hnefi.server.games.expiry import delete_expired
from hnefi.server.refusals import Refused
from tests.codes import has_code
from tests.server.clients import Program, refused
from tests.server.conftest import client_of

pytestmark = pytest.mark.usefixtures("fresh_classes")

NEW = {"name": "5B", "variants": ["brandub-globe", "ard-ri-globe"]}
NAMES = ("Ana", "Bran", "Cléa", "Dag", "Eir", "Finn")


class Room:
    """A class with its host and members."""

    def __init__(self, server: TestClient, count: int = 4) -> None:
        self.host = Program(server)
        made = self.host.post("/api/classes", NEW)
        assert made.status_code == 201, made.text
        self.code: str = made.json()["code"]
        self.pupils = [Program(server) for _ in range(count)]
        for pupil, name in zip(self.pupils, NAMES, strict=False):
            assert self.join(pupil, name).status_code == 200

    @property
    def path(self) -> str:
        return f"/api/classes/{self.code}"

    def join(self, pupil: Program, name: str, kind: str = "join") -> Response:
        return pupil.post(f"{self.path}/members", {"name": name, "kind": kind})

    def pair(self, attackers: int, defenders: int, variant: str = "brandub-globe") -> Response:
        body = {"attackers": attackers, "defenders": defenders, "variant": variant}
        return self.host.post(f"{self.path}/games", body)

    def game(self, attackers: int, defenders: int) -> str:
        """Pairs two members, and returns their game."""
        return str(self.pair(attackers, defenders).json()["games"][-1]["game"])

    def result(self, game: str, result: str) -> Response:
        return self.host.post(f"{self.path}/games/{game}", {"result": result})

    def finish(self) -> None:
        """Enters a result for every game that is played."""
        for one in self.view()["games"]:
            if one["result"] is None:
                assert self.result(one["game"], "attackers").status_code == 200

    def change(self, **what: bool) -> Response:
        return self.host.server.patch(self.path, json=what, headers=self.host.headers)

    def remove(self, number: int) -> Response:
        return self.host.server.delete(f"{self.path}/members/{number}", headers=self.host.headers)

    def view(self, reader: Program | None = None) -> dict[str, Any]:
        found: dict[str, Any] = (reader or self.host).get(self.path).json()
        return found

    def round(self, **changes: object) -> Response:
        return self.host.post(f"{self.path}/rounds", {"variant": "brandub-globe", **changes})


def code_of(answer: Response) -> str:
    return refused(answer)[1]


def test_members_see_what_is_theirs_and_strangers_the_name(server: TestClient) -> None:
    room, stranger = Room(server), Program(server)
    assert room.round().status_code == 200
    own = room.view(room.pupils[0])
    assert (own["is_host"], own["you"], own["code"]) == (False, 1, room.code)
    assert [one["name"] for one in own["members"]] == ["Ana"]
    assert (len(own["games"]), len(room.view()["games"])) == (1, 2)
    outside = room.view(stranger)
    assert (outside["name"], outside["members"], outside["games"]) == ("5B", [], [])


def test_codes_have_no_letters_that_are_taken_for_others_and_are_found_however_typed(
    server: TestClient,
) -> None:
    codes = {new_code() for _ in range(500)}
    assert len(codes) > 490
    assert all(normalised_code(code) == code and len(code) == 8 for code in codes)
    assert not set("".join(codes)) & set("bglpuczqyjhwx")
    assert normalised_code(" KAFÉ ziro ") == normalised_code("cafe-siro")
    room = Room(server, 0)
    typed = f"{room.code[:4]} - {room.code[4:]}".upper()
    assert room.host.get(f"/api/classes/{typed}").json()["code"] == room.code


def test_only_hosts_lead(server: TestClient) -> None:
    room = Room(server, 2)
    pupil, room.host = room.pupils[0], room.pupils[0]
    for answer in (
        room.pair(1, 2),
        room.round(),
        pupil.post(f"{room.path}/host-links"),
        pupil.get(f"{room.path}/results"),
        server.delete(room.path, headers=pupil.headers),
        room.remove(2),
        room.change(is_locked=True),
    ):
        assert refused(answer) == (403, "not_host"), answer.url


def test_another_device_becomes_host_with_a_link_once(server: TestClient) -> None:
    room, other, late = Room(server, 2), Program(server), Program(server)
    secret = room.host.post(f"{room.path}/host-links").json()["secret"]
    assert code_of(other.post(f"{room.path}/hosts", {"secret": "x" * 43})) == "bad_link"
    assert other.post(f"{room.path}/hosts", {"secret": secret}).json()["is_host"]
    assert code_of(late.post(f"{room.path}/hosts", {"secret": secret})) == "bad_link"
    assert len(room.view(other)["members"]) == 2


def test_names_are_needed_and_different(server: TestClient) -> None:
    room, late = Room(server, 2), Program(server)
    assert code_of(room.join(late, "  ")) == "name_missing"
    assert code_of(room.join(late, "ANA")) == "name_taken"
    renamed = room.join(room.pupils[0], "Anna", "rename").json()
    assert (renamed["you"], renamed["members"][0]["name"]) == (1, "Anna")
    assert code_of(room.join(room.pupils[0], "bran", "rename")) == "name_taken"
    assert code_of(room.join(late, "Late", "rename")) == "unknown_member"
    assert room.join(late, "Ana").json()["you"] == 3


def test_another_name_on_a_device_is_asked_about_and_takes_nobodys_results(server: TestClient) -> None:
    room = Room(server, 2)
    device = room.pupils[0]
    room.result(room.game(1, 2), "attackers")
    answer = room.join(device, "Ibrahim")
    assert (refused(answer), answer.json()["facts"]) == ((409, "already_member"), {"name": "Ana"})
    assert room.join(device, "ANA").json()["you"] == 1
    second = room.join(device, "Ibrahim", "join_as_other").json()
    assert (second["you"], second["games"], second["members"][0]["played"]) == (3, [], 0)
    members = room.view()["members"]
    assert [(one["name"], one["played"], one["points"], one["has_device"]) for one in members] == [
        ("Ana", 1, 1.0, False),
        ("Bran", 1, 0.0, True),
        ("Ibrahim", 0, 0.0, True),
    ]
    assert not members[0]["here"]
    # The device may go back to the first one, under the same name.
    assert room.join(device, "ana", "join_as_other").json()["you"] == 1
    assert [one["name"] for one in room.view()["members"]] == ["Ana", "Bran", "Ibrahim"]


def test_a_device_is_handed_over_after_its_game_and_its_member_is_not_paired(server: TestClient) -> None:
    room, stranger = Room(server, 3), Program(server)
    device = room.pupils[0]
    game = room.game(1, 2)
    assert code_of(device.post(f"{room.path}/hand-over")) == "device_playing"
    assert code_of(room.join(device, "Ibrahim", "join_as_other")) == "device_playing"
    room.result(game, "defenders")
    assert device.post(f"{room.path}/hand-over").json()["you"] is None
    for one in (device, stranger):
        assert code_of(one.post(f"{room.path}/hand-over")) == "unknown_member"
    answer = room.pair(1, 2)
    assert (code_of(answer), answer.json()["facts"]) == ("member_without_device", {"name": "Ana"})
    assert [one["attackers"] for one in room.round().json()["games"][1:]] in ([2], [3])
    # Others do not take the place by its name; a lock keeps nobody from a place of one's own.
    room.change(is_locked=True)
    assert code_of(room.join(stranger, "Ana")) == "name_taken"
    assert code_of(room.join(device, "Ibrahim")) == "class_locked"
    assert room.join(device, "Ana").json()["you"] == 1


def test_a_host_opens_a_place_to_another_device_which_goes_on_with_its_game(server: TestClient) -> None:
    room, other, late = Room(server, 2), Program(server), Program(server)
    game = room.game(1, 2)
    assert code_of(room.join(other, "Ana")) == "name_taken"
    opened = room.host.post(f"{room.path}/members/1/open").json()["members"]
    assert [one["open_ms"] is not None for one in opened] == [True, False]
    assert code_of(room.host.post(f"{room.path}/members/9/open")) == "unknown_member"
    assert room.join(other, "Ana").json()["you"] == 1
    assert room.view()["members"][0]["open_ms"] is None
    assert room.view(room.pupils[0])["you"] is None
    assert code_of(room.join(late, "Ana")) == "name_taken"
    state = other.state(game)
    assert state["you"] == [0]
    assert other.move(game, "d1-c1", state["seq"]).status_code == 200


def test_a_place_stays_open_for_some_minutes_and_a_device_joins_for_only_so_many_people() -> None:
    empty = Classroom(code="tokarife", name="", variants=("brandub-globe",), hosts=("h",))
    room = empty.joined("one", "Ana", 9, 0).opened(1, 0)
    with pytest.raises(Refused, check=has_code("name_taken")):
        room.joined("two", "Ana", 9, 15 * 60 * 1_000_000)
    taken = room.joined("two", "Ana", 9, 15 * 60 * 1_000_000 - 1)
    assert [one.visitor for one in taken.members] == ["two"]
    room = empty
    for number in range(12):
        room = room.joined("one", f"Pupil {number}", 60, 0, is_other=True)
    with pytest.raises(Refused, check=has_code("device_full")):
        room.joined("one", "One more", 60, 0, is_other=True)
    assert room.joined("two", "One more", 60, 0).member_of("two") is not None


def test_a_class_that_is_locked_full_or_closed_refuses_members_and_rounds(tmp_path: Path) -> None:
    with client_of(tmp_path, class_games=1, class_members=3) as server:
        room, late = Room(server, 2), Program(server)
        room.change(is_locked=True)
        assert code_of(room.join(late, "Late")) == "class_locked"
        assert room.join(room.pupils[0], "Anna", "rename").status_code == 200
        room.change(is_locked=False)
        assert room.join(late, "Late").status_code == 200
        answer = room.join(Program(server), "Later")
        assert (code_of(answer), answer.json()["facts"]) == ("class_full", {"limit": "3"})
        assert room.pair(1, 2).status_code == 200
        room.finish()
        answer = room.round()
        assert (code_of(answer), answer.json()["facts"]) == ("class_games_full", {"limit": "1"})
        room.change(is_closed=True)
        assert code_of(room.join(late, "Lateness", "rename")) == "class_closed"
        assert code_of(room.round()) == "class_closed"
        assert room.view(late)["is_closed"]


def test_a_removed_member_loses_name_games_and_results_and_may_join_again(server: TestClient) -> None:
    room = Room(server, 2)
    game = room.game(1, 2)
    left = room.remove(1).json()
    assert [(one["name"], one["playing"]) for one in left["members"]] == [("Bran", False)]
    assert (left["games"][0]["result"], left["games"][0]["names"]) == ("void", ["", "Bran"])
    assert room.pupils[1].state(game)["adjudicated"] == "void"
    assert room.view(room.pupils[0])["you"] is None
    # Somebody else may have the device now.
    assert room.join(room.pupils[0], "Ana").json()["you"] == 3


def test_a_result_entered_by_hand_closes_the_board_and_can_be_corrected(server: TestClient) -> None:
    room = Room(server, 2)
    ana, bran = room.pupils
    game = room.game(1, 2)
    path = f"/api/games/{game}"
    assert code_of(room.result("none", "draw")) == "unknown_game"
    shown = room.result(game, "void").json()
    assert [one["played"] for one in shown["members"]] == [0, 0]
    state = ana.get(path).json()
    assert (state["status"], state["adjudicated"], state["legal"]) == ("aborted", "void", [])
    answer = ana.move(game, "d1-c1", state["seq"])
    assert refused(answer) == (409, "adjudicated")
    assert answer.json()["message"].startswith("The host has set the result of this game")
    room.result(game, "defenders")
    state = bran.get(path).json()
    assert (state["status"], state["adjudicated"], state["clocks"]) == ("over", "defenders", None)
    assert state["legs"][0]["outcome"] == {"winner": "defenders", "reason": "adjudication"}
    assert code_of(ana.move(game, "d1-c1", state["seq"])) == "adjudicated"
    room.result(game, "draw")
    shown = room.result(game, "draw").json()
    assert [one["points"] for one in shown["members"]] == [0.5, 0.5]
    drawn = bran.get(path).json()
    assert drawn["legs"][0]["outcome"] == {"winner": None, "reason": "adjudication"}
    assert drawn["seq"] == state["seq"] + 1
    assert 'Reason "adjudication"' in bran.get(f"{path}/record").text
    # So it is after somebody has resigned.
    game = room.game(2, 1)
    assert ana.do(game, "resign").status_code == 200
    room.result(game, "draw")
    state = ana.state(game)
    assert (state["adjudicated"], state["legs"][0]["outcome"]["reason"]) == ("draw", "adjudication")


def test_results_are_exported_as_a_table_and_with_all_games(server: TestClient) -> None:
    room = Room(server, 0)
    ana, other = Program(server), Program(server)
    for player, name in ((ana, "Ana"), (other, "=1+1")):
        room.join(player, name)
    game_id = room.game(1, 2)
    for player, move in ((ana, "d1-c1"), (other, "d3-c3")):
        assert player.move(game_id, move, player.state(game_id)["seq"]).status_code == 200
    room.result(game_id, "defenders")

    def rows(text: str) -> list[list[str]]:
        return list(csv.reader(io.StringIO(text)))

    found = room.host.get(f"{room.path}/results").json()
    assert [(one["rank"], one["name"], one["points"], one["won"], one["lost"]) for one in found["table"]] == [
        (1, "=1+1", 1.0, 1, 0),
        (2, "Ana", 0.0, 0, 1),
    ]
    (game,) = found["games"]
    assert (game["attackers"], game["defenders"]) == ("Ana", "=1+1")
    assert (game["result"], game["moves"]) == ("defenders", 2)
    answer = room.host.get(f"{room.path}/results?format=csv")
    assert rows(answer.content.decode("utf-8-sig")) == [
        ["Rank", "Name", "Played", "Won", "Drawn", "Lost", "Points"],
        ["1", "'=1+1", "1", "1", "0", "0", "1"],
        ["2", "Ana", "1", "0", "0", "1", "0"],
    ]
    headers = {**room.host.headers, "Accept-Language": "fr"}
    french = server.get(f"{room.path}/results?format=csv", headers=headers)
    assert french.headers["content-disposition"] == f'attachment; filename="classe-{room.code}.csv"'
    assert french.content.decode("utf-8-sig").startswith("Rang;Prénom;Jouées;")
    answer = room.host.get(f"{room.path}/results?format=games&lang=en")
    assert answer.headers["content-disposition"] == f'attachment; filename="class-{room.code}-games.csv"'
    heads, first = rows(answer.content.decode("utf-8-sig"))
    assert heads == ["Round", "Game", "Attackers", "King’s side", "Result", "Moves"]
    assert first[2:] == ["Ana", "'=1+1", "'=1+1 won", "2"]
    # The order is that of the page, where accents matter last.
    room = Room(server, 0)
    for name in ("Zoé", "Éloïse", "emma", "Elodie"):
        room.join(Program(server), name)
    found = room.host.get(f"{room.path}/results").json()
    assert [one["name"] for one in found["table"]] == ["Elodie", "Éloïse", "emma", "Zoé"]


def test_a_class_survives_a_restart_and_is_deleted_at_once_or_when_it_expires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with client_of(tmp_path) as server:
        room, other = Room(server, 2), Room(server, 0)
        game = room.game(1, 2)
        assert server.delete(other.path, headers=other.host.headers).status_code == 204
        assert code_of(other.host.get(other.path)) == "unknown_class"
    with client_of(tmp_path) as server:
        room.host.server = server
        assert [one["name"] for one in room.view()["members"]] == ["Ana", "Bran"]
        assert room.result(game, "draw").status_code == 200
        rooms = server.app.state.service.backend.rooms  # type: ignore[attr-defined]
        assert server.portal is not None
        server.portal.call(delete_expired, rooms)
        assert room.host.get(room.path).status_code == 200
        monkeypatch.setattr("hnefi.server.games.expiry.CLASS_DAYS", 0)
        server.portal.call(delete_expired, rooms)
        assert refused(room.host.get(room.path)) == (404, "unknown_class")


def test_refusals_by_limits_of_classes_have_the_time_to_wait(tmp_path: Path) -> None:
    limits = {"classes_per_hour": 1, "class_games_per_hour": 4, "class_codes_per_hour": 4, "class_members": 2}
    with client_of(tmp_path, **limits) as server:
        room, guesser = Room(server, 2), Program(server)
        answer = room.host.post("/api/classes", NEW)
        assert refused(answer) == (429, "too_many_classes")
        assert answer.json()["message"] == "Too many new classes from here. Try again in 60 minutes."
        assert int(answer.headers["Retry-After"]) > 3_500
        room.result(room.game(1, 2), "void")
        answer = room.pair(1, 2)
        assert refused(answer) == (429, "too_many_class_games")
        assert answer.json()["message"].endswith("Try again in 15 minutes.")
        assert code_of(guesser.get("/api/classes/nonono")) == "unknown_class"
        for path in ("/api/classes/nonono", room.path):
            assert code_of(guesser.get(path)) == "too_many_class_codes"
            assert code_of(guesser.post(f"{path}/host-links", {})) == "too_many_class_codes"
        # Members and hosts are let in whatever others try.
        assert room.view()["is_host"]
        assert room.view(room.pupils[0])["you"] == 1


def test_a_page_that_repeats_the_request_gets_no_body_until_something_changes(server: TestClient) -> None:
    room = Room(server, 2)
    headers = {**room.host.headers, "If-None-Match": room.host.get(room.path).headers["etag"]}
    assert server.get(room.path, headers=headers).status_code == 304
    room.pair(1, 2)
    assert server.get(room.path, headers=headers).status_code == 200
