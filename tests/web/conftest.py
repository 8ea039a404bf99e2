"""Fixtures: a server, a browser, and visitors whose pages may not fail nor load anything from elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request

from tests.pages import Contexts, chromium
from tests.server.serving import RunningServer

Visit = Callable[..., Page]

# Settings of a page, not of its context.
MEDIA = ("reduced_motion", "color_scheme", "forced_colors")

# What a browser reports without a network, and where a test blocks service workers, is no fault of a page.
_EXPECTED = ("ERR_INTERNET_DISCONNECTED", "Service Worker registration blocked")


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    running = RunningServer(
        tmp_path_factory.mktemp("server"),
        games_per_hour=10_000,
        requests_per_minute=10_000,
        sockets_per_address=1_000,
        sockets_per_visitor=1_000,
    )
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def contexts(browser: Browser) -> Iterator[Contexts]:
    kept = Contexts(browser)
    yield kept
    kept.close()


class Visitors:
    """Opens pages in separate browser contexts, and collects their faults."""

    def __init__(self, contexts: Contexts, address: str) -> None:
        self._contexts, self._address = contexts, address
        self._taken: list[BrowserContext] = []
        self.faults: list[str] = []
        self.expected: tuple[str, ...] = _EXPECTED
        self.script = ""

    def __call__(self, path: str, **settings: Any) -> Page:
        """Opens a page in another browser context."""
        options: dict[str, Any] = {
            "viewport": {"width": 1440, "height": 900},
            "reduced_motion": "reduce",
            "locale": "en-GB",
            "base_url": self._address,
            **settings,
        }
        viewport = options.pop("viewport")
        media = {name: options.pop(name) for name in MEDIA if name in options}
        context = self._contexts.take(**options)
        self._taken.append(context)
        context.on("request", self._note_request)
        page = context.new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(**media)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: self._note_message(message.type, message.text))
        if self.script:
            page.add_init_script(self.script)
        page.goto(path)
        return page

    def _note_request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and f"http://{parts.netloc}" != self._address:
            self.faults.append(f"requested {request.url}")

    def _note_message(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(one in text for one in self.expected):
            self.faults.append(text)

    def leave(self) -> None:
        for context in self._taken:
            context.remove_listener("request", self._note_request)
            self._contexts.give_back(context)


@contextmanager
def visiting(contexts: Contexts, address: str) -> Iterator[Visitors]:
    """Has visitors, whose pages may have no faults until they leave."""
    visitors = Visitors(contexts, address)
    yield visitors
    visitors.leave()
    assert visitors.faults == []


# Pauses, as those between the requests of a page that repeats one every few seconds, are ten times as short.
QUICK = """
    const wait = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => wait(act, ms >= 600 ? ms / 10 : ms, ...more);
"""


@pytest.fixture
def quick(visit: Visitors) -> None:
    """Shortens the pauses on all pages of a test."""
    visit.script = QUICK


@pytest.fixture
def visit(contexts: Contexts, server: RunningServer) -> Iterator[Visitors]:
    with visiting(contexts, server.address) as visitors:
        yield visitors
