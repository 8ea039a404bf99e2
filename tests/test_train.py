"""Tests of `hnefi lab train`: kills at any moment, time, matches, the file that the engine finds."""

import itertools
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hnefi import Game, variant
from hnefi.engine import Engine, Limit, weights_for
from hnefi.lab.errors import LabError
from hnefi.train import generation
from hnefi.train.budget import Budget
from hnefi.train.plan import OnStep, Plan, Progress
from hnefi.train.positions import Positions, SelfPlaySettings
from hnefi.train.training import Training
from tests.cli_runs import answer, run
from tests.codes import has_code
from tests.timeouts import timeout_s

MAGPIE = variant("magpie-7")
LIMITS: dict[str, Any] = {"match_nodes": (1,), "match_ms": 1, "match_games": 2, "calibration_games": 8}
ARGS = ("lab", "train", "magpie-7", "--positions", "1500", "--match-games", "2", "--time", "1")


class EverythingWins:
    """A sequential test that accepts every candidate after its first pair of games."""

    def verdict(self, pairs: Any) -> bool | None:
        return True if sum(pairs) else None


@pytest.fixture
def everything_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation, "_TEST", EverythingWins())
    monkeypatch.setattr(generation, "sprt_facts", lambda *_: {"accepted": True})


def quiet(_: Progress) -> None:
    """Ignores progress."""


def small(positions: int = 2_000, seed: int = 1, generations: int = 1, **settings: Any) -> Plan:
    """Returns a plan of a second."""
    return Plan(MAGPIE, positions, generations, 1, seed, **{**LIMITS, **settings})


def trained(plan: Plan, folder: Path, on_step: OnStep = quiet, hours: float | None = None) -> Training:
    """Returns a training that was run."""
    training = Training(plan, folder, hours=hours)
    training.run(on_step)
    return training


def files(folder: Path, number: int = 1) -> dict[str, bytes]:
    """Returns the files of positions of a generation by their name."""
    found = (folder / f"generation-{number}" / "positions").glob("*.bin")
    return {path.name: path.read_bytes() for path in found}


def without_clock(content: Any) -> Any:
    """Returns a file of weights or a report without what depends on the speed of the machine."""
    if isinstance(content, dict):
        kept = {**content, "seconds": 0, "matches": content.get("matches", [])[:-1]}
        return {name: without_clock(value) for name, value in kept.items()}
    return [without_clock(one) for one in content] if isinstance(content, list) else content


# --- Kills ----------------------------------------------------------------------------------------------


def kill_in(folder: Path, step: str) -> None:
    """Runs a training like that of `small` in a process that is killed in the middle of a step."""
    program = f"""
import os, signal
from pathlib import Path
from hnefi.train import generation
from hnefi.train.training import Training
from tests.test_train import EverythingWins, small

def kill(progress):
    if progress.step == {step!r} and (progress.done > 0 or progress.step == "training"):
        os.kill(os.getpid(), signal.SIGKILL)

generation._TEST = EverythingWins()
generation.sprt_facts = lambda *_: {{"accepted": True}}
Training(small(6_000), Path({str(folder)!r})).run(kill)
"""
    ended = subprocess.run([sys.executable, "-c", program], timeout=4 * timeout_s(), check=False)
    assert ended.returncode == -signal.SIGKILL


@pytest.mark.deep
@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("everything_wins")
def test_a_training_killed_in_every_step_ends_with_the_same_weights(tmp_path: Path) -> None:
    whole = trained(small(6_000), tmp_path / "whole")
    assert len(files(tmp_path / "whole")) > 1
    for step in ("playing", "training", "match", "calibrating"):
        kill_in(tmp_path / "killed", step)
    (tmp_path / "killed" / "generation-1" / "positions" / ".00000128.bin.abc").write_bytes(b"half")
    resumed = trained(small(6_000), tmp_path / "killed")
    assert files(tmp_path / "killed") == files(tmp_path / "whole")
    assert resumed.content is not None
    assert whole.content is not None
    assert resumed.content["weights"] == whole.content["weights"]
    assert without_clock(resumed.content) == without_clock(whole.content)
    assert without_clock(resumed.report["generations"]) == without_clock(whole.report["generations"])


