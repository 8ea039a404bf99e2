"""Throttle of expensive requests: concurrency, queue, rate limit by address."""

import asyncio
from http import HTTPStatus

import pytest
from fastapi import Request

from hnefi.server.api.answers import status_of
from hnefi.server.http.throttle import Throttle
from hnefi.server.refusals import Refused, TooManyRequests
from tests.codes import has_code


def from_address(address: str) -> Request:
    return Request({"type": "http", "client": (address, 1), "headers": []})


def test_running_and_waiting_requests_are_bounded() -> None:
    async def scenario() -> None:
        throttle = Throttle("too_many", 1.0, 9.0, max_running=2, max_queue=3)
        may_leave = asyncio.Event()
        served: list[int] = []

        async def request(number: int) -> None:
            async with throttle.slot():
                served.append(number)
                await may_leave.wait()

        requests = [asyncio.create_task(request(number)) for number in range(4)]
        with pytest.raises(Refused) as refusal:
            await requests[3]
        assert refusal.value.code == "too_many"
        assert served == [0, 1]
        may_leave.set()
        await asyncio.gather(*requests[:3])
        assert served == [0, 1, 2]
        async with throttle.slot():
            served.append(4)

    asyncio.run(scenario())


def test_a_cancelled_request_leaves_the_queue() -> None:
    async def scenario() -> None:
        throttle = Throttle("too_many", 1.0, 9.0, max_queue=2)

        async def request() -> None:
            async with throttle.slot():
                pass

        async with throttle.slot():
            for _ in range(3):
                waiting = asyncio.create_task(request())
                await asyncio.sleep(0)
                assert not waiting.done()
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting

    asyncio.run(scenario())


def test_the_rate_limit_counts_each_address_by_itself() -> None:
    throttle = Throttle("too_many", 0.0, 2.0)
    for _ in range(2):
        throttle.admit(from_address("192.0.2.7"))
    with pytest.raises(Refused, check=has_code("too_many")):
        throttle.admit(from_address("192.0.2.7"))
    throttle.admit(from_address("192.0.2.8"))


def test_refusals_of_a_throttle_with_any_code_have_the_status_429() -> None:
    async def full_queue() -> None:
        async with Throttle("too_many_new_things", 1.0, 9.0, max_queue=0).slot():
            pass

    with pytest.raises(TooManyRequests, check=has_code("too_many_new_things")) as above_the_rate:
        Throttle("too_many_new_things", 0.0, 0.0).admit(from_address("192.0.2.7"))
    with pytest.raises(TooManyRequests, check=has_code("too_many_new_things")) as queue_is_full:
        asyncio.run(full_queue())
    for refusal in (above_the_rate, queue_is_full):
        assert status_of(refusal.value) == HTTPStatus.TOO_MANY_REQUESTS
