"""Sets up the project: the packages, pinned by their hashes, the pages for the browser, and Hnefi, compiled.

`play` sets up what a game in the browser needs. Without an argument everything is set up, also the tools of
checks and tests, with a core that is compiled quickly (Cargo's profile `ci`); `release` does the same with
the core of a release, to measure its speed. What is up to date is left alone, so that a second run takes no
time. Python sources need no setting up: the installation is an editable one.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import build_web
import packages
import programs
import toolchain

ROOT = Path(__file__).parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
PACKAGE = ROOT / "src" / "hnefi"
PIP = ".venv/bin/python -m pip install --quiet"
UV = ".venv/bin/uv pip install --quiet"
PURPOSES = ("play", "dev", "release")
UV_VARIABLES = {
    "PIP_INDEX_URL": "UV_DEFAULT_INDEX",
    "PIP_FIND_LINKS": "UV_FIND_LINKS",
    "PIP_CERT": "SSL_CERT_FILE",
}


def main(arguments: list[str]) -> None:
    """Brings `.venv` up to date for playing, for checks and tests (the default), or for measuring."""
    purpose = arguments[0] if arguments else "dev"
    if purpose not in PURPOSES or len(arguments) > 1:
        sys.exit("usage: setup.py [play|release]")
    dev = purpose != "play"
    environment = toolchain.rust_environment()
    environment["PATH"] = os.pathsep.join([str(VENV / "bin"), environment["PATH"]])
    environment["VIRTUAL_ENV"] = str(VENV)
    make_venv()
    install_packages(environment, "dev" if dev else "play")
    # The compilers of the pages and of the core leave each other a core of the machine most of the time.
    with ThreadPoolExecutor() as pool:
        steps = [
            pool.submit(build_pages, environment, dev=dev),
            pool.submit(install_hnefi, environment, "ci" if purpose == "dev" else "release"),
        ]
        if dev:
            steps.append(pool.submit(programs.install_programs))
    for step in steps:
        step.result()
    compile_catalogues(environment)


def make_venv() -> None:
    """Creates `.venv`, unless there is one whose Python works."""
    if PYTHON.exists() and subprocess.run([PYTHON, "-c", ""], check=False).returncode == 0:
        return
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    if subprocess.run(command, capture_output=True, check=False).returncode == 0:
        return
    # Debian leaves the module that does it out of its Python.
    package = f"python3.{sys.version_info.minor}-venv"
    if packages.refresh() and packages.install(package):
        subprocess.run(command, check=True)
        return
    sys.exit(f"This Python cannot make a virtual environment: install its venv module (Debian: {package}).")


def install_packages(environment: dict[str, str], purpose: str) -> None:
    """Installs the packages pinned in `requirements/PURPOSE.txt`, unless they are there.

    `dev.txt` pins everything that `play.txt` pins.
    """
    keys = {name: digest([ROOT / "requirements" / f"{name}.txt"], sys.version) for name in (purpose, "dev")}
    if any(stamped(name, key) for name, key in keys.items()):
        return
    requirements = "--require-hashes --requirement requirements"
    if not (VENV / "bin" / "uv").exists():
        perform("Installing uv", f"{PIP} {requirements}/uv.txt", environment)
    # uv takes a fifth of pip's time, and reads pip's variables under names of its own.
    for name, names in UV_VARIABLES.items():
        if name in environment:
            environment.setdefault(names, environment[name])
    perform("Installing the Python packages", f"{UV} {requirements}/{purpose}.txt", environment)
    stamp(purpose, keys[purpose])


def build_pages(environment: dict[str, str], *, dev: bool) -> None:
    """Builds the scripts and styles of the pages, unless their sources are unchanged."""
    scope = " --dev" if dev else ""
    if not build_web.is_current() or (dev and not build_web.has_packages(dev=True)):
        perform("Building the pages", f".venv/bin/python tools/build_web.py --install{scope}", environment)


def install_hnefi(environment: dict[str, str], profile: str) -> None:
    """Compiles the core and installs the package, editable, unless nothing that is compiled has changed."""
    sources = [ROOT / "Cargo.toml", ROOT / "Cargo.lock"]
    sources += [*(ROOT / "build_backend").glob("*.py"), *(ROOT / "crates").rglob("Cargo.toml")]
    sources += (ROOT / "crates").rglob("*.rs")
    settings = [environment.get(name, "") for name in ("RUSTFLAGS", "HNEFI_NATIVE")]
    key = digest(
        sources, build_settings(), toolchain.compiler_version(environment), *settings, str(ROOT), profile
    )
    if stamped("hnefi", key) and any(PACKAGE.glob("_core.*.so")):
        return
    # The steps of the build backend are those of this program.
    environment = {**environment, "MATURIN_PEP517_ARGS": f"--profile {profile}", "HNEFI_PREPARED": "1"}
    command = f"{PIP} --no-deps --no-build-isolation --editable ."
    perform("Compiling the core and installing Hnefi", command, environment)
    stamp("hnefi", key)


def build_settings() -> str:
    """Returns the parts of pyproject.toml that a build reads, without the settings of linters and tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return json.dumps([project["build-system"], project["project"], project["tool"]["maturin"]])


def compile_catalogues(environment: dict[str, str]) -> None:
    """Compiles the texts, unless none has changed."""
    sources = list(PACKAGE.glob("locale/*/LC_MESSAGES/*.po"))
    key = digest(sources)
    if stamped("catalogues", key) and all(source.with_suffix(".mo").exists() for source in sources):
        return
    perform("Compiling the texts", ".venv/bin/python tools/compile_catalogues.py", environment)
    stamp("catalogues", key)


def perform(what: str, command: str, environment: dict[str, str]) -> None:
    """Runs a command in the root and prints its purpose and duration; ends the program if it fails."""
    print(f"{what} …", flush=True)
    begin = time.monotonic()
    run = subprocess.run(
        command.split(), env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if run.returncode != 0:
        sys.exit(f"{what} failed\n{run.stdout}{run.stderr}")
    print(f"{what}: ok ({time.monotonic() - begin:.0f} s)", flush=True)


def digest(files: Iterable[Path], *settings: str) -> str:
    """Returns the SHA-256 of the settings and of the names and contents of the files."""
    total = hashlib.sha256("\n".join(settings).encode())
    for file in sorted(files):
        total.update(str(file.relative_to(ROOT)).encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def stamped(name: str, key: str) -> bool:
    """Checks whether a step was last done with this key."""
    file = VENV / f"{name}.stamp"
    return file.exists() and file.read_text(encoding="utf-8") == key


def stamp(name: str, key: str) -> None:
    """Records that a step was done."""
    (VENV / f"{name}.stamp").write_text(key, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
