"""Reads the lessons of a variant from its file."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hnefi._core import Move, Setup, Square
from hnefi.lessons.model import Goal, Lesson, Step

_FOLDER = Path(__file__).parent
_LESSON_KEYS = ("id", "topic", "position", "turn", "quiet", "marks", "before", "calls", "steps")
_STEP_KEYS = ("goal", "call", "reply", "forced")
_GOAL_KEYS = ("to", "captures", "winner", "reason", "roads", "threatened", "passed")
_SQUARES = ("to", "captures")


@cache
def lessons(variant_id: str) -> tuple[Lesson, ...]:
    """Returns the lessons of a variant in order, empty if it has none.

    Raises:
        ValueError: If its file has an unknown key, with the place.

    >>> lessons("brandub-globe")[0].id
    'move'
    """
    path = _FOLDER / f"{variant_id}.toml"
    if not path.exists():
        return ()
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(
        _lesson(entry, f"{path.name}: lesson {place}") for place, entry in enumerate(data["lesson"], 1)
    )


def _lesson(entry: Mapping[str, Any], where: str) -> Lesson:
    _expect(entry, _LESSON_KEYS, where)
    rows = "/".join(row.replace(" ", "") for row in entry["position"].split("\n") if row)
    return Lesson(
        id=entry["id"],
        topic=entry.get("topic", entry["id"]),
        setup=Setup(f"{_numbered(rows)} {entry['turn'][0]} {entry.get('quiet', 0)}"),
        marks=tuple(Square(name) for name in entry.get("marks", ())),
        before=tuple(Move(text) for text in entry.get("before", ())),
        calls=entry.get("calls", "auto"),
        steps=tuple(_step(step, f"{where}, step {place}") for place, step in enumerate(entry["steps"], 1)),
    )


def _step(entry: Mapping[str, Any], where: str) -> Step:
    _expect(entry, _STEP_KEYS, where)
    _expect(entry["goal"], _GOAL_KEYS, where)
    goal: dict[str, Any] = {
        key: tuple(Square(name) for name in value) if key in _SQUARES else value
        for key, value in entry["goal"].items()
    }
    reply = entry.get("reply")
    return Step(
        goal=Goal(**goal),
        call=entry.get("call"),
        reply=None if reply is None else Move(reply),
        forced=entry.get("forced", False),
    )


def _expect(entry: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    if unknown := [key for key in entry if key not in keys]:
        raise ValueError(f"{where}: {unknown[0]}, expected {' | '.join(keys)}")


def _numbered(rows: str) -> str:
    """Replaces runs of points (empty squares) by numbers.

    >>> _numbered("..t/.K.")
    '2t/1K1'
    """
    return re.sub(r"\.+", lambda points: str(len(points[0])), rows)
