"""Writes the table of built-in files of weights in docs/measurements/weights.md, from what the files say."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generated_tables import DOCS, GeneratedTable

ROOT = Path(__file__).parents[1]
WEIGHTS = ROOT / "src" / "hnefi" / "weights"
HEAD = (
    "| rules | what | generation | positions learned from | nodes | seed | minutes | machine | commit |"
    " build |\n"
    "|---|---|---|---|---|---|---|---|---|---|\n"
)


def _content() -> str:
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(WEIGHTS.glob("*.json"))]
    return HEAD + "".join(_row(one["variant"], one["trained"]) for one in files if "trained" in one)


def _row(variant: str, trained: Mapping[str, Any]) -> str:
    # The first network was trained before terms were.
    kind = f"of `{trained['of']}`" if "of" in trained else trained.get("kind", "network")
    machine = f"{trained.get('processor', '–')}, {trained.get('cores', '–')} cores"
    cells = (
        variant,
        kind,
        trained["generation"],
        f"{trained['samples']:,}" if "samples" in trained else "–",
        f"{trained['nodes']:,}",
        trained["seed"],
        round(trained["seconds"] / 60),
        machine,
        trained.get("commit", "–"),
        trained["core"],
    )
    return f"| {' | '.join(map(str, cells))} |\n"


TABLE = GeneratedTable(DOCS / "measurements" / "weights.md", "files", "write_weights", _content)

if __name__ == "__main__":
    TABLE.write()
