"""The release: addresses for a package index, the workflow that builds wheels, and the Pythons it is for."""

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import prepare_release
import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
ADDRESS = "https://host.example/hnefi"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def jobs() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]
    return found


def steps() -> list[dict[str, Any]]:
    return [step for job in jobs().values() for step in job["steps"]]


def copied(folder: Path, heading: str) -> str:
    """Copies what is prepared into a folder, with this first heading of the changes; returns the version."""
    for name in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    (folder / "CHANGELOG.md").write_text(f"# Changes\n\n## {heading}\n", "utf-8")
    return str(PROJECT["project"]["version"])


def test_the_links_of_a_release_are_absolute_and_lead_to_its_tag(tmp_path: Path) -> None:
    version = copied(tmp_path, f"{PROJECT['project']['version']}, 2026-12-24")
    prepare_release.prepare(tmp_path, ADDRESS, f"v{version}")
    targets = re.findall(r"\]\(([^)]+)\)", (tmp_path / "README.md").read_text("utf-8"))
    assert len(targets) > 15
    assert [target for target in targets if "://" not in target] == []
    assert f"{ADDRESS}/raw/v{version}/docs/pictures/analysis.png" in targets
    paths = [target.split(f"/blob/v{version}/")[1] for target in targets if "/blob/" in target]
    assert [path for path in paths if not (ROOT / path.partition("#")[0]).exists()] == []
    settings = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))
    assert settings["project"]["urls"]["Source"] == ADDRESS
    assert {**settings["project"], "urls": None} == {**PROJECT["project"], "urls": None}


@pytest.mark.parametrize(
    ("heading", "tag", "message"),
    [
        ("{version}, 2026-12-24", "v9.9.9", "The tag is v9.9.9"),
        ("{version}, not yet released", "v{version}", "The first heading of CHANGELOG.md"),
    ],
)
def test_a_release_whose_tag_or_changes_do_not_fit_is_refused(
    heading: str, tag: str, message: str, tmp_path: Path
) -> None:
    version = copied(tmp_path, heading.format(version=PROJECT["project"]["version"]))
    before = (tmp_path / "README.md").read_bytes()
    with pytest.raises(SystemExit, match=message):
        prepare_release.prepare(tmp_path, ADDRESS, tag.format(version=version))
    assert (tmp_path / "README.md").read_bytes() == before


def test_links_elsewhere_and_to_headings_stay() -> None:
    text = "[a](https://one.example/) [b](#study) `x[1](2)`-free ![c](d.png) [e](guide/f.md#g)"
    assert prepare_release.absolute_links(text, ADDRESS, "v1").split() == [
        *("[a](https://one.example/)", "[b](#study)", f"`x[1]({ADDRESS}/blob/v1/2)`-free"),
        *(f"![c]({ADDRESS}/raw/v1/d.png)", f"[e]({ADDRESS}/blob/v1/guide/f.md#g)"),
    ]


# --- The workflow ---------------------------------------------------------------------------------------


def test_the_jobs_of_the_workflow_build_check_and_publish_in_this_order() -> None:
    needs = {name: job.get("needs", []) for name, job in jobs().items()}
    assert needs == {"sdist": [], "wheels": "sdist", "check": ["sdist", "wheels"], "publish": "check"}
    assert jobs()["wheels"]["strategy"]["matrix"]["os"] == [
        *("ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "macos-15-intel", "windows-2025")
    ]


def test_only_the_job_that_publishes_a_tag_has_an_identity() -> None:
    workflow = yaml.safe_load(WORKFLOW.read_text("utf-8"))
    assert workflow["permissions"] == {}
    allowed = {name: job["permissions"] for name, job in jobs().items()}
    assert allowed == {
        "sdist": {"contents": "read"},
        "wheels": {},
        "check": {},
        "publish": {"id-token": "write"},
    }
    assert (jobs()["publish"]["if"], jobs()["publish"]["environment"]) == ("github.ref_type == 'tag'", "pypi")
    assert "secrets." not in WORKFLOW.read_text("utf-8")


def test_every_action_is_named_with_its_version_and_every_artefact_has_its_upload() -> None:
    used = [step["uses"] for step in steps() if "uses" in step]
    assert [action for action in used if not re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v\d+)", action)] == []
    named: dict[str, list[str]] = {"upload": [], "download": []}
    for step in steps():
        kind = step.get("uses", "").removeprefix("actions/").partition("-artifact")[0]
        if kind in named:
            named[kind].append(step["with"].get("name") or step["with"]["pattern"])
    assert named == {
        "upload": ["dist-sdist", "sbom-pages", "dist-${{ matrix.os }}"],
        "download": ["dist-sdist", "dist-*", "dist-*"],
    }


def test_wheels_are_built_and_tested_for_the_pythons_that_the_project_names() -> None:
    project, wheels = PROJECT["project"], PROJECT["tool"]["cibuildwheel"]
    named = [one.rpartition(" ")[2] for one in project["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert project["requires-python"] == f">={named[0]}"
    assert wheels["build"] == [f"cp{version.replace('.', '')}-*" for version in named]
    newest = {step["with"]["python-version"] for step in steps() if "setup-python" in step.get("uses", "")}
    assert newest == {named[-1]}
    # One wheel for all of them: the stable ABI of the oldest.
    crate = tomllib.loads((ROOT / "crates" / "python" / "Cargo.toml").read_text("utf-8"))
    assert f"abi3-py{named[0].replace('.', '')}" in crate["dependencies"]["pyo3"]["features"]


def test_wheels_are_compiled_with_the_oldest_rust_that_is_promised() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))
    promised = f"{cargo['workspace']['package']['rust-version']}.0"
    assert yaml.safe_load(WORKFLOW.read_text("utf-8"))["env"]["RUST"] == promised
    assert PROJECT["tool"]["cibuildwheel"]["linux"]["before-all"].endswith(f"--default-toolchain {promised}")
