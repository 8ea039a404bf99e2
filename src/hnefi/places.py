"""Folders and files of the user's data on this system."""

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """Returns the folder for the data of Hnefi; it may not exist yet."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "hnefi"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "hnefi"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "hnefi"


def books_folder() -> Path:
    """Returns the folder of the user's opening books: `HNEFI_BOOKS`, or a folder in the data folder."""
    return _place("HNEFI_BOOKS", "books")


def library_path() -> Path:
    """Returns the path of the user's library of games: `HNEFI_LIBRARY`, or a file in the data folder."""
    return _place("HNEFI_LIBRARY", "library.db")


def custom_variants_folder() -> Path:
    """Returns the folder of the user's variants: `HNEFI_VARIANTS`, or a folder in the data folder."""
    return _place("HNEFI_VARIANTS", "variants")


def weights_folder() -> Path:
    """Returns the folder of the user's weights: `HNEFI_WEIGHTS`, or a folder in the data folder."""
    return _place("HNEFI_WEIGHTS", "weights")


def _place(variable: str, name: str) -> Path:
    named = os.environ.get(variable)
    return Path(named) if named else data_folder() / name
