"""The command `hnefi restore`: restores the games of a server from a backup."""

from pathlib import Path

import click

from hnefi.cli.backup import url_of
from hnefi.cli.commands import argument, command, option
from hnefi.cli.serve import data_option, database_option, missing_package
from hnefi.cli.texts import translate

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
    """Restores the games from a backup."""
    try:
        from hnefi.server.backup import restore as put_back
    except ModuleNotFoundError as error:
        raise missing_package(error) from None
    contents = put_back(Path(file), url_of(data, database), replaces=replaces)
    click.echo(translate("cli.restore.done", games=contents.games, events=contents.events))
