"""Checks collections of recorded games for `hnefi replay` and prints the tallies by game type."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TextIO

import click

from hnefi.checking import Checker, GameLocation, Tally
from hnefi.cli.faults import path_text
from hnefi.cli.files import read_file
from hnefi.cli.game_input import GamesInFile
from hnefi.cli.output import print_table
from hnefi.cli.progress import progress_bar
from hnefi.cli.texts import decimal, error_text, translate
from hnefi.errors import HnefiError, VariantError
from hnefi.formats import BROKEN, FAULTS, Finding, FindingKind, ReadOptions
from hnefi.formats.game_types import GameType, game_types, parse_game_types
from hnefi.record.escapes import encodable
from hnefi.text_faults import encoding_fault
from hnefi.variants.model import Variant

_LARGEST_TABLE_MB = 4
_EVERY = 200


def read_types(file: str | None) -> Mapping[int, GameType]:
    """Returns the known game types, extended by those of a file.

    Raises:
        VariantError: If the file has faults.
        CommandError: If it cannot be read.
    """
    if file is None:
        return game_types()
    content = read_file(file, _LARGEST_TABLE_MB)
    try:
        found = parse_game_types(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        fault = encoding_fault(error, path_text(file))
        raise VariantError("bad_game_types", str(fault), faults=[fault]) from None
    except VariantError as error:
        raise error.of_file(path_text(file)) from None
    return {**game_types(), **{one.number: one for one in found}}


class Collections:
    """Checks all collections of a run, counts the findings, and optionally writes them to a file."""

    def __init__(
        self,
        custom: Mapping[str, Variant],
        types: Mapping[int, GameType],
        ignored: frozenset[FindingKind],
        faults: TextIO | None,
    ) -> None:
        default = next(iter(custom.values())) if len(custom) == 1 else None
        self._checker = Checker(types, default, custom, ignored)
        self.options = ReadOptions(variant=default)
        self._faults = faults

    @property
    def tallies(self) -> list[Tally]:
        """The tallies by type or variant, most games first."""
        return in_order(self._checker.tallies.values())

    def check(self, games: GamesInFile) -> None:
        """Checks all games of a file."""
        with progress_bar(translate("cli.replay.checking", file=Path(games.path).name), games.size) as show:
            for count, found in enumerate(games.games, 1):
                checked = self._checker.check_game(games.path, found)
                of_type = _type_facts(checked.tally)
                self.write(
                    {**of_type, **_finding_facts(checked.place, one)} for one in checked.result.findings
                )
                if count % _EVERY == 0:
                    show(games.done)

    def write(self, findings: Iterable[Mapping[str, object]]) -> None:
        """Writes findings to the file, as JSON lines, if there is one."""
        if self._faults is not None:
            for facts in findings:
                self._faults.write(f"{json.dumps(facts, ensure_ascii=False)}\n")


def in_order(tallies: Iterable[Tally]) -> list[Tally]:
    """Returns the tallies with at least one game, most games first."""
    return sorted(
        (tally for tally in tallies if tally.games),
        key=lambda tally: (-tally.games, tally.number, tally.name),
    )


def print_tallies(tallies: list[Tally]) -> None:
    """Prints a table of tallies, and an example of each kind of finding; nothing without games."""
    if not tallies:
        return
    counts = ("games", "replayed", "share", "remarked", "contradicting", "broken", "ends")
    columns = ("type", "name", "variant", *counts)
    total = Tally(translate("cli.replay.all"))
    for tally in tallies:
        total.merge(tally)
    lines = [_cells(tally) for tally in tallies] + ([_cells(total)] if len(tallies) > 1 else [])
    print_table(columns, lines, key="cli.replay.head.", numbers=(0, *range(3, len(columns))), folds=1)
    for kind in FindingKind:
        if total.kinds[kind]:
            click.echo(_example(kind, total))
    if any(one.kinds[FindingKind.UNKNOWN_RULES] and not (one.number or one.variant) for one in tallies):
        click.echo(translate("cli.replay.unnamed"))


def _cells(tally: Tally) -> list[str]:
    remarked = tally.replayed - tally.clean
    share = "–"
    if tally.share is not None:
        share = translate("cli.replay.share", share=decimal(100 * tally.share, ".2f"))
    return [
        str(tally.number or ""),
        tally.name,
        tally.variant,
        str(tally.games),
        str(tally.replayed),
        share,
        str(remarked),
        str(tally.contradicting),
        str(tally.broken),
        f"{tally.agreed}/{tally.ended}" if tally.ended else "–",
    ]


def _example(kind: FindingKind, whole: Tally) -> str:
    place, found = whole.examples[kind]
    key, why = "cli.replay.kind_at_ply" if found.ply else "cli.replay.kind", ""
    if not found.ply and "code" in found.facts:
        key, why = "cli.replay.kind_why", error_text(HnefiError(found.facts["code"], "", found.facts))
    return translate(
        key,
        count=whole.kinds[kind],
        kind=translate(f"finding.{kind.value}"),
        file=encodable(place.file),
        line=found.line or place.line,
        ply=found.ply,
        move=found.move,
        why=why,
    )


def _type_facts(tally: Tally) -> dict[str, object]:
    return {"type": tally.number or None, "name": tally.name, "variant": tally.variant or None}


def _finding_facts(place: GameLocation, found: Finding) -> dict[str, object]:
    return {
        "kind": found.kind.value,
        "is_fault": found.kind in FAULTS,
        "is_broken": found.kind in BROKEN,
        "file": encodable(place.file),
        "line": found.line or place.line,
        "game": place.game,
        "id": place.id,
        "ply": found.ply,
        "move": found.move,
        "facts": dict(found.facts),
    }


def tally_facts(tally: Tally) -> dict[str, object]:
    """Returns a tally for JSON."""
    kinds = {
        kind.value: {"count": tally.kinds[kind], "example": _finding_facts(*tally.examples[kind])}
        for kind in FindingKind
        if tally.kinds[kind]
    }
    names = ("games", "plies", "replayed", "clean", "contradicting", "broken", "without_rules")
    return {
        **_type_facts(tally),
        **{name: getattr(tally, name) for name in names},
        "share": None if tally.share is None else round(tally.share, 6),
        "ended_on_board": tally.ended,
        "result_agrees": tally.agreed,
        "kinds": kinds,
    }
