"""The desk of the server: few are served at a time, few wait, nobody comes too often."""

import asyncio

import pytest
from fastapi import Request

from hnefi.server.http.throttle import Desk
from hnefi.server.refusals import Refused


def from_address(address: str) -> Request:
    return Request({"type": "http", "client": (address, 1), "headers": []})


def test_few_are_served_at_a_time_and_few_wait() -> None:
    async def story() -> None:
        desk = Desk("too_many", 1.0, 9.0, at_once=2, longest_queue=3)
        may_leave = asyncio.Event()
        served: list[int] = []

        async def come(number: int) -> None:
            async with desk.turn():
                served.append(number)
                await may_leave.wait()

        visits = [asyncio.create_task(come(number)) for number in range(4)]
        with pytest.raises(Refused) as refusal:
            await visits[3]
        assert refusal.value.code == "too_many"
        assert served == [0, 1]
        may_leave.set()
        await asyncio.gather(*visits[:3])
        assert served == [0, 1, 2]
        async with desk.turn():
            served.append(4)

    asyncio.run(story())


def test_who_gives_up_waiting_makes_room() -> None:
    async def story() -> None:
        desk = Desk("too_many", 1.0, 9.0, longest_queue=2)

        async def come() -> None:
            async with desk.turn():
                pass

        async with desk.turn():
            for _ in range(3):
                visit = asyncio.create_task(come())
                await asyncio.sleep(0)
                assert not visit.done()
                visit.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await visit

    asyncio.run(story())


def test_nobody_comes_too_often_whatever_others_do() -> None:
    desk = Desk("too_many", 0.0, 2.0)
    for _ in range(2):
        desk.admit(from_address("192.0.2.7"))
    with pytest.raises(Refused, match="too_many"):
        desk.admit(from_address("192.0.2.7"))
    desk.admit(from_address("192.0.2.8"))
