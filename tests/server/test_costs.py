"""Costs of requests: charges to addresses and visitors, turns, and waiting above the short-term share."""

import asyncio
import contextlib
import gc
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from hnefi import variant
from hnefi.errors import HnefiError
from hnefi.library import Library
from hnefi.server.http import costs
from hnefi.server.http.costs import ChargedTurns, ChargedWorker, Charging
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.processor_time import Meter, metered
from hnefi.server.refusals import TooManyRequests
from hnefi.workers.worker import AsyncWorker
from tests.codes import has_code
from tests.server.clients import Program
from tests.server.conftest import client_of
from tests.server.scopes import BUSY, QUIET, FakeTime, iterations, receive, scope_of, send

NEVER = 1e-9
"""A share so small that nothing of it comes back while a test runs."""


def limit(now: FakeTime | None = None) -> RateLimit:
    """Returns a limit of 50 a second and 500 at once, twice as much for an address."""
    return RateLimit("too_much", 50.0, 500.0, for_address=2.0, now=now or FakeTime())


def is_refused(of: RateLimit, scope: Scope) -> bool:
    try:
        of.admit(scope)
    except TooManyRequests:
        return True
    return False


def test_an_address_in_debt_is_refused_until_it_has_paid_and_others_are_not() -> None:
    now = FakeTime()
    of = limit(now)
    of.admit(scope_of(BUSY))
    of.charge(scope_of(BUSY), 1_950.0)
    with pytest.raises(TooManyRequests, check=has_code("too_much")) as refusal:
        of.admit(scope_of(BUSY))
    assert refusal.value.retry_after_s == 10
    assert not is_refused(of, scope_of(QUIET))
    for now.now_s, expected in ((9.4, True), (9.6, False)):
        assert is_refused(of, scope_of(BUSY)) is expected


def test_a_visitor_is_charged_at_every_address_and_no_other_at_his() -> None:
    of = limit()
    for address in (BUSY, QUIET):
        of.charge(scope_of(address, 0), 300.0)
    assert of.wait_s(scope_of("192.0.2.9", 0)) == 2.0
    assert not is_refused(of, scope_of(BUSY, 1))
    assert not is_refused(of, scope_of(BUSY))


def test_a_refusal_takes_nothing() -> None:
    of = limit()
    for _ in range(3):
        with pytest.raises(TooManyRequests):
            of.take(scope_of(BUSY, 0), 501.0)
    of.take(scope_of(BUSY, 0), 500.0)
    of.take(scope_of(BUSY, 1), 400.0)
    with pytest.raises(TooManyRequests):
        of.take(scope_of(BUSY, 2), 101.0)
    of.take(scope_of(QUIET, 2), 500.0)


async def turn_of(
    turns: ChargedTurns, name: str, scope: dict[str, Any], order: list[str], cost_ms: float = 1.0
) -> None:
    async with turns.turn(scope) as turn:
        order.append(name)
        await asyncio.sleep(0)
        turn.ms = cost_ms


@pytest.mark.parametrize("running", [1, 2])
async def test_few_requests_run_at_a_time_and_addresses_and_visitors_have_turns(running: int) -> None:
    turns = ChargedTurns(RateLimit("too_much", 1e9, 1e9), most_waiting=99, most_running=running)
    order, scopes = list[str](), [(f"{number}", scope_of(BUSY, 0)) for number in range(40)]
    scopes += [("neighbour", scope_of(BUSY, 1)), ("quiet", scope_of(QUIET))]
    tasks = [asyncio.create_task(turn_of(turns, *one, order, 50.0)) for one in scopes]
    await asyncio.sleep(0)
    assert turns.queued == 42 - running
    await asyncio.gather(*tasks)
    # They came when the first of forty ran.
    assert order.index("quiet") <= running
    assert order.index("neighbour") <= running + 1
    assert len(order) == 42


async def test_the_number_of_requests_of_an_address_that_wait_is_bounded() -> None:
    turns, order = ChargedTurns(limit(), most_waiting=3), list[str]()
    async with turns.turn(scope_of(BUSY)):
        waiting = [
            asyncio.create_task(turn_of(turns, str(number), scope_of(BUSY), order)) for number in range(4)
        ]
        with pytest.raises(TooManyRequests, check=has_code("too_many_requests")):
            await waiting[3]
        other = asyncio.create_task(turn_of(turns, "other", scope_of(QUIET), order))
    await asyncio.gather(*waiting[:3], other)
    assert sorted(order) == ["0", "1", "2", "other"]
    await turn_of(turns, "later", scope_of(BUSY), order)


async def test_a_request_that_is_given_up_leaves_the_queue() -> None:
    turns, order = ChargedTurns(limit(), most_waiting=2), list[str]()
    async with turns.turn(scope_of(BUSY)):
        for _ in range(5):
            task = asyncio.create_task(turn_of(turns, "given up", scope_of(BUSY), order))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        next_one = asyncio.create_task(turn_of(turns, "next", scope_of(BUSY), order))
        await asyncio.sleep(0)
    # Its turn has come, but it is cancelled before it runs.
    next_one.cancel()
    await asyncio.gather(next_one, return_exceptions=True)
    await turn_of(turns, "last", scope_of(BUSY), order)
    assert order == ["last"]


