"""Charging: every request pays its processor time; those of a busy address wait, moves and others do not."""

import asyncio
import gc
import threading
import time
from collections.abc import Coroutine
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from hnefi.server.http import costs
from hnefi.server.http.costs import Charging
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.processor_time import Meter, metered
from tests.server.clients import Program
from tests.timeouts import timeout_s

BUSY, QUIET = "192.0.2.7", "192.0.2.8"
SECRETS = ["a" * 43, "b" * 43, "c" * 43]
NEVER = 1e-9
"""A share so small that nothing of it comes back while a test runs."""


def scope_of(
    address: str, visitor: int | None = None, request: str = "GET /api/games", **more: Any
) -> dict[str, Any]:
    headers = [] if visitor is None else [(b"authorization", b"Bearer " + SECRETS[visitor].encode())]
    method, path = request.split()
    return {
        "type": "http",
        "method": method,
        "path": path,
        "client": (address, 1),
        "headers": headers,
        **more,
    }


class HeldApp:
    """Notes the requests that have started; each runs until it is let go."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.may_end = asyncio.Event()

    async def __call__(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        self.started.append(scope["name"])
        await self.may_end.wait()


async def _receive() -> dict[str, str]:
    return {}


async def _send(_: object) -> None:
    return None


def charge_all() -> RateLimit:
    return RateLimit("too_many_requests", NEVER, 1e9)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, timeout_s()))


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
def test_of_many_requests_of_an_address_few_start_and_others_and_moves_start_at_once() -> None:
    async def scenario() -> None:
        app = HeldApp()
        charging = Charging(app, charge_all(), per_s=NEVER)

        def begin(name: str, scope: dict[str, Any]) -> asyncio.Task[None]:
            scope["name"] = name
            return asyncio.create_task(charging(scope, _receive, _send))

        tasks = [begin(f"busy {number}", scope_of(BUSY, 0)) for number in range(40)]
        tasks += [
            begin("move", scope_of(BUSY, 1, "POST /api/games/x/moves")),
            begin("quiet", scope_of(QUIET)),
        ]
        for _ in range(10):
            await asyncio.sleep(0)
        assert app.started == ["busy 0", "busy 1", "move", "quiet"]
        app.may_end.set()
        # What was reserved comes back when a request was cheap: so all have their turn.
        await asyncio.gather(*tasks)
        assert len(app.started) == 42

    run(scenario())


@pytest.mark.usefixtures("processor")
def test_the_visitors_of_an_address_have_turns() -> None:
    async def scenario() -> None:
        app = HeldApp()
        charging = Charging(app, charge_all(), per_s=NEVER)
        scopes = [scope_of(BUSY, 0, name=f"busy {number}") for number in range(40)]
        scopes += [scope_of(BUSY, 1, name="second"), scope_of(BUSY, 2, name="third")]
        tasks = [asyncio.create_task(charging(scope, _receive, _send)) for scope in scopes]
        for _ in range(10):
            await asyncio.sleep(0)
        app.may_end.set()
        await asyncio.gather(*tasks)
        # Two start at once, and one waits at the head of the queue when the others come.
        assert max(app.started.index("second"), app.started.index("third")) <= 5

    run(scenario())


@pytest.mark.usefixtures("processor")
def test_requests_that_are_cancelled_delay_no_other_request() -> None:
    async def scenario() -> None:
        app = HeldApp()
        charging = Charging(app, charge_all(), per_s=NEVER)
        tasks = [
            asyncio.create_task(charging(scope_of(BUSY, name=str(number)), _receive, _send))
            for number in range(6)
        ]
        for _ in range(10):
            await asyncio.sleep(0)
        assert all(given_up.cancel() for given_up in tasks[:5])
        await asyncio.gather(*tasks[:5], return_exceptions=True)
        app.may_end.set()
        await tasks[5]
        assert app.started == ["0", "1", "5"]
        tasks.clear()
        gc.collect()
        assert not charging._gates

    run(scenario())


def test_a_request_pays_its_steps_and_its_threads_and_not_those_of_others(processor: FakeProcessor) -> None:
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

    async def scenario() -> None:
        meter = Meter(request())

        async def measured() -> None:
            await meter

        await asyncio.gather(measured(), other())
        assert meter.ms == pytest.approx(18)

    run(scenario())


def test_every_kind_of_request_is_charged(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    ana = Program(server)
    game = ana.post("/api/games", {"variant": "brandub-globe", "opponent": "same_device"}).json()["game"]
    charged: list[str] = []
    monkeypatch.setattr(
        RateLimit, "charge", lambda _, scope, ms: charged.append(scope["path"]) if ms > 0 else 0
    )
    paths = [f"/api/games/{game}", "/api/games", "/api/variants", "/api/variants/brandub-globe"]
    paths += ["/api/openapi.json", "/api/people", "/api/ready", "/en/nowhere", "/static/nothing", "/"]
    for path in paths:
        ana.get(path)
    assert set(paths) <= set(charged)


def test_clients_in_debt_read_nothing_and_play_on(
    server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = Program(server)
    made = ana.post("/api/games", {"variant": "brandub-globe", "opponent": "same_device"}).json()
    monkeypatch.setattr(server.app.state.service.request_costs, "wait_s", lambda *_: 7.0)  # type: ignore[attr-defined]
    for path in (f"/api/games/{made['game']}", "/api/games", "/api/people", "/api/variants"):
        refused = ana.get(path)
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
        assert refused.headers["retry-after"] == "7"
    assert ana.move(made["game"], "d2-c2", made["state"]["seq"]).status_code == 200
    for path in ("/api/health", "/api/ready"):
        assert server.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/api/openapi.json", "/api/variants"])
def test_a_response_that_is_the_same_for_all_is_made_once_and_has_a_tag(
    server: TestClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    from fastapi import FastAPI

    from hnefi.server.api import games

    made: list[object] = []
    monkeypatch.setattr(FastAPI, "openapi", made.append)
    monkeypatch.setattr(games, "variant_view", made.append)
    first = server.get(path)
    assert first.headers["content-encoding"] == "gzip"
    again = server.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert made == []
