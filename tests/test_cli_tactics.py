"""Tests of `hnefi lab tactics`: its suite, how it goes on, its limits, and what Ctrl-C leaves."""

from pathlib import Path

import pytest

from hnefi.cli.lab import collecting
from hnefi.formats import SuiteEntry
from hnefi.lab import tactics
from hnefi.lab.positions import SuiteFile
from tests.cli_runs import answer, refusal, run
from tests.variant_files import renamed

LIGHT = ("--play-nodes", "200")


def test_a_suite_is_continued_and_can_be_run(tmp_path: Path) -> None:
    path = tmp_path / "tactics.epd"
    args = ("lab", "tactics", "brandub-globe", *LIGHT, "-o", str(path))
    (first,) = answer(*args, "--positions", "1")["positions"]
    path.write_text(path.read_text("utf-8") + "# no line ends here", "utf-8")
    (second,) = answer(*args, "--positions", "2")["positions"]
    assert answer(*args, "--positions", "2") == {"complete": True, "positions": []}
    assert (first["variant"], len(first["operations"]["bm"])) == ("brandub-globe", 1)
    assert int(second["operations"]["seed"][0]) > int(first["operations"]["seed"][0])
    lines = path.read_text("utf-8").replace("# no line ends here\n", "")
    assert run("lab", "tactics", "brandub-globe", *LIGHT, "--positions", "2") == (0, lines, "")
    assert len(answer("lab", "suite", str(path), "--nodes", "100")["positions"]) == 2


def test_a_folder_has_a_file_for_each_variant(tmp_path: Path) -> None:
    found = run(
        "lab", "tactics", "brandub-globe", "ard-ri-globe", *LIGHT, "--positions", "1", "-o", str(tmp_path)
    )
    assert found == (0, f"2 positions added to {tmp_path}.\n", "")
    assert {path.name for path in tmp_path.iterdir()} == {"ard-ri-globe.epd", "brandub-globe.epd"}


def test_time_and_ctrl_c_end_the_work_after_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer("lab", "tactics", "gwezboell-globe", *LIGHT, "--seconds", "0.001")["complete"]
    plain = SuiteFile.add

    def interrupted(suite: SuiteFile, entry: SuiteEntry) -> None:
        if suite.entries:
            raise KeyboardInterrupt
        plain(suite, entry)

    monkeypatch.setattr(SuiteFile, "add", interrupted)
    code, out, err = run("lab", "tactics", "brandub-globe", *LIGHT)
    assert (code, out.count("\n"), bool(err)) == (130, 1, True)


def test_the_name_of_a_file_has_the_ending_of_a_suite(tmp_path: Path) -> None:
    line = ("lab", "tactics", "brandub-globe", *LIGHT, "--positions", "1", "-o")
    (tmp_path / "file").write_text("", "utf-8")
    for name in ("file", "tactics.jsonl"):
        path = tmp_path / name
        message = f"“{name}” must end with .epd, or be the name of a folder."
        assert refusal(*line, str(path)) == {"code": "bad_usage", "message": message}
    assert refusal(*line, str(tmp_path / "none" / "tactics.epd"))["code"] == "cannot_write"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
    (tmp_path / "v1.2").mkdir()
    for folder in (tmp_path / "v1.2", tmp_path / "new" / "suites"):
        assert run(*line, str(folder)) == (0, f"1 position added to {folder}.\n", "")
        assert (folder / "brandub-globe.epd").is_file()


def test_a_variant_is_left_after_many_games_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "FRUITLESS", 3)
    monkeypatch.setattr(tactics, "_tactic_of", lambda *_: None)
    line = ("lab", "tactics", "brandub-globe", *LIGHT, "--positions", "3")
    hint = "--share 1 takes those of one side alone."
    said = f"brandub-globe: the last 3 games gave no position; {hint}\n"
    assert run(*line, "--share", "0.1") == (0, "", said)
    code, out, err = run(*line, "--share", "1", "--lang", "fr", "--json")
    assert (code, '"positions":[]' in out.replace(" ", "").replace("\n", "")) == (0, True)
    assert err == "brandub-globe\u00a0: les 3 dernières parties n’ont donné aucune position.\n"


def test_files_that_hold_something_else_or_cannot_be_read_are_refused(tmp_path: Path) -> None:
    games = Path(__file__).parent / "records" / "brandub-globe.tafl"
    path = tmp_path / "games.epd"
    path.write_bytes(games.read_bytes())
    assert refusal("lab", "tactics", "brandub-globe", "-o", str(path))["code"] == "would_be_lost"
    path.write_bytes(b"\xff\xfe\xff")
    found = refusal("lab", "tactics", "brandub-globe", "-o", str(path))
    assert found == {"code": "cannot_read", "message": f"{path} cannot be read: not UTF-8 text."}
    assert refusal("lab", "tactics", "brandub-globe", "-o", str(path / "in"))["code"] == "cannot_write"
    path.write_text("# a list\nhello world\n", "utf-8")
    found = refusal("lab", "tactics", "brandub-globe", "-o", str(path))
    assert found["message"] == f"{path} cannot be read: line 2 is not one of a test suite."


@pytest.mark.parametrize("command", ["tactics", "themes"])
def test_a_suite_does_not_name_a_variant_that_is_not_installed(tmp_path: Path, command: str) -> None:
    own = tmp_path / "mine.toml"
    own.write_text(renamed("brandub-globe", "mine"), "utf-8")
    found = refusal("lab", command, str(own))
    assert found["code"] == "not_added"
    assert "`hnefi variants add FILE`" in found["message"]
