"""The options that several library commands share: the library, and filters for games."""

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any

import click

from hnefi._core import Game, Setup
from hnefi.cli.commands import counted, joined, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.files import check_output
from hnefi.cli.naming import VariantName, switched
from hnefi.cli.values import Choice, Date, FilePath, Text, Words
from hnefi.errors import HnefiError, SetupError, VariantError, shorten
from hnefi.library import ORDERS, Library, Query, library_path, rules_of_size, variants_by_rules, variants_of
from hnefi.pieces import Reason
from hnefi.record.headers import RESULTS
from hnefi.variants.finding import all_variants
from hnefi.variants.model import Variant

_LONGEST = 1_000_000
_OPTIONS = {
    "least_plies": "--min-plies",
    "most_plies": "--max-plies",
    "lowest_rating": "--min-rating",
    "highest_rating": "--max-rating",
}

# Its value is known when the names of variants are looked up in it.
library_option = option("--library", "place", type=FilePath(), is_eager=True, help="library")


def opened(place: str | None, *, create: bool = False) -> Library:
    """Opens a library, the user's if `place` is None.

    Raises:
        CommandError: `cannot_write` if the folder of a new one is missing.
        LibraryError: If it cannot be opened.
    """
    if create:
        check_output(place)
    return Library(Path(place or library_path()), create=create)


class LibraryVariant(VariantName):
    """A variant, or the id of one that only games of the library have."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Reads the variant; of several rules with the id, those added last."""
        try:
            return super().convert(value, param, ctx)
        except VariantError as error:
            return _stored(ctx, variants_of, str(value), error)[0]


class RulesText(VariantName):
    """A variant with its switches: `copenhagen-11; quiet_limit=40`, or the hash of rules of the library."""

    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Reads the variant and applies the switches.

        Raises:
            VariantError: `ambiguous_variant`, with the hashes, if the library has several rules of the name.
        """
        if isinstance(value, Variant):
            return value
        text = str(value)
        name, *switches = (part.strip() for part in text.split(";"))
        try:
            return switched(super().convert(name, param, ctx), [one for one in switches if one])
        except VariantError as error:
            first, *others = _stored(ctx, variants_by_rules, text, error)
        if others:
            hashes = ", ".join(one.rules.hash for one in (first, *others))
            raise VariantError.of_facts("ambiguous_variant", name=shorten(text), suggestions=hashes)
        return first


def _stored(
    ctx: click.Context | None,
    found: Callable[[Library, str], Iterable[Variant]],
    name: str,
    error: VariantError,
) -> list[Variant]:
    """Returns the rules that the library of a command line has by a name; without any, raises the error."""
    if error.code != "unknown_variant" or ctx is None:
        raise error
    place = ctx.params.get("place")
    with opened(place if isinstance(place, str) else None) as library:
        stored = list(found(library, name))
    if not stored:
        raise error
    return stored


position_options = joined(
    option("--position", type=Text(), metavar="position", help="library_position"),
    option("--after", type=Words(), metavar="moves", help="library_after"),
)
"""The options for a position that games must have reached."""

game_options = joined(
    option("--rules", type=RulesText(), help="library_rules"),
    counted("--size", most=99, help="library_size"),
    counted("--type", "game_type", help="library_type"),
    option("--player", type=Words(), metavar="name", help="library_player"),
    option("--attackers", type=Words(), metavar="name", help="library_attackers"),
    option("--defenders", type=Words(), metavar="name", help="library_defenders"),
    counted("--min-rating", "lowest_rating", help="library_min_rating"),
    counted("--max-rating", "highest_rating", help="library_max_rating"),
    option("--result", type=Choice(RESULTS), metavar="result", help="library_result"),
    option(
        "--reason", type=Choice([reason.value for reason in Reason]), metavar="reason", help="library_reason"
    ),
    option("--date", type=Date(), help="library_date"),
    option("--since", type=Date(), help="library_since"),
    option("--until", type=Date(), help="library_until"),
    counted("--min-plies", "least_plies", least=0, most=_LONGEST, help="library_min_plies"),
    counted("--max-plies", "most_plies", least=0, most=_LONGEST, help="library_max_plies"),
    option("--source", type=Words(), metavar="words", help="library_source"),
    counted("--id", "ids", most=1 << 60, multiple=True, help="library_id"),
)
"""The options that filter games by more than variant and position."""

selection_options = joined(
    position_options,
    option("--variant", type=LibraryVariant(), help="library_variant"),
    game_options,
)
"""The options that select games, by variant, position and all filters."""

order_options = joined(
    option("--sort", "order", type=Choice(tuple(ORDERS)), default="id", metavar="order", help="library_sort"),
    option("--reverse", "is_reversed", is_flag=True, help="library_reverse"),
)
"""The options for the order of games."""


def reached(
    place: str | None, played: Variant | None, position: str | None, after: str | None
) -> Game | None:
    """Returns the game up to the requested position, None without one.

    Without a variant, a position is one by the first rules of the library that can play it.

    Raises:
        CommandError: If no variant is given, and only its rules tell the position.
        SetupError: If the position cannot be parsed.
        IllegalMove: If a move is illegal.
    """
    if position is None and after is None:
        return None
    setup = None if position in (None, "start") else Setup(str(position))
    if played is not None:
        game = Game(played.rules, setup)
    elif setup is None or after is not None:
        raise bad_usage("missing", name="--variant | --rules")
    else:
        return _playable(place, setup)
    for text in (after or "").replace(",", " ").split():
        game = game.play(text)
    return game


def _playable(place: str | None, setup: Setup) -> Game:
    """Begins a game at a position, by the first rules of the library, or else of all variants, that can."""
    why: HnefiError = bad_usage("missing", name="--variant | --rules")
    with opened(place) as library:
        known = (one.rules for one in all_variants() if one.rules.size == setup.size)
        for rules in chain(rules_of_size(library, setup.size), known):
            try:
                return Game(rules, setup)
            except SetupError as error:
                why = error
    raise why


def query_of(
    place: str | None,
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
    game = reached(place, rules or variant, position, after)
    return Query(
        variant=None if variant is None else variant.id,
        rules=None if rules is None else rules.rules.hash,
        position=None if game is None else game.position,
        **filters,
    )
