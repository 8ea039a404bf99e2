"""Installs system packages with apt-get, if it exists and the user may use it."""

import os
import re
import shutil
import subprocess
import sys


def candidate(name: str) -> tuple[int, int]:
    """Returns the major and minor version of an available package, (0, 0) if there is none.

    >>> candidate("a-package-that-nobody-made")
    (0, 0)
    """
    if shutil.which("apt-cache") is None:
        return 0, 0
    policy = subprocess.run(["apt-cache", "policy", name], capture_output=True, text=True, check=False)
    found = re.search(r"Candidate: (?:\d+:)?(\d+)\.(\d+)", policy.stdout)
    return (int(found[1]), int(found[2])) if found is not None else (0, 0)


def refresh() -> bool:
    """Updates the package lists; returns whether this user may install packages."""
    prefix = _prefix()
    if prefix is None:
        return False
    subprocess.run([*prefix, "apt-get", "update", "-qq"], check=False)
    return True


def install(*names: str) -> bool:
    """Installs packages and prints their names; returns whether that succeeded."""
    prefix = _prefix()
    if prefix is None:
        return False
    print(f"Installing {', '.join(names)} with apt-get", flush=True)
    quietly = [
        "env",
        "DEBIAN_FRONTEND=noninteractive",
        "apt-get",
        "install",
        "-qq",
        "-y",
        "--no-install-recommends",
    ]
    run = subprocess.run([*prefix, *quietly, *names], capture_output=True, text=True, check=False)
    # The output of apt-get is of interest only if it fails.
    if run.returncode != 0:
        print(run.stderr, file=sys.stderr)
    return run.returncode == 0


def _prefix() -> list[str] | None:
    """Returns the command before apt-get, None if the user may not use it. Asks for no password."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo", "-n"] if asked.returncode == 0 else None
