"""The tags of OpenTafl's records and the headers of ours that mean the same."""

import re
from collections.abc import Mapping

from hnefi.pieces import Reason, Side

__all__ = ["HEADERS", "RESULTS", "TAGS", "date_of", "reason_in", "tag_date", "termination", "time_control"]

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
"""Headers for the tags whose values are kept."""

TAGS: frozenset[str] = frozenset(HEADERS) | {"rules", "position", "start-comment"}
"""All tags that are known."""

RESULTS: Mapping[str, str] = {"1": "attackers", "0": "draw", "-1": "defenders", "?": "*"}

_ENDS = (
    (re.compile(r"\bresign", re.IGNORECASE), Reason.RESIGNATION),
    (re.compile(r"\b(?:time|clock|flag)", re.IGNORECASE), Reason.TIME),
    (re.compile(r"\bagree", re.IGNORECASE), Reason.AGREEMENT),
    (re.compile(r"\b(?:abandon|abort)", re.IGNORECASE), Reason.ABANDONED),
)
_TOLD = {
    Reason.RESIGNATION: "{loser} resign",
    Reason.TIME: "{loser} ran out of time",
    Reason.AGREEMENT: "Draw agreed",
    Reason.ABANDONED: "Game abandoned",
}
_OURS = re.compile(r"(\d+)\+(\d+)")
_THEIRS = re.compile(r"(\d+)(?: (\d+)i)?")


def reason_in(text: str) -> Reason | None:
    """Returns the reason that a termination speaks of, None if it speaks of none that players give.

    >>> reason_in("Black resigns")
    <Reason.RESIGNATION: 'resignation'>
    """
    return next((reason for words, reason in _ENDS if words.search(text)), None)


def termination(reason: Reason, winner: Side | None) -> str | None:
    """Says a reason that players give in the words of a termination; None for those the rules give.

    >>> termination(Reason.TIME, Side.DEFENDERS)
    'Attackers ran out of time'
    """
    told = _TOLD.get(reason)
    loser = winner.opponent.value.capitalize() if winner else ""
    return told.format(loser=loser) if told else None


def time_control(text: str) -> str:
    """Returns a time control in our words, `3600+3`, where it has nothing that they lack.

    >>> time_control("3600 3i"), time_control("3600 30/3 3i")
    ('3600+3', '3600 30/3 3i')
    """
    match = _THEIRS.fullmatch(text.strip())
    return f"{match[1]}+{match[2] or 0}" if match else text


def tag_time_control(text: str) -> str:
    """Returns a time control of ours in OpenTafl's words; others are left as they are.

    >>> tag_time_control("3600+3"), tag_time_control("300+0")
    ('3600 3i', '300')
    """
    match = _OURS.fullmatch(text.strip())
    if match is None:
        return text
    return match[1] if match[2] == "0" else f"{match[1]} {match[2]}i"


def date_of(text: str) -> str:
    """Returns a date in our form.

    >>> date_of("2016.08.30")
    '2016-08-30'
    """
    return text.replace(".", "-") if re.fullmatch(r"\d{4}\.\d\d\.\d\d", text) else text


def tag_date(text: str) -> str:
    """Returns a date in OpenTafl's form."""
    return text.replace("-", ".") if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else text
