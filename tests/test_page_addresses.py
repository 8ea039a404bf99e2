"""The lists of pages in the tests: a page that is added has to be in them."""

import re

from hnefi.server.pages.all_pages import PAGES
from hnefi.server.pages.page import Page
from tests.test_pages import ADDRESSES
from tests.web.test_looks import PAGES as LOOKS

# Pages of a game or a class that has to be there, the imprint of an operator, and what only scripts load.
APART = {"game", "embed", "seat", "classroom", "imprint", "facts", "kept"}


def test_every_page_has_an_address_in_the_tests_of_pages_and_of_looks() -> None:
    def named(page: Page, addresses: list[str]) -> bool:
        path = re.compile(re.sub(r"\{\w+\}", "[^/]+", page.path) + r"(?:[?#].*)?")
        return any(path.fullmatch(address) for address in addresses)

    # A browser plays all of its game on the page against the computer (tests/web/test_local_games.py).
    looks = [str(getattr(page, "values", [page])[0])[3:] for page in LOOKS]
    assert {page.name for page in PAGES if not named(page, ADDRESSES)} == APART
    assert {page.name for page in PAGES if not named(page, looks)} == APART | {"computer"}
