"""The tags of OpenTafl's records, and the corresponding headers of records."""

import re
from collections.abc import Mapping

from hnefi.pieces import Reason, Side

HEADERS: Mapping[str, str] = {
    "event": "Event",
    "site": "Site",
    "date": "Date",
    "round": "Round",
    "attackers": "Attackers",
    "defenders": "Defenders",
    "result": "Result",
    "annotator": "Annotator",
    "compiler": "Compiler",
    "time-control": "TimeControl",
    "time-remaining": "TimeRemaining",
    "termination": "Termination",
    "variant": "VariantName",
    "puzzle-mode": "PuzzleMode",
    "puzzle-prestart": "PuzzlePrestart",
    "puzzle-start": "PuzzleStart",
}
"""The header of each tag whose value is kept."""

TAGS: frozenset[str] = frozenset(HEADERS) | {"rules", "position", "start-comment"}
"""All known tags."""

RESULTS: Mapping[str, str] = {"1": "attackers", "0": "draw", "-1": "defenders", "?": "*"}

# The reasons by the players: how words about each begin, and the phrase that is written.
_ENDS = {
    Reason.RESIGNATION: ("resign", "{loser} resign"),
    Reason.TIME: ("time|clock|flag", "{loser} ran out of time"),
    Reason.AGREEMENT: ("agree", "Draw agreed"),
    Reason.ABANDONED: ("abandon|abort", "Game abandoned"),
    Reason.ADJUDICATION: ("adjudicat", "Adjudicated"),
}
_NATIVE_TIME = re.compile(r"(\d+)\+(\d+)")
_OPENTAFL_TIME = re.compile(r"(\d+)(?: (\d+)i)?")


def reason_in(text: str) -> Reason | None:
    """Returns the reason in a termination text, None if it names no reason by the players.

    >>> reason_in("Black resigns")
    <Reason.RESIGNATION: 'resignation'>
    """
    found = (one for one, (words, _) in _ENDS.items() if re.search(rf"(?i)\b(?:{words})", text))
    return next(found, None)


def termination(reason: Reason, winner: Side | None) -> str | None:
    """Formats a reason by the players as a termination text; None for reasons by the rules.

    >>> termination(Reason.TIME, Side.DEFENDERS)
    'Attackers ran out of time'
    """
    loser = winner.opponent.value.capitalize() if winner else ""
    return _ENDS[reason][1].format(loser=loser) if reason in _ENDS else None


def time_control(text: str) -> str:
    """Converts a time control to the notation of records, `3600+3`, if that can express it.

    >>> time_control("3600 3i"), time_control("3600 30/3 3i")
    ('3600+3', '3600 30/3 3i')
    """
    match = _OPENTAFL_TIME.fullmatch(text.strip())
    return f"{match[1]}+{match[2] or 0}" if match else text


def tag_time_control(text: str) -> str:
    """Converts a time control to OpenTafl's notation; others are returned unchanged.

    >>> tag_time_control("3600+3"), tag_time_control("300+0")
    ('3600 3i', '300')
    """
    match = _NATIVE_TIME.fullmatch(text.strip())
    if match is None:
        return text
    return match[1] if match[2] == "0" else f"{match[1]} {match[2]}i"


def date_of(text: str) -> str:
    """Converts a date to the record format.

    >>> date_of("2016.08.30")
    '2016-08-30'
    """
    return text.replace(".", "-") if re.fullmatch(r"\d{4}\.\d\d\.\d\d", text) else text


def tag_date(text: str) -> str:
    """Converts a date to OpenTafl's notation."""
    return text.replace("-", ".") if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else text
