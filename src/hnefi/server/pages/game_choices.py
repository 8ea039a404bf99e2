"""The games that pages offer: lists of all by the size of the board, and some as pictures."""

from collections.abc import Collection
from typing import Any

from hnefi.i18n import text
from hnefi.server.game_facts import heading_of
from hnefi.server.pages.board_tiles import board_tile
from hnefi.server.pages.shown_lengths import shown_length
from hnefi.variants.finding import all_variants, variant
from hnefi.variants.model import Variant


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
