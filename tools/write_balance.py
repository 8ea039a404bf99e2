"""Writes src/hnefi/variants/balance.json from the figures of docs/measurements/balance.md."""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "docs" / "measurements" / "balance.md"
TARGET = ROOT / "src" / "hnefi" / "variants" / "balance.json"

_PLAYER = re.compile(r"^## Player `nodes:(\d+)`$")
_ROW = re.compile(
    r"^\| (?P<variant>[a-z0-9-]+) \| (?P<games>\d+) \| (?P<defenders>[\d.]+)% \[.*?\]"
    r" \| (?P<attackers>[\d.]+)% \[.*?\]"
    r" \| (?P<drawn>[\d.]+)% \[.*?\] \| (?P<score>[\d.]+)% \[(?P<low>[\d.]+), (?P<high>[\d.]+)\] \|"
)
_OPENINGS = re.compile(r"^Openings: (\d+) random plies", re.MULTILINE)


def text() -> str:
    """Returns the content of the file: the conditions, and the rows of each variant by strength."""
    page = SOURCE.read_text(encoding="utf-8")
    openings = _OPENINGS.search(page)
    if openings is None:
        raise ValueError(f"{SOURCE}: no line about the openings")
    variants: dict[str, list[dict[str, Any]]] = {}
    nodes = 0
    for line in page.splitlines():
        if player := _PLAYER.match(line):
            nodes = int(player[1])
        elif row := _ROW.match(line):
            facts = row.groupdict()
            found: dict[str, Any] = {"nodes": nodes, "games": int(facts.pop("games"))}
            variants.setdefault(facts.pop("variant"), []).append(
                found | {name: float(value) for name, value in facts.items()}
            )
    content = {"opening_plies": int(openings[1]), "variants": variants}
    return json.dumps(content, indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
