"""Costs of requests: charges to addresses and visitors, turns, refusals."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from hnefi.server.http.costs import FairTurns
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.refusals import TooManyRequests
from tests.codes import has_code
from tests.timeouts import timeout_s

SECRETS = ["a" * 43, "b" * 43]


def scope_of(address: str, visitor: int | None = None) -> dict[str, Any]:
    headers = [] if visitor is None else [(b"authorization", b"Bearer " + SECRETS[visitor].encode())]
    return {"type": "http", "client": (address, 1), "headers": headers}


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, timeout_s()))


class FakeTime:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def limit(now: FakeTime) -> RateLimit:
    return RateLimit("too_much", 50.0, 500.0, for_address=2.0, now=now)


def test_an_address_in_debt_is_refused_until_it_has_paid_and_others_are_not() -> None:
    now = FakeTime()
    costs = limit(now)
    costs.admit(scope_of("192.0.2.7"))
    costs.charge(scope_of("192.0.2.7"), 1_950.0)
    with pytest.raises(TooManyRequests, check=has_code("too_much")) as refusal:
        costs.admit(scope_of("192.0.2.7"))
    assert refusal.value.retry_after_s == 10
    costs.admit(scope_of("192.0.2.8"))
    now.now_s = 9.4
    with pytest.raises(TooManyRequests):
        costs.admit(scope_of("192.0.2.7"))
    now.now_s = 9.6
    costs.admit(scope_of("192.0.2.7"))


def test_a_visitor_is_charged_at_every_address() -> None:
    now = FakeTime()
    costs = limit(now)
    for address in ("192.0.2.7", "192.0.2.8"):
        costs.admit(scope_of(address, 0))
        costs.charge(scope_of(address, 0), 300.0)
    with pytest.raises(TooManyRequests) as refusal:
        costs.admit(scope_of("192.0.2.9", 0))
    assert refusal.value.retry_after_s == 2
    costs.admit(scope_of("192.0.2.7", 1))
    costs.admit(scope_of("192.0.2.7"))


def test_devices_behind_one_address_do_not_count_as_one_visitor() -> None:
    costs = limit(FakeTime())
    for visitor in (0, 1):
        costs.charge(scope_of("192.0.2.7", visitor), 490.0)
    costs.admit(scope_of("192.0.2.7", 0))


async def turn_of(turns: FairTurns, name: str, scope: dict[str, Any], order: list[str], cost: float) -> None:
    async with turns.turn(scope, 1.0) as turn:
        order.append(name)
        await asyncio.sleep(0)
        turn.cost = cost


def test_one_request_runs_at_a_time_and_addresses_have_turns() -> None:
    async def scenario() -> None:
        turns, order = FairTurns("too_much", most_waiting=99), list[str]()
        names = [(f"busy {number}", "192.0.2.7") for number in range(40)] + [("quiet", "192.0.2.8")]
        work = [turn_of(turns, name, scope_of(address), order, 50.0) for name, address in names]
        await asyncio.gather(*work)
        # It came when the first of forty ran.
        assert order.index("quiet") == 1
        assert len(order) == 41

    run(scenario())


def test_the_number_of_requests_of_an_address_that_wait_is_bounded() -> None:
    async def scenario() -> None:
        turns, order = FairTurns("too_much", most_waiting=3), list[str]()
        async with turns.turn(scope_of("192.0.2.7"), 1.0):
            waiting = [
                asyncio.create_task(turn_of(turns, str(number), scope_of("192.0.2.7"), order, 1.0))
                for number in range(4)
            ]
            with pytest.raises(TooManyRequests, check=has_code("too_much")):
                await waiting[3]
            other = asyncio.create_task(turn_of(turns, "other", scope_of("192.0.2.8"), order, 1.0))
        await asyncio.gather(*waiting[:3], other)
        assert sorted(order) == ["0", "1", "2", "other"]
        await turn_of(turns, "later", scope_of("192.0.2.7"), order, 1.0)

    run(scenario())


def test_a_request_that_is_given_up_leaves_the_queue() -> None:
    async def scenario() -> None:
        turns, order = FairTurns("too_much", most_waiting=2), list[str]()
        scope = scope_of("192.0.2.7")
        async with turns.turn(scope, 1.0):
            for _ in range(5):
                task = asyncio.create_task(turn_of(turns, "given up", scope, order, 1.0))
                await asyncio.sleep(0)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            next_one = asyncio.create_task(turn_of(turns, "next", scope, order, 1.0))
            await asyncio.sleep(0)
        # Its turn has come, but it is cancelled before it runs.
        next_one.cancel()
        await asyncio.gather(next_one, return_exceptions=True)
        await turn_of(turns, "last", scope, order, 1.0)
        assert order == ["last"]

    run(scenario())
