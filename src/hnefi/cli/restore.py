"""The command `hnefi restore`: restores the games of a server from a backup, or rehearses that."""

from datetime import timedelta
from pathlib import Path

import click

from hnefi.cli.backup import print_damage, progress, time_text, url_of, verification_facts
from hnefi.cli.commands import argument, command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.output import print_json
from hnefi.cli.serve import data_option, database_option, missing_package
from hnefi.cli.texts import translate

__all__ = ["restore"]

_EXAMPLES = (
    ("restore games.backup", "cli.restore.example.plain"),
    ("restore games.backup --replace", "cli.restore.example.replace"),
    ("restore /var/backups/hnefi --rehearse", "cli.restore.example.rehearse"),
)


@command("restore", _EXAMPLES)
@argument("file", key="backup")
@option("--replace", "replaces", is_flag=True, help="cli.option.replace")
@option("--allow-damage", "allows_damage", is_flag=True, help="cli.option.allow_damage")
@option("--rehearse", "rehearses", is_flag=True, help="cli.option.rehearse")
@data_option
@database_option
@option("--json", "as_json", is_flag=True, help="cli.option.json")
def restore(
    file: str,
    replaces: bool,
    allows_damage: bool,
    rehearses: bool,
    data: str | None,
    database: str | None,
    as_json: bool,
) -> int:
    """Restores the games from a backup, or rehearses that."""
    try:
        from hnefi.server.backup import find_backup
        from hnefi.server.backup import restore as put_back
    except ModuleNotFoundError as error:
        raise missing_package(error) from None
    path = find_backup(Path(file))
    if rehearses:
        if replaces or data is not None or database is not None:
            other = "--replace" if replaces else "--data" if data is not None else "--database"
            raise bad_usage("together", first="--rehearse", second=other)
        return _rehearse(path, as_json)
    with progress() as show:
        found, aside = put_back(
            path, url_of(data, database), replaces=replaces, allows_damage=allows_damage, on_progress=show
        )
    if as_json:
        print_json({"file": str(path), **verification_facts(found), "aside": aside and str(aside)})
        return 0
    print_damage(found)
    click.echo(translate("cli.restore.done", games=found.games, events=found.events))
    if aside is not None:
        click.echo(translate("cli.restore.aside", path=aside))
    return 0


def _rehearse(path: Path, as_json: bool) -> int:
    """Rehearses the restore of a backup; returns the exit code."""
    from hnefi.server.rehearsal import rehearse

    with progress() as show:
        found = rehearse(path, show)
    contents, age_s = found.contents, found.newest_age_s
    if as_json:
        facts: dict[str, object] = {"file": str(path), **verification_facts(contents)}
        facts["newest_age_s"] = None if age_s is None else round(age_s)
        facts["ready_after_s"] = round(found.ready_after_s, 3)
        facts["games_read"] = found.games_read
        facts["differences"] = [
            {"code": one.code, "game": one.game, "expected": one.expected, "found": one.found}
            for one in found.differences
        ]
        facts["ok"] = found.has_succeeded
        print_json(facts)
        return int(not found.has_succeeded)
    print_damage(contents)
    for one in found.differences:
        what = translate(f"difference.{one.code}", game=one.game or "-")
        click.echo(f"{one.code}: {what} ({one.expected} → {one.found})")
    counts = {"path": path, "games": contents.games, "events": contents.events}
    click.echo(translate("cli.restore.rehearsed", **counts, read=found.games_read))
    if contents.newest_us is not None and age_s is not None:
        age = str(timedelta(seconds=round(age_s)))
        click.echo(translate("cli.restore.age", time=time_text(contents.newest_us), age=age))
    click.echo(translate("cli.restore.reliable" if found.has_succeeded else "cli.restore.unreliable"))
    return int(not found.has_succeeded)
