"""The options that several library commands share: the library, and filters for games."""

from collections.abc import Callable
from typing import Any

from hnefi._core import Game, Position, Setup
from hnefi.cli.commands import Choice, Date, FilePath, Text, WholeNumber, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.naming import VariantName
from hnefi.library import Library, Query, library_path
from hnefi.pieces import Reason
from hnefi.record.headers import RESULTS
from hnefi.variants.model import Variant

_LONGEST = 1_000_000

library_option = option(
    "--library", "place", type=FilePath(), metavar="cli.word.file", help="cli.option.library"
)


def opened(place: str | None, *, create: bool = False) -> Library:
    """Opens a library, the user's if `place` is None.

    Raises:
        LibraryError: If it cannot be opened.
    """
    return Library(place or library_path(), create=create)


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that filter games."""
    options = (
        option(
            "--variant", type=VariantName(), metavar="cli.word.variant", help="cli.option.library_variant"
        ),
        option("--player", type=Text(), metavar="cli.word.name", help="cli.option.library_player"),
        option("--attackers", type=Text(), metavar="cli.word.name", help="cli.option.library_attackers"),
        option("--defenders", type=Text(), metavar="cli.word.name", help="cli.option.library_defenders"),
        option("--result", type=Choice(RESULTS), metavar="cli.word.result", help="cli.option.library_result"),
        option(
            "--reason",
            type=Choice([reason.value for reason in Reason]),
            metavar="cli.word.reason",
            help="cli.option.library_reason",
        ),
        option("--since", type=Date(), metavar="cli.word.date", help="cli.option.library_since"),
        option("--until", type=Date(), metavar="cli.word.date", help="cli.option.library_until"),
        option(
            "--least",
            type=WholeNumber(0, _LONGEST),
            metavar="cli.word.count",
            help="cli.option.library_least",
        ),
        option(
            "--most", type=WholeNumber(0, _LONGEST), metavar="cli.word.count", help="cli.option.library_most"
        ),
        option("--source", type=Text(), metavar="cli.word.words", help="cli.option.library_source"),
    )
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


def query_of(position: Position | None = None, **filters: Any) -> Query:
    """Builds a query from the command-line options."""
    played: Variant | None = filters.pop("variant")
    return Query(variant=None if played is None else played.id, position=position, **filters)
