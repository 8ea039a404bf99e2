"""The pages for classes and clubs: the games and clocks that they offer."""

from hnefi.server.game_facts import family_of
from hnefi.server.games.retention import CLASS_DAYS
from hnefi.server.pages import drawings
from hnefi.server.pages.game_choices import game_choices
from hnefi.server.pages.page import PageRequest
from hnefi.server.pages.people.content import clock_choices
from hnefi.variants.finding import all_variants, variant

_TILES = ("brandub-globe", "ard-ri-globe", "tablut-geoludie", "copenhagen-11")


def classrooms_values(request: PageRequest) -> dict[str, object]:
    """Returns what the page offers on which a class is joined or created."""
    lang = request.lang
    return {
        "days": CLASS_DAYS,
        "tiles": [(one, family_of(variant(one), lang), drawings.small_board(one, lang)) for one in _TILES],
        "others": game_choices(lang, without=_TILES),
        "clocks": [one for one in reversed(clock_choices(lang)) if not one[0].endswith("d")],
    }


def classroom_values(request: PageRequest) -> dict[str, object]:
    """Returns the names of all games by variant; those of the tiles are as short as there."""
    lang = request.lang
    return {
        "names": {
            one.id: family_of(one, lang) if one.id in _TILES else one.name(lang) for one in all_variants()
        }
    }
