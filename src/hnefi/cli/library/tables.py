"""Tables of games for data tools, CSV and Parquet: a row for each game, with its columns and moves."""

import csv
import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import TextIO

from hnefi.errors import HnefiError
from hnefi.library import LibraryGame
from hnefi.library.header_values import rating_of, type_of

COLUMNS: dict[str, type] = {
    "id": int,
    "variant": str,
    "switches": str,
    "rules": str,
    "size": int,
    "type": int,
    "attackers": str,
    "defenders": str,
    "attackers_rating": int,
    "defenders_rating": int,
    "event": str,
    "date": str,
    "result": str,
    "reason": str,
    "plies": int,
    "start": str,
    "moves": str,
    "source": str,
    "line": int,
    "fault": str,
}
"""The columns of a table and their types; an unknown value is empty in CSV, null in Parquet."""

_ROW_GROUP = 10_000


def write_table(kind: str, target: TextIO, games: Iterable[LibraryGame]) -> int:
    """Writes games as a table, `csv` or `parquet`, and returns their number.

    Raises:
        HnefiError: `missing_extra`, if a package is missing.
    """
    rows = map(_row, games)
    return _write_csv(target, rows) if kind == "csv" else _write_parquet(target, rows)


def _write_csv(target: TextIO, rows: Iterable[dict[str, object]]) -> int:
    writer, written = csv.DictWriter(target, tuple(COLUMNS), lineterminator="\n"), 0
    writer.writeheader()
    for row in rows:
        writer.writerow(row)
        written += 1
    return written


def _write_parquet(target: TextIO, rows: Iterable[dict[str, object]]) -> int:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise HnefiError.of_facts("missing_extra", package="pyarrow", extra="parquet") from None
    kinds = {int: pa.int64(), str: pa.string()}
    schema, written = pa.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()]), 0
    with parquet.ParquetWriter(target.buffer, schema, compression="zstd") as writer:
        for group in _groups(rows):
            writer.write_table(pa.Table.from_pylist(group, schema))
            written += len(group)
    return written


def _groups(rows: Iterable[dict[str, object]]) -> Iterator[list[dict[str, object]]]:
    left = iter(rows)
    while group := list(islice(left, _ROW_GROUP)):
        yield group


def _row(one: LibraryGame) -> dict[str, object]:
    """Returns the values of the columns of a game."""
    raw = one.raw_game()
    headers = dict(raw.headers)
    row: dict[str, object] = {name: getattr(one, name) for name in COLUMNS if hasattr(one, name)}
    row |= {
        "rules": headers.get("Rules"),
        "size": _size(one.tree),
        "type": type_of(headers),
        "attackers_rating": rating_of(headers, "attackers"),
        "defenders_rating": rating_of(headers, "defenders"),
        "event": headers.get("Event"),
        "start": headers.get("Start"),
        "moves": " ".join(raw.moves),
    }
    return {name: None if value == "" else value for name, value in row.items()}


@lru_cache(maxsize=256)
def _size(tree: str) -> int:
    return int(json.loads(tree)["board"]["size"])
