"""`hnefi replay`: plays games that were written down and tells where they contradict their rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import click

from hnefi.cli.files import read_file
from hnefi.cli.frame import FilePath, argument, command, option
from hnefi.cli.naming import json_option, read_variant
from hnefi.cli.output import print_json
from hnefi.cli.speech import say, say_count, say_error
from hnefi.errors import HnefiError, RecordError
from hnefi.record import Record, read_records
from hnefi.variant import Variant, variant

__all__ = ["LARGEST_RECORDS_MB", "replay"]

LARGEST_RECORDS_MB = 256

_EXAMPLES = (
    ("replay games.tafl", "cli.replay.example.plain"),
    ("replay one.tafl two.tafl --json", "cli.replay.example.json"),
    ("replay club.tafl --variant our-tablut.toml", "cli.replay.example.variant"),
)
_FAULTS_FOUND = 1


@dataclass(frozen=True, slots=True)
class _Found:
    """One fault: where, and what."""

    file: str
    game: int
    ply: int
    error: HnefiError

    @property
    def place(self) -> tuple[int, int]:
        """Line and column, 0 for a fault of the game and not of its text."""
        return (self.error.line, self.error.column) if isinstance(self.error, RecordError) else (0, 0)

    def facts(self) -> dict[str, object]:
        """The fault for programs; line and column where it is one of reading."""
        line, column = self.place
        place = {"line": line, "column": column} if line else {}
        return {
            "file": self.file,
            "game": self.game,
            "ply": self.ply,
            "code": self.error.code,
            "message": say_error(self.error),
            **place,
        }

    def told(self) -> str:
        """The fault in one line."""
        key = "cli.replay.fault_at_ply" if self.ply else "cli.replay.fault"
        return say(key, file=self.file, game=self.game, ply=self.ply, message=say_error(self.error))


@command("replay", _EXAMPLES)
@argument("files", key="files", type=FilePath(), nargs=-1, required=True)
@option(
    "--variant",
    "own_variants",
    type=FilePath(),
    multiple=True,
    metavar="cli.word.file",
    help="cli.option.variant",
)
@json_option
def replay(files: tuple[str, ...], own_variants: tuple[str, ...], as_json: bool) -> int:
    """Checks games that were written down."""
    own = {one.id: one for one in map(read_variant, own_variants)}
    games, faulty, found = 0, 0, list[_Found]()
    for file in files:
        count, faults = _check(file, own)
        games += count
        faulty += len({fault.game for fault in faults})
        found += faults
    if as_json:
        print_json({"games": games, "ok": games - faulty, "faults": [fault.facts() for fault in found]})
    else:
        for fault in found:
            click.echo(fault.told())
        click.echo(say_count("cli.replay.games", games, ok=games - faulty))
    return _FAULTS_FOUND if found else 0


def _check(file: str, own: Mapping[str, Variant]) -> tuple[int, list[_Found]]:
    """Gives how many games a file has, and their faults in the order of the games."""
    reading = read_records(read_file(file, LARGEST_RECORDS_MB))
    found = [
        _Found(_shown(file), int(error.parameters.get("game", "0")), 0, error) for error in reading.faults
    ]
    for number, record in zip(reading.numbers, reading.records, strict=True):
        found += [_Found(_shown(file), number, ply, error) for ply, error in _faults_of(record, own)]
    games = len({*reading.numbers, *(fault.game for fault in found)})
    return games, sorted(found, key=lambda fault: (fault.game, fault.place, fault.ply))


def _faults_of(record: Record, own: Mapping[str, Variant]) -> Iterator[tuple[int, HnefiError]]:
    for fault in record.replay(lambda name: own[name] if name in own else variant(name)).faults:
        yield fault.ply, fault.error


def _shown(file: str) -> str:
    """Gives the name of a file as it can be written."""
    return file.encode("utf-8", "replace").decode("utf-8")
