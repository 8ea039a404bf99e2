"""Finds a recent Rust compiler, or installs one from the system's packages."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import packages

ROOT = Path(__file__).parents[1]

# The packages of compiler, cargo, rustfmt and clippy in Debian and its derivatives. Debian 12 has a current
# Rust under the second set of names.
DEBIAN_NAMES = (
    ("rustc", "cargo", "rustfmt", "rust-clippy"),
    ("rustc-web", "cargo-web", "rustfmt-web", "rust-web-clippy"),
)

Version = tuple[int, int]


def rust_environment() -> dict[str, str]:
    """Returns an environment with a recent `cargo` and `rustc`; installs them if there are none.

    Ends the program with one sentence if that cannot be done.
    """
    if shutil.which("cc") is None and not packages.install("gcc", "libc6-dev"):
        sys.exit("Hnefi needs a C compiler: install one from your system's packages (Debian: gcc libc6-dev).")
    wanted = minimum_version()
    folder = next(_folders_with_rust(wanted), None)
    if folder is None:
        print("No recent Rust found: looking in the system's packages", flush=True)
        names = _debian_names(wanted) if packages.refresh() else None
        if names is not None and packages.install(*names):
            folder = next(_folders_with_rust(wanted), None)
    if folder is None:
        sys.exit(_advice(wanted))
    return {**os.environ, "PATH": os.pathsep.join([str(folder), os.environ.get("PATH", "")])}


def minimum_version() -> Version:
    """Returns the oldest supported Rust: `rust-version` in Cargo.toml."""
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    major, minor = manifest["workspace"]["package"]["rust-version"].split(".")
    return int(major), int(minor)


def compiler_version(environment: dict[str, str]) -> str:
    """Returns the output of `rustc --version`."""
    return answer(["rustc", "--version"], environment).strip()


def has_subcommand(name: str, environment: dict[str, str]) -> bool:
    """Checks whether cargo has a subcommand, such as `fmt`."""
    return answer(["cargo", name, "--version"], environment) != ""


def _folders_with_rust(wanted: Version) -> Iterator[Path]:
    listed = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    usual = [Path.home() / ".cargo" / "bin", Path("/usr/local/bin"), Path("/usr/bin")]
    for folder in dict.fromkeys(listed + usual):
        if (folder / "cargo").exists() and (folder / "rustc").exists():
            found = re.search(r"(\d+)\.(\d+)", answer([str(folder / "rustc"), "--version"]))
            if found is not None and (int(found[1]), int(found[2])) >= wanted:
                yield folder


def _debian_names(wanted: Version) -> tuple[str, ...] | None:
    """Returns the names of Debian's packages with a recent Rust; None if there are none."""
    return next((names for names in DEBIAN_NAMES if packages.candidate(names[0]) >= wanted), None)


def _advice(wanted: Version) -> str:
    needed = f"Hnefi needs Rust {wanted[0]}.{wanted[1]} or newer"
    names = _debian_names(wanted)
    if names is not None:
        return f"{needed}: run `sudo apt-get install {' '.join(names)}`."
    return f"{needed}: install it from your system's packages or with rustup (https://rustup.rs)."


def answer(command: list[str], environment: dict[str, str] | None = None) -> str:
    """Returns the output of a command, or an empty text if it fails."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    except OSError:
        return ""
    return run.stdout if run.returncode == 0 else ""
