"""`hnefi replay`: plays games that were written down and tells where they contradict their rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import click

from hnefi.checking import FindingKind
from hnefi.cli.checking import Collections, is_record_file, read_types
from hnefi.cli.commands import Choice, FilePath, argument, command, option
from hnefi.cli.files import read_file
from hnefi.cli.naming import json_option, read_variant
from hnefi.cli.output import print_json
from hnefi.cli.texts import say, say_count, say_error
from hnefi.errors import HnefiError, RecordError
from hnefi.record import Record, read_records
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

__all__ = ["LARGEST_RECORDS_MB", "replay"]

LARGEST_RECORDS_MB = 256

_EXAMPLES = (
    ("replay games.tafl", "cli.replay.example.plain"),
    ("replay one.tafl two.tafl --json", "cli.replay.example.json"),
    ("replay club.tafl --variant our-tablut.toml", "cli.replay.example.variant"),
    ("replay games.jsonl.gz --faults faults.jsonl", "cli.replay.example.collection"),
    ("replay games.csv --variant brandub-globe", "cli.replay.example.table"),
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
    metavar="cli.word.variant",
    help="cli.option.variant",
)
@option("--types", type=FilePath(), metavar="cli.word.file", help="cli.option.types")
@option(
    "--ignore",
    "ignored",
    type=Choice([kind.value for kind in FindingKind]),
    multiple=True,
    metavar="cli.word.kind",
    help="cli.option.ignore",
)
@option("--faults", "faults_file", type=FilePath(), metavar="cli.word.file", help="cli.option.faults")
@json_option
def replay(
    files: tuple[str, ...],
    own_variants: tuple[str, ...],
    types: str | None,
    ignored: tuple[str, ...],
    faults_file: str | None,
    as_json: bool,
) -> int:
    """Checks games that were written down."""
    own = {one.id: one for one in map(read_variant, own_variants)}
    kinds = frozenset(map(FindingKind, ignored))
    records, found = _Records(own), list[_Found]()
    with Collections(own, read_types(types), kinds, faults_file) as collections:
        for file in files:
            if is_record_file(file):
                found += records.check(file)
            else:
                collections.check(file)
    games, ok = records.games + collections.games, records.ok + collections.replayed
    if as_json:
        answer = {"games": games, "ok": ok, "faults": [fault.facts() for fault in found]}
        print_json(answer | collections.facts())
    else:
        _tell(found, games, ok, collections)
    return _FAULTS_FOUND if ok < games else 0


def _tell(found: Sequence[_Found], games: int, ok: int, collections: Collections) -> None:
    for fault in found:
        click.echo(fault.told())
    collections.tell()
    click.echo(say_count("cli.replay.games", games, ok=ok))


class _Records:
    """Our own records, checked in everything they say."""

    def __init__(self, own: Mapping[str, Variant]) -> None:
        self.games = 0
        self.ok = 0
        self._own = own

    def check(self, file: str) -> list[_Found]:
        """Returns the faults of the games of a file in their order, and counts the games."""
        reading = read_records(read_file(file, LARGEST_RECORDS_MB))
        found = [
            _Found(_shown(file), int(error.parameters.get("game", "0")), 0, error) for error in reading.faults
        ]
        for number, record in zip(reading.numbers, reading.records, strict=True):
            found += [_Found(_shown(file), number, ply, error) for ply, error in self._faults_of(record)]
        games = len({*reading.numbers, *(fault.game for fault in found)})
        self.games += games
        self.ok += games - len({fault.game for fault in found})
        return sorted(found, key=lambda fault: (fault.game, fault.place, fault.ply))

    def _faults_of(self, record: Record) -> Iterator[tuple[int, HnefiError]]:
        own = self._own
        for fault in record.replay(lambda name: own[name] if name in own else variant(name)).faults:
            yield fault.ply, fault.error


def _shown(file: str) -> str:
    """Returns the name of a file as it can be written."""
    return file.encode("utf-8", "replace").decode("utf-8")
