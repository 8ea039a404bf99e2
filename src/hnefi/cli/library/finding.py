"""`hnefi library search` and `show`: games of a library, found by filters and position, and one of them."""

from typing import Any

import click

from hnefi.cli.commands import argument, command, counted
from hnefi.cli.files import output_file
from hnefi.cli.library.exporting import write_found
from hnefi.cli.library.options import library_option, opened, order_options, query_of, selection_options
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json, print_table
from hnefi.cli.stepping import Steps, step_options
from hnefi.cli.texts import translate, translate_plural
from hnefi.cli.values import WholeNumber
from hnefi.library import LibraryGame, count_games, find_game, find_games
from hnefi.record import format_records

_SEARCH = (
    ("library search --variant copenhagen-11 --player 42", "player"),
    ("library search --variant copenhagen-11 --after 'd1-d3 e5-e2' --result attackers", "after"),
    ("library search --reason exit_fort --output forts.tafl", "output"),
)
_SHOW = (
    ("library show 12", "plain"),
    ("library show 12 --board", "board"),
    ("library show 12 --ply 6 --json", "ply"),
)


@command("search", _SEARCH, group="library")
@selection_options
@order_options
@counted("--limit", most=1_000_000, default=20, help="library_limit")
@output_file("out", replaces="games", help="library_output")
@library_option
@json_option
def search(
    order: str,
    is_reversed: bool,
    limit: int,
    out: str | None,
    place: str | None,
    as_json: bool,
    **filters: Any,
) -> int:
    """Finds games."""
    query = query_of(place, **filters)
    with opened(place) as library:
        total = count_games(library, query)
        found = list(find_games(library, query, limit, order=order, is_reversed=is_reversed))
    if out is not None:
        write_found(out, found, is_told=not as_json)
    if as_json:
        print_json({"found": total, "games": [_game_facts(one) for one in found]})
    else:
        if found:
            _table(found)
        click.echo(translate_plural("cli.library.search.found", total, shown=len(found)))
    return 0 if total else 1


@command("show", _SHOW, group="library")
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
        shown = steps.facts(whole, record)
        print_json(
            {
                **_game_facts(found),
                "headers": dict(record.headers),
                "moves": [str(one) for one in whole.plies],
                **shown[-1],
                **({"boards": shown} if steps.board else {}),
            }
        )
        return
    click.echo(f"{format_records([record])}\n")
    steps.show(whole, record)


def _game_facts(one: LibraryGame) -> dict[str, object]:
    """Returns the columns of a library game, for JSON."""
    columns = (
        "id",
        "variant",
        "switches",
        "attackers",
        "defenders",
        "date",
        "result",
        "plies",
        "source",
        "line",
    )
    facts = {name: getattr(one, name) for name in columns}
    return {**facts, "reason": one.reason or None, "fault": one.fault or None}


def _table(found: list[LibraryGame]) -> None:
    columns = ("id", "variant", "attackers", "defenders", "date", "result", "reason", "plies")
    rows = [
        [
            str(one.id),
            f"{one.variant} {one.switches}".rstrip(),
            one.attackers or "–",
            one.defenders or "–",
            one.date or "–",
            translate(f"cli.library.result.{'unknown' if one.result == '*' else one.result}"),
            translate(f"reason.{one.reason}") if one.reason else "–",
            str(one.plies),
        ]
        for one in found
    ]
    print_table(columns, rows, key="cli.library.head.", numbers=(0, 7), folds=6)
