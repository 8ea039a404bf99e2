"""Names of the native engine: in records by its level, on the screen by the name of the level too."""

import re

from hnefi.cli.texts import translate

__all__ = ["displayed_name", "level_of", "record_name"]

_NAME = re.compile(r"Hnefi \((10|[1-9])\)")


def record_name(level: int) -> str:
    """Returns the name of a level in records.

    >>> record_name(2)
    'Hnefi (2)'
    """
    return f"Hnefi ({level})"


def level_of(name: str) -> int | None:
    """Returns the level of a player by its name in a record; None if it is not a level of the native engine.

    >>> level_of("Hnefi (10)")
    10
    """
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else None


def displayed_name(name: str) -> str:
    """Returns the name of a player for the screen: that of its level, or the one in the record."""
    level = level_of(name)
    if level is None:
        return name
    return translate("play.computer", name=translate(f"level.{level}"), level=level)
