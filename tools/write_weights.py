"""Writes the table of built-in files of weights in docs/measurements/weights.md, from what the files say."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generated_tables import with_table

ROOT = Path(__file__).parents[1]
WEIGHTS = ROOT / "src" / "hnefi" / "weights"
TARGET = ROOT / "docs" / "measurements" / "weights.md"
BEGIN, END = "<!-- files: written by tools/write_weights.py -->\n", "<!-- end of files -->\n"
HEAD = (
    "| rules | what | generation | positions learned from | nodes | seed | minutes | machine | commit |"
    " build |\n"
    "|---|---|---|---|---|---|---|---|---|---|\n"
)


def main() -> int:
    """Writes the table."""
    TARGET.write_text(text(), encoding="utf-8")
    return 0


def text() -> str:
    """Returns the page with the table."""
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(WEIGHTS.glob("*.json"))]
    table = HEAD + "".join(_row(one["variant"], one["trained"]) for one in files if "trained" in one)
    return with_table(TARGET.read_text(encoding="utf-8"), BEGIN, END, table)


def _row(variant: str, trained: Mapping[str, Any]) -> str:
    # The first network was trained before terms were.
    kind = trained.get("kind", "network")
    machine = f"{trained.get('processor', '–')}, {trained.get('cores', '–')} cores"
    cells = (
        variant,
        kind,
        trained["generation"],
        f"{trained['samples']:,}",
        f"{trained['nodes']:,}",
        trained["seed"],
        round(trained["seconds"] / 60),
        machine,
        trained.get("commit", "–"),
        trained["core"],
    )
    return f"| {' | '.join(map(str, cells))} |\n"


if __name__ == "__main__":
    sys.exit(main())
