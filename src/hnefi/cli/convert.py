"""`hnefi convert`: convert games between file formats, one at a time."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

import click

from hnefi.cli.commands import Decorator, argument, command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.files import NothingToWrite, extension, open_output, output_file
from hnefi.cli.game_input import games_in
from hnefi.cli.naming import VariantName, json_option
from hnefi.cli.output import print_errors, print_json, print_table
from hnefi.cli.progress import ProgressBar, progress_bar
from hnefi.cli.texts import error_text, language, translate, translate_plural
from hnefi.cli.values import Choice, FilePath
from hnefi.errors import HnefiError, RecordError
from hnefi.formats import FORMATS, Format, Gap, RawGame, ReadOptions, Written, explain_gap, find_format
from hnefi.record import variant_headers
from hnefi.record.escapes import encodable
from hnefi.record.faults import record_error
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("convert --list", "list"),
    ("convert games.tafl --to otg", "plain"),
    ("convert copenhagen.csv --variant copenhagen-11 -o games.tafl", "variant"),
    ("convert *.otg club.tafl --to csv -o all.csv --lenient --json", "json"),
)
_NAMES = tuple(one.name for one in FORMATS)
_FAULTS_FOUND = 1
_MOST_FAULTS = 1000


def format_option(*names: str, **settings: Any) -> Decorator:
    """Adds an option that takes the name of a format."""
    return option(*names, type=Choice(_NAMES), metavar="format", **settings)


@command("convert", _EXAMPLES)
@argument("files", key="files_to_convert", type=FilePath(), nargs=-1)
@format_option("--to", "to_name", help="to")
@format_option("--from", "from_name", help="from")
@output_file("out", replaces="games", help="converted")
@option("--variant", type=VariantName(), help="played")
@option("--check", is_flag=True, help="check_games")
@option("--strict", is_flag=True)
@option("--lenient", is_flag=True)
@option("--by-specification", is_flag=True)
@option("--list", "only_list", is_flag=True, help="list_formats")
@json_option
def convert(
    files: tuple[str, ...],
    to_name: str | None,
    from_name: str | None,
    out: str | None,
    variant: Variant | None,
    check: bool,
    strict: bool,
    lenient: bool,
    by_specification: bool,
    only_list: bool,
    as_json: bool,
) -> int:
    """Converts games."""
    if only_list:
        _list(as_json)
        return 0
    if not files:
        raise bad_usage("missing", name=translate("cli.word.files_to_convert"))
    if strict and lenient:
        raise bad_usage("together", first="--strict", second="--lenient")
    if as_json and out in (None, "-"):
        raise bad_usage("needs", name="--json", needed="--output")
    options = ReadOptions(variant, lenient, by_specification)
    conversion = _Conversion(
        target_format(to_name, out), find_format(from_name) if from_name else None, options, strict, check
    )
    is_complete = False
    with open_output(out) as target, _held_back(target, is_needed=strict and out in (None, "-")) as held:
        conversion.run(files, held)
        if not conversion.written:
            raise NothingToWrite
        is_complete = True
    conversion.print_report(as_json)
    return 0 if is_complete and not (conversion.faulty or conversion.is_truncated) else _FAULTS_FOUND


@contextmanager
def _held_back(target: TextIO, *, is_needed: bool) -> Iterator[TextIO]:
    """Opens a temporary file that is copied to the target at the end, if the block succeeds; else the target.

    A file is written atomically anyway, standard output is not.
    """
    if not is_needed:
        yield target
        return
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="", errors="surrogatepass") as held:
        yield held
        held.seek(0)
        shutil.copyfileobj(held, target)


def target_format(name: str | None, out: str | None, default: str | None = None) -> Format:
    """Returns the format that an option names, or the extension of the output, or else the default.

    Raises:
        CommandError: `extension`, `output_folder`; `missing` without any.
        FormatError: `unknown_format`.
    """
    if name is not None:
        return find_format(name)
    if out is not None and Path(out).is_dir():
        raise bad_usage("output_folder", found=out, example=Path(out) / "games.tafl")
    if suffix := extension(out):
        found = next((one for one in FORMATS if suffix in one.extensions), None)
        if found is None:
            expected = " ".join(one.extensions[0] for one in FORMATS)
            raise bad_usage("extension", found=suffix, path=out, expected=expected)
        return found
    if default is None:
        raise bad_usage("missing", name=f"--to ({' | '.join(_NAMES)})")
    return find_format(default)


def gap_facts(gaps: Counter[Gap]) -> list[dict[str, object]]:
    """Returns gaps with the number of games, most frequent first, for JSON."""
    return [
        {"code": gap.code, "message": explain_gap(gap, language()), "games": count}
        for gap, count in gaps.most_common()
    ]


@dataclass(slots=True)
class _Conversion:
    """Converts files, and counts the games, their faults and gaps."""

    target: Format
    source: Format | None
    options: ReadOptions
    strict: bool
    check: bool
    games: int = 0
    written: int = 0
    faulty: int = 0
    contradicting: int = 0
    """How many of the faulty games can be read and contradict their rules, if that is checked."""
    is_stopped: bool = False
    is_truncated: bool = False
    """Whether a compressed file ends inside a game that is written."""
    unnamed: int = 0
    """How many of the games written name no variant, though the format asks for one."""
    cut: int = 0
    """How many of the games written end before a fault."""
    errors: int = 0
    """How many faults there are, of which `faults` has the first thousand."""
    faults: list[tuple[str, RecordError, int | None]] = field(default_factory=list)
    """Files and faults, and how many moves are kept of a game that ends before the fault."""
    gaps: Counter[Gap] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    """In how many games a gap of each code is."""
    places: dict[str, str] = field(default_factory=dict)
    """Where the first game with a gap of each code is."""

    def run(self, files: tuple[str, ...], target: TextIO) -> None:
        """Converts all files.

        Raises:
            NothingToWrite: At the first fault or gap, if it is strict.
        """
        sizes = [_size(path) for path in files]
        with progress_bar(translate("cli.convert.progress"), sum(sizes)) as show:
            before = 0
            for path, size in zip(files, sizes, strict=True):
                self._file(path, target, show, before)
                before += size

    def _file(self, path: str, target: TextIO, show: ProgressBar, before: int) -> None:
        with games_in(path, self.options, self.source) as found:
            last = 0
            for one in found.games:
                # Of standard input, the size and the place are unknown.
                show(before + (found.done or self.games))
                game = int(one.parameters.get("game", "0")) if isinstance(one, RecordError) else one.game
                self.games += game != last
                if isinstance(one, RecordError):
                    self._fault(path, one, is_new=game != last)
                else:
                    self._write(path, one, target)
                last = game
                if self.strict and (self.faults or self.gaps):
                    self.written = 0
                    self.is_stopped = True
                    raise NothingToWrite

    def _write(self, path: str, raw: RawGame, target: TextIO) -> None:
        line = raw.line
        try:
            if self.check:
                replay = raw.replay()
                if replay.fault is not None:
                    line = replay.fault.line or raw.line
                    self.contradicting += 1
                    raise replay.fault.error
                raw = replace(raw, headers=replay.record.headers, full_record=replay.record)
            written = self.target.write(raw)
        except HnefiError as error:
            facts = {
                name: value for name, value in error.parameters.items() if name not in ("line", "column")
            }
            # Column 0: of the game or the move, not of a place in its text.
            self._fault(path, record_error(error.code, (line, 0), **{**facts, "game": raw.game}), is_new=True)
            return
        target.write(written.text)
        self.written += 1
        self.cut += raw.is_cut
        self.is_truncated |= raw.is_truncated
        self.unnamed += self.target.has_rules and raw.header("Variant") is None
        for place, fault in enumerate(raw.faults, 1):
            is_cut_here = raw.is_cut and place == len(raw.faults)
            self._note(path, fault, len(raw.moves) if is_cut_here else None)
        self._note_gaps(path, raw, [*self._lost(raw, written)])

    def _lost(self, raw: RawGame, written: Written) -> Iterator[Gap]:
        """Iterates over what is lost: neither what the user has said, nor rules written as they were."""
        given = self.options.played
        of_given = () if given is None else variant_headers(given)
        said = [Gap("header", {"name": name}) for name, value in of_given if raw.header(name) == value]
        for gap in (*raw.gaps, *written.gaps):
            if gap not in said and not (written.has_rules_text and gap in raw.rules_gaps):
                yield gap

    def _fault(self, path: str, error: RecordError, *, is_new: bool) -> None:
        self.faulty += is_new
        self._note(path, error)

    def _note(self, path: str, error: RecordError, kept: int | None = None) -> None:
        self.errors += 1
        if len(self.faults) < _MOST_FAULTS:
            self.faults.append((path, error, kept))

    def _note_gaps(self, path: str, raw: RawGame, gaps: Sequence[Gap]) -> None:
        """Counts the gaps of a game."""
        self.gaps.update(gaps)
        self.kinds.update(dict.fromkeys((gap.code for gap in gaps), 1))
        for gap in gaps:
            self.places.setdefault(gap.code, f"{encodable(path)}:{raw.line}")

    def _gap_lines(self) -> Iterator[str]:
        """Iterates over one line for each kind of gap, the most frequent first."""
        for code, count in self.kinds.most_common():
            first, *others = (gap for gap in self.gaps if gap.code == code)
            if code == "header" and others:
                # The number of games of a name, if it is not that of the line.
                games = ((gap.facts["name"], self.gaps[gap]) for gap in (first, *others))
                names = (name if number == count else f"{name} ({number})" for name, number in games)
                first, others = Gap("headers", {"names": ", ".join(names)}), []
            what = explain_gap(first, language())
            if others:
                what = translate_plural("cli.convert.gap.others", len(others), what=what)
            yield translate_plural("cli.convert.gap", count, what=what, place=self.places[code])

    def print_report(self, as_json: bool) -> None:
        """Prints the self."""
        if as_json:
            print_json(
                {
                    "format": self.target.name,
                    "games": self.games,
                    "written": self.written,
                    "faulty": self.faulty,
                    **({"contradicting": self.contradicting} if self.check else {}),
                    "cut": self.cut,
                    "faults": [_facts(path, error, kept) for path, error, kept in self.faults],
                    "gaps": gap_facts(self.gaps),
                }
            )
            return
        print_errors(map(_line, self.faults), self.errors)
        for line in self._gap_lines():
            click.echo(line, err=True)
        if self.is_stopped:
            click.echo(translate("cli.convert.stopped"), err=True)
            return
        if self.unnamed:
            click.echo(translate_plural("cli.convert.unnamed", self.unnamed), err=True)
        if self.cut:
            click.echo(translate_plural("cli.convert.cut_games", self.cut), err=True)
        key = "cli.convert.checked" if self.check else "cli.convert.games"
        counts = {"faulty": self.faulty, "contradicting": self.contradicting}
        click.echo(translate_plural(key, self.written, **counts), err=True)


def _line(noted: tuple[str, RecordError, int | None]) -> str:
    """Formats a fault with its place: line and column, or the line alone if it is not one of the text."""
    path, error, kept = noted
    place = f"{error.line}:{error.column}" if error.column else str(error.line)
    return f"{encodable(path)}:{place}: {_sentence(error, kept)}"


def _sentence(error: RecordError, kept: int | None) -> str:
    """Returns the sentence of a fault, and what is kept of a game that ends before it."""
    fault = error_text(error)
    return fault if kept is None else translate_plural("cli.convert.cut", kept, fault=fault)


def _facts(path: str, error: RecordError, kept: int | None) -> dict[str, object]:
    return {
        "file": encodable(path),
        "game": int(error.parameters.get("game", "0")),
        "line": error.line,
        **({"column": error.column} if error.column else {}),
        "code": error.code,
        "message": _sentence(error, kept),
    }


def _list(as_json: bool) -> None:
    """Prints all formats."""
    if as_json:
        print_json(
            {
                "formats": [
                    {
                        "name": one.name,
                        "extensions": list(one.extensions),
                        "about": translate(f"format.{one.name}"),
                    }
                    for one in FORMATS
                ]
            }
        )
        return
    rows = [[one.name, " ".join(one.extensions), translate(f"format.{one.name}")] for one in FORMATS]
    print_table(("name", "files", "about"), rows, key="cli.convert.head.", folds=2)


# --- Files ----------------------------------------------------------------------------------------------


def _size(path: str) -> int:
    """Returns the size of a file, 0 if it is unknown."""
    try:
        return 0 if path == "-" else Path(path).stat().st_size
    except OSError:
        return 0
