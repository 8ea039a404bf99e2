"""Finds the programs that tests need besides Python packages, and installs what is missing."""

import os
import shutil
import sys
from pathlib import Path

import packages

BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""The headless shell first: a page in a new context costs it 0.9 s of processor, a whole Chromium 2.35 s."""

# No first-run dialogs, no background network traffic.
BROWSER_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    # All pages are ours: one process draws them, which costs a tenth less.
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
)
_PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin"))


def find_browser() -> Path | None:
    """Returns the path of a Chromium on this machine; `HNEFI_BROWSER` names the program to look for."""
    names = (os.environ["HNEFI_BROWSER"],) if "HNEFI_BROWSER" in os.environ else BROWSERS
    return next(filter(None, map(find_program, names)), None)


def find_postgres() -> Path | None:
    """Returns the folder of the programs of PostgreSQL, the newest if there are several."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if (initdb := find_program("initdb")) is not None:
        folders.append(initdb.parent)
    whole = (folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists())
    return next(whole, None)


def find_program(name: str) -> Path | None:
    """Returns the path of a program."""
    found = shutil.which(name, path=_PATH)
    return Path(found) if found is not None else None


def missing_packages() -> list[str]:
    """Returns the packages of Debian whose programs are missing."""
    found = {
        os.environ.get("HNEFI_BROWSER", BROWSERS[0]): find_browser(),
        "postgresql": find_postgres(),
        "nginx-light": find_program("nginx"),
        "openssl": find_program("openssl"),
        "procps": find_program("ps"),
    }
    return [name for name, path in found.items() if path is None]


def install_programs() -> None:
    """Installs the programs that are missing; ends the program with one sentence if that fails."""
    if (missing := missing_packages()) and packages.refresh():
        packages.install(*missing)
    if missing := missing_packages():
        sys.exit(f"The tests need programs of your system's packages (Debian's names): {' '.join(missing)}")
