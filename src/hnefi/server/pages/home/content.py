"""The home page: the guided first game, and a shelf with boards by size."""

from typing import Any

from hnefi.server.game_facts import family_of
from hnefi.server.pages.drawings import small_board, start_board
from hnefi.server.pages.game_choices import offered_games, shown_length
from hnefi.server.pages.home.guided_board import guided_board
from hnefi.server.pages.home.guided_game import STEPS, VARIANT, guided_facts, is_playable
from hnefi.server.pages.page import PageRequest
from hnefi.server.pages.variant_families import slogan
from hnefi.variants.finding import variant, variant_ids

_SHELF = ("ard-ri-globe", "brandub-globe", "hist-tablut-9", "copenhagen-11")


def home_values(request: PageRequest) -> dict[str, object]:
    """Returns the guided game, if the rules of its variant allow it, and the shelf."""
    lang, variants = request.lang, request.variants
    is_guided = is_playable()
    return {
        "home": {
            "board": guided_board(lang) if is_guided else start_board(VARIANT, lang),
            "guided": guided_facts(lang) if is_guided else None,
            "steps": tuple(step.id for step in STEPS),
            "variant": VARIANT,
            "shelf": tuple(_shelf_board(name, lang) for name in offered_games(_SHELF, variants)),
            "games": len(request.known),
            "has_all": set(request.known) >= set(variant_ids()),
        },
    }


def _shelf_board(variant_id: str, lang: str) -> dict[str, Any]:
    of = variant(variant_id)
    return {
        # Its own name if it is not one of the usual boards.
        "name": family_of(of, lang) if of.id in _SHELF else of.name(lang),
        "slogan": slogan(of, lang),
        "size": of.rules.size,
        "length": shown_length(of, lang),
        "drawing": small_board(of.id, lang),
        "id": of.id,
    }
