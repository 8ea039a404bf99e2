"""`hnefi replay`: check recorded games against their rules."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

import click

from hnefi._core import Game
from hnefi.cli.checking import Collections, print_tallies, read_types, tally_facts
from hnefi.cli.commands import argument, command, option
from hnefi.cli.files import open_output, output_file
from hnefi.cli.game_input import GamesInFile, games_in, is_unnamed
from hnefi.cli.naming import json_option, read_variant_file
from hnefi.cli.output import print_json
from hnefi.cli.progress import partial_end
from hnefi.cli.stepping import Steps, step_options
from hnefi.cli.texts import error_text, translate, translate_plural
from hnefi.cli.values import Choice, FilePath
from hnefi.errors import HnefiError, RecordError
from hnefi.formats import FindingKind, RawGame
from hnefi.record import Record, ReplayFault
from hnefi.record.escapes import encodable
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("replay games.tafl", "plain"),
    ("replay one.tafl --board", "board"),
    ("replay one.tafl two.tafl --json", "json"),
    ("replay club.tafl --variant our-tablut.toml", "variant"),
    ("replay games.jsonl.gz -o faults.jsonl", "collection"),
    ("replay games.csv --variant brandub-globe", "table"),
)
_FAULTS_FOUND = 1


@dataclass(frozen=True, slots=True)
class _LocatedFault:
    """A fault with its file, game, ply and line."""

    file: str
    game: int
    ply: int
    error: HnefiError
    move_line: int

    @property
    def place(self) -> tuple[int, int]:
        """Line and column; column 0 for a fault of the game and not of its text."""
        error = self.error
        if isinstance(error, RecordError) and error.line:
            return error.line, error.column
        return self.move_line, 0

    def facts(self) -> dict[str, object]:
        """Returns the fault for JSON; with a column if it is a fault of the text."""
        line, column = self.place
        place = {"line": line, "column": column} if column else {"line": line}
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
        facts = {"file": self.file, "line": self.place[0], "game": self.game, "ply": self.ply}
        return translate(key, **facts, message=error_text(self.error))


@command("replay", _EXAMPLES)
@argument("files", key="files", type=FilePath(), nargs=-1, required=True)
@option("--variant", "custom_variants", type=FilePath(), multiple=True, metavar="variant", help="variant")
@option("--types", type=FilePath())
@option(
    "--ignore",
    "ignored",
    type=Choice([kind.value for kind in FindingKind]),
    multiple=True,
    metavar="kind",
    help="ignore",
)
@output_file("faults_file", help="faults")
@step_options
@json_option
def replay(
    files: tuple[str, ...],
    custom_variants: tuple[str, ...],
    types: str | None,
    ignored: tuple[str, ...],
    faults_file: str | None,
    steps: Steps,
    as_json: bool,
) -> int:
    """Checks recorded games."""
    custom = {one.id: one for one in map(read_variant_file, custom_variants)}
    kinds = frozenset(map(FindingKind, ignored))
    with open_output(faults_file) if faults_file else nullcontext() as findings:
        collections = Collections(custom, read_types(types), kinds, findings)
        records = _Records(custom, steps, collections.write, as_json=as_json)
        is_whole = True
        try:
            for file in files:
                with games_in(file, collections.options) as games:
                    is_tallied = games.format.is_collection and not steps.are_wanted
                    (collections if is_tallied else records).check(games)
        except KeyboardInterrupt:
            if not (records.games or collections.tallies):
                raise
            is_whole = False
    tallies = collections.tallies
    count = records.games + sum(tally.games for tally in tallies)
    ok = records.ok + sum(tally.replayed for tally in tallies)
    if as_json:
        found = {"faults": records.faults, "remarks": records.remarks}
        facts: dict[str, object] = {name: [one.facts() for one in ones] for name, ones in found.items()}
        if steps.are_wanted:
            facts["boards"] = records.boards
        if tallies:
            facts["types"] = [tally_facts(tally) for tally in tallies]
        print_json({"games": count, "ok": ok, "complete": is_whole, **facts})
    else:
        print_tallies(tallies)
        if records.has_unnamed:
            click.echo(translate("cli.replay.unnamed"))
        click.echo(translate_plural("cli.replay.games", count, ok=ok))
    if not is_whole:
        return partial_end(is_said=not as_json)
    return _FAULTS_FOUND if ok < count else 0


@dataclass(slots=True)
class _Records:
    """Checks games one by one, shows their boards and counts them; what a game only lacks is a remark.

    Faults and remarks are printed as they are found; only JSON, one value in the end, keeps them.
    """

    custom: Mapping[str, Variant]
    steps: Steps
    write: Callable[[Iterable[Mapping[str, object]]], None]
    as_json: bool
    games: int = 0
    ok: int = 0
    faults: list[_LocatedFault] = field(default_factory=list)
    remarks: list[_LocatedFault] = field(default_factory=list)
    boards: list[dict[str, object]] = field(default_factory=list)
    has_unnamed: bool = False

    def check(self, games: GamesInFile) -> None:
        """Checks all games of a file, and counts them."""
        faulty, numbers, name = set[int](), set[int](), encodable(games.path)
        try:
            for one in games.games:
                number = int(one.parameters.get("game", "0")) if isinstance(one, RecordError) else one.game
                for is_remark, fault in self._located(name, number, one):
                    self._report(fault, is_remark=is_remark)
                    if not is_remark:
                        faulty.add(number)
                numbers.add(number)
        finally:
            self.games += len(numbers)
            self.ok += len(numbers - faulty)

    def _located(
        self, file: str, number: int, one: RawGame | RecordError
    ) -> Iterable[tuple[bool, _LocatedFault]]:
        """Iterates over the faults of a game with their places, each with whether it is a remark."""
        if isinstance(one, RecordError):
            yield False, _LocatedFault(file, number, 0, one, one.line)
            return
        for fault in self._faults_of(file, one):
            line = fault.line or one.line
            yield fault.is_remark, _LocatedFault(file, number, fault.ply, fault.error, line)

    def _report(self, fault: _LocatedFault, *, is_remark: bool) -> None:
        self.has_unnamed |= is_unnamed(fault.error)
        self.write([{"is_fault": not is_remark, **fault.facts()}])
        if self.as_json:
            (self.remarks if is_remark else self.faults).append(fault)
        else:
            click.echo(fault.line())

    def _faults_of(self, file: str, raw: RawGame) -> Sequence[ReplayFault]:
        custom = self.custom
        try:
            replay = raw.replay(lambda name: custom[name] if name in custom else variant(name))
        except HnefiError as error:
            return (ReplayFault.of(error),)
        if replay.called is not None and self.steps.are_wanted:
            self._show(file, raw.game, replay.called.game, replay.record)
        return replay.faults

    def _show(self, file: str, number: int, game: Game, record: Record) -> None:
        if self.as_json:
            place = {"file": file, "game": number}
            self.boards += [{**place, **one} for one in self.steps.facts(game, record)]
        else:
            click.echo(translate("cli.replay.shown", file=file, game=number))
            self.steps.show(game, record)