async def test_a_client_owes_one_request_at_most() -> None:
    turns, order = ChargedTurns(limit(), most_waiting=99), list[str]()
    requests = [turn_of(turns, "dear", scope_of(BUSY, 0), order, 700.0) for _ in range(9)]
    requests.append(turn_of(turns, "other", scope_of(BUSY, 1), order))
    refusals = await asyncio.gather(*requests, return_exceptions=True)
    assert [isinstance(one, TooManyRequests) for one in refusals] == [False, *[True] * 8, False]
    assert sorted(order) == ["dear", "other"]


class PaidWorker(AsyncWorker):
    """A worker whose jobs are what they cost, and fail if that is odd."""

    def __init__(self) -> None:
        pass

    async def run(self, job: Any) -> Any:
        self.cost_ms = job
        if job % 2:
            raise HnefiError("odd", "odd")
        return job


@pytest.mark.parametrize(
    ("job", "is_free", "wait_s"), [(600, False, 2.0), (600, True, 0.0), (701, False, 4.02)]
)
async def test_the_time_of_a_worker_is_charged_even_if_its_job_fails(
    job: int, is_free: bool, wait_s: float
) -> None:
    of = limit()
    worker = ChargedWorker(PaidWorker(), of)
    with contextlib.suppress(HnefiError):
        assert await worker.run(job, scope_of(BUSY, 0), is_free=is_free) == job
    assert of.wait_s(scope_of(BUSY, 0)) == pytest.approx(wait_s)


# The short-term share of an address


