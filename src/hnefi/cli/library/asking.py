"""What all commands about a library ask for: which library, and which games."""

from collections.abc import Callable
from typing import Any

from hnefi._core import Game, Position, Setup
from hnefi.cli.commands import Choice, FilePath, Text, WholeNumber, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.naming import VariantName
from hnefi.library import Library, Query, library_path
from hnefi.pieces import Reason
from hnefi.record.headers import RESULTS
from hnefi.variants.model import Variant

__all__ = ["game_options", "library_option", "opened", "position_options", "query_of", "reached"]

_LONGEST = 1_000_000

library_option = option(
    "--library", "place", type=FilePath(), metavar="cli.word.file", help="cli.option.library"
)


def opened(place: str | None, *, create: bool = False) -> Library:
    """Opens the library that is meant.

    Raises:
        LibraryError: If it cannot be.
    """
    return Library(place or library_path(), create=create)


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that say what games are to be like."""
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
        option("--since", type=Text(), metavar="cli.word.date", help="cli.option.library_since"),
        option("--until", type=Text(), metavar="cli.word.date", help="cli.option.library_until"),
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
    """Adds the options that say which position games are to have reached."""
    after = option("--after", type=Text(), metavar="cli.word.moves", help="cli.option.library_after")
    position = option(
        "--position", type=Text(), metavar="cli.word.position", help="cli.option.library_position"
    )
    return position(after(function))


def reached(played: Variant | None, position: str | None, after: str | None) -> Game | None:
    """Returns the game up to the position that is asked for, None if none is.

    Raises:
        CommandError: If no variant says by which rules.
        SetupError: If the position cannot be read.
        IllegalMove: If a move cannot be played.
    """
    if position is None and after is None:
        return None
    if played is None:
        raise bad_usage("missing", name="--variant")
    game = Game(played.rules, None if position in (None, "start") else Setup(str(position)))
    for text in (after or "").replace(",", " ").split():
        game = game.play(text)
    return game


def query_of(position: Position | None = None, **asked: Any) -> Query:
    """Returns the query of some options."""
    played: Variant | None = asked.pop("variant")
    return Query(variant=None if played is None else played.id, position=position, **asked)
