"""The command `hnefi lab suite`: runs a test suite of positions with an engine."""

import io
from collections.abc import Sequence
from statistics import median

import click

from hnefi.archives import opened
from hnefi.cli.commands import argument, command, option
from hnefi.cli.faults import INTERRUPTED
from hnefi.cli.files import MEGABYTE, read_file
from hnefi.cli.game_input import name_of
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_errors, print_json, print_table
from hnefi.cli.progress import collected, partial_end
from hnefi.cli.search_options import SearchOptions, search_options
from hnefi.cli.texts import decimal, language, translate, translate_plural
from hnefi.cli.values import FilePath, Text
from hnefi.formats import SuiteEntry, parse_suite
from hnefi.formats.registry import archive_errors, checked_text
from hnefi.i18n import explain
from hnefi.lab.suite import SuiteResult, run_suite
from hnefi.record import explain_fault

_EXAMPLES = (
    ("lab suite positions.epd --nodes 20000", "nodes"),
    ("lab suite positions.epd --time 1 --json", "json"),
    ("lab suite positions.epd --by id", "by"),
)
_LARGEST_MB = 100
_USUAL_MS = 1_000
_HEADINGS = ("number", "position", "expected", "move", "solved")
_GROUP_HEADINGS = ("group", "count", "solved", "depth")


@command("suite", _EXAMPLES, group="lab")
@argument("path", key="suite_file", type=FilePath())
@option("--by", type=Text(), metavar="operation", help="suite_by")
@search_options
@json_option
def suite(path: str, by: str | None, as_json: bool, thinking: SearchOptions) -> int:
    """Runs a test suite."""
    with archive_errors(path), opened(io.BytesIO(read_file(path, _LARGEST_MB))) as stream:
        content = stream.read(_LARGEST_MB * MEGABYTE)
    checked_text(content, name_of(path))
    reading = parse_suite(content.decode("utf-8-sig", "replace"))
    entries = [entry for entry in reading.entries if entry.can_be_solved]
    left_out = len(reading.entries) - len(entries)
    with thinking.engine() as engine:
        results, is_whole = collected(run_suite(engine, entries, thinking.limit(_USUAL_MS)))
    solved = sum(result.is_solved for result in results)
    if as_json:
        faults = [
            {"line": one.line, "column": one.column, "code": one.code, "message": explain(one, language())}
            for one in reading.faults
        ]
        facts = [*map(_facts, results)]
        counts = {"complete": is_whole, "solved": solved, "left_out": left_out}
        print_json({**counts, "positions": facts, "faults": faults})
        return INTERRUPTED if not is_whole else 1 if faults else 0
    if by is None:
        rows = [_row(number, result) for number, result in enumerate(results, 1)]
        print_table(_HEADINGS, rows, key="cli.lab.suite.head.", numbers=(0,), folds=1)
    else:
        rows = _group_rows(results, by)
        print_table(_GROUP_HEADINGS, rows, key="cli.lab.suite.head.", numbers=(1, 2, 3), folds=0)
    click.echo(translate("cli.lab.suite.solved", solved=solved, count=len(results)))
    if left_out:
        click.echo(translate_plural("cli.lab.suite.left_out", left_out))
    print_errors((explain_fault(fault, language()) for fault in reading.faults), len(reading.faults))
    return partial_end() if not is_whole else 1 if reading.faults else 0


def entry_facts(entry: SuiteEntry) -> dict[str, object]:
    """Returns a position of a suite for programs."""
    return {
        "variant": entry.variant,
        "position": str(entry.setup),
        "operations": dict(entry.operations),
    }


def _facts(result: SuiteResult) -> dict[str, object]:
    found = result.analysis
    return {
        **entry_facts(result.entry),
        "move": str(result.move) if result.move else None,
        "solved": result.is_solved,
        "depth": found.depth,
        "nodes": found.nodes,
        "time_ms": found.time_ms,
        "solved_depth": result.solution and result.solution.depth,
        "solved_nodes": result.solution and result.solution.nodes,
    }


def _group_rows(results: Sequence[SuiteResult], by: str) -> list[tuple[str, ...]]:
    """Returns the rows of groups, in the order of the file: by variant, operation and side to move."""
    groups: dict[str, list[SuiteResult]] = {}
    for one in results:
        side = translate(f"side.{one.entry.setup.turn.value}")
        words = (one.entry.variant, *one.entry.operations.get(by, ()), side)
        groups.setdefault(" ".join(words), []).append(one)
    rows: list[tuple[str, ...]] = []
    for name, members in groups.items():
        depths = [one.solution.depth for one in members if one.solution is not None]
        rows.append(
            (name, str(len(members)), str(len(depths)), decimal(median(depths), "g") if depths else "–")
        )
    return rows


def _row(number: int, result: SuiteResult) -> tuple[str, ...]:
    entry = result.entry
    expected = [*map(str, entry.best_moves), *(f"≠ {move}" for move in entry.avoided_moves)]
    answer = translate("cli.lab.suite.yes" if result.is_solved else "cli.lab.suite.no")
    shown = entry.id or f"{entry.variant} {entry.setup}"
    return str(number), shown, " ".join(expected), str(result.move or "–"), answer
