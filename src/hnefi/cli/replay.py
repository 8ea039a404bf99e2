"""`hnefi replay`: check recorded games against their rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import click

from hnefi.checking import FindingKind
from hnefi.cli.checking import Collections, is_record_file, read_types
from hnefi.cli.commands import Choice, FilePath, argument, command, option
from hnefi.cli.files import read_file
from hnefi.cli.naming import json_option, read_variant
from hnefi.cli.output import print_json
from hnefi.cli.texts import error_text, translate, translate_plural
from hnefi.errors import HnefiError, RecordError
from hnefi.record import Record, read_records
from hnefi.record.escapes import encodable
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

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
class _LocatedFault:
    """A fault with its file, game and ply."""

    file: str
    game: int
    ply: int
    error: HnefiError

    @property
    def place(self) -> tuple[int, int]:
        """Line and column, 0 for a fault of the game and not of its text."""
        return (self.error.line, self.error.column) if isinstance(self.error, RecordError) else (0, 0)

    def facts(self) -> dict[str, object]:
        """Returns the fault for JSON; with line and column if it is a fault of the text."""
        line, column = self.place
        place = {"line": line, "column": column} if line else {}
        return {
            "file": self.file,
            "game": self.game,
            "ply": self.ply,
            "code": self.error.code,
            "message": error_text(self.error),
            **place,
        }

    def line(self) -> str:
        """Formats the fault on one line."""
        key = "cli.replay.fault_at_ply" if self.ply else "cli.replay.fault"
        return translate(key, file=self.file, game=self.game, ply=self.ply, message=error_text(self.error))


@command("replay", _EXAMPLES)
@argument("files", key="files", type=FilePath(), nargs=-1, required=True)
@option(
    "--variant",
    "custom_variants",
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
    custom_variants: tuple[str, ...],
    types: str | None,
    ignored: tuple[str, ...],
    faults_file: str | None,
    as_json: bool,
) -> int:
    """Checks recorded games."""
    custom = {one.id: one for one in map(read_variant, custom_variants)}
    kinds = frozenset(map(FindingKind, ignored))
    records, found = _Records(custom), list[_LocatedFault]()
    with Collections(custom, read_types(types), kinds, faults_file) as collections:
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
        _print(found, games, ok, collections)
    return _FAULTS_FOUND if ok < games else 0


def _print(found: Sequence[_LocatedFault], games: int, ok: int, collections: Collections) -> None:
    for fault in found:
        click.echo(fault.line())
    collections.print_tallies()
    click.echo(translate_plural("cli.replay.games", games, ok=ok))


class _Records:
    """Checks native records and counts them."""

    def __init__(self, custom: Mapping[str, Variant]) -> None:
        self.games = 0
        self.ok = 0
        self._custom = custom

    def check(self, file: str) -> list[_LocatedFault]:
        """Returns the faults of the games of a file in order, and counts the games."""
        reading = read_records(read_file(file, LARGEST_RECORDS_MB))
        found = [
            _LocatedFault(encodable(file), int(error.parameters.get("game", "0")), 0, error)
            for error in reading.faults
        ]
        for number, record in zip(reading.numbers, reading.records, strict=True):
            found += [
                _LocatedFault(encodable(file), number, ply, error) for ply, error in self._faults_of(record)
            ]
        games = len({*reading.numbers, *(fault.game for fault in found)})
        self.games += games
        self.ok += games - len({fault.game for fault in found})
        return sorted(found, key=lambda fault: (fault.game, fault.place, fault.ply))

    def _faults_of(self, record: Record) -> Iterator[tuple[int, HnefiError]]:
        custom = self._custom
        for fault in record.replay(lambda name: custom[name] if name in custom else variant(name)).faults:
            yield fault.ply, fault.error
