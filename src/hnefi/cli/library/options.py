"""The options that several library commands share: the library, and filters for games."""

from collections.abc import Callable
from typing import Any

import click

from hnefi._core import Game, Setup
from hnefi.cli.commands import counted, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.naming import VariantName, switched
from hnefi.cli.values import Choice, Date, FilePath, Text
from hnefi.library import ORDERS, Library, Query, library_path
from hnefi.pieces import Reason
from hnefi.record.headers import RESULTS
from hnefi.variants.model import Variant

_LONGEST = 1_000_000
_OPTIONS = {
    "least_plies": "--min-plies",
    "most_plies": "--max-plies",
    "lowest_rating": "--min-rating",
    "highest_rating": "--max-rating",
}

library_option = option("--library", "place", type=FilePath(), help="cli.option.library")


def opened(place: str | None, *, create: bool = False) -> Library:
    """Opens a library, the user's if `place` is None.

    Raises:
        LibraryError: If it cannot be opened.
    """
    return Library(place or library_path(), create=create)


class RulesText(VariantName):
    """A variant with its switches, as lists print them: `copenhagen-11; quiet_limit=40`."""

    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Reads the variant and applies the switches."""
        if isinstance(value, Variant):
            return value
        name, *switches = (part.strip() for part in str(value).split(";"))
        return switched(super().convert(name, param, ctx), [one for one in switches if one])


def selection_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that select games, by variant, position and all filters."""
    variant = option("--variant", type=VariantName(), help="cli.option.library_variant")
    return position_options(variant(game_options(function)))


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that filter games by more than variant and position."""
    return _added(
        function,
        option("--rules", type=RulesText(), metavar="cli.word.rules", help="cli.option.library_rules"),
        counted("--size", most=99, help="cli.option.library_size"),
        counted("--type", "game_type", help="cli.option.library_type"),
        option("--player", type=Text(), metavar="cli.word.name", help="cli.option.library_player"),
        option("--attackers", type=Text(), metavar="cli.word.name", help="cli.option.library_attackers"),
        option("--defenders", type=Text(), metavar="cli.word.name", help="cli.option.library_defenders"),
        counted("--min-rating", "lowest_rating", help="cli.option.library_min_rating"),
        counted("--max-rating", "highest_rating", help="cli.option.library_max_rating"),
        option("--result", type=Choice(RESULTS), metavar="cli.word.result", help="cli.option.library_result"),
        option(
            "--reason",
            type=Choice([reason.value for reason in Reason]),
            metavar="cli.word.reason",
            help="cli.option.library_reason",
        ),
        option("--date", type=Date(), help="cli.option.library_date"),
        option("--since", type=Date(), help="cli.option.library_since"),
        option("--until", type=Date(), help="cli.option.library_until"),
        counted("--min-plies", "least_plies", least=0, most=_LONGEST, help="cli.option.library_min_plies"),
        counted("--max-plies", "most_plies", least=0, most=_LONGEST, help="cli.option.library_max_plies"),
        option("--source", type=Text(), metavar="cli.word.words", help="cli.option.library_source"),
        counted("--id", "ids", most=1 << 60, multiple=True, help="cli.option.library_id"),
    )


def order_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options for the order of games."""
    return _added(
        function,
        option(
            "--sort",
            "order",
            type=Choice(tuple(ORDERS)),
            default="id",
            metavar="cli.word.order",
            help="cli.option.library_sort",
        ),
        option("--reverse", "is_reversed", is_flag=True, help="cli.option.library_reverse"),
    )


def _added(function: Callable[..., Any], *options: Callable[..., Any]) -> Callable[..., Any]:
    for add in reversed(options):
        function = add(function)
    return function


def position_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options for a position that games must have reached."""
    after = option("--after", type=Text(), metavar="cli.word.moves", help="cli.option.library_after")
    position = option(
        "--position", type=Text(), metavar="cli.word.position", help="cli.option.library_position"
    )
    return position(after(function))


def reached(played: Variant | None, position: str | None, after: str | None) -> Game | None:
    """Returns the game up to the requested position, None without one.

    Raises:
        CommandError: If no variant is given.
        SetupError: If the position cannot be parsed.
        IllegalMove: If a move is illegal.
    """
    if position is None and after is None:
        return None
    if played is None:
        raise bad_usage("missing", name="--variant")
    game = Game(played.rules, None if position in (None, "start") else Setup(str(position)))
    for text in (after or "").replace(",", " ").split():
        game = game.play(text)
    return game


def query_of(
    variant: Variant | None,
    rules: Variant | None,
    date: str | None,
    position: str | None = None,
    after: str | None = None,
    **filters: Any,
) -> Query:
    """Builds a query from the command-line options.

    Raises:
        CommandError: If a range is empty, or options exclude each other.
    """
    if date is not None:
        for name in ("since", "until"):
            if filters[name] is not None:
                raise bad_usage("together", first="--date", second=f"--{name}")
            filters[name] = date
    for names in (("since", "until"), ("least_plies", "most_plies"), ("lowest_rating", "highest_rating")):
        low, high = (filters[name] for name in names)
        # Of 2024 and 2024-05, neither is later.
        if None not in (low, high) and low > high and not str(low).startswith(f"{high}-"):
            first, last = (_OPTIONS.get(name, f"--{name}") for name in names)
            raise bad_usage("empty_range", first=first, low=low, last=last, high=high)
    game = reached(rules or variant, position, after)
    return Query(
        variant=None if variant is None else variant.id,
        rules=None if rules is None else rules.rules.hash,
        position=None if game is None else game.position,
        **filters,
    )
