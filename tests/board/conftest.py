"""Fixtures: a page in Chromium on which no script may fail, and a server of boards."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.pages import Contexts, chromium, served


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def contexts(browser: Browser) -> Iterator[Contexts]:
    kept = Contexts(browser, "/page.css")
    yield kept
    kept.close()


@pytest.fixture
def page(contexts: Contexts, address: str) -> Iterator[Page]:
    context = contexts.take(base_url=address)
    page = context.new_page()
    page.set_viewport_size({"width": 768, "height": 1024})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    contexts.give_back(context)
    assert errors == []
