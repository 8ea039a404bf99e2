"""Errors by their codes, for `pytest.raises(…, check=has_code("bad_move"))`."""

from collections.abc import Callable

from hnefi import HnefiError


def has_code(code: str) -> Callable[[HnefiError], bool]:
    """Returns a check for errors with a code."""
    return lambda error: error.code == code
