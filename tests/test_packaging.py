"""Packages: complete wheel and source distribution, few dependencies, quick import."""

import json
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import hnefi_build
import pytest
import toolchain

import hnefi

ROOT = Path(__file__).parents[1]
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
