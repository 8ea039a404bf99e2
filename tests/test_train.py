"""Tests of `hnefi train`: positions on disk, resuming, matches, the file that the engine finds."""

import json
from pathlib import Path
from typing import Any

import pytest

from hnefi import Game, variant
from hnefi.engine import Engine, Limit, weights_for
from hnefi.lab.errors import LabError
from hnefi.measure import Sprt
from hnefi.train import training
from hnefi.train.positions import GAMES_A_FILE
from hnefi.train.training import Plan, Training
from tests.cli_runs import answer, run

ARD_RI = variant("ard-ri-globe")
ARGS = ("train", "ard-ri-globe", "--positions", "1500", "--match-games", "2", "--time", "1")


def quiet(_: str, __: int, ___: int) -> None:
    """Ignores progress."""


def small(positions: int = 6_000, seed: int = 1, generations: int = 1) -> Plan:
    """Returns a plan of a second."""
    return Plan(
        ARD_RI, positions, generations, 1, seed, (1, 2), match_ms=1, match_games=2, calibration_games=8
    )


def files(folder: Path) -> dict[str, bytes]:
    """Returns the files of positions by their name."""
    return {path.name: path.read_bytes() for path in (folder / "generation-1" / "positions").iterdir()}


def test_a_killed_training_goes_on_with_the_same_positions(tmp_path: Path) -> None:
    whole = Training(small(), tmp_path / "whole")
    whole.run(quiet)
    expected = files(tmp_path / "whole")
    assert len(expected) > 1
    assert sorted(expected)[:2] == ["00000000.bin", f"{GAMES_A_FILE:08}.bin"]

    class KilledError(Exception):
        """Stands for a kill while games are played."""

    def kill(step: str, count: int, _: int) -> None:
        if step == "playing" and count > 0:
            raise KilledError

    with pytest.raises(KilledError):
        Training(small(), tmp_path / "killed").run(kill)
    left = files(tmp_path / "killed")
    assert len(left) == 1
    (tmp_path / "killed" / "generation-1" / "positions" / "00000128.unfinished").write_bytes(b"half")
    resumed = Training(small(), tmp_path / "killed", threads=2)
    resumed.run(quiet)
    assert files(tmp_path / "killed") == expected
    first, again = (one.report["generations"][0] for one in (whole, resumed))
    assert {**first, "seconds": 0, "matches": []} == {**again, "seconds": 0, "matches": []}


def test_a_folder_with_another_training_is_refused(tmp_path: Path) -> None:
    Training(small(), tmp_path)
    with pytest.raises(LabError) as raised:
        Training(small(seed=2), tmp_path)
    assert raised.value.code == "other_experiment"


def test_without_a_won_match_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HNEFI_WEIGHTS", str(tmp_path / "own"))
    found = answer(*ARGS, "--resume", str(tmp_path / "training"))
    assert found["file"] is None
    assert not (tmp_path / "own").exists()
    (generation,) = found["generations"]
    assert generation["accepted"] is False
    assert [match["nodes"] for match in generation["matches"]] == [5000]
    assert generation["attackers"]["positions"] > 0
    kept = json.loads((tmp_path / "training" / "report.json").read_text(encoding="utf-8"))
    assert kept["generations"][0]["samples"] == generation["samples"]


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [("en", "did not win all its matches"), ("fr", "n’a pas gagné tous ses matchs")],
)
def test_the_summary_says_why(lang: str, sentence: str, tmp_path: Path) -> None:
    code, out, err = run("--lang", lang, *ARGS, "--resume", str(tmp_path))
    assert (code, err) == (0, "")
    assert sentence in out


def test_the_engine_finds_a_network_that_won(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Lenient(Sprt):
        """A test that accepts every network after its games."""

        def verdict(self, pairs: Any) -> bool | None:
            return True if sum(pairs) else None

    def accepted(*_: Any) -> dict[str, Any]:
        return {"accepted": True}

    monkeypatch.setattr(training, "_TEST", Lenient(0, 20))
    monkeypatch.setattr(training, "sprt_facts", accepted)
    done = Training(small(generations=2), tmp_path / "training")
    done.run(quiet)
    assert done.content is not None
    assert [one["accepted"] for one in done.report["generations"]] == [True, True]
    second = (tmp_path / "training" / "generation-2" / "positions" / "00000000.bin").read_bytes()
    assert second != files(tmp_path / "training")["00000000.bin"]
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setenv("HNEFI_WEIGHTS", str(own))
    (own / "ard-ri-globe.json").write_text(json.dumps(done.content), encoding="utf-8")
    found = weights_for(ARD_RI.rules)
    assert found.calibration.offset == 0
    assert "network" in json.loads(found.text or "{}")
    assert found.calibration.chances(0) == pytest.approx(0.5)
    assert "network" not in json.loads(weights_for(variant("brandub-globe").rules).text or "{}")
    with Engine() as engine:
        analysis = engine.analyse(Game(ARD_RI.rules), Limit(nodes=2_000)).last()
    assert analysis.best is not None
