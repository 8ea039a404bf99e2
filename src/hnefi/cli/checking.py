"""Collections of games as other programs write them, checked one game after the other and told by type."""

import contextlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

import click

from hnefi.checking import BROKEN, FAULTS, CheckedGame, Checker, Finding, FindingKind, Place, Tally
from hnefi.cli.faults import file_error
from hnefi.cli.files import read_file
from hnefi.cli.output import print_table
from hnefi.cli.progress import progress_bar
from hnefi.cli.texts import say
from hnefi.formats import FormatError, ReadOptions, find_format, read_games, recognise
from hnefi.formats.game_types import GameType, game_types, parse_game_types
from hnefi.formats.registry import opened
from hnefi.variants.model import Variant

__all__ = ["Collections", "in_order", "is_record_file", "print_tallies", "read_types", "tally_facts"]

_LARGEST_TABLE_MB = 4
_HEAD = 65_536
_EVERY = 200
# The forms in which whole collections are written; what is written otherwise is checked as a record.
_COLLECTIONS = ("jsonl", "csv", "moves")


def is_record_file(file: str) -> bool:
    """Checks whether a file holds our own records, or nothing that is known as another form.

    Raises:
        CommandError: `cannot_read`.
    """
    if file == "-":
        return True
    with _print_result(file), Path(file).open("rb") as raw, opened(raw) as stream:
        try:
            return recognise(stream.read(_HEAD), file).name not in _COLLECTIONS
        except FormatError:
            return True


def read_types(file: str | None) -> Mapping[int, GameType]:
    """Returns what is played in which game type: what Hnefi knows, and what a file of one's own says.

    Raises:
        VariantError: If the file has faults.
        CommandError: If it cannot be read.
    """
    if file is None:
        return game_types()
    text = read_file(file, _LARGEST_TABLE_MB).decode("utf-8-sig", "replace")
    return {**game_types(), **{one.number: one for one in parse_game_types(text)}}


