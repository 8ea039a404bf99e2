"""Tests of `tools/measure_levels.py`: its matches and its document."""

import json
import sys
from pathlib import Path

import measure_levels
import pytest

from hnefi.variants.built_in import booklet_ids

PAGE = (Path(__file__).parents[1] / "docs/measurements/levels.md").read_text(encoding="utf-8")


def measure(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["measure_levels.py", *arguments])
    measure_levels.main()


def test_levels_are_measured_with_both_sides_and_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, page = tmp_path / "kept", tmp_path / "levels.md"
    settings = ("--folder", str(kept), "--games", "4", "--top-nodes", "500")
    measure(monkeypatch, *settings, "--only", "1-2,3-1,brandub-globe,ard-ri-globe")
    measure(monkeypatch, *settings, "--slow-games", "2", "--only", "1-10,ard-ri-globe")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "1/4 ard-ri-globe 2 v 1",
        "2/4 brandub-globe 2 v 1",
        "3/4 ard-ri-globe 3 v 1",
        "4/4 brandub-globe 3 v 1",
        "1/1 ard-ri-globe 10 v 1",
    ]
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
    page.write_text(PAGE, "utf-8")
    measure(monkeypatch, "--folder", str(kept), "--games", "0", "--document", str(page))
    assert f"- core: {manifest['made_by']['core']}" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# The levels, measured\n\n18 games. Each opening")
    written, before = (
        [line for line in one.splitlines()[3:] if not line.startswith("|")] for one in (text, PAGE)
    )
    assert written == before
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| 2 v 1 | brandub-globe |")]
    assert len(rows) == 1
    assert int(rows[0][2]) == 4 == sum(map(int, rows[0][3:6]))
    measure(monkeypatch, *settings, "--only", "1-2,brandub-globe")
    assert len((kept / "brandub-globe-2-1" / "games.jsonl").read_text().splitlines()) == 4


@pytest.mark.deep
def test_the_beginner_plays_all_its_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, page = tmp_path / "kept", tmp_path / "levels.md"
    page.write_text(PAGE, "utf-8")
    measure(
        monkeypatch,
        *("--folder", str(kept), "--games", "4", "--only", "beginner,brandub-globe,hist-brandubh-7"),
        *("--document", str(page)),
    )
    assert len(list(kept.iterdir())) == 6
    text = page.read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| brandub-globe | ")]
    assert rows[0][1].startswith("× ")
    assert int(rows[0][2].partition(" ")[0]) >= 80
    assert "| 1 v beginner | hist-brandubh-7 | 4 |" in text


def test_all_levels_one_and_two_apart_play() -> None:
    matches = measure_levels.select_matches("")
    assert len(matches) == len(set(matches)) == (9 + 8) * len(booklet_ids()) + 3 * 9 + 5 * 4
    assert [match.higher for match in matches] == sorted(match.higher for match in matches)
    assert {str(match) for match in measure_levels.select_matches("4-3,tablut-kouvia")} == {
        "tablut-kouvia 4 v 3"
    }
    assert [match.higher for match in measure_levels.select_matches("beginner,brandub-globe", 10)] == list(
        range(1, 11)
    )
    for wrong in ("chess", "3", "0-1", "9-11", "4-4", "3-4-5"):
        with pytest.raises(ValueError, match="expected a pair of levels"):
            measure_levels.select_matches(wrong)


def test_a_match_ends_when_it_is_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept"
    settings = ("--folder", str(kept), "--games", "60", "--top-nodes", "3000", "--slow-games", "60")
    measure(monkeypatch, *settings, "--only", "1-10,brandub-globe")
    path = kept / "brandub-globe-10-1" / "games.jsonl"
    played = path.read_bytes()
    assert 16 <= played.count(b"\n") < 40
    measure(monkeypatch, *settings, "--only", "1-10,brandub-globe")
    assert path.read_bytes() == played
