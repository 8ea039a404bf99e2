"""The page for classes and clubs: the games and clocks that it offers."""

from dataclasses import dataclass
from typing import Any

from hnefi.server.game_facts import family_of
from hnefi.server.pages import drawings
from hnefi.server.pages.game_choices import game_choices
from hnefi.server.pages.people_page import clock_choices
from hnefi.variants.finding import all_variants, variant

CLASS_TEXTS = ("page.class.who", "web.no_connection", "web.rejected")

ROOM_TEXTS = (
    "page.class.",
    "error.class_closed",
    "error.device_playing",
    "error.unknown_class",
    "web.copy",
    "web.invite.copied",
    "web.no_connection",
    "web.qr",
    "web.rejected",
    "web.action.retry",
    "web.to_start",
)

_TILES = ("brandub-globe", "ard-ri-globe", "tablut-geoludie", "copenhagen-11")


@dataclass(frozen=True, slots=True)
class _Tile:
    """A game that is chosen with one tap."""

    variant: str
    name: str
    drawing: Any


def class_page(lang: str) -> dict[str, Any]:
    """Returns what the page of classes offers."""
    return {
        "tiles": [
            _Tile(one, family_of(variant(one), lang), drawings.small_board(one, lang)) for one in _TILES
        ],
        "others": game_choices(lang, without=_TILES),
        "clocks": [one for one in reversed(clock_choices(lang)) if not one[0].endswith("d")],
    }


def class_game_names(lang: str) -> dict[str, str]:
    """Returns the names of all games by variant; those of the tiles are as short as there."""
    return {one.id: family_of(one, lang) if one.id in _TILES else one.name(lang) for one in all_variants()}
