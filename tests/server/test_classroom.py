"""Thirty devices behind one address, in a class room or behind one router, and a hostile one among them."""

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import pytest
from httpx2 import Client, Response
from websockets.exceptions import InvalidStatus

from hnefi import Game, variant
from tests.server.clients import FRIENDLY
from tests.server.test_connections import Connection, connection
from tests.server.test_serve import ServeProcess
from tests.timeouts import timeout_s, wait_until

DEVICES = 30
PAGES = ("/", "/new", "/rules/brandub-globe", "/table", "/lessons/brandub-globe")
PLIES = 6
CLASS_ROUNDS = 2
MANY_REQUESTS = 1_000
"""More than any limit admits at once, on a slow machine too."""

FIRST_SEQ = 3
"""The event after which a game between friends begins."""

LAN = ("--lan",)
ROUTER = ("--origin", "https://tafl.example")
FROM_ROUTER = {
    "Host": "tafl.example",
    "Origin": "https://tafl.example",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "203.0.113.5",
}


class Device(Client):
    """A browser with its own cookie; it uses addresses like all others of the room."""

    def __init__(self, address: str, headers: dict[str, str]) -> None:
        self.own = headers or {"Origin": address}
        self.kept: dict[str, str] = {}
        hooks = {"response": [self._keep_cookies]}
        # Without certificates, whose reading takes 40 ms of processor for each device.
        super().__init__(
            base_url=address, timeout=timeout_s(), verify=False, headers=self.own, event_hooks=hooks
        )

    def _keep_cookies(self, response: Response) -> None:
        """Keeps cookies; the client would not send those for HTTPS."""
        pairs = (line.partition(";")[0].split("=", 1) for line in response.headers.get_list("set-cookie"))
        self.kept.update((name, value) for name, value in pairs)
        self.cookies.clear()
        self.headers["Cookie"] = self.own["Cookie"] = "; ".join(map("=".join, self.kept.items()))

    def socket(self) -> contextlib.AbstractContextManager[Connection]:
        headers = {name: value for name, value in self.own.items() if name != "Host"}
        return connection(self, headers=headers, host=self.own.get("Host"))


