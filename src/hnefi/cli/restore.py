"""The command `hnefi restore`: restores the games of a server from a backup."""

from pathlib import Path

import click

from hnefi.cli.backup import print_damage, progress, url_of, verification_facts
from hnefi.cli.commands import argument, command, option
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json
from hnefi.cli.serve import data_option, database_option, packages_of_server
from hnefi.cli.texts import translate

_EXAMPLES = (
    ("restore games.backup", "plain"),
    ("restore games.backup --replace", "replace"),
)


@command("restore", _EXAMPLES)
@argument("file", key="backup")
@option("--replace", "replaces", is_flag=True, help="replace")
@option("--allow-damage", "allows_damage", is_flag=True, help="allow_damage")
@data_option
@database_option
@json_option
def restore(
    file: str,
    replaces: bool,
    allows_damage: bool,
    data: str | None,
    database: str | None,
    as_json: bool,
) -> int:
    """Restores the games from a backup."""
    with packages_of_server():
        from hnefi.server.backup import find_backup
        from hnefi.server.backup import restore as put_back
        from hnefi.server.store.database import sqlite_file
        from hnefi.server.store.lock import shown
    path, url = find_backup(Path(file)), url_of(data, database)
    with progress() as show:
        found, aside = put_back(path, url, replaces=replaces, allows_damage=allows_damage, on_progress=show)
    if as_json:
        print_json({"file": str(path), **verification_facts(found), "aside": aside and str(aside)})
        return 0
    print_damage(found)
    done = "cli.restore.damaged" if found.damage else "cli.restore.done"
    click.echo(translate(done, path=sqlite_file(url) or shown(url), games=found.games, events=found.events))
    if aside is not None:
        click.echo(translate("cli.restore.aside", path=aside))
    return 0
