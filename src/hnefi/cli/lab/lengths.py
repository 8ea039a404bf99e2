"""The command `hnefi lab lengths`: how long the games of variants are, and how many moves there are."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hnefi.cli.commands import command, counted, option
from hnefi.cli.faults import CommandError, file_errors
from hnefi.cli.files import output_file, write_file
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.output import print_json, print_table
from hnefi.cli.progress import collected, partial_end, progress_bar
from hnefi.cli.texts import decimal, translate
from hnefi.cli.values import FilePath
from hnefi.lab.lengths import measure_length, recorded_plies
from hnefi.lab.positions import OPENING_PLIES
from hnefi.variants.finding import all_variants
from hnefi.variants.lengths import MeasuredLength
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab lengths ard-ri-globe --games 2 --nodes 20", "one"),
    ("lab lengths brandub-globe --games 2 --nodes 20 --recorded games.tafl --json", "recorded"),
)
_HEADS = ("variant", "plies", "games", "by", "choices", "minutes", "difficulty")


@command("lengths", _EXAMPLES, group="lab")
@variant_argument("chosen", key="variants", nargs=-1)
@counted("--games", default=16, help="lengths_games")
@counted("--nodes", default=1_000, help="calibrate_nodes")
@option("--recorded", type=FilePath(), help="recorded")
@output_file("output", help="lengths_output")
@switch_option
@json_option
def lengths(
    chosen: tuple[Variant, ...],
    games: int,
    nodes: int,
    recorded: str | None,
    output: str | None,
    switches: tuple[str, ...],
    as_json: bool,
) -> int:
    """Measures the lengths of games."""
    named = [switched(one, switches) for one in chosen or all_variants()]
    before = _rows_in(Path(output)) if output else {}
    with file_errors("cannot_read", recorded):
        plies = recorded_plies(Path(recorded)) if recorded else {}
    with progress_bar(translate("cli.lab.prover.games"), games * len(named)) as show:

        def measured(at: int) -> MeasuredLength:
            one = named[at]
            known = () if one.switches else plies.get(one.id, ())
            return measure_length(one, games, nodes, known, lambda done: show(at * games + done))

        found, is_whole = collected(map(measured, range(len(named))))
    rows = {one.id: length for one, length in zip(named, found, strict=False)}
    if output:
        write_file(Path(output), json.dumps(_content(before, rows, nodes), indent=1) + "\n")
    if as_json:
        print_json({"complete": is_whole, "variants": [_facts(name, one) for name, one in rows.items()]})
    elif rows:
        cells = [*map(_row, rows, rows.values())]
        print_table(_HEADS, cells, key="cli.lab.lengths.head.", numbers=(1, 2, 4, 5, 6))
    return 0 if is_whole else partial_end(is_said=not as_json)


def _rows_in(path: Path) -> dict[str, dict[str, Any]]:
    """Returns the rows of a file, by variant; none if there is no such file."""
    try:
        rows = json.loads(path.read_text("utf-8"))["variants"] if path.is_file() else {}
        return {name: dict(**row) for name, row in rows.items()}
    except (ValueError, LookupError, TypeError, AttributeError):
        raise CommandError.of_facts("would_be_lost", path=path) from None


def _content(
    before: dict[str, dict[str, Any]], rows: dict[str, MeasuredLength], nodes: int
) -> dict[str, Any]:
    """Returns the content of the file: what it has of other variants, and of recorded games, stays."""
    for name, one in rows.items():
        row = asdict(one)
        if one.by == "engine" and before.get(name, {}).get("by") == "people":
            row |= {key: before[name][key] for key in ("plies", "games", "by")}
        before[name] = row
    return {"nodes": nodes, "opening_plies": OPENING_PLIES, "variants": dict(sorted(before.items()))}


def _facts(name: str, one: MeasuredLength) -> dict[str, object]:
    return {"variant": name, **asdict(one), "minutes": one.minutes, "difficulty": one.difficulty}


def _row(name: str, one: MeasuredLength) -> list[str]:
    by = translate(f"cli.lab.lengths.by.{one.by}")
    numbers = map(str, (one.minutes, one.difficulty))
    return [name, str(one.plies), str(one.games), by, decimal(one.choices), *numbers]
