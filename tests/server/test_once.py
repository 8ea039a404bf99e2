"""Values that are computed once."""

import asyncio
from unittest.mock import Mock

import pytest

from hnefi.server.once import Once


async def test_a_value_is_computed_once_for_all_who_ask_but_a_failure_is_not_kept() -> None:
    """A full disk or want of memory that has passed must not last until the server is restarted."""
    once = Once(Mock(side_effect=[OSError("no space left"), *range(1, 9)]))
    with pytest.raises(OSError, match="no space left"):
        await once.value()
    assert [*await asyncio.gather(once.value(), once.value()), await once.value()] == [1, 1, 1]