class HeldApp:
    """Notes the requests that have started; each runs until it is let go."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.may_end = asyncio.Event()
        self.charging = Charging(self, RateLimit("too_much", NEVER, 1e9), per_s=NEVER)

    async def __call__(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        self.started.append(scope["name"])
        await self.may_end.wait()

    def begin(self, name: str, scope: dict[str, Any]) -> asyncio.Task[None]:
        return asyncio.create_task(self.charging({**scope, "name": name}, receive, send))


class FakeProcessor(threading.local):
    """Processor time of each thread, that passes only when somebody works."""

    s = 0.0

    def work(self, ms: float) -> None:
        self.s += ms / 1000


@pytest.fixture
def processor(monkeypatch: pytest.MonkeyPatch) -> FakeProcessor:
    fake = FakeProcessor()
    monkeypatch.setattr(time, "thread_time", lambda: fake.s)
    monkeypatch.setattr(costs, "_OVERHEAD_MS", 0.0)
    return fake


@pytest.mark.usefixtures("processor")
async def test_of_many_requests_of_an_address_few_start_and_others_do_not_wait_for_them() -> None:
    app = HeldApp()
    tasks = [app.begin(f"busy {number}", scope_of(BUSY, 0)) for number in range(40)]
    tasks += [app.begin(f"visitor {number}", scope_of(BUSY, number)) for number in (1, 2)]
    tasks += [
        app.begin("move", scope_of(BUSY, 1, "POST /api/games/x/moves")),
        app.begin("quiet", scope_of(QUIET)),
    ]
    await iterations()
    assert app.started == ["busy 0", "busy 1", "move", "quiet"]
    app.may_end.set()
    # What was reserved comes back when a request was cheap: so all have their turn.
    await asyncio.gather(*tasks)
    assert len(app.started) == 44
    # One more of the busy visitor waited at the head of the queue when the others came.
    assert max(app.started.index("visitor 1"), app.started.index("visitor 2")) <= 7


@pytest.mark.usefixtures("processor")
async def test_requests_that_are_cancelled_delay_no_other_request() -> None:
    app = HeldApp()
    tasks = [app.begin(str(number), scope_of(BUSY)) for number in range(6)]
    await iterations()
    assert all(given_up.cancel() for given_up in tasks[:5])
    await asyncio.gather(*tasks[:5], return_exceptions=True)
    app.may_end.set()
    await tasks[5]
    assert app.started == ["0", "1", "5"]
    tasks.clear()
    gc.collect()
    assert not app.charging._gates


async def test_a_request_pays_its_steps_and_its_threads_and_not_those_of_others(
    processor: FakeProcessor,
) -> None:
    async def request() -> None:
        processor.work(3)
        await asyncio.sleep(0)
        processor.work(4)
        await asyncio.get_running_loop().run_in_executor(None, metered(lambda: processor.work(5)))
        with pytest.raises(KeyError):
            await failing()
        processor.work(6)

    async def failing() -> None:
        await asyncio.sleep(0)
        raise KeyError

    async def other() -> None:
        for _ in range(5):
            processor.work(1_000)
            await asyncio.sleep(0)

    meter = Meter(request())

    async def measured() -> None:
        await meter

    await asyncio.gather(measured(), other())
    assert meter.ms == pytest.approx(18)


# The requests of a server

RULES = {"variant": "brandub-globe"}
READING = {
    "GET": [
        *("/api/games/{game}", "/api/games/{game}/record", "/api/games/{game}/picture.svg", "/api/games"),
        *("/api/people", "/api/variants", "/api/library/games/1", "/{lang}/rules"),
        "/{lang}/facts?variant=brandub-globe",
    ],
    "POST": ["/api/qr", "/api/records", "/api/records/text", "/api/openings"],
}
BACKGROUND = {
    "GET": ["/api/games/{game}/picture.png", "/api/games/{game}/picture.gif"],
    "POST": ["/api/rules", "/api/rules/read", "/api/rules/answers", "/api/rules/example"],
}
ELSEWHERE = {
    "GET": ["/api/library/games/1", "/api/games/{game}/record", "/api/games/{game}/picture.svg"],
    "POST": READING["POST"],
}
ON_LOOP = {"GET": ["/api/variants/brandub-globe", "/api/openapi.json", "/en/nowhere", "/static/nothing", "/"]}
BODIES: dict[str, dict[str, Any]] = {
    "/api/qr": {"text": "a"},
    "/api/records": {"text": "1. d2-c2"},
    "/api/records/text": {**RULES, "headers": [], "comments": [], "plies": []},
    "/api/openings": {**RULES, "position": str(variant("brandub-globe").rules.start)},
    "/api/rules": RULES,
    "/api/rules/read": {"text": "variant=brandub-globe"},
    "/api/rules/answers": {**RULES, "leaf": "goal"},
    "/api/rules/example": {**RULES, "leaf": "goal"},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("data")
    Library(folder / "library.db", create=True).close()
    with client_of(folder, library=folder / "library.db") as client:
        yield client


@pytest.fixture(scope="module")
def game(server: TestClient) -> tuple[Program, str, int]:
    """A player, a game, and the number of its last event."""
    ana = Program(server)
    made = ana.post("/api/games", {**RULES, "opponent": "same_device"}).json()
    return ana, made["game"], made["state"]["seq"]


def answers(
    server: TestClient, game: str, requests: dict[str, list[str]], lang: str = "en"
) -> Iterator[tuple[str, Any]]:
    server.cookies.clear()
    for method, paths in requests.items():
        for path in paths:
            address, headers = path.format(game=game, lang=lang), {"Accept-Language": lang}
            yield (
                path,
                server.request(
                    method, address, json=BODIES.get(path), headers=headers, follow_redirects=False
                ),
            )


@pytest.mark.parametrize(
    ("lang", "message", "title"),
    [("en", "Too many requests.", "Too many pages"), ("fr", "Trop de requêtes.", "Trop de pages")],
)
def test_clients_in_debt_are_refused_in_their_language_and_play_on(
    server: TestClient,
    game: tuple[Program, str, int],
    monkeypatch: pytest.MonkeyPatch,
    lang: str,
    message: str,
    title: str,
) -> None:
    ana, number, seq = game
    service: Any = server.app.state.service  # type: ignore[attr-defined]
    for limited, dear, others in (
        (service.request_costs, READING, {"POST": ["/api/rules"]}),
        (service.rules.limit, BACKGROUND, {"GET": ["/en/rules"], "POST": ["/api/qr"]}),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(limited, "wait_s", lambda *_: 7.0)
            for path, answer in answers(server, number, dear, lang):
                assert (answer.status_code, answer.headers.get("retry-after")) == (429, "7"), path
                if answer.headers["content-type"].startswith("text/html"):
                    assert title in answer.text
                else:
                    assert answer.json()["code"] == "too_many_requests"
                    assert answer.json()["message"].startswith(message), answer.json()
            assert {answer.status_code for _, answer in answers(server, number, others)} == {200}
            assert {server.get(path).status_code for path in ("/api/health", "/api/ready")} == {200}
            move = {"id": "m", "seq": seq, "move": "d2-c2"}
            assert ana.post(f"/api/games/{number}/moves", move).status_code == 200


def test_every_kind_of_request_is_charged_and_so_is_its_work_elsewhere(
    server: TestClient, game: tuple[Program, str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    service: Any = server.app.state.service  # type: ignore[attr-defined]
    charged: list[str] = []
    for limited in (service.request_costs, service.rules.limit):
        monkeypatch.setattr(
            limited, "charge", lambda scope, ms, *_: charged.extend([scope["path"]] * (ms > 0))
        )
    for requests, least in ((ON_LOOP, 1), (READING, 1), (ELSEWHERE, 2), (BACKGROUND, 2)):
        for path, answer in answers(server, game[1], requests):
            assert charged.count(answer.request.url.path) >= least, (path, charged)
            charged.clear()
