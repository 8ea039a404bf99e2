"""The pages of docs/guide/board-on-a-page.md work with the files that the guide writes, and no others."""

import doctest
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.board.board_page import cell, on_board
from tests.pages import ROOT
from tests.static_sites import file_server

GUIDE = (ROOT / "docs" / "guide" / "board-on-a-page.md").read_text(encoding="utf-8")
RECORDS = ROOT / "tests" / "records" / "brandub-globe.tafl"


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Writes the files of the sections about web pages, and each of their pages; returns the pages' names."""
    shutil.copy(RECORDS, tmp_path / "games.tafl")
    monkeypatch.chdir(tmp_path)
    text = GUIDE.partition("## In a notebook")[0]
    examples = "".join(re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    parsed = doctest.DocTestParser().get_doctest(examples, {}, "guide", None, 0)
    assert doctest.DocTestRunner().run(parsed).failed == 0
    names = []
    for number, page in enumerate(re.findall(r"^```html\n(.*?)^```", text, re.DOTALL | re.MULTILINE)):
        names.append(f"{number}.html")
        lang = '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        Path(names[-1]).write_text(lang + page, encoding="utf-8")
    return names


def test_the_board_of_the_guide_needs_only_the_files_it_names(
    page: Page, pages: list[str], tmp_path: Path
) -> None:
    with file_server(tmp_path) as address:
        page.goto(f"{address}/{pages[0]}")
        expect(cell(page, "d7")).to_have_accessible_name("d7, attacker")
        cell(page, "d7").click()
        cell(page, "f7").click()
        expect(cell(page, "f7")).to_have_accessible_name("f7, attacker")
        # The attribute for another position, as the guide writes it.
        (position,) = re.findall(r'`position="([^"]+)"`', GUIDE)
        on_board(
            page,
            "{ b.setAttribute('position', a[0]); b.setAttribute('src', b.getAttribute('src')); }",
            position,
        )
        expect(cell(page, "d4")).to_have_accessible_name(re.compile("king"))
        expect(cell(page, "f7")).to_have_accessible_name("f7, empty")


def test_the_record_of_the_guide_is_shown_move_by_move(page: Page, pages: list[str], tmp_path: Path) -> None:
    with file_server(tmp_path) as address:
        page.goto(f"{address}/{pages[1]}")
        expect(page.locator("tafl-board .cell.mine").first).to_be_attached()
        for square in ("b2, attacker", "b5, defender"):
            page.get_by_role("button", name="Next").click()
            expect(page.get_by_role("gridcell", name=square)).to_be_attached()
        for _ in range(12):
            page.get_by_role("button", name="Next").click()
        expect(cell(page, "a7")).to_have_accessible_name(re.compile("king"))
        page.get_by_role("button", name="Back").click()
        expect(cell(page, "a5")).to_have_accessible_name(re.compile("king"))
