"""Errors by their codes, for `pytest.raises(…, check=has_code("bad_move"))`, and by their places."""

from collections.abc import Callable, Iterable

from hnefi import HnefiError, RecordError
from hnefi.i18n import explain


def has_code(code: str) -> Callable[[HnefiError], bool]:
    """Returns a check for errors with a code."""
    return lambda error: error.code == code


def places_of(found: Iterable[object]) -> list[tuple[str, int, int]]:
    """Returns code, line and column of the errors among games, each of which has its own sentences."""
    faults = [one for one in found if isinstance(one, RecordError)]
    for fault in faults:
        assert "{" not in explain(fault, "fr")
        assert explain(fault, "en") != fault.detail, fault
    return [(fault.code, fault.line, fault.column) for fault in faults]
