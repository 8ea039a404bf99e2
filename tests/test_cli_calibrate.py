"""Tests of `hnefi lab calibrate`: output, files, errors, interruption."""

import json
from pathlib import Path

import pytest

from hnefi import variant
from hnefi.engine import weights_for
from hnefi.lab.calibrating import Calibrating
from tests.cli_runs import answer, refusal, run

FEW = ("lab", "calibrate", "ard-ri-globe", "--games", "16", "--nodes", "40")


def test_the_file_is_one_that_the_engine_reads(tmp_path: Path) -> None:
    path = tmp_path / "ard-ri-globe.json"
    found = answer(*FEW, "--output", str(path))
    assert json.loads(path.read_text(encoding="utf-8")) == found
    assert found["calibration"]["games"] == 16
    rules = variant("ard-ri-globe").rules
    used, before = weights_for(rules, tmp_path), weights_for(rules)
    assert used.calibration.scale == found["scale"]
    assert (used.text, used.mistake_odds, used.made) == (before.text, before.mistake_odds, before.made)


def test_rules_without_weights_keep_the_default_ones() -> None:
    found = answer("lab", "calibrate", "tyr-11", "--games", "8", "--nodes", "20")
    assert found["weights"] is None
    assert found["rules"] == variant("tyr-11").rules.hash


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [("en", "in held-out games (40 nodes per move)"), ("fr", "parties mises de côté (40 nœuds par coup)")],
)
def test_the_table_compares_what_was_expected(lang: str, sentence: str) -> None:
    code, out, err = run(*FEW, "--lang", lang)
    assert (code, err) == (0, "")
    assert sentence in out
    assert all(len(line) <= 110 for line in out.splitlines())


@pytest.mark.parametrize("folder", [(), ("--resume", "kept")])
def test_it_can_be_interrupted(
    folder: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Calibrating, "run", stop)
        code, out, err = run(*FEW, *folder)
    assert (code, out) == (130, "")
    assert ("What was done is in kept" in err) == bool(folder)


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--games", "1"), "bad_usage"),
        (("--nodes", "none"), "bad_usage"),
        (("--output", "/no/such/folder/w.json"), "cannot_write"),
    ],
)
def test_invalid_options_are_refused(args: tuple[str, ...], code: str) -> None:
    assert refusal("lab", "calibrate", "ard-ri-globe", *args)["code"] == code
