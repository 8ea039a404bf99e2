"""Where the files of a user's programs belong on this system."""

import os
import sys
from pathlib import Path

__all__ = ["data_folder", "library_path", "own_variants_folder"]


def data_folder() -> Path:
    """Gives the folder for the data of Hnefi; it need not exist yet."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "hnefi"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "hnefi"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "hnefi"


def library_path() -> Path:
    """Gives where a user's library of games is: where `HNEFI_LIBRARY` says, or in the data folder."""
    named = os.environ.get("HNEFI_LIBRARY")
    return Path(named) if named else data_folder() / "library.db"


def own_variants_folder() -> Path:
    """Gives where a user's own variants are: where `HNEFI_VARIANTS` says, or in the data folder."""
    named = os.environ.get("HNEFI_VARIANTS")
    return Path(named) if named else data_folder() / "variants"
