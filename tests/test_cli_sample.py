"""Tests of `hnefi lab sample`: annotated games of any rules, and files that are not replaced."""

from pathlib import Path

import pytest

from hnefi import load_variant, variant
from hnefi.lab import sample
from hnefi.record import load_records
from hnefi.variants import format_variant
from tests.cli_runs import answer, refusal, run

QUICK = ("--games", "1", "--nodes", "1000")


def test_an_annotated_game_of_rules_of_ones_own_is_written(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    text = format_variant(variant("brandub-walker-7"))
    mine.write_text(text.replace('id = "brandub-walker-7"', 'id = "mine"'), "utf-8")
    (found,) = answer("lab", "sample", str(mine), *QUICK, "-o", str(tmp_path / "games"))["variants"]
    assert (found["variant"], found["games"], found["levels"]) == ("mine", 1, [7, 6])
    (record,) = load_records(found["file"]).records
    assert record.replay(lambda _: load_variant(mine)).faults == ()
    assert record.header("Annotator") == "Hnefi nodes:1000"
    assert sum(bool(node.variations) for node in record.nodes) == found["mistakes"] > 0
    assert len([node for node in record.nodes if node.move]) == found["plies"]


def test_only_sample_games_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = ("lab", "sample", "ard-ri-globe", *QUICK)
    assert run(*line) == run(*line)
    path = tmp_path / "ard-ri-globe.tafl"
    path.write_text('[Variant "ard-ri-globe"]\n\n1. c5-b5 *\n', "utf-8")
    assert refusal(*line)["code"] == "other_games"
    assert path.read_text("utf-8").endswith("1. c5-b5 *\n")


def test_a_variant_without_a_game_that_counts_has_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "LEAST_CAPTURES", 40)
    code, out, _ = run("lab", "sample", "ard-ri-globe", *QUICK, "-o", str(tmp_path))
    assert (code, out.splitlines()[-1].split()) == (1, ["ard-ri-globe", "0", *"–––––––"])
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_keeps_the_games_that_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = sample.play_sample

    def interrupted(one, *arguments):  # type: ignore[no-untyped-def]
        if one.id == "brandub-globe":
            raise KeyboardInterrupt
        return plain(one, *arguments)

    monkeypatch.setattr(sample, "play_sample", interrupted)
    line = ("lab", "sample", "ard-ri-globe", "brandub-globe", *QUICK)
    code, out, err = run(*line, "-o", str(tmp_path))
    assert (code, "ard-ri-globe" in out, "brandub-globe" in out, bool(err)) == (130, True, False, True)
    assert [path.name for path in tmp_path.iterdir()] == ["ard-ri-globe.tafl"]