@pytest.mark.deep
@pytest.mark.usefixtures("everything_wins")
def test_a_finished_generation_is_not_done_again(tmp_path: Path) -> None:
    first = trained(small(), tmp_path)
    seen: list[str] = []
    longer = trained(small(generations=2), tmp_path, lambda progress: seen.append(progress.step))
    assert [step for step, _ in itertools.groupby(seen)] == ["playing", "training", "match", "calibrating"]
    first_generation, second = (one.report["generations"][0] for one in (first, longer))
    assert without_clock(first_generation) == without_clock(second)
    assert files(tmp_path, 2)["00000000.bin"] != files(tmp_path)["00000000.bin"]
    # The weights of the user may have become others since.
    seen.clear()
    again = trained(small(generations=2), tmp_path, lambda progress: seen.append(progress.step))
    assert not seen
    assert again.content == longer.content


@pytest.mark.deep
def test_a_refused_generation_grows_by_more_positions(tmp_path: Path) -> None:
    Training(small(3_000), tmp_path).run(quiet)
    before = files(tmp_path)
    grown = trained(small(9_000), tmp_path)
    assert before.items() < files(tmp_path).items()
    assert grown.report["generations"][0]["positions"] >= 9_000
    # Fewer positions are those of the first files.
    assert Training(small(3_000), tmp_path).report["generations"] == []
    positions = Positions(tmp_path / "generation-1" / "positions", MAGPIE.rules)
    assert positions.read(3_000) == b"".join(before[name] for name in sorted(before))


def test_a_training_is_not_put_among_other_files(tmp_path: Path) -> None:
    (tmp_path / "thesis.odt").write_text("")
    with pytest.raises(LabError) as raised:
        Training(small(), tmp_path)
    assert (raised.value.code, raised.value.parameters["found"]) == ("foreign_folder", "thesis.odt")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.odt"]


def test_a_folder_has_one_training_at_a_time(tmp_path: Path) -> None:
    training = Training(small(), tmp_path)
    with pytest.raises(LabError) as raised:
        Training(small(seed=2), tmp_path)
    assert (raised.value.code, raised.value.parameters["found"]) == ("other_experiment", "seed = 1")

    def second(_: Progress) -> None:
        with pytest.raises(LabError, check=has_code("folder_in_use")):
            Training(small(), tmp_path).run(quiet)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        training.run(second)
    (tmp_path / "generation-1" / "positions" / "00000000.bin").write_bytes(bytes(33))
    with pytest.raises(LabError, match=r"1 bytes after 1 positions of 32 bytes, expected none"):
        training.run(quiet)
    (tmp_path / "time.json").write_text("nonsense")
    with pytest.raises(LabError, check=has_code("bad_folder")):
        training.run(quiet)


# --- Time -----------------------------------------------------------------------------------------------


def test_time_is_counted_over_all_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("hnefi.train.budget.time.monotonic", lambda: now)
    first = Budget(tmp_path / "time.json", 1)
    with first.step(1, "playing"):
        now += 1_000
        assert (first.spent(), first.left) == (1_000, 2_600)
        first.tick()  # a kill after it loses nothing
    now += 50_000
    second = Budget(tmp_path / "time.json", 1)
    with second.step(1, "matches"):
        now += 500
    with second.step(2, "playing"):
        now += 3_000
    assert (second.spent(1), second.spent(1, "playing"), second.before(2)) == (1_500, 1_000, 1_500)
    assert second.left == 0
    assert second.steps(1) == {"playing": 1_000, "matches": 500}
    assert Budget(tmp_path / "time.json").left == float("inf")


