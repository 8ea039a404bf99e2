"""`hnefi restore`: a copy of the games of the web application, put back."""

from pathlib import Path

import click

from hnefi.cli.backup import url_of
from hnefi.cli.frame import argument, command, option
from hnefi.cli.serve import data_option, database_option, missing_package
from hnefi.cli.speech import say

__all__ = ["restore"]

_EXAMPLES = (
    ("restore games.backup", "cli.restore.example.plain"),
    ("restore games.backup --replace", "cli.restore.example.replace"),
)


@command("restore", _EXAMPLES)
@argument("file", key="backup")
@option("--replace", "replaces", is_flag=True, help="cli.option.replace")
@data_option
@database_option
def restore(file: str, replaces: bool, data: str | None, database: str | None) -> None:
    """Puts a copy of the games back."""
    try:
        from hnefi.server.store.backup import restore as put_back
    except ModuleNotFoundError as error:
        raise missing_package(error) from None
    contents = put_back(Path(file), url_of(data, database), replaces=replaces)
    click.echo(say("cli.restore.done", games=contents.games, events=contents.events))
