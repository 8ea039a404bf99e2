"""Values that are computed once."""

import asyncio
import itertools

import pytest

from hnefi.server.once import Once


def test_a_value_is_computed_once_for_all_who_ask() -> None:
    numbers = itertools.count(1)

    async def ask() -> list[int]:
        once = Once(lambda: next(numbers))
        together = await asyncio.gather(once.value(), once.value())
        return [*together, await once.value()]

    assert asyncio.run(ask()) == [1, 1, 1]


def test_a_failure_is_not_kept() -> None:
    """A full disk or want of memory that has passed must not last until the server is restarted."""
    numbers = itertools.count(1)

    def compute() -> int:
        number = next(numbers)
        if number == 1:
            raise OSError("no space left")
        return number

    async def ask() -> int:
        once = Once(compute)
        with pytest.raises(OSError, match="no space left"):
            await once.value()
        return await once.value()

    assert asyncio.run(ask()) == 2
