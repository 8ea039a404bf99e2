"""The command `hnefi lab select`: adds collected puzzles to those of the package."""

from pathlib import Path

from hnefi.cli.commands import argument, command, counted
from hnefi.cli.files import make_folder, write_file
from hnefi.cli.lab.collecting import reading_puzzles
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json, print_table
from hnefi.cli.values import FilePath
from hnefi.lab import puzzles as lab_puzzles
from hnefi.lab.puzzles import PackageFile, Record, json_line, read_records
from hnefi.variants.finding import variant

_EXAMPLES = (
    ("lab select puzzles.jsonl src/hnefi/puzzles/data", "package"),
    ("lab select puzzles.jsonl src/hnefi/puzzles/data --puzzles 1000 --json", "more"),
)
_HEADS = ("variant", "puzzles", "added")


@command("select", _EXAMPLES, group="lab")
@argument("collected", key="collected_puzzles", type=FilePath())
@argument("package", key="puzzle_folder", type=FilePath())
@counted("--puzzles", default=600, help="select_puzzles")
@json_option
def select(collected: str, package: str, puzzles: int, as_json: bool) -> int:
    """Selects puzzles."""
    source, folder = Path(collected), Path(package)
    records: dict[str, list[Record]] = {path.stem: [] for path in folder.glob("*.jsonl")}
    with reading_puzzles(collected):
        paths = sorted(source.glob("*.jsonl")) if source.is_dir() else [source.resolve(strict=True)]
    for path in paths:
        with reading_puzzles(path):
            for one in read_records(path):
                records.setdefault(one["variant"], []).append(one)
    files = []
    for name, found in sorted(records.items()):
        with reading_puzzles(folder / f"{name}.jsonl"):
            files.append(PackageFile(variant(name), folder, found))
    make_folder(folder)
    before = [len(file.entries) for file in files]
    lab_puzzles.select(files, puzzles)
    rows = []
    for file, count in zip(files, before, strict=True):
        write_file(file.path, "".join(f"{json_line(entry)}\n" for entry in file.entries))
        rows.append((file.path.stem, len(file.entries), len(file.entries) - count))
    if as_json:
        print_json({"variants": [dict(zip(_HEADS, row, strict=True)) for row in rows]})
    else:
        cells = [[*map(str, row)] for row in rows]
        print_table(_HEADS, cells, key="cli.lab.select.head.", numbers=(1, 2))
    return 0