def test_each_step_ends_when_its_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # An hour that passes by what is done: a fifth of a second a position, five minutes a game of a match.
    now, last = 0.0, Progress("playing", 0, 0)

    def pass_time(progress: Progress) -> None:
        nonlocal now, last
        before = last.done if last.step == progress.step else 0
        now += {"playing": 0.2, "match": 300.0}.get(progress.step, 0.0) * max(progress.done - before, 0)
        last = progress

    monkeypatch.setattr("hnefi.train.budget.time.monotonic", lambda: now)
    training = trained(small(10**6, match_games=1_000), tmp_path, pass_time, hours=1)
    (facts,) = training.report["generations"]
    assert 0 < facts["positions"] < 10**6
    assert 1_800 <= facts["seconds"]["playing"] < 3_600
    first = facts["candidates"][0]["matches"][0]
    assert (first["sprt"]["accepted"], first["first"]["games"] < 1_000) == (None, True)
    # The same hour again plays nothing more.
    before = files(tmp_path)
    Training(small(10**6, match_games=1_000), tmp_path, hours=1).run(quiet)
    assert files(tmp_path) == before


def test_rate_losses_and_scores_are_reported(tmp_path: Path) -> None:
    seen: list[Progress] = []
    settings = SelfPlaySettings(MAGPIE.rules.to_json(), 40, 1, None)
    counts: list[int] = []
    Positions(tmp_path, MAGPIE.rules).play(1, settings, on_positions=counts.append)
    assert counts == sorted(counts)
    assert len(set(counts)) > 2
    Training(small(), tmp_path / "training").run(seen.append)
    rates = [one.per_second for one in seen if one.step == "playing" and one.done]
    assert all(rate is not None and rate > 0 for rate in rates)
    assert all(one.per_second is None for one in seen if one.step != "playing")
    losses = [one.loss for one in seen if one.step == "training"]
    assert losses[0] is None
    assert all(loss is not None and 0 < loss < 2 for loss in losses[1:])
    scores = [one.score for one in seen if one.step == "match" and one.done]
    assert scores
    assert all(score is not None and score.wins + score.draws + score.losses > 0 for score in scores)


# --- What is written ------------------------------------------------------------------------------------


@pytest.mark.deep
def test_every_share_of_the_result_is_a_candidate(tmp_path: Path) -> None:
    done = trained(small(result_shares=(0.1, 0.6)), tmp_path)
    tried = done.report["generations"][0]["candidates"]
    assert [(one["kind"], one["result_share"]) for one in tried] == [
        (kind, share) for kind in ("terms", "network") for share in (0.1, 0.6)
    ]
    assert tried[0]["attackers"]["learned"] != tried[1]["attackers"]["learned"]


def test_a_large_board_is_learned_from_steered_openings_with_the_terms_as_inputs(tmp_path: Path) -> None:
    smith = variant("smith-tablut-9")
    plan = Plan(smith, 2_000, 1, 1, 1, **LIMITS)
    done = trained(plan, tmp_path)
    terms, network = done.report["generations"][0]["candidates"]
    assert (terms["kind"], network["kind"], network["result_share"]) == ("terms", "network", 0.15)
    assert (network["terms"], network["buckets"]) == (True, False)
    manifest = json.loads(next(tmp_path.glob("generation-1/match-1-*/manifest.json")).read_text("utf-8"))
    assert "aim" in manifest["openings"]
    assert plan.settings["steered"] is True
    assert "steered" not in small().settings


def test_a_network_has_the_inputs_and_the_width_that_are_wanted(tmp_path: Path) -> None:
    done = trained(small(inputs="terms", width=64, draws=False), tmp_path)
    terms, network = done.report["generations"][0]["candidates"]
    assert (network["terms"], network["buckets"], network["width"]) == (True, False, 64)
    assert (terms["draws"], network["draws"]) == (False, False)
    other = trained(small(), tmp_path / "other")
    assert terms["samples"] < other.report["generations"][0]["candidates"][0]["samples"]


