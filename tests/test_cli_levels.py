"""Tests of `hnefi lab levels`: its matches, its page, rules of one's own, and what Ctrl-C leaves."""

import json
from pathlib import Path

import pytest

from hnefi import variant
from hnefi.cli.lab.arena import run_games
from hnefi.lab.levels import select_matches
from hnefi.variants import format_variant
from hnefi.variants.built_in import booklet_ids
from tests.cli_runs import answer, refusal, run

PAGE = (Path(__file__).parents[1] / "docs/measurements/levels.md").read_text(encoding="utf-8")
TWO = ("brandub-globe", "ard-ri-globe")


def test_levels_are_measured_with_both_sides_and_written_down(tmp_path: Path) -> None:
    kept, page = tmp_path / "kept", tmp_path / "levels.md"
    settings = ("--resume", str(kept), "--games", "4", "--top-nodes", "500")
    code, out, err = run("lab", "levels", *TWO, *settings, "--only", "1-2,3-1")
    assert (code, err) == (0, "")
    assert [line.split()[:5] for line in out.splitlines()[2:]] == [
        [higher, "v", "1", rules, "4"] for higher in "23" for rules in TWO
    ]
    run("lab", "levels", "ard-ri-globe", *settings, "--slow-games", "2", "--only", "1-10")
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
    _, out, _ = run("lab", "levels", "--resume", str(kept), "--games", "0", "--document", str(page))
    assert f"- core: {manifest['made_by']['core']}" in out
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# The levels, measured\n\n18 games. Each opening")
    written, before = (
        [line for line in one.splitlines()[3:] if not line.startswith("|")] for one in (text, PAGE)
    )
    assert written == before
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| 2 v 1 | brandub-globe |")]
    assert len(rows) == 1
    assert int(rows[0][2]) == 4 == sum(map(int, rows[0][3:6]))
    run("lab", "levels", "brandub-globe", *settings, "--only", "1-2")
    assert len((kept / "brandub-globe-2-1" / "games.jsonl").read_text().splitlines()) == 4


@pytest.mark.deep
def test_the_beginner_plays_all_its_games(tmp_path: Path) -> None:
    kept, page = tmp_path / "kept", tmp_path / "levels.md"
    page.write_text(PAGE, "utf-8")
    line = ("lab", "levels", "brandub-globe", "hist-brandubh-7", "--only", "beginner", "--games", "4")
    run(*line, "--resume", str(kept), "--document", str(page))
    assert len(list(kept.iterdir())) == 6
    text = page.read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| brandub-globe | ")]
    assert rows[0][1].startswith("× ")
    assert int(rows[0][2].partition(" ")[0]) >= 80
    assert "| 1 v beginner | hist-brandubh-7 | 4 |" in text


def test_all_levels_one_and_two_apart_play() -> None:
    matches = select_matches()
    assert len(matches) == len(set(matches)) == (9 + 8) * len(booklet_ids()) + 3 * 9 + 5 * 4
    assert [match.higher for match in matches] == sorted(match.higher for match in matches)
    assert select_matches("4-3", ["tablut-kouvia"]) == [("tablut-kouvia", 4, 3)]
    beginners = select_matches("beginner", ["brandub-globe"], 10)
    assert [match.higher for match in beginners] == list(range(1, 11))
    for wrong in ("chess", "3", "0-1", "9-11", "4-4", "3-4-5"):
        found = refusal("lab", "levels", "--resume", "kept", "--only", wrong)
        assert (found["code"], wrong in found["message"]) == ("bad_usage", True)
    found = refusal("lab", "levels", "--resume", "kept", "--document", "missing.md")
    assert found["code"] == "cannot_read"


def test_a_match_ends_when_it_is_decided(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    line = ("lab", "levels", "brandub-globe", "--only", "1-10", "--games", "60", "--slow-games", "60")
    first, again = (answer(*line, "--top-nodes", "3000", "--resume", str(kept)) for _ in range(2))
    assert first == again
    assert 16 <= first["matches"][0]["first"]["games"] < 40


def test_an_interruption_keeps_the_matches_of_rules_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(format_variant(variant("brandub-globe")).replace('id = "brandub-globe"', 'id = "mine"'))

    def interrupted(experiment, *arguments):  # type: ignore[no-untyped-def]
        results, _ = run_games(experiment, *arguments)
        return results, str(experiment.first) == "level:1"

    monkeypatch.setattr("hnefi.cli.lab.levels.run_games", interrupted)
    line = ("lab", "levels", str(mine), "--only", "beginner", "--games", "2", "--resume", str(tmp_path))
    code, out, err = run(*line)
    assert (code, str(tmp_path) in err) == (130, True)
    assert [line.split()[:4] for line in out.splitlines()[2:]] == [
        [str(level), "v", "beginner", "mine"] for level in (1, 2)
    ]
