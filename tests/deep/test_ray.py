"""Experiments on a real Ray cluster of two nodes, of which one is killed: the same results as without it.

`make check-deep` runs it. Ray (80 MB) is installed for it into `target/ray`, pinned in requirements/ray.txt.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from tests.cli_runs import COMMAND
from tests.deep.report import ROOT, note
from tests.timeouts import wait_until

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(
        sys.platform == "win32", reason="several nodes on one machine are for Linux and macOS"
    ),
]
LOCK = ROOT / "requirements" / "ray.txt"
PACKAGES = ROOT / "target" / "ray" / hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
LIMIT_S = 240
ARENA = ("lab", "arena", "nodes:300", "level:1", "brandub-globe", "--games", "12", "--seed", "5")
CALIBRATE = ("lab", "calibrate", "ard-ri-globe", "--games", "16", "--nodes", "40")
TRAIN = (
    *("lab", "train", "magpie-7", "--positions", "45000", "--nodes", "150", "--match-games", "4"),
    *("--time", "1"),
)


@dataclass(frozen=True, slots=True)
class RunningCluster:
    """A cluster in a process of its own."""

    address: str
    commands: IO[str]

    def kill_a_node(self) -> None:
        self.commands.write("kill\n")
        self.commands.flush()


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    """Returns the environment of processes that can import Ray."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--disable-pip-version-check", "--target", str(PACKAGES), "-r", str(LOCK)]
    if not (PACKAGES / "ray").exists():
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            pytest.skip(f"Ray could not be installed: {run.stderr.strip()[-300:]}")
    return {**os.environ, "PYTHONPATH": str(PACKAGES), "RAY_USAGE_STATS_ENABLED": "0"}


@pytest.fixture
def cluster(environment: dict[str, str]) -> Iterator[RunningCluster]:
    command = [sys.executable, "-m", "tests.deep.ray_cluster"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            found = next((line for line in process.stdout if line.startswith("address ")), "")
            assert found, "the cluster did not start"
            yield RunningCluster(found.split()[1], process.stdin)
        finally:
            process.stdin.close()
            process.wait(LIMIT_S)


def start(environment: dict[str, str], *args: str) -> "subprocess.Popen[str]":
    """Starts a command."""
    pipe = subprocess.PIPE
    return subprocess.Popen([COMMAND, *args, "--json"], env=environment, stdout=pipe, stderr=pipe, text=True)


def answer(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """Waits for the end of a command, and returns its output."""
    out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0, out + err
    found: dict[str, Any] = json.loads(out)
    return found


def positions(folder: Path) -> dict[str, bytes]:
    """Returns the files of positions of the first generation by their name."""
    return {path.name: path.read_bytes() for path in (folder / "generation-1" / "positions").glob("*.bin")}


def test_a_cluster_finds_what_one_machine_finds_though_a_node_dies(
    tmp_path: Path, environment: dict[str, str], cluster: RunningCluster
) -> None:
    begin = time.monotonic()
    at = ("--ray", cluster.address)
    for command in (ARENA, CALIBRATE):
        assert answer(start(environment, *command)) == answer(start(environment, *command, *at))
    whole = answer(start(environment, *TRAIN, "--resume", str(tmp_path / "here")))
    expected = positions(tmp_path / "here")
    assert len(expected) > 4
    there = tmp_path / "there"
    training = start(environment, *TRAIN, "--resume", str(there), *at)
    wait_until(lambda: bool(positions(there)), "the first file of positions")
    cluster.kill_a_node()
    found = answer(training)
    assert len(positions(there)) >= len(expected)
    assert {name: positions(there)[name] for name in expected} == expected
    for one, other in zip(
        whole["generations"][0]["candidates"], found["generations"][0]["candidates"], strict=True
    ):
        names = ("kind", "samples", "attackers", "defenders", "accepted")
        assert [one[name] for name in names] == [other[name] for name in names]
        assert one["matches"][0] == other["matches"][0]
    done = (
        "a match, a calibration and a training on a Ray cluster of two nodes on one machine, one of which was"
        " killed during self-play (`pytest -m deep tests/deep/test_ray.py`)"
    )
    note("ray", done, "the results of one machine", 1, time.monotonic() - begin)
