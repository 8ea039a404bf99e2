"""The headers of a record that have a meaning for Hnefi, and their values.

Any other header is kept unchanged, in its place.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date
from functools import lru_cache

from hnefi.errors import nearest_choices
from hnefi.pieces import Reason, Side
from hnefi.record.faults import record_error
from hnefi.variants.switches import CALL_SWITCHES

Headers = tuple[tuple[str, str], ...]

DRAW = "draw"
UNFINISHED = "*"
RESULTS = ("attackers", "defenders", DRAW, UNFINISHED)

CLOSED: Mapping[str, tuple[str, ...]] = {
    "Calls": ("off", "auto", "manual"),
    "Sanction": CALL_SWITCHES["sanction"],
    "Replay": CALL_SWITCHES["replay"],
    "WrongNumber": CALL_SWITCHES["wrong_number"],
    "Result": RESULTS,
    "Reason": tuple(reason.value for reason in Reason),
    "Match": ("single", "two_legs"),
    "Leg": ("1", "2"),
}

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


def result_word(winner: Side | None) -> str:
    """Returns the result of a game that ended: the side that won, or a draw."""
    return DRAW if winner is None else winner.value


def check_headers(headers: Iterable[tuple[str, str]]) -> Headers:
    """Returns the headers after checking their names, that none is repeated, and the values of known ones.

    Raises:
        RecordError: `bad_header`, `duplicate_header` or `bad_header_value`.
    """
    kept = tuple((name, value) for name, value in headers)
    names: set[str] = set()
    for name, value in kept:
        if not _NAME.fullmatch(name):
            raise record_error("bad_header", found=name)
        if name in names:
            raise record_error("duplicate_header", name=name)
        names.add(name)
        check_value(name, value)
    return kept


def check_value(name: str, value: str) -> None:
    """Checks that a header may have a value.

    Raises:
        RecordError: `bad_header_value`, with the expected values.
    """
    choices = CLOSED.get(name)
    if choices is not None:
        if value not in choices:
            raise record_error(
                "bad_header_value", name=name, found=value, expected=nearest_choices(value, choices)
            )
    elif name in _PATTERNS:
        expected, fits = _PATTERNS[name]
        if not fits(value):
            raise record_error("bad_header_value", name=name, found=value, expected=expected)


def is_date(text: str) -> bool:
    """Checks whether a text is a year, a month or a day.

    >>> is_date("2019"), is_date("2019-05-31"), is_date("2019-02-30")
    (True, True, False)
    """
    with suppress(ValueError):
        return _DATE.fullmatch(text) is not None and bool(date.fromisoformat(f"{text}-01-01"[:10]))
    return False


def parse_switches(value: str) -> dict[str, str] | None:
    """Parses the switches of a header, `quiet_limit=40; replay=any_piece`; None if it has another syntax."""
    switches: dict[str, str] = {}
    for item in value.split(";"):
        key, equals, setting = (part.strip() for part in item.partition("="))
        if not (key and equals and setting) or key in switches:
            return None
        switches[key] = setting
    return switches


def parse_base(value: str) -> tuple[str, dict[str, str]] | None:
    """Parses a variant with switches, `brandub-globe; quiet_limit=40`; None if it has another syntax."""
    name, has_switches, rest = value.partition(";")
    switches = parse_switches(rest) if has_switches else {}
    return None if switches is None or not name.strip() else (name.strip(), switches)


def record_name(level: int) -> str:
    """Returns the name of a level of the native engine in records.

    >>> record_name(2)
    'Hnefi (2)'
    """
    return f"Hnefi ({level})"


def format_switches(switches: Mapping[str, str]) -> str:
    """Formats switches as the value of a header, in the given order.

    >>> format_switches({"quiet_limit": "40", "sanction": "none"})
    'quiet_limit=40; sanction=none'
    """
    return "; ".join(f"{key}={setting}" for key, setting in switches.items())


_PATTERNS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "Rules": ("[0-9a-f]{64}", re.compile("[0-9a-f]{64}").fullmatch),
    "Revision": ("1, 2, 3…", re.compile("[1-9][0-9]{0,8}").fullmatch),
    "Switches": ("key=value; …", lambda value: parse_switches(value) is not None),
    "Base": ("variant; key=value; …", parse_base),
}

_KNOWN = (
    *("Variant", *CLOSED, *_PATTERNS, "Title", "Start", "Attackers", "Defenders", "AnnotatedPlies"),
    *("Event", "Site", "Round", "Date", "TimeControl", "Annotator"),
)


@lru_cache(maxsize=1_000)
def misspelt(name: str) -> str | None:
    """Returns the known header that the name of an unknown one is a misspelling of, if it is any.

    >>> misspelt("Resutl"), misspelt("Result"), misspelt("Elo")
    ('Result', None, None)
    """
    from difflib import get_close_matches

    return None if name in _KNOWN else next(iter(get_close_matches(name, _KNOWN, 1, cutoff=0.8)), None)
