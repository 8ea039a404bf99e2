"""Fixtures: a page in Chromium on which no script may fail, and a server of boards."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.pages import chromium, context_of, served


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = context_of(browser, viewport={"width": 768, "height": 1024})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []
