"""Fixtures and settings for all tests."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# A shell that runs the tests in the background has interrupts ignored, `nohup` the end of the terminal, and
# every child would inherit that: the tests that send such a signal to a program would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# An example may take long on a loaded machine: Hypothesis measures no time.
settings.register_profile("hnefi", deadline=None)
settings.load_profile("hnefi")

# Isolates the tests from the user's own files.
for _name in ("HNEFI_VARIANTS", "HNEFI_LIBRARY", "HNEFI_WEIGHTS", "HNEFI_BOOKS"):
    os.environ[_name] = os.devnull


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Takes the time limit off the tests that take long."""
    for item in items:
        if item.get_closest_marker("deep"):
            item.add_marker(pytest.mark.timeout(0))


@pytest.fixture
def plain_play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Sets English, a terminal without capabilities, and a temporary folder for games."""
    monkeypatch.setenv("HNEFI_LANG", "en")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TERM", "dumb")
