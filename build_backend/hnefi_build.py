"""The build backend of Hnefi (PEP 517, PEP 660): maturin, after the steps that it has no hook for.

maturin compiles the core and packs what lies in `src/hnefi`. What has to be made there first is made by
`STEPS`; git ignores it, the wheel has it (`tool.maturin.include`). A source distribution carries the sources,
the scripts, and what the browser gets: a wheel that is built from it takes the same steps, and needs no Node.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import maturin

ROOT = Path(__file__).parents[1]

# The scripts that generate files of the package before maturin packs it, in order.
STEPS = ("tools/compile_catalogues.py", "tools/build_web.py")

Settings = Mapping[str, Any] | None


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Builds the wheel; returns its file name."""
    _prepare()
    return str(maturin.build_wheel(wheel_directory, config_settings, metadata_directory))


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Builds the wheel of an editable installation; returns its file name."""
    _prepare()
    return str(maturin.build_editable(wheel_directory, config_settings, metadata_directory))


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Builds the source distribution; returns its file name."""
    _prepare()
    return str(maturin.build_sdist(sdist_directory, config_settings))


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """Writes the metadata of the wheel; returns the name of its directory."""
    _check_rust()
    return str(maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings))


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:  # noqa: ARG001
    """Returns what a build needs besides `build-system.requires`: Node, if it is needed and missing."""
    asked: list[str | Path] = [sys.executable, ROOT / "tools" / "build_web.py", "--requires"]
    answer = subprocess.run(asked, capture_output=True, text=True, check=True)
    return str(answer.stdout).split()


get_requires_for_build_editable = get_requires_for_build_wheel
get_requires_for_build_sdist = get_requires_for_build_wheel


def _prepare() -> None:
    _check_rust()
    _choose_processor()
    if os.environ.get("HNEFI_PREPARED") == "1":
        return
    for script in STEPS:
        if subprocess.run([sys.executable, ROOT / script], check=False).returncode != 0:
            sys.exit(f"{script} failed; what it found is said above.")


def _check_rust() -> None:
    """Ends the build with one sentence if the compiler is missing or too old."""
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    wanted = str(manifest["workspace"]["package"]["rust-version"])
    hint = f"install Rust {wanted} or newer, from your system's packages or with rustup (https://rustup.rs)"
    # maturin would fetch a compiler of its own if there is none.
    os.environ["MATURIN_NO_INSTALL_RUST"] = "1"
    if not (shutil.which("cargo") and shutil.which("rustc")):
        sys.exit(f"Hnefi's core is compiled with Rust, which was not found: {hint}.")
    answer = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"\d+\.\d+", answer.stdout)
    if found is None:
        sys.exit(f"rustc does not answer ({answer.stderr.strip()}): {hint}.")
    if _version(found[0]) < _version(wanted):
        sys.exit(f"Hnefi's core needs a newer Rust than {found[0]}: {hint}.")


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def _choose_processor() -> None:
    """Compiles for x86-64-v2 on that family, or with HNEFI_NATIVE=1 for the very processor of this machine.

    Compiler flags that are set already are left alone.
    """
    if "RUSTFLAGS" in os.environ or "CARGO_ENCODED_RUSTFLAGS" in os.environ:
        return
    target = os.environ.get("CARGO_BUILD_TARGET", platform.machine()).lower()
    if os.environ.get("HNEFI_NATIVE") == "1":
        os.environ["RUSTFLAGS"] = "-C target-cpu=native"
    elif target.startswith(("x86_64", "amd64")):
        os.environ["RUSTFLAGS"] = "-C target-cpu=x86-64-v2"
