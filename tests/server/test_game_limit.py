"""The limit of new games: games and rematches count alike, by HTTP and by WebSocket."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Client, Response
from starlette.testclient import TestClient

from hnefi.server.http.rate_limits import VISITORS_PER_ADDRESS
from tests.server.clients import FRIENDLY, Program, two_at_a_game
from tests.server.conftest import OWN, client_of
from tests.server.serving import RunningServer
from tests.server.test_connections import connection
from tests.timeouts import timeout_s

LIMIT = 12
AT_ONCE = LIMIT // 4
"""How many games a visitor may begin at once; the next one is due in five minutes."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Client]:
    with client_of(tmp_path, games_per_hour=LIMIT) as client:
        yield client


class Pair:
    """Two players whose game has ended."""

    def __init__(self, server: Client) -> None:
        self.game, self.ana, self.bran = two_at_a_game(server)
        self.end()

    def end(self) -> None:
        assert self.ana.do(self.game, "resign").status_code == 200

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.ana.state(self.game)
        return found

    def offer(self) -> dict[str, Any]:
        """Offers a rematch, and returns the state."""
        self.ana.do(self.game, "offer_rematch")
        return self.state()

    def accept(self, message: str | None = None) -> Response:
        return self.bran.do(self.game, "accept_rematch", message=message)

    def rematch(self) -> None:
        """Plays a rematch that ends at once."""
        self.offer()
        assert self.accept().status_code == 200
        self.game = self.state()["rematch"]
        self.end()


def test_rematches_over_http_count_as_new_games_and_a_refusal_changes_nothing(server: Client) -> None:
    pair = Pair(server)
    for _ in range(AT_ONCE):
        pair.rematch()
    before = pair.offer()
    refused = pair.accept()
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_games")
    assert "new games" in refused.json()["message"]
    assert pair.bran.post("/api/games", FRIENDLY).json()["code"] == "too_many_games"
    after = pair.state()
    assert (after["rematch"], "accept_rematch" in after["actions"][1]) == (None, True)
    for key in ("seq", "offers", "actions"):
        assert after[key] == before[key]


def test_rematches_over_a_websocket_count_as_new_games(tmp_path: Path) -> None:
    with (
        RunningServer(tmp_path / "data", games_per_hour=1) as running,
        Client(base_url=running.address, timeout=timeout_s()) as server,
    ):
        pair = Pair(server)
        pair.rematch()
        pair.offer()
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
    with client_of(tmp_path, games_per_hour=1) as server:
        for _ in range(VISITORS_PER_ADDRESS // 2):
            Pair(server).rematch()
        pair = Pair(server)
        pair.offer()
        assert pair.accept().json()["code"] == "too_many_games"
        assert pair.state()["rematch"] is None
        # The refusal took nothing from Bran, who may still begin a game: elsewhere the offer can be accepted.
        pair.bran.server = TestClient(server.app, base_url=OWN, client=("127.0.0.2", 1))
        pair.bran.server.portal = server.portal
        assert pair.accept().status_code == 200
        assert pair.state()["rematch"] is not None


def test_a_rematch_that_is_asked_for_twice_counts_once(server: Client) -> None:
    pair = Pair(server)
    pair.offer()
    answers = [pair.accept(message="once").json() for _ in range(5)]
    assert answers == [answers[0]] * 5
    pair.game = pair.state()["rematch"]
    pair.end()
    pair.rematch()


def test_rematches_against_the_computer_count_as_new_games(server: Client) -> None:
    ana = Program(server)
    body = {**FRIENDLY, "opponent": "computer", "level": 1}
    game, codes = ana.post("/api/games", body).json()["game"], []
    for _ in range(AT_ONCE):
        codes += [ana.do(game, what).status_code for what in ("resign", "offer_rematch")]
        game = ana.state(game)["rematch"]
    assert codes == [200] * (2 * AT_ONCE - 1) + [429]
