"""`tools/measure_levels.py`: what it plays, and the document it writes."""

import json
import sys
from pathlib import Path

import measure_levels
import pytest


def measure(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["measure_levels.py", *arguments])
    measure_levels.main()


def test_levels_are_measured_with_both_sides_and_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, page = tmp_path / "kept", tmp_path / "levels.md"
    settings = ("--folder", str(kept), "--games", "6", "--top-nodes", "500")
    measure(monkeypatch, *settings, "--pairs", "1-2,1-3", "brandub-globe", "ard-ri-globe")
    measure(monkeypatch, *settings, "--pairs", "1-10", "--games", "2", "ard-ri-globe")
    assert capsys.readouterr().out.count("Tally") == 5
    assert sorted(path.name for path in kept.iterdir()) == [
        "ard-ri-globe-10-1",
        "ard-ri-globe-2-1",
        "ard-ri-globe-3-1",
        "brandub-globe-2-1",
        "brandub-globe-3-1",
    ]
    manifest = json.loads((kept / "ard-ri-globe-10-1" / "manifest.json").read_text())
    assert manifest["players"][0] | {"nodes": 500, "time_ms": 0} == manifest["players"][0]
    assert manifest["both_sides"]
    measure(monkeypatch, "--folder", str(kept), "--document", str(page))
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# The levels, measured\n\n26 games.")
    assert "measured as `level:10:500`" in text
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| 2 v 1 | brandub-globe |")]
    assert len(rows) == 1
    assert int(rows[0][2]) == 6 == sum(map(int, rows[0][3:6]))
    measure(monkeypatch, *settings, "--pairs", "1-2", "brandub-globe")
    assert len((kept / "brandub-globe-2-1" / "games.jsonl").read_text().splitlines()) == 6
