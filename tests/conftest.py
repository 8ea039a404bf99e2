"""Fixtures and settings for all tests, also for those that are coroutines."""

import asyncio
import contextlib
import faulthandler
import importlib
import inspect
import os
import signal
import sys
import tomllib
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.timeouts import timeout_s

# A shell that runs the tests in the background has interrupts ignored, `nohup` the end of the terminal, and
# every child would inherit that: the tests that send such a signal to a program would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# An example may take long on a loaded machine: Hypothesis measures no time. Its examples are the same in
# every run, so that a change is judged by itself; `make check-deep` draws many others.
settings.register_profile("hnefi", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("deep", deadline=None, print_blob=True, max_examples=800)
settings.load_profile(os.environ.get("HNEFI_HYPOTHESIS", "hnefi"))

# Isolates the tests from the user's own files.
for _name in ("HNEFI_VARIANTS", "HNEFI_LIBRARY", "HNEFI_WEIGHTS", "HNEFI_BOOKS"):
    os.environ[_name] = os.devnull


UNSTEADY = tomllib.loads(Path(__file__).with_name("unsteady.toml").read_text(encoding="utf-8"))


def pytest_configure() -> None:
    """Has a test that hangs print its stack on SIGQUIT, which `tools/check.py` sends after the time limit."""
    if sys.platform != "win32":
        faulthandler.register(signal.SIGQUIT, file=os.dup(2))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what is run apart, takes the time limit off what takes long, and puts browser tests first."""
    # The longest files begin first, so that no process is alone with one at the end.
    draws = settings.get_current_profile_name() == "deep"
    items.sort(key=lambda item: item.path.parent.name != "web")
    for item in items:
        if item.nodeid in UNSTEADY:
            item.add_marker(pytest.mark.unsteady)
        is_drawn = draws and is_hypothesis_test(getattr(item, "obj", None))
        if item.path.parent.name == "deep" or is_drawn:
            item.add_marker(pytest.mark.deep)
        if item.get_closest_marker("deep"):
            item.add_marker(pytest.mark.timeout(0))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a test that is a coroutine in an event loop of its own, and ends it if it waits for too long.

    Fixtures that are asynchronous context managers are entered for the test.
    """
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None

    async def scenario() -> None:
        async with contextlib.AsyncExitStack() as stack:
            given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
            for name, one in given.items():
                if isinstance(one, contextlib.AbstractAsyncContextManager):
                    given[name] = await stack.enter_async_context(one)
            await pyfuncitem.obj(**given)

    # Where the server is installed, in the kind of event loop that it has.
    factory = importlib.import_module("uvloop").new_event_loop if find_spec("uvloop") else None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(asyncio.wait_for(scenario(), 2 * timeout_s()))
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fails a test that is skipped in CI, unless the system itself lacks what it needs (`system: …`).

    What tests need, `tools/setup.sh` installs; a test that is not run proves nothing.
    """
    report = yield
    is_skipped = report.skipped and not hasattr(report, "wasxfail")
    if is_skipped and os.environ.get("CI") == "true" and not item.get_closest_marker("deep"):
        _, _, reason = (
            report.longrepr if isinstance(report.longrepr, tuple) else ("", 0, str(report.longrepr))
        )
        if not reason.removeprefix("Skipped: ").startswith("system: "):
            report.outcome = "failed"
            report.longrepr = (
                f"A test may not be skipped in CI, or the reason begins with 'system: '. {reason}"
            )
    return report


@pytest.fixture(scope="module")
def first_arrangement() -> Iterator[None]:
    """Arranges booklets as is tried first, not best: for tests of what they say, which is the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hnefi.paper.arranging._TIGHTNESS", (0,))
        patch.setattr("hnefi.paper.arranging._SIZES", ())
        yield


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Goes to an empty folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def plain_cli(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets English, and no wish for or against colours."""
    monkeypatch.setenv("HNEFI_LANG", "en")
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def plain_play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Sets English, a terminal without capabilities, and a temporary folder for games, and goes there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HNEFI_LANG", "en")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TERM", "dumb")
