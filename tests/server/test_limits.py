"""Limits: devices with an access key are charged one by one behind one address; games and rematches alike."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Client, Response
from starlette.testclient import TestClient
from websockets.exceptions import InvalidStatus

from hnefi.server.http.access_keys import AccessKeys
from hnefi.server.http.rate_limits import VISITORS_PER_ADDRESS
from hnefi.server.http.refusal import refusal_body
from hnefi.server.refusals import TooManyRequests
from hnefi.server.secrets import hash_of
from hnefi.server.settings import AccessKey, Settings
from tests.server.clients import FRIENDLY, Browser, Program, two_at_a_game
from tests.server.conftest import OWN, App, client_of, settings_in
from tests.server.scopes import FakeTime
from tests.server.serving import RunningServer
from tests.server.test_connections import can_connect, connection
from tests.timeouts import timeout_s

SECRET, WRONG = "a-key-for-the-school", "a-key-of-some-others"
DEVICES = 30
NEW_GAME = {"variant": "brandub-globe", "opponent": "same_device"}
# A visitor may create one game and an address five, the next of which is due in twelve minutes.
LIMITS: dict[str, Any] = {"games_per_hour": 1, "sockets_per_address": 2, "requests_per_minute": 400}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    keys = [
        {"name": "school", "secret": SECRET, "devices": DEVICES},
        {"name": "club", "secret_sha256": hash_of("a-key-for-the-club"), "devices": 2},
    ]
    with RunningServer(tmp_path_factory.mktemp("keys"), keys=keys, **LIMITS) as server:
        yield server


class Device(Program):
    """A program with a key."""

    def __init__(self, server: Client, key: str) -> None:
        super().__init__(server)
        self.key = key

    @property
    def headers(self) -> dict[str, str]:
        return {**super().headers, "Hnefi-Key": self.key}


def new_game(device: Program) -> tuple[int, str]:
    """Creates a game, and returns the status and the game or the code of the refusal."""
    answer = device.post("/api/games", NEW_GAME)
    return answer.status_code, answer.json().get("game") or answer.json()["code"]


@pytest.mark.deep
def test_thirty_devices_with_a_key_play_behind_one_address(remote: Client) -> None:
    devices = [Device(remote, SECRET) for _ in range(DEVICES)]
    with ExitStack() as open_sockets:
        for device in devices:
            status, game = new_game(device)
            assert status == 201
            socket = open_sockets.enter_context(connection(remote, device))
            assert socket.open(game)["type"] == "state"
        # Each of them has the limits of an address for itself.
        assert new_game(devices[0]) == (429, "too_many_games")
        open_sockets.enter_context(connection(remote, devices[0]))
        assert not can_connect(remote, devices[0])
        open_sockets.enter_context(connection(remote, devices[1]))


def test_a_wrong_key_is_refused(remote: Client) -> None:
    stranger = Device(remote, WRONG)
    for answer in (stranger.get("/api/games"), stranger.post("/api/games", NEW_GAME)):
        assert (answer.status_code, answer.json()["code"]) == (403, "unknown_access_key")
    with pytest.raises(InvalidStatus) as refusal, connection(remote, stranger):
        pass
    assert refusal.value.response.status_code == 403


def test_devices_without_a_place_in_a_key_share_the_limits_of_their_address(tmp_path: Path) -> None:
    keys = [{"name": "club", "secret": SECRET, "devices": 2}]
    with (
        RunningServer(tmp_path / "data", keys=keys, **LIMITS) as running,
        Client(base_url=running.address, timeout=timeout_s()) as server,
        ExitStack() as open_sockets,
    ):
        placed, above = ([Device(server, SECRET) for _ in range(count)] for count in (2, 3))
        without = [Program(server) for _ in range(VISITORS_PER_ADDRESS - 1)]
        assert [new_game(device)[0] for device in placed] == [201] * 2
        # Two above the number of the key and three without one make five as the address, and no more.
        created = [new_game(device) for device in (*above[:2], *without[:-1])]
        assert [status for status, _ in created] == [201] * VISITORS_PER_ADDRESS
        for device in (above[2], without[-1]):
            assert new_game(device) == (429, "too_many_games")
        for device in (above[0], without[0]):
            socket = open_sockets.enter_context(connection(server, device))
            assert socket.open(created[0][1])["type"] == "state"
        for device in (above[1], without[1]):
            assert not can_connect(server, device)


@pytest.mark.parametrize(
    ("wait_s", "told"),
    [
        (60, "60 secondes"),
        (61, "2 minutes"),
        (7_200, "120 minutes"),
        (7_201, "3 heures"),
        (43_200, "12 heures"),
    ],
)
def test_the_time_to_wait_is_told_in_a_unit_that_fits(wait_s: int, told: str) -> None:
    body = refusal_body(TooManyRequests("too_many_games", wait_s), "fr")
    assert body["message"].endswith(f"Réessayez dans {told}.")


def test_the_place_of_an_idle_device_goes_to_another() -> None:
    clock = FakeTime()
    key = AccessKey("club", hash_of(SECRET), 2)
    keys = AccessKeys([key], clock)
    assert keys.find(SECRET) is key
    assert [keys.find(text) for text in (WRONG, "", "short", SECRET + "\n")] == [None] * 4
    first, second = keys.device(key, "ana"), keys.device(key, "bran")
    assert None not in (first, second)
    assert first != second
    assert keys.device(key, "eve") is None
    clock.now_s = 3_599.0
    assert keys.device(key, "ana") == first
    clock.now_s = 3_600.0
    assert keys.device(key, "eve") is not None
    assert keys.device(key, "bran") is None


# Browsers


@pytest.fixture
def site(tmp_path: Path) -> Iterator[TestClient]:
    keys = (AccessKey("school", hash_of(SECRET), DEVICES),)
    settings = settings_in(tmp_path, keys=keys, hosts=("tafl.example",))
    with TestClient(App(settings), base_url=OWN, follow_redirects=False) as client:
        yield client


def test_a_link_with_a_key_makes_a_browser_a_device(site: TestClient) -> None:
    visitor = Browser(site)
    first = visitor.get(f"/key?key={SECRET}", headers={"Accept-Language": "fr"})
    assert (first.status_code, first.headers["location"]) == (302, f"/fr/key?key={SECRET}")
    entered = visitor.get(first.headers["location"])
    assert (entered.status_code, entered.headers["location"]) == (303, "/fr/")
    assert entered.headers["cache-control"] == "no-store"
    cookies = entered.headers.get_list("set-cookie")
    assert [cookie.partition("=")[0] for cookie in cookies] == ["hnefi-key", "hnefi"]
    assert all("HttpOnly" in cookie and "SameSite=lax" in cookie for cookie in cookies)
    # A visitor stays the same visitor.
    again = visitor.get(f"/en/key?key={SECRET}").headers.get_list("set-cookie")
    assert [cookie.partition("=")[0] for cookie in again] == ["hnefi-key"]


def test_over_tls_the_cookie_of_a_key_is_bound_to_the_host(site: TestClient) -> None:
    entered = site.get(f"https://tafl.example/en/key?key={SECRET}")
    cookie = entered.headers.get_list("set-cookie")[0]
    assert cookie.startswith(f"__Host-hnefi-key={SECRET};")
    assert "Secure" in cookie


def test_a_wrong_key_on_the_page_is_refused_in_words(site: TestClient) -> None:
    page = Browser(site).get(f"/en/key?key={WRONG}")
    assert page.status_code == 403
    assert "This server has no such key" in page.text
    assert "hnefi-key" not in page.headers.get("set-cookie", "")
    assert WRONG not in page.text
    form = Browser(site).get("/en/key")
    assert form.status_code == 200
    assert "no such key" not in form.text


def test_browsers_with_a_key_are_charged_one_by_one(tmp_path: Path) -> None:
    keys = (AccessKey("school", hash_of(SECRET), DEVICES),)
    settings = Settings(folder=tmp_path, keys=keys, games_per_hour=LIMITS["games_per_hour"])
    with TestClient(App(settings), base_url=OWN, follow_redirects=False) as site:
        visitors = [Browser(site) for _ in range(2 + VISITORS_PER_ADDRESS + 1)]
        for visitor in visitors[:2]:
            visitor.get(f"/en/key?key={SECRET}")
        statuses = [visitor.post("/api/games", NEW_GAME).status_code for visitor in visitors]
        assert statuses == [201] * (2 + VISITORS_PER_ADDRESS) + [429]
        # A cookie whose key is not valid any more counts as none, and locks nobody out.
        visitors[-1].client.cookies.set("hnefi-key", WRONG)
        assert visitors[-1].get("/api/games").status_code == 200
        assert visitors[-1].post("/api/games", NEW_GAME).status_code == 429


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
                # One game an hour: the next one is due in nearly an hour.
                assert 3_000 < int(reject["facts"]["retry_after_s"]) <= 3_600
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