class Collections:
    """All collections of a run: what was found is counted, and written to a file if one is wanted."""

    def __init__(
        self,
        own: Mapping[str, Variant],
        types: Mapping[int, GameType],
        ignored: frozenset[FindingKind],
        faults_file: str | None,
    ) -> None:
        default = next(iter(own.values())) if len(own) == 1 else None
        self._checker = Checker(types, default, own, ignored)
        self._options = ReadOptions(variant=default)
        self._faults_file = faults_file
        self._faults: TextIO | None = None

    def __enter__(self) -> Self:
        if self._faults_file is not None:
            with _print_result(self._faults_file, "cannot_write"):
                self._faults = Path(self._faults_file).open("w", encoding="utf-8", newline="\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._faults is not None:
            self._faults.close()

    @property
    def rows(self) -> list[Tally]:
        """The counts, by type or variant, most games first."""
        return in_order(self._checker.rows.values())

    @property
    def games(self) -> int:
        """How many games were looked at."""
        return sum(row.games for row in self._checker.rows.values())

    @property
    def replayed(self) -> int:
        """How many of them have no fault."""
        return sum(row.replayed for row in self._checker.rows.values())

    def check(self, file: str) -> None:
        """Checks all games of a file.

        Raises:
            CommandError: If it cannot be read.
        """
        with _print_result(file), Path(file).open("rb") as raw:
            size = os.fstat(raw.fileno()).st_size
            with progress_bar(say("cli.replay.checking", file=Path(file).name), size) as show:
                form = _form_of(file)
                for count, found in enumerate(read_games(raw, self._options, find_format(form)), 1):
                    self._note(self._checker.see(file, found))
                    if count % _EVERY == 0:
                        show(raw.tell())

    def _note(self, seen: CheckedGame) -> None:
        if self._faults is None or not seen.result.findings:
            return
        with _print_result(self._faults_file or "-", "cannot_write"):
            for found in seen.result.findings:
                facts = {**_type_facts(seen.row), **_finding_facts(seen.place, found)}
                self._faults.write(f"{json.dumps(facts, ensure_ascii=False)}\n")

    def facts(self) -> dict[str, object]:
        """Returns everything for programs; nothing if there was no collection."""
        rows = self.rows
        return {"types": [tally_facts(row) for row in rows]} if rows else {}

    def tell(self) -> None:
        """Writes the table of the types, and an example of each kind of finding."""
        print_tallies(self.rows)


@contextlib.contextmanager
def _print_result(file: str, code: str = "cannot_read") -> Iterator[None]:
    """Has trouble with a file told with its name."""
    try:
        yield
    except (OSError, ValueError, EOFError, zlib.error) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise file_error(code, file, why) from None


def _form_of(file: str) -> str:
    with Path(file).open("rb") as raw, opened(raw) as stream:
        return recognise(stream.read(_HEAD), file).name


def in_order(rows: Iterable[Tally]) -> list[Tally]:
    """Returns the counts that have games, most games first."""
    return sorted((row for row in rows if row.games), key=lambda row: (-row.games, row.number, row.name))


def print_tallies(rows: list[Tally]) -> None:
    """Writes a table of the types, and an example of each kind of finding; nothing without games."""
    if not rows:
        return
    columns = ("type", "name", "variant", "games", "replayed", "share", "remarked", "broken", "ends")
    heads = [say(f"cli.replay.head.{column}") for column in columns]
    total = _total(rows)
    lines = [_cells(row) for row in rows] + ([_cells(total)] if len(rows) > 1 else [])
    print_table(heads, lines, numbers=(0, 3, 4, 5, 6, 7, 8), folds=1)
    for kind in FindingKind:
        if total.kinds[kind]:
            click.echo(_example(kind, total))


def _total(rows: list[Tally]) -> Tally:
    whole = Tally(say("cli.replay.all"))
    for row in rows:
        whole.merge(row)
    return whole


def _cells(row: Tally) -> list[str]:
    remarked = row.replayed - row.clean
    return [
        str(row.number or ""),
        row.name,
        row.variant,
        str(row.games),
        str(row.replayed),
        "–" if row.share is None else say("cli.replay.share", share=f"{100 * row.share:.2f}"),
        str(remarked),
        str(row.broken),
        f"{row.agreed}/{row.ended}",
    ]


def _example(kind: FindingKind, whole: Tally) -> str:
    place, found = whole.examples[kind]
    key = "cli.replay.kind_at_ply" if found.ply else "cli.replay.kind"
    return say(
        key,
        count=whole.kinds[kind],
        kind=say(f"finding.{kind.value}"),
        file=place.file.encode("utf-8", "replace").decode("utf-8"),
        line=place.line,
        ply=found.ply,
        move=found.move,
    )


def _type_facts(row: Tally) -> dict[str, object]:
    return {"type": row.number or None, "name": row.name, "variant": row.variant or None}


def _finding_facts(place: Place, found: Finding) -> dict[str, object]:
    return {
        "kind": found.kind.value,
        "is_fault": found.kind in FAULTS,
        "is_broken": found.kind in BROKEN,
        "file": place.file.encode("utf-8", "replace").decode("utf-8"),
        "line": place.line,
        "game": place.game,
        "id": place.id,
        "ply": found.ply,
        "move": found.move,
        "facts": dict(found.facts),
    }


def tally_facts(row: Tally) -> dict[str, object]:
    """Returns the counts of a type or variant, for programs."""
    kinds = {
        kind.value: {"count": row.kinds[kind], "example": _finding_facts(*row.examples[kind])}
        for kind in FindingKind
        if row.kinds[kind]
    }
    return {
        **_type_facts(row),
        "games": row.games,
        "plies": row.plies,
        "replayed": row.replayed,
        "clean": row.clean,
        "broken": row.broken,
        "without_rules": row.without_rules,
        "share": None if row.share is None else round(row.share, 6),
        "ended_on_board": row.ended,
        "result_agrees": row.agreed,
        "kinds": kinds,
    }
