"""The limit of new games: games and rematches count alike, by HTTP and by WebSocket."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Client, HTTPTransport, Response

from hnefi.server.http.rate_limits import VISITORS_PER_ADDRESS
from tests.server.clients import Program
from tests.server.serving import RunningServer
from tests.server.test_connections import connection
from tests.timeouts import timeout_s

LIMIT = 12
AT_ONCE = LIMIT // 4
"""How many games a visitor may begin at once; the next one is due in five minutes."""

FRIENDLY = {"variant": "brandub-globe", "opponent": "friend", "side": "attackers"}


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    with RunningServer(tmp_path / "data", games_per_hour=LIMIT) as server:
        yield server


@pytest.fixture
def server(running: RunningServer) -> Iterator[Client]:
    with Client(base_url=running.address, timeout=timeout_s()) as client:
        yield client


class Pair:
    """Two players whose game has ended."""

    def __init__(self, server: Client) -> None:
        self.ana, self.bran = Program(server), Program(server)
        made = self.ana.post("/api/games", FRIENDLY).json()
        self.game: str = made["game"]
        self.bran.post(f"/api/games/{self.game}/join", {"invite": made["invite"]})
        self.end()

    def end(self) -> None:
        assert self.command(self.ana, "resign").status_code == 200

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.ana.get(f"/api/games/{self.game}").json()
        return state

    def command(self, who: Program, what: str, message: str | None = None) -> Response:
        seq = self.state()["seq"]
        body = {"id": message or f"{what}{seq}", "seq": seq, "do": what}
        return who.post(f"/api/games/{self.game}/commands", body)

    def rematch(self) -> None:
        """Plays a rematch that ends at once."""
        self.command(self.ana, "offer_rematch")
        assert self.command(self.bran, "accept_rematch").status_code == 200
        self.game = self.state()["rematch"]
        self.end()


def test_rematches_over_http_count_as_new_games(server: Client) -> None:
    pair = Pair(server)
    for _ in range(AT_ONCE):
        pair.rematch()
    pair.command(pair.ana, "offer_rematch")
    before = pair.state()
    refused = pair.command(pair.bran, "accept_rematch")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_games")
    assert "new games" in refused.json()["message"]
    assert pair.bran.post("/api/games", FRIENDLY).json()["code"] == "too_many_games"
    # Nothing has changed: the offer stays.
    after = pair.state()
    assert after["rematch"] is None
    assert (after["seq"], after["offers"], after["actions"]) == (
        before["seq"],
        before["offers"],
        before["actions"],
    )
    assert "accept_rematch" in after["actions"][1]


def test_rematches_over_a_websocket_count_as_new_games(server: Client) -> None:
    pair = Pair(server)
    for _ in range(AT_ONCE):
        pair.rematch()
    pair.command(pair.ana, "offer_rematch")
    with connection(server, pair.bran) as socket:
        seq = socket.open(pair.game)["seq"]
        for number in range(2):
            socket.send(type="command", id=f"r{number}", seq=seq, do="accept_rematch")
            reject = socket.receive("reject", "ack")
            assert (reject["type"], reject["id"]) == ("reject", f"r{number}")
            assert (reject["code"], reject["seq"]) == ("too_many_games", seq)
    assert "accept_rematch" in pair.state()["actions"][1]


def test_rematches_count_for_their_address_and_the_offer_stays(tmp_path: Path) -> None:
    # A visitor may begin one game, an address five.
    elsewhere = HTTPTransport(local_address="127.0.0.2")
    with (
        RunningServer(tmp_path / "data", games_per_hour=1) as running,
        Client(base_url=running.address, timeout=timeout_s()) as server,
        Client(base_url=running.address, timeout=timeout_s(), transport=elsewhere) as other_address,
    ):
        for _ in range(VISITORS_PER_ADDRESS // 2):
            Pair(server).rematch()
        pair = Pair(server)
        pair.command(pair.ana, "offer_rematch")
        assert pair.command(pair.bran, "accept_rematch").json()["code"] == "too_many_games"
        assert pair.state()["rematch"] is None
        # The refusal took nothing from Bran, who may still begin a game: elsewhere the offer can be accepted.
        pair.bran.server = other_address
        assert pair.command(pair.bran, "accept_rematch").status_code == 200
        assert pair.state()["rematch"] is not None


def test_a_rematch_that_is_asked_for_twice_counts_once(server: Client) -> None:
    pair = Pair(server)
    pair.command(pair.ana, "offer_rematch")
    first = pair.game
    answers = [pair.command(pair.bran, "accept_rematch", message="once").json() for _ in range(5)]
    assert answers == [answers[0]] * 5
    assert pair.game == first
    pair.game = pair.state()["rematch"]
    pair.end()
    pair.rematch()


def test_rematches_against_the_computer_count_as_new_games(server: Client) -> None:
    ana = Program(server)
    body = {"variant": "brandub-globe", "opponent": "computer", "level": 1, "side": "attackers"}
    game = ana.post("/api/games", body).json()["game"]
    codes = []
    for _ in range(AT_ONCE):
        for what in ("resign", "offer_rematch"):
            seq = ana.get(f"/api/games/{game}").json()["seq"]
            codes.append(
                ana.post(f"/api/games/{game}/commands", {"id": what, "seq": seq, "do": what}).status_code
            )
        game = ana.get(f"/api/games/{game}").json()["rematch"]
    assert codes == [200] * (2 * AT_ONCE - 1) + [429]
