"""The games that pages offer: lists of all by the size of the board, and some as pictures."""

from collections.abc import Collection
from typing import Any

from hnefi.i18n import text
from hnefi.server.game_facts import heading_of
from hnefi.server.pages.board_tiles import board_tile
from hnefi.variants.finding import all_variants, variant
from hnefi.variants.lengths import measured_length
from hnefi.variants.model import Variant
from hnefi.words.nouns import capitalised
from hnefi.words.variant_texts import in_language


def game_choices(lang: str, *, without: Collection[str] = ()) -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns groups by size of the board, the smallest first: their labels, ids and names of their games.

    >>> [label for label, _ in game_choices("en")][:2]
    ['7\\xa0×\\xa07 squares', '9\\xa0×\\xa09 squares']
    """
    groups: dict[int, list[tuple[str, str]]] = {}
    for one in all_variants():
        if one.id not in without:
            groups.setdefault(one.rules.size, []).append((one.id, one.name(lang)))
    return [
        (text("page.board.size", lang, size=size), sorted(groups[size], key=lambda game: game[1].casefold()))
        for size in sorted(groups)
    ]


def offered_games(usual: tuple[str, ...], variants: tuple[str, ...] | None) -> tuple[str, ...]:
    """Returns the usual games; on a site with some variants, others fill the places of missing ones."""
    if variants is None:
        return usual
    found = [name for name in usual if name in variants]
    filled = [*found, *(name for name in variants if name not in usual)][: len(usual)]
    return tuple(sorted(filled, key=lambda name: (variant(name).rules.size, name)))


def game_tile(one: Variant, lang: str) -> dict[str, Any]:
    """Returns a game as a picture to choose: its name in two parts, its board, and how long it takes."""
    name, author = heading_of(one, lang)
    return {
        "id": one.id,
        "name": name,
        "author": author,
        "size": one.rules.size,
        "length": shown_length(one, lang),
        "drawing": board_tile(one.id),
    }


def shown_length(one: Variant, lang: str) -> dict[str, Any]:
    """Returns how long the games of a variant are, and how hard it is: measured, or what its file states.

    Minutes are empty if unknown. Without a measured difficulty, one of `DIFFICULTIES`, `ease` is what the
    file says; it may be empty, too.

    >>> from hnefi import variant
    >>> shown_length(variant("brandub-breyer"), "en")
    {'minutes': '15', 'difficulty': 1, 'ease': ''}
    """
    measured = measured_length(one)
    if measured is not None:
        return {"minutes": str(measured.minutes), "difficulty": measured.difficulty, "ease": ""}
    minutes = "–".join(dict.fromkeys(map(str, one.about.get("minutes", ()))))
    ease = capitalised(in_language(one.about.get("ease"), lang) or "")
    return {"minutes": minutes, "difficulty": None, "ease": ease}
