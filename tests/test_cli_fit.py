"""Tests of `hnefi fit`: output, files, errors, interruption."""

import json
from pathlib import Path

import pytest

from hnefi import variant
from hnefi.engine import weights_for
from hnefi.lab.fitting import Fitting
from tests.cli_runs import answer, refusal, run

FEW = ("--nodes", "30", "--match-nodes", "40", "--match-games", "4", "--calibration-games", "12")
NONE = ("fit", "ard-ri-globe", "--games", "0", *FEW)


def test_fit_writes_weights_that_the_engine_reads(tmp_path: Path) -> None:
    path = tmp_path / "ard-ri-globe.json"
    found = answer("fit", "ard-ri-globe", "--games", "16", *FEW, "--output", str(path))
    assert json.loads(path.read_text(encoding="utf-8")) == found
    assert found["weights"] is None  # four games show nothing
    assert found["fitted"]["tuning"] == {"games": 16, "nodes": 30, "seed": 1}
    assert found["fitted"]["match"]["first"]["games"] == 4
    assert found["fitted"]["match"]["sprt"]["accepted"] is not True
    used = weights_for(variant("ard-ri-globe").rules, tmp_path)
    assert used.calibration.scale == found["scale"]
    assert not used.is_fitted


def test_fit_without_games_only_calibrates() -> None:
    found = answer(*NONE)
    assert (found["weights"], found["fitted"]["match"]) == (None, None)
    assert found["fitted"]["calibration"]["games"] == 12
    assert found["rules"] == variant("ard-ri-globe").rules.hash


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [("en", "Nothing was tuned: the derived weights stay."), ("fr", "les poids déduits restent.")],
)
def test_fit_prints_its_result(lang: str, sentence: str) -> None:
    code, out, err = run(*NONE, "--lang", lang)
    assert (code, err) == (0, "")
    assert sentence in out
    assert all(len(line) <= 110 for line in out.splitlines())


@pytest.mark.parametrize("folder", [(), ("--resume", "kept")])
def test_fit_can_be_interrupted(
    folder: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(Fitting, "verify", stop)
        code, out, err = run("fit", "ard-ri-globe", "--games", "16", *FEW, *folder)
    assert (code, out) == (130, "")
    assert ("The steps are in kept" in err) == bool(folder)
    if folder:
        assert len((tmp_path / "kept" / "steps.jsonl").read_text().splitlines()) == 2
        assert answer("fit", "ard-ri-globe", "--games", "16", *FEW, *folder)["weights"] is None


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("--hours", "0"), "bad_usage"),
        (("--hours", "soon"), "bad_usage"),
        (("--calibration-games", "1"), "bad_usage"),
        (("--output", "/no/such/folder/w.json"), "cannot_write"),
    ],
)
def test_fit_refuses_invalid_options(args: tuple[str, ...], code: str) -> None:
    found = refusal("fit", "ard-ri-globe", "--games", "0", *args)
    assert found["code"] == code
    assert ("a number from 0 to 10000" in found["message"]) == (args[0] == "--hours")
