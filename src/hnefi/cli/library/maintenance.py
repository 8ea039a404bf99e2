"""`hnefi library remove` and `hnefi library check`."""

from typing import Any

import click

from hnefi.cli.commands import command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.library.options import library_option, opened, query_of, selection_options
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json
from hnefi.cli.texts import translate_plural
from hnefi.library import Query, count_games, remove_games

_REMOVE = (
    ("library remove --id 12 --id 13", "ids"),
    ("library remove --source old.csv --yes", "source"),
)
_CHECK = (
    ("library check", "plain"),
    ("library check --library club.db --json", "json"),
)


@command("remove", _REMOVE, group="library")
@selection_options
@option("--yes", is_flag=True, help="library_yes")
@library_option
@json_option
def remove(yes: bool, place: str | None, as_json: bool, **filters: Any) -> int:
    """Removes games."""
    query = query_of(place, **filters)
    if query == Query():
        raise bad_usage("selection")
    with opened(place) as library:
        total = count_games(library, query)
        if total and not yes:
            if as_json:
                raise bad_usage("needs", name="--json", needed="--yes")
            yes = _is_confirmed(translate_plural("cli.library.remove.sure", total))
        gone = remove_games(library, query) if yes else 0
    if as_json:
        print_json({"removed": gone})
    else:
        click.echo(translate_plural("cli.library.remove.removed", gone), err=not gone)
    return 0 if gone else 1


def _is_confirmed(question: str) -> bool:
    """Asks a question on standard error."""
    try:
        return click.confirm(question, err=True)
    except click.Abort as stop:
        if not isinstance(stop.__context__, EOFError):
            raise
    click.echo(err=True)
    raise bad_usage("unanswered", name="--yes")


@command("check", _CHECK, group="library")
@library_option
@json_option
def check(place: str | None, as_json: bool) -> int:
    """Checks the file of a library."""
    with opened(place) as library:
        faults, games = library.check(), library.count()
    if as_json:
        print_json({"library": str(library.path), "games": games, "faults": faults})
    elif faults:
        for fault in faults:
            click.echo(fault)
    else:
        click.echo(translate_plural("cli.library.check.sound", games, path=library.path))
    return 1 if faults else 0
