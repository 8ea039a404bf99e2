"""The command `hnefi backup`: copies the games of a running server."""

from pathlib import Path

import click

from hnefi.cli.commands import argument, command
from hnefi.cli.faults import file_error
from hnefi.cli.serve import data_option, database_option, missing_package
from hnefi.cli.texts import translate
from hnefi.places import data_folder

__all__ = ["backup", "url_of"]


_EXAMPLES = (
    ("backup games.backup", "cli.backup.example.plain"),
    ("backup games.backup --data /srv/hnefi", "cli.backup.example.folder"),
)


@command("backup", _EXAMPLES)
@argument("file", key="backup")
@data_option
@database_option
def backup(file: str, data: str | None, database: str | None) -> None:
    """Copies the games of a running server."""
    try:
        from hnefi.server.backup import back_up
    except ModuleNotFoundError as error:
        raise missing_package(error) from None
    try:
        contents = back_up(url_of(data, database), Path(file))
    except OSError as error:
        raise file_error("cannot_write", file, error.strerror or type(error).__name__) from None
    click.echo(translate("cli.backup.done", games=contents.games, events=contents.events, path=file))


def url_of(data: str | None, database: str | None) -> str:
    """Returns the URL of the database that the options name."""
    from hnefi.server.settings import Settings

    return Settings(folder=Path(data) if data else data_folder(), database=database).url
