"""What a link to a game says where it is shared."""

import json
import re

import pytest
from starlette.testclient import TestClient

from tests.server.clients import FRIENDLY, Program, rematch, two_at_a_game


def preview(server: TestClient, game: str, lang: str = "en") -> list[str]:
    """Returns the title and the description of the page of a game, without no-break spaces."""
    page = server.get(f"/{lang}/game/{game}").text
    title, text = (
        re.search(f'<meta property="og:{name}" content="(.*?)">', page)[1]  # type: ignore[index]
        for name in ("title", "description")
    )
    return [one.replace("\u00a0", " ").removesuffix(" · Hnefi") for one in (title, text)]


def test_the_link_says_who_invites_then_who_plays_what_then_the_result(server: TestClient) -> None:
    ana = Program(server)
    made = ana.post("/api/games", FRIENDLY).json()
    assert preview(server, made["game"]) == [
        "Ana invites you to Brandub, 7 × 7",
        "You’d have the king. One tap takes the seat, without an account.",
    ]
    assert preview(server, "nothing") == ["A game", "A game of tafl, to play or to watch."]
    ana.do(made["game"], "abort")
    assert preview(server, made["game"]) == ["A game", "Game cancelled."]
    game, ana, bran = two_at_a_game(server)
    assert preview(server, game) == ["Ana – Bran: Brandub, 7 × 7", "Ana attacks, Bran has the king."]
    bran.do(game, "resign")
    assert preview(server, game, "fr") == [
        "Ana – Bran : Brandub, 7 × 7",
        "Le camp du roi abandonne. Les attaquants gagnent.",
    ]


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ("bran", "The attackers resign. The king’s side wins. The match is drawn."),
        ("ana", "Bran wins the match."),
    ],
)
def test_a_match_of_two_games_says_who_has_won_it(server: TestClient, second: str, said: str) -> None:
    game, ana, bran = two_at_a_game(server, form="two_legs")
    ana.do(game, "resign")
    ana.do(game, "next_leg")
    {"ana": ana, "bran": bran}[second].do(game, "resign")
    assert preview(server, game)[1].endswith(said)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"name": "", "side": "lot"}, "You’re invited to Brandub, 7 × 7"),
        ({"name": '<b>"'}, "&lt;b&gt;&#34; invites you to Brandub, 7 × 7"),
        ({"opponent": "computer", "level": 3}, "Ana – Otter: Brandub, 7 × 7"),
        ({"switches": {"goal": "edge"}}, "Ana invites you to Brandub, changed rules, 7 × 7"),
        ({"title": "<b>Edge", "switches": {"goal": "edge"}}, "Ana invites you to &lt;b&gt;Edge, 7 × 7"),
    ],
)
def test_names_are_those_of_the_game(server: TestClient, asked: dict[str, object], said: str) -> None:
    made = Program(server).post("/api/games", FRIENDLY | asked).json()
    assert preview(server, made["game"])[0] == said


def test_whoever_invites_without_a_name_may_still_give_one(server: TestClient) -> None:
    ana, bran = Program(server), Program(server)
    made = ana.post("/api/games", FRIENDLY | {"name": ""}).json()
    address = f"/api/games/{made['game']}/name"
    assert bran.post(address, {"name": "Bran"}).json()["code"] == "no_seat"
    for _ in range(2):
        assert ana.post(address, {"name": " Ana "}).json()["players"][0]["name"] == "Ana"
    assert preview(server, made["game"])[0] == "Ana invites you to Brandub, 7 × 7"
    bran.post(f"/api/games/{made['game']}/join", {"invite": made["invite"]})
    assert ana.post(address, {"name": "Eve"}).json()["code"] == "name_settled"
    kinds = server.get(f"/api/games/{made['game']}/events?since=1&follow=false").text.splitlines()
    assert [json.loads(line)["body"]["kind"] for line in kinds] == ["named", "joined", "began"]
    again = rematch(made["game"], ana, bran)
    assert [player["name"] for player in again["players"]] == ["Ana", ""]
    listed = ana.post("/api/games", FRIENDLY | {"open": True}).json()["game"]
    assert ana.post(f"/api/games/{listed}/name", {"name": "Eve"}).json()["code"] == "name_settled"