@pytest.mark.deep
def test_without_a_won_match_nothing_is_written_and_the_summary_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HNEFI_WEIGHTS", str(tmp_path / "own"))
    folder = tmp_path / "training"
    found = answer(*ARGS, "--resume", str(folder))
    assert found["file"] is None
    assert not (tmp_path / "own").exists()
    (only,) = found["generations"]
    terms, network = only["candidates"]
    for candidate in (terms, network):
        assert candidate["accepted"] is False
        assert [match["nodes"] for match in candidate["matches"]] == [5000]
        assert candidate["attackers"]["positions"] > 0
    kept = json.loads((tmp_path / "training" / "report.json").read_text(encoding="utf-8"))
    assert kept["generations"][0]["candidates"][0]["samples"] == terms["samples"]
    assert Path(found["page"]).read_text(encoding="utf-8").startswith("<!doctype html>")
    for lang, sentence in (("en", "Nothing won all its matches"), ("fr", "Rien n’a gagné tous ses matchs")):
        code, out, err = run("--lang", lang, *ARGS, "--resume", str(folder))
        assert (code, err) == (0, "")
        assert sentence in out
        assert str(folder / "report.html") in "".join(out.split())


@pytest.mark.usefixtures("everything_wins")
def test_the_engine_finds_a_network_that_won(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = trained(small(), tmp_path / "training")
    assert done.content is not None
    assert all(one["accepted"] for each in done.report["generations"] for one in each["candidates"])
    assert done.content["calibration"]["held_out"]
    made = done.content["trained"]
    assert {"seed", "nodes", "seconds", "samples", "positions", "core", "generation"} <= made.keys()
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setenv("HNEFI_WEIGHTS", str(own))
    (own / "magpie-7.json").write_text(json.dumps(done.content), encoding="utf-8")
    found = weights_for(MAGPIE.rules)
    assert found.calibration.offset == 0
    assert "network" in json.loads(found.text or "{}")
    assert found.calibration.chances(0) == pytest.approx(0.5)
    assert "network" not in json.loads(weights_for(variant("alea-evangelii-19").rules).text or "{}")
    with Engine() as engine:
        analysis = engine.analyse(Game(MAGPIE.rules), Limit(nodes=2_000)).last()
    assert analysis.best is not None
    # The training goes on from its own weights, whatever the engine uses by now.
    again = trained(small(), tmp_path / "training")
    assert again.content == done.content


@pytest.mark.usefixtures("everything_wins")
def test_weights_of_another_variant_that_won_are_named_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = small(generations=0, weights_of=variant("brandub-globe"))
    done = trained(plan, tmp_path / "training")
    assert done.content is not None
    assert (done.content["weights"], done.content["trained"]["of"]) == ("brandub-globe", "brandub-globe")
    assert "weights of brandub-globe" in done.report_path.read_text(encoding="utf-8").lower()
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setenv("HNEFI_WEIGHTS", str(own))
    (own / "magpie-7.json").write_text(json.dumps(done.content), encoding="utf-8")
    assert weights_for(MAGPIE.rules).text == weights_for("brandub-globe").text


def test_weights_of_another_variant_that_lose_or_do_not_fit_are_not_used(tmp_path: Path) -> None:
    folder = str(tmp_path / "training")
    found = answer(*ARGS, "--weights-of", "brandub-globe", "--generations", "0", "--resume", folder)
    (only,) = found["generations"]
    assert (only["candidates"][0]["kind"], only["candidates"][0]["accepted"]) == ("other", False)
    code, out, _ = run(*ARGS, "--weights-of", "brandub-globe", "--generations", "0", "--resume", folder)
    assert code == 0
    assert "Weights of brandub-globe, as they are" in out
    for other, why in (("copenhagen-11", "expected 10"), ("magpie-cross-7", "expected fitted ones")):
        code, _, err = run(*ARGS, "--weights-of", other)
        assert code == 2
        assert why in err
