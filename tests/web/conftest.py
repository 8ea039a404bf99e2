"""Fixtures: a server, a browser, and visitors whose pages may not fail nor load anything from elsewhere."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.pages import chromium, context_of
from tests.server.serving import RunningServer

Visit = Callable[..., Page]

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


class Visitors:
    """Opens pages in separate browser contexts, and collects their faults."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._contexts: list[BrowserContext] = []
        self.faults: list[str] = []

    def __call__(self, path: str, **settings: Any) -> Page:
        """Opens a page in a new browser context."""
        options: dict[str, Any] = {
            "viewport": {"width": 1440, "height": 900},
            "reduced_motion": "reduce",
            "locale": "en-GB",
            "base_url": self._address,
            **settings,
        }
        context = context_of(self._browser, **options)
        self._contexts.append(context)
        context.on("request", lambda request: self._note_request(request.url))
        page = context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: self._note_message(message.type, message.text))
        page.goto(path)
        return page

    def _note_request(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and f"http://{parts.netloc}" != self._address:
            self.faults.append(f"requested {url}")

    def _note_message(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(one in text for one in _EXPECTED):
            self.faults.append(text)

    def leave(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def visit(browser: Browser, server: RunningServer) -> Iterator[Visitors]:
    visitors = Visitors(browser, server.address)
    yield visitors
    visitors.leave()
    assert visitors.faults == []
