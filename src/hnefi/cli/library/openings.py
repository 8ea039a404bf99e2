"""`hnefi library openings`: the moves played from a position, as a tree with results."""

from collections.abc import Iterator
from typing import Any

import click

from hnefi._core import Game
from hnefi.cli.commands import argument, command, counted
from hnefi.cli.library.options import (
    LibraryVariant,
    game_options,
    library_option,
    opened,
    position_options,
    query_of,
    reached,
)
from hnefi.cli.library.results import result_facts, share_words
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json, print_table
from hnefi.cli.texts import translate, translate_plural
from hnefi.library import Opening, opening_tree
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("library openings copenhagen-11", "plain"),
    ("library openings brandub-walker-7 --after d1-c1 --depth 2 --json", "after"),
)


@command("openings", _EXAMPLES, group="library")
@argument("variant", key="variant", type=LibraryVariant())
@position_options
@counted("--depth", most=30, default=3, help="library_depth")
@counted("--min-games", "least_games", default=2, help="library_min_games")
@counted("--widest", most=999, default=6, help="library_widest")
@game_options
@library_option
@json_option
def openings(
    variant: Variant,
    position: str | None,
    after: str | None,
    depth: int,
    least_games: int,
    widest: int,
    place: str | None,
    as_json: bool,
    **filters: Any,
) -> int:
    """Shows openings."""
    game = reached(place, variant, position, after) or Game(variant.rules)
    query = query_of(place, variant, **filters)
    with opened(place) as library:
        found = opening_tree(library, game, query, depth=depth, least_games=least_games, widest=widest)
    note = translate("cli.library.openings.transpositions")
    if as_json:
        print_json({"variant": variant.id, "position": str(game.position), **_facts(found), "note": note})
        return 0 if found.results.games else 1
    rows = [row for one in found.choices for row in _rows(one, 0)]
    if rows:
        print_table(("move", "games", "share"), rows, key="cli.library.head.", numbers=(1, 2))
    click.echo(translate_plural("cli.library.openings.games", found.results.games))
    if any(map(_has_transpositions, found.choices)):
        click.echo(note)
    rare, crowded = _hidden(found)
    if rare:
        click.echo(translate_plural("cli.library.openings.rare", rare, least=least_games))
    if crowded:
        click.echo(translate_plural("cli.library.openings.crowded", crowded, widest=widest))
    return 0 if found.results.games else 1


def _rows(one: Opening, depth: int) -> Iterator[list[str]]:
    """Iterates over the lines of the tree, each move below the one it answers."""
    results = one.results
    yield ["  " * depth + str(one.move), str(results.games), share_words(results)]
    for choice in one.choices:
        yield from _rows(choice, depth + 1)


def _hidden(one: Opening) -> tuple[int, int]:
    """Returns how many moves of the tree are left out as rare, and beyond the widest."""
    below = [_hidden(choice) for choice in one.choices]
    return one.rare + sum(rare for rare, _ in below), one.crowded + sum(crowded for _, crowded in below)


def _has_transpositions(one: Opening) -> bool:
    """Checks whether the replies to a move add up to more games than the move, anywhere below it."""
    is_exceeded = sum(choice.results.games for choice in one.choices) > one.results.games
    return is_exceeded or any(map(_has_transpositions, one.choices))


def _facts(one: Opening) -> dict[str, object]:
    return {
        **({} if one.move is None else {"move": str(one.move)}),
        **result_facts(one.results),
        "reached": one.reached,
        "moves": [_facts(choice) for choice in one.choices],
        "hidden": {"min_games": one.rare, "widest": one.crowded},
    }
