"""`hnefi library show`: one game of a library, with its board."""

import click

from hnefi.cli.commands import argument, command
from hnefi.cli.library.finding import game_facts
from hnefi.cli.library.options import library_option, opened
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json
from hnefi.cli.stepping import Steps, step_options
from hnefi.cli.values import WholeNumber
from hnefi.library import find_game
from hnefi.record import format_records

_EXAMPLES = (
    ("library show 12", "cli.library.show.example.plain"),
    ("library show 12 --board", "cli.library.show.example.board"),
    ("library show 12 --ply 6 --json", "cli.library.show.example.ply"),
)


@command("show", _EXAMPLES, group="library")
@argument("number", key="library_game", type=WholeNumber(1, 1 << 60))
@step_options
@library_option
@json_option
def show(number: int, steps: Steps, place: str | None, as_json: bool) -> None:
    """Shows a game."""
    with opened(place) as library:
        found = find_game(library, number)
    record, whole = found.record(), found.game()
    # A ply that the game lacks is refused before anything is printed.
    steps.of(whole)
    if as_json:
        shown = steps.facts(whole)
        print_json(
            {
                **game_facts(found),
                "headers": dict(record.headers),
                "moves": [str(one) for one in whole.plies],
                **shown[-1],
                **({"boards": shown} if steps.board else {}),
            }
        )
        return
    click.echo(f"{format_records([record])}\n")
    steps.show(whole)
