"""The command `hnefi backup`: copies the games of a running server, and verifies copies."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hnefi.cli.commands import argument, command, counted, option
from hnefi.cli.faults import bad_usage, file_error
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json
from hnefi.cli.progress import progress_bar
from hnefi.cli.serve import check_database, data_option, database_option, packages_of_server
from hnefi.cli.texts import translate, translate_plural
from hnefi.places import data_folder

if TYPE_CHECKING:
    from hnefi.server.verification import Verification

_EXAMPLES = (
    ("backup games.backup", "plain"),
    ("backup games.backup --data /srv/hnefi", "folder"),
    ("backup /var/backups/hnefi --keep 14", "keep"),
    ("backup games.backup --verify", "verify"),
    ("backup /var/backups/hnefi --verify --upgrade", "upgrade"),
    ("backup --verify --database postgresql://hnefi@/restored", "postgres"),
)


@command("backup", _EXAMPLES)
@argument("file", key="backup", required=False)
@option("--verify", "verifies", is_flag=True, help="verify")
@option("--upgrade", "upgrades", is_flag=True, help="upgrade")
@counted("--keep")
@option("--allow-damage", "allows_damage", is_flag=True, help="keep_damaged")
@data_option
@database_option
@json_option
def backup(
    file: str | None,
    verifies: bool,
    upgrades: bool,
    keep: int | None,
    allows_damage: bool,
    data: str | None,
    database: str | None,
    as_json: bool,
) -> int:
    """Copies the games of a running server, or verifies a copy."""
    with packages_of_server():
        from hnefi.server.backup import (
            back_up,
            backup_path,
            find_backup,
            keep_newest,
            verify_upgrade,
            write_metrics,
        )
        from hnefi.server.store.lock import shown
        from hnefi.server.verification import verify
    url = url_of(data, database)
    if upgrades and (not verifies or file is None):
        raise bad_usage("missing", name=translate("cli.word.backup") if verifies else "--verify")
    if verifies:
        if keep is not None:
            raise bad_usage("together", first="--verify", second="--keep")
        path = None if file is None else find_backup(Path(file))
        with progress() as show:
            found = verify_upgrade(path, show) if upgrades and path is not None else verify(path or url, show)
        return _print_result(str(path or shown(url)), found, (), as_json, allows_damage)
    if file is None:
        raise bad_usage("missing", name=translate("cli.word.backup"))
    target = backup_path(Path(file))
    if keep is not None and target == Path(file):
        raise bad_usage("keep_needs_folder", found=file)
    deleted = list[Path]()
    try:
        with progress() as show:
            found = back_up(url, target, show)
        if target != Path(file) and (allows_damage or not found.damage):
            write_metrics(target, found)
            deleted = keep_newest(target.parent, keep) if keep is not None else []
    except OSError as error:
        raise file_error("cannot_write", file, error.strerror or type(error).__name__) from None
    return _print_result(str(target), found, deleted, as_json, allows_damage)


def _print_result(
    name: str, found: "Verification", deleted: Sequence[Path], as_json: bool, allows_damage: bool
) -> int:
    """Prints what was found; returns the exit code."""
    code = int(bool(found.damage) and not allows_damage)
    if as_json:
        facts = {"file": name, **verification_facts(found), "deleted": [str(path) for path in deleted]}
        print_json(facts)
        return code
    counts = {"path": name, "games": found.games, "events": found.events}
    if found.damage:
        print_damage(found)
        click.echo(translate("cli.backup.damaged", **counts, count=len(found.damage)))
    else:
        click.echo(translate("cli.backup.done", **counts))
    if found.newest_us is not None:
        click.echo(translate("cli.backup.newest", time=time_text(found.newest_us)))
    if found.marked:
        click.echo(translate_plural("cli.backup.marked", len(found.marked)))
    for path in deleted:
        click.echo(translate("cli.backup.deleted", path=path))
    return code


@contextmanager
def progress() -> Iterator[Callable[[int, int], None]]:
    """Shows the progress of a verification."""
    with progress_bar(translate("cli.backup.verifying"), 0) as show:
        yield lambda done, total: show(done, total=total)


def verification_facts(found: "Verification") -> dict[str, object]:
    """Returns what was found, for JSON."""
    return {
        "revision": found.revision,
        "games": found.games,
        "events": found.events,
        "newest": None if found.newest_us is None else time_text(found.newest_us),
        "damage": [
            {"code": one.code, "game": one.game, "seq": one.seq, "why": one.why} for one in found.damage
        ],
        "marked": [{"game": game, "since": time_text(marked_us)} for game, marked_us in found.marked],
    }


def print_damage(found: "Verification") -> None:
    """Prints a line for everything that is damaged."""
    for one in found.damage:
        what = translate(f"damage.{one.code}", game=one.game or "-", seq=one.seq or "-")
        click.echo(f"{one.code}: {what} ({one.why})")


def time_text(time_us: int) -> str:
    """Formats a time in microseconds since 1970 as ISO 8601, in UTC.

    >>> time_text(1_700_000_000_000_000)
    '2023-11-14T22:13:20Z'
    """
    return datetime.fromtimestamp(time_us // 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def url_of(data: str | None, database: str | None) -> str:
    """Returns the URL of the database that the options name."""
    from hnefi.server.settings import Settings

    if database is not None:
        check_database(database)
    return Settings(folder=Path(data) if data else data_folder(), database=database).url
