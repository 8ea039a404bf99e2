"""The release and its packages: addresses, the workflow, complete wheel and source distribution."""

import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import Any

import hnefi_build
import prepare_release
import pytest
import toolchain
import yaml

import hnefi

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


PACKAGE = ROOT / "src" / "hnefi"


def build(hook: str, target: Path, root: Path = ROOT) -> Path:
    """Runs one hook of the build backend as pip does, in the root of the project or of an unpacked copy."""
    program = f"import hnefi_build; hnefi_build.{hook}({str(target)!r})"
    environment = toolchain.rust_environment()
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    environment["PYTHONPATH"] = str(root / "build_backend")
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    (built,) = target.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("build_wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def source_distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("build_sdist", tmp_path_factory.mktemp("sdist"))


def sources(pattern: str) -> set[str]:
    """Names the files of the package that match, as they stand in a wheel."""
    found = {str(path.relative_to(PACKAGE.parent)) for path in PACKAGE.rglob(pattern)}
    assert found
    return found


@pytest.mark.deep
def test_one_wheel_serves_every_python_from_3_11(wheel: Path) -> None:
    assert wheel.name.startswith(f"hnefi-{hnefi.__version__}-cp311-abi3-")


@pytest.mark.deep
def test_the_wheel_holds_all_that_the_package_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    needed = (
        *("*.py", "*.pyi", "*.toml", "*.tafl", "*.typ", "*.ttf", "OFL-*.txt", "letters.txt"),
        *("report.css", "icon-*.png", "py.typed"),
    )
    assert {name for pattern in needed for name in sources(pattern)} <= names
    assert {name.removesuffix("po") + "mo" for name in sources("*.po")} <= names
    assert [name for name in names if name.startswith("hnefi/_core.") and not name.endswith(".pyi")]
    manifest = json.loads((PACKAGE / "server" / "static" / "manifest.json").read_text(encoding="utf-8"))
    assert {f"hnefi/server/static/{name}" for name in ["manifest.json", *manifest["files"].values()]} <= names
    assert not [name for name in names if "tests" in name or "__pycache__" in name]
    # The list of the crates in the core (PEP 770), which maturin writes.
    assert f"hnefi-{hnefi.__version__}.dist-info/sboms/hnefi-python.cyclonedx.json" in names


@pytest.mark.deep
def test_the_library_depends_on_nothing(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        metadata = Parser().parsestr(archive.read(f"hnefi-{hnefi.__version__}.dist-info/METADATA").decode())
    assert [needed for needed in metadata.get_all("Requires-Dist", []) if "extra ==" not in needed] == []
    assert metadata["License-Expression"] == "MIT"


def pythons() -> list[str]:
    """Finds this Python and the others of this machine that the wheel is made for, by their usual names."""
    named = {shutil.which(f"python3.{minor}") for minor in range(11, 15)} - {None}
    answers = {
        name: subprocess.run(
            [name, "-c", "import sys; print(sys.version)"], capture_output=True, text=True, check=False
        )
        for name in [sys.executable, *sorted(filter(None, named))]
    }
    # Several names may lead to one Python, and a version manager's name to none.
    return list(
        {answer.stdout: name for name, answer in reversed(answers.items()) if answer.returncode == 0}.values()
    )


@pytest.mark.deep
def test_the_wheel_works_without_the_project(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import hnefi; "
        f"assert hnefi.__file__.startswith({str(tmp_path)!r}), hnefi.__file__; "
        "print(len(hnefi.variant('brandub-globe').new_game().legal_moves()))"
    )
    # -S keeps the installed packages away, the editable installation among them.
    for python in pythons():
        command = [python, "-I", "-S", "-c", program]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (run.stdout, run.stderr) == ("40\n", ""), python


def test_the_crates_and_the_package_have_one_version() -> None:
    manifests = [
        tomllib.loads((ROOT / name).read_text(encoding="utf-8")) for name in ("Cargo.toml", "pyproject.toml")
    ]
    # Cargo and Python write a version before its release in two ways.
    cargo = manifests[0]["workspace"]["package"]["version"]
    assert cargo.replace("-dev", ".dev0") == manifests[1]["project"]["version"]
    assert hnefi.__version__ == manifests[1]["project"]["version"]
    assert manifests[0]["workspace"]["package"]["license"] == manifests[1]["project"]["license"]


@pytest.mark.deep
def test_the_source_distribution_holds_what_a_build_needs(source_distribution: Path) -> None:
    with tarfile.open(source_distribution) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    top = {
        *("Cargo.toml", "Cargo.lock", "pyproject.toml", "README.md"),
        *("LICENSE", "build_backend/hnefi_build.py"),
    }
    crates = {str(path.relative_to(ROOT)) for path in (ROOT / "crates").rglob("src/*.rs")}
    pages = {str(path.relative_to(ROOT)) for path in (ROOT / "web" / "src").rglob("*.ts")}
    assert "src/hnefi/server/static/manifest.json" in held
    # What a system's packagers need besides: they run the tests and install the documentation.
    assert {"CHANGELOG.md", "Makefile", "docs/index.md", "examples/bot.py", "requirements/dev.txt"} <= held
    assert {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")} <= held
    package = sources("*.py") | sources("*.po") | sources("*.toml") | sources("*.tafl") | sources("*.pyi")
    backend = {"build_backend/hnefi_build.py", *hnefi_build.STEPS}
    assert top | backend | crates | pages | {f"src/{name}" for name in package} <= held


@pytest.mark.deep
def test_the_source_distribution_gives_the_same_wheel(
    source_distribution: Path, wheel: Path, tmp_path: Path
) -> None:
    with tarfile.open(source_distribution) as archive:
        archive.extractall(tmp_path, filter="data")
    (root,) = tmp_path.iterdir()
    (tmp_path / "wheel").mkdir()
    again = build("build_wheel", tmp_path / "wheel", root)
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert set(one.namelist()) == set(other.namelist())
