"""Finds a Rust compiler that is new enough, or installs one from the system's packages."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

# A compiler, its cargo, rustfmt and clippy, as Debian and its relatives name them. Debian 12 keeps its first
# Rust for ever and carries a current one beside it, under the second set of names.
PACKAGES = (
    ("rustc", "cargo", "rustfmt", "rust-clippy"),
    ("rustc-web", "cargo-web", "rustfmt-web", "rust-web-clippy"),
)

Version = tuple[int, ...]


def rust_environment() -> dict[str, str]:
    """Gives the environment in which `cargo` and `rustc` are new enough; installs them if there are none.

    Ends the program with one sentence if that cannot be done.
    """
    if shutil.which("cc") is None:
        sys.exit("Hnefi needs a C compiler: install one from your system's packages (Debian: gcc libc6-dev).")
    wanted = minimum_version()
    folder = next(_folders_with_rust(wanted), None)
    if folder is None:
        _install(wanted)
        folder = next(_folders_with_rust(wanted), None)
    if folder is None:
        sys.exit(_advice(wanted))
    return {**os.environ, "PATH": os.pathsep.join([str(folder), os.environ.get("PATH", "")])}


def minimum_version() -> Version:
    """Gives the oldest Rust that may be used: `rust-version` in Cargo.toml."""
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    return _version(manifest["workspace"]["package"]["rust-version"])


def compiler_version(environment: dict[str, str]) -> str:
    """Gives what `rustc --version` says."""
    return _answer(["rustc", "--version"], environment).strip()


def has_subcommand(name: str, environment: dict[str, str]) -> bool:
    """Tests whether cargo has a subcommand, such as `fmt`."""
    return _answer(["cargo", name, "--version"], environment) != ""


def _folders_with_rust(wanted: Version) -> Iterator[Path]:
    listed = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    usual = [Path.home() / ".cargo" / "bin", Path("/usr/local/bin"), Path("/usr/bin")]
    for folder in dict.fromkeys(listed + usual):
        if (folder / "cargo").exists() and (folder / "rustc").exists():
            found = re.search(r"\d+\.\d+", _answer([str(folder / "rustc"), "--version"]))
            if found is not None and _version(found[0]) >= wanted:
                yield folder


def _install(wanted: Version) -> None:
    """Installs Rust with apt-get, where there is one, it has one that is new enough, and we may."""
    if shutil.which("apt-get") is None:
        return
    if os.geteuid() == 0:
        prefix = []
    elif subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0:
        prefix = ["sudo", "-n"]
    else:
        return
    print("No Rust that is new enough: looking among the system's packages", flush=True)
    subprocess.run([*prefix, "apt-get", "update", "-qq"], check=False)
    names = _packages(wanted)
    if names is None:
        return
    print(f"Installing {', '.join(names)} with apt-get", flush=True)
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-qq", "-y"]
    # What the packages say is of interest only if they cannot be installed.
    installation = subprocess.run(
        [*command, "--no-install-recommends", *names], capture_output=True, text=True, check=False
    )
    if installation.returncode != 0:
        print(installation.stderr, file=sys.stderr)


def _packages(wanted: Version) -> tuple[str, ...] | None:
    for names in PACKAGES:
        policy = _answer(["apt-cache", "policy", names[0]])
        candidate = re.search(r"Candidate: (?:\d+:)?(\d+\.\d+)", policy)
        if candidate is not None and _version(candidate[1]) >= wanted:
            return names
    return None


def _advice(wanted: Version) -> str:
    number = ".".join(map(str, wanted))
    names = _packages(wanted) if shutil.which("apt-cache") is not None else None
    if names is not None:
        return f"Hnefi needs Rust {number} or newer: run `sudo apt-get install {' '.join(names)}`."
    source = "from your system's packages or with rustup (https://rustup.rs)"
    return f"Hnefi needs Rust {number} or newer: install it {source}."


def _answer(command: list[str], environment: dict[str, str] | None = None) -> str:
    """Gives what a command prints, nothing if it fails."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    except OSError:
        return ""
    return run.stdout if run.returncode == 0 else ""


def _version(text: str) -> Version:
    return tuple(int(part) for part in text.split("."))
