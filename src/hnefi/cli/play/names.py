"""Names of players on the screen: of levels of the native engine, and of players without a name."""

import re

from hnefi import i18n
from hnefi.cli.texts import translate

_NAME = re.compile(r"Hnefi \((10|[1-9])\)")
_UNNAMED = ("play.player.you", "play.player.first", "play.player.second")


def level_of(name: str) -> int | None:
    """Returns the level of a player by its name in a record; None if it is not a level of the native engine.

    >>> level_of("Hnefi (10)")
    10
    """
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else None


def displayed_name(name: str) -> str:
    """Returns the name of a player for the screen.

    That is the name of its level, or that in the record; of players without a name, whatever the language was
    when the game began, the one in the language of now.
    """
    level = level_of(name)
    if level is None:
        keys = (key for key in _UNNAMED if any(name == i18n.text(key, lang) for lang in i18n.languages()))
        return next(map(translate, keys), name)
    return translate("play.computer", name=translate(f"level.{level}"), level=level)
