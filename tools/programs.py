"""Finds the browser of the tests, or installs one from the system's packages."""

import shutil
import sys
from pathlib import Path

import packages

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# No first-run dialogs, no background network traffic.
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")


def find_browser() -> Path | None:
    """Returns the path of a Chromium on this machine."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return Path(found) if found is not None else None


def install_browser() -> None:
    """Installs a Chromium if there is none; ends the program with one sentence if that fails."""
    if find_browser() is not None:
        return
    print("No browser for the tests: looking in the system's packages", flush=True)
    if packages.refresh():
        packages.install("chromium")
    if find_browser() is None:
        sys.exit(
            "Hnefi's pages are tested in Chromium: install it from your system's packages (Debian: chromium)."
        )
