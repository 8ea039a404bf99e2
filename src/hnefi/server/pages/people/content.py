"""The page of open challenges: the games and times that it offers."""

from hnefi.i18n import plural, text
from hnefi.server.game_facts import family_of
from hnefi.server.pages import drawings
from hnefi.server.pages.game_choices import game_choices
from hnefi.server.pages.page import PageRequest
from hnefi.variants.finding import all_variants, variant

_QUICK = (
    ("brandub-globe", "5+3"),
    ("brandub-globe", "10+5"),
    ("tablut-geoludie", "10+5"),
    ("copenhagen-11", "15+10"),
    ("copenhagen-11", "1d"),
)
# The keys of a clock as the choices name it, "5 min + 3 s", and of what it means.
_NAMES = ("page.people.no_clock", "page.people.days", "page.people.fischer")
_MEANINGS = ("page.people.clock.none", "page.people.clock.days", "page.people.clock.fischer")
_CLOCKS = ("3+2", "5+3", "10+5", "15+10", "30+20", "1d", "3d", "7d", "none")


def people_values(request: PageRequest) -> dict[str, object]:
    """Returns what the page of open challenges offers; its script fetches them."""
    lang = request.lang
    return {
        "people": {
            # A game and a time that are chosen with one tap.
            "quick": [
                {
                    "variant": game,
                    "clock": clock,
                    "name": family_of(variant(game), lang),
                    "time": _worded(clock, _NAMES, lang),
                    "drawing": drawings.small_board(game, lang),
                }
                for game, clock in _QUICK
            ],
            "games": game_choices(lang),
            "clocks": clock_choices(lang),
            "sentences": {clock: _worded(clock, _MEANINGS, lang) for clock in _CLOCKS},
            "names": {one.id: one.name(lang) for one in all_variants()},
        }
    }


def clock_choices(lang: str) -> list[tuple[str, str]]:
    """Returns the clocks as the values of a list of choices, the fastest first, with their words."""
    return [(clock, _worded(clock, _NAMES, lang)) for clock in _CLOCKS]


def _worded(clock: str, keys: tuple[str, str, str], lang: str) -> str:
    """Returns a clock in words, by the keys for none, for days, and for a time with an increment."""
    none, days, fischer = keys
    if clock == "none":
        return text(none, lang)
    if clock.endswith("d"):
        return plural(days, int(clock[:-1]), lang)
    minutes, seconds = clock.split("+")
    return text(fischer, lang, minutes=minutes, seconds=seconds)
