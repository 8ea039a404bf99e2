"""Runs the examples of each page in a folder of its own, with a file of games in it."""

import shutil
from pathlib import Path

import pytest

GAMES = Path(__file__).parents[1] / "tests" / "records" / "brandub-globe.tafl"


@pytest.fixture(autouse=True)
def folder_of_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes to an empty folder that holds `games.tafl`."""
    shutil.copy(GAMES, tmp_path / "games.tafl")
    monkeypatch.chdir(tmp_path)
