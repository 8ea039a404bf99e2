"""Benchmark of the rules core against a hand-specialised baseline, both built the same way in one run."""

import json
import os
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
ELEVEN = "3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3"

# How many times slower than the baseline the core may be, by build: that of the wheel, and for this
# processor.
BUILDS = {"x86-64-v2": 3.0, "native": 2.0}


class Rate(NamedTuple):
    """Leaves a second of core and baseline in one game."""

    build: str
    game: str
    leaves: int
    core: float
    baseline: float
    limit: float

    @property
    def ratio(self) -> float:
        return self.baseline / self.core

    @property
    def is_met(self) -> bool:
        return self.ratio <= self.limit


def rules(variant: str) -> dict[str, Any]:
    """Returns the rule tree of a variant."""
    path = ROOT / "src" / "hnefi" / "variants" / "data" / f"{variant}.toml"
    tree: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))["rules"]
    return tree


def eleven() -> dict[str, Any]:
    """Returns the rules of a plain game on 11 × 11: corner goals, a king captured on four sides."""
    tree = rules("gwezboell-globe")
    tree["board"].update(size=11, start=ELEVEN)
    tree["movement"]["throne_stop"] = ["king"]
    tree["capture"]["king_capture"] = dict.fromkeys(("on_throne", "beside_throne", "elsewhere"), "four_sides")
    return tree


def measure() -> list[Rate]:
    """Compiles and measures both builds.

    Raises:
        subprocess.CalledProcessError: If a build fails, or core and baseline count differently.
    """
    trees = {"brandub": rules("brandub-globe"), "tablut": rules("gwezboell-globe"), "eleven": eleven()}
    with tempfile.TemporaryDirectory() as folder:
        for name, tree in trees.items():
            (Path(folder) / f"{name}.json").write_text(json.dumps(tree), "utf-8")
        return [rate for build, limit in BUILDS.items() for rate in run(build, limit, folder)]


def run(build: str, limit: float, folder: str) -> list[Rate]:
    target = ROOT / "target" / f"bench-{build}"
    environment = os.environ | {"RUSTFLAGS": f"-C target-cpu={build}", "CARGO_TARGET_DIR": str(target)}
    command = ["cargo", "build", "--release", "--quiet", "--package", "hnefi-benchmarks"]
    subprocess.run(command, check=True, cwd=ROOT, env=environment)
    program = target / "release" / "hnefi-benchmarks"
    process = subprocess.run([program, folder], check=True, stdout=subprocess.PIPE, text=True)
    rows = [json.loads(line) for line in process.stdout.splitlines()]
    return [Rate(build, row["game"], row["leaves"], row["core"], row["baseline"], limit) for row in rows]
