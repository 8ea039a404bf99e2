"""Admission: a burst of requests is admitted a few at a time, in order; a single one does not wait."""

import asyncio

import pytest
from starlette.types import Receive, Scope, Send

from hnefi.server.http.admission import Admission

MANY = 100


class Busy:
    """An application that notes in which turn of the loop it began with what."""

    def __init__(self) -> None:
        self.turn = 0
        self.began: list[tuple[int, int]] = []

    async def __call__(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        self.began.append((self.turn, scope["number"]))

    async def count_turns(self) -> None:
        while True:
            self.turn += 1
            await asyncio.sleep(0)


async def _receive() -> dict[str, str]:
    return {}


async def _send(_: object) -> None:
    return None


async def _ask(turns: Admission, number: int, kind: str = "http") -> None:
    await turns({"type": kind, "number": number}, _receive, _send)


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_many_at_once_are_let_in_a_few_at_a_time_and_in_order(kind: str) -> None:
    busy = Busy()

    async def all_at_once() -> None:
        counting = asyncio.create_task(busy.count_turns())
        turns = Admission(busy)
        await asyncio.gather(*(_ask(turns, number, kind) for number in range(MANY)))
        counting.cancel()

    asyncio.run(all_at_once())
    assert [number for _, number in busy.began] == list(range(MANY))
    in_turn = [turn for turn, _ in busy.began]
    assert max(in_turn.count(turn) for turn in in_turn) <= 8, "two turns of ours may fall into one"
    assert in_turn[-1] - in_turn[0] >= MANY // 8


def test_who_comes_alone_does_not_wait() -> None:
    busy = Busy()

    async def one_after_the_other() -> None:
        turns = Admission(busy)
        for number in range(3):
            asking = _ask(turns, number)
            with pytest.raises(StopIteration):
                asking.send(None)
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    asyncio.run(one_after_the_other())
    assert [number for _, number in busy.began] == [0, 1, 2]


def test_who_goes_away_while_he_waits_holds_nobody_up() -> None:
    busy = Busy()

    async def some_go_away() -> None:
        turns = Admission(busy)
        tasks = [asyncio.create_task(_ask(turns, number)) for number in range(MANY)]
        await asyncio.sleep(0)
        for task in tasks[10:90]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(some_go_away())
    assert [number for _, number in busy.began] == [*range(10), *range(90, MANY)]


def test_what_is_no_request_is_passed_on_at_once() -> None:
    busy = Busy()

    async def all_at_once() -> None:
        counting = asyncio.create_task(busy.count_turns())
        turns = Admission(busy)
        await asyncio.gather(*(_ask(turns, number, "lifespan") for number in range(MANY)))
        counting.cancel()

    asyncio.run(all_at_once())
    assert len({turn for turn, _ in busy.began}) == 1
