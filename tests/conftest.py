"""Fixtures and settings for all tests."""

import os
import signal
import sys
from pathlib import Path

import pytest

# A shell that runs the tests in the background has interrupts ignored, `nohup` the end of the terminal, and
# every child would inherit that: the tests that send such a signal to a program would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


# Isolates the tests from the user's own files.
for _name in ("HNEFI_VARIANTS", "HNEFI_LIBRARY"):
    os.environ[_name] = os.devnull


@pytest.fixture
def plain_play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Sets English, a terminal without capabilities, and a temporary folder for games."""
    monkeypatch.setenv("HNEFI_LANG", "en")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TERM", "dumb")