@pytest.fixture(
    params=[
        pytest.param((LAN, {}), id="class room"),
        pytest.param((ROUTER, FROM_ROUTER), id="router", marks=pytest.mark.deep),
    ]
)
def room(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[list[Device]]:
    """Devices that share an address, and a server with the limits it has without further settings."""
    words, headers = request.param
    with ServeProcess(tmp_path / "data", *words) as address, contextlib.ExitStack() as stack:
        yield [stack.enter_context(Device(address, {**headers})) for _ in range(DEVICES + 1)]


def line_of_play() -> list[str]:
    """Returns the moves that all games of the room begin with."""
    chance, game = random.Random(7), Game.replay(variant("brandub-globe").rules, None, [])
    moves = []
    for _ in range(PLIES):
        moves.append(str(chance.choice(game.legal_moves())))
        game = game.play(moves[-1])
    return moves


Job = Callable[[Barrier], None]


def all_at_once(jobs: Sequence[Job], host: Job | None = None) -> None:
    """Runs the jobs of devices, and that of a host, which wait for each other; none waits if one fails."""
    together = Barrier(len(jobs) + (host is not None))

    def run(job: Job) -> None:
        try:
            job(together)
        except BaseException:
            together.abort()
            raise

    with ThreadPoolExecutor(together.parties) as pool:
        running = [pool.submit(run, job) for job in (*jobs, *([host] if host else []))]
    failures = [failure for one in running if (failure := one.exception()) is not None]
    # A broken barrier is only the consequence of another failure.
    assert [failure for failure in failures if not isinstance(failure, BrokenBarrierError)] == []
    assert failures == []


def take_part(device: Device, number: int, path: str, done: list[tuple[str, str]], together: Barrier) -> None:
    """Joins the class, waits for the host to pair, and plays two games as the side that was given."""
    for page in PAGES:
        assert device.get(f"/en{page}").status_code == 200
    joined = device.post(f"{path}/members", json={"name": f"Pupil {number}"})
    assert joined.status_code == 200, joined.text
    you = joined.json()["you"]
    for _ in range(CLASS_ROUNDS):
        together.wait(timeout_s())  # the host pairs
        together.wait(timeout_s())
        (game,) = [one for one in device.get(path).json()["games"] if one["result"] is None]
        assert device.get(f"/en/game/{game['game']}").status_code == 200
        attacks = game["attackers"] == you
        with device.socket() as board:
            opened = board.open(game["game"])
            assert opened["you"] == [0 if attacks else 1]
            together.wait(timeout_s())
            for ply, move in enumerate(line_of_play()):
                seq = FIRST_SEQ + ply
                if (ply % 2 == 0) is attacks:
                    board.send(type="move", id=f"m{seq}", seq=seq, move=move)
                    assert board.receive("ack", "reject") == {"type": "ack", "id": f"m{seq}", "seq": seq + 1}
                else:
                    assert board.receive("event")["ply"]["move"] == move
            together.wait(timeout_s())  # the host looks at the wall
            together.wait(timeout_s())
            if attacks:
                seq = FIRST_SEQ + PLIES
                board.send(type="command", id="r", seq=seq, do="resign")
                assert board.receive("ack", "reject")["type"] == "ack"
                done.append((game["game"], "defenders"))
        together.wait(timeout_s())


def lead(host: Device, path: str, together: Barrier) -> None:
    """Pairs the pupils for each round, and waits until the wall shows all their moves."""

    def shows(number: int, plies: int) -> bool:
        wall = [one["moves"] for one in host.get(path).json()["games"] if one["round"] == number]
        return wall == [plies] * (DEVICES // 2)

    for number in range(1, CLASS_ROUNDS + 1):
        together.wait(timeout_s())
        paired = host.post(f"{path}/rounds", json={"variant": "brandub-globe"})
        assert shows(number, 0), paired.text
        for _ in range(3):
            together.wait(timeout_s())
        wait_until(partial(shows, number, PLIES), "the wall shows every move")
        for _ in range(2):
            together.wait(timeout_s())


def test_a_lesson_of_thirty_devices_behind_one_address_is_refused_nothing(room: list[Device]) -> None:
    host, pupils = room[-1], room[:DEVICES]
    made = host.post("/api/classes", json={"name": "5B", "variants": ["brandub-globe"]})
    assert made.status_code == 201, made.text
    path = f"/api/classes/{made.json()['code']}"
    done = list[tuple[str, str]]()
    jobs = [partial(take_part, pupil, number, path, done) for number, pupil in enumerate(pupils)]
    all_at_once(jobs, partial(lead, host, path))
    results = host.get(f"{path}/results").json()
    assert sorted((one["game"], one["result"]) for one in results["games"]) == sorted(done)
    assert all(one["played"] == CLASS_ROUNDS for one in results["table"])
    assert sum(one["points"] for one in results["table"]) == CLASS_ROUNDS * DEVICES // 2
    pairs = {frozenset((one["attackers"], one["defenders"])) for one in results["games"]}
    assert len(pairs) == CLASS_ROUNDS * DEVICES // 2


def flood(device: Device, path: str, body: object) -> str:
    """Repeats a request, in several threads, until it is refused, and returns the code.

    The limits refill, by up to four requests a second: one request after the other may be slower.
    """

    def send(_: int) -> Response:
        return device.post(path, json=body)

    with ThreadPoolExecutor(8) as pool:
        for _ in range(MANY_REQUESTS // 16):
            for answer in pool.map(send, range(16)):
                if answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
                    return str(answer.json()["code"])
    raise AssertionError(f"{path} was never refused")


@pytest.mark.deep
def test_a_hostile_device_is_limited_and_the_others_are_not(room: list[Device]) -> None:
    hostile, *others = room
    game = {**FRIENDLY, "opponent": "same_device"}
    assert hostile.post("/api/games", json=game).status_code == 201
    assert flood(hostile, "/api/games", game) == "too_many_games"
    assert flood(hostile, "/api/qr", {"text": "a"}) == "too_many_requests"
    with contextlib.ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(hostile.socket())
        with pytest.raises(InvalidStatus), hostile.socket():
            raise AssertionError
        for device in others:
            assert device.post("/api/games", json=FRIENDLY).status_code == 201
            assert device.post("/api/qr", json={"text": "http://tafl.example/game/abc"}).status_code == 200
            for _ in range(3):  # two games, and the page of another tab
                stack.enter_context(device.socket())
