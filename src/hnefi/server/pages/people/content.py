"""The page of open challenges: the games and times that it offers."""

from dataclasses import dataclass
from typing import Any

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
_CLOCKS = ("3+2", "5+3", "10+5", "15+10", "30+20", "1d", "3d", "7d", "none")


@dataclass(frozen=True, slots=True)
class _Quick:
    """A game and a time that are chosen with one tap."""

    variant: str
    clock: str
    name: str
    time: str
    drawing: Any


def people_values(request: PageRequest) -> dict[str, object]:
    """Returns what the page of open challenges offers; its script fetches them."""
    lang = request.lang
    names = {one.id: one.name(lang) for one in all_variants()}
    offered = {
        "quick": [
            _Quick(
                game,
                clock,
                family_of(variant(game), lang),
                _time(clock, lang),
                drawings.small_board(game, lang),
            )
            for game, clock in _QUICK
        ],
        "games": game_choices(lang),
        "clocks": clock_choices(lang),
        "sentences": {clock: _sentence(clock, lang) for clock in _CLOCKS},
        "names": names,
    }
    return {"people": offered}


def clock_choices(lang: str) -> list[tuple[str, str]]:
    """Returns the clocks as the values of a list of choices, the fastest first, with their words."""
    return [(clock, _time(clock, lang)) for clock in _CLOCKS]


def _time(clock: str, lang: str) -> str:
    """Returns a clock as the choices name it: "5 min + 3 s", or days."""
    if clock == "none":
        return text("page.people.no_clock", lang)
    if clock.endswith("d"):
        return plural("page.people.days", int(clock[:-1]), lang)
    minutes, seconds = clock.split("+")
    return text("page.people.fischer", lang, minutes=minutes, seconds=seconds)


def _sentence(clock: str, lang: str) -> str:
    """Returns what a clock means."""
    if clock == "none":
        return text("page.people.clock.none", lang)
    if clock.endswith("d"):
        return plural("page.people.clock.days", int(clock[:-1]), lang)
    minutes, seconds = clock.split("+")
    return text("page.people.clock.fischer", lang, minutes=minutes, seconds=seconds)
