"""`hnefi library show`: one game of a library, with its board."""

import click

from hnefi._core import Game
from hnefi.cli.commands import WholeNumber, argument, command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.library.finding import game_facts
from hnefi.cli.library.options import library_option, opened
from hnefi.cli.naming import json_option
from hnefi.cli.output import colour_depth, needs_ascii, print_json, print_text
from hnefi.cli.texts import translate_plural
from hnefi.diagram import text as board_text
from hnefi.library import find_game
from hnefi.record import format_records

_EXAMPLES = (
    ("library show 12", "cli.library.show.example.plain"),
    ("library show 12 --ply 6 --json", "cli.library.show.example.ply"),
)


@command("show", _EXAMPLES, group="library")
@argument("number", key="library_game", type=WholeNumber(1, 1 << 60))
@option("--ply", type=WholeNumber(0, 999_999), metavar="cli.word.count", help="cli.option.library_ply")
@library_option
@json_option
def show(number: int, ply: int | None, place: str | None, as_json: bool) -> None:
    """Shows a game."""
    with opened(place) as library:
        found = find_game(library, number)
    record, whole = found.record(), found.game()
    game = _at_ply(whole, ply)
    if as_json:
        print_json(
            {
                **game_facts(found),
                "headers": dict(record.headers),
                "moves": [str(one) for one in whole.plies],
                "ply": game.ply_count,
                "position": str(game.position.setup),
                "board": board_text(game, ascii_only=True),
            }
        )
        return
    click.echo(f"{format_records([record])}\n")
    print_text(board_text(game, colour=colour_depth(), ascii_only=needs_ascii()))
    click.echo(translate_plural("cli.library.show.ply", whole.ply_count, ply=game.ply_count))


def _at_ply(game: Game, ply: int | None) -> Game:
    """Returns the game up to a ply, the whole game for None.

    Raises:
        CommandError: If it has fewer plies.
    """
    if ply is not None and ply > game.ply_count:
        raise bad_usage("number", name="--ply", found=ply, least=0, most=game.ply_count)
    while ply is not None and game.ply_count > ply and game.parent is not None:
        game = game.parent
    return game
