"""Board sheets on paper: exact sizes in mm, pages to join, marked squares, refusals."""

import re
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest

import hnefi
from hnefi import paper
from hnefi.diagram.theme import THEMES
from hnefi.paper.tiling import fitted, frame_width, tiled
from tests.cli_runs import answer, refusal
from tests.pdf_files import MM, dark_runs, fonts_of, pages_of, plain, sizes, tags_of, text_of
from tests.samples import deep

BRANDUB = hnefi.variant("brandub-globe")
EVANGELII = hnefi.variant("alea-evangelii-19")


def lines_across(pdf: bytes, page: int, y_mm: float) -> list[float]:
    """Returns the places of the lines of a board along a level line, in mm."""
    return dark_runs(pdf, page, y_mm=y_mm)


def test_squares_have_the_chosen_size_in_the_pdf() -> None:
    pdf = paper.sheet("board", BRANDUB, "en", square=35)
    assert sizes(pages_of(pdf)) == {(297, 210)}
    # 31 mm from the top of the page: within the second row of squares, beside holes and numbers.
    below_first_row = 10 + 11 + frame_width(35) + 35 + 6
    lines = lines_across(pdf, 0, below_first_row)
    inner = lines[1:-1]
    assert len(inner) == 6
    assert all(abs(b - a - 35) < 0.1 for a, b in pairwise(inner))


@pytest.mark.parametrize("paper_name", ["a6", "a5", "a4"])
def test_the_texts_below_a_board_keep_to_their_lines_and_margins(paper_name: str) -> None:
    pdf = paper.sheet("board", BRANDUB, "fr", paper=paper_name)
    page = pypdfium2.PdfDocument(pdf)[0]
    written = page.get_textpage()
    places = [written.get_rect(at) for at in range(written.count_rects())]
    assert all(left > 9 * MM and right < page.get_width() - 9 * MM for left, _, right, _ in places)
    lines = [plain(line) for line in written.get_text_range().splitlines()]
    assert any(re.search(r"Casesde[\d,]+mm\.", line) for line in lines)


def test_the_two_pages_of_a_board_meet_at_a_line() -> None:
    tiling = tiled(7, 35, (210, 297))
    above, below = tiling.rows
    assert (tiling.pages, above.last + 1) == (2, below.first)
    assert above.join == below.cut == frame_width(35) + 4 * 35
    pdf = paper.sheet("board", BRANDUB, "en", square=35)
    level = dark_runs(pdf, 1, x_mm=297 / 2 - 35 - 8)
    cut = 10 + 11 + 3
    assert any(abs(line - cut) < 0.1 for line in level), level
    assert any(abs(line - cut - 35) < 0.1 for line in level), level


@pytest.mark.parametrize("size", [7, 11, 19, *deep(9, 13, 15)])
@pytest.mark.parametrize("paper_name", ["a4", "a3"])
@pytest.mark.parametrize("pages", [1, 4, 6, *deep(2)])
def test_a_fitted_board_holds_every_square_once_and_fits_its_pages(
    size: int, paper_name: str, pages: int
) -> None:
    area = paper.PAPERS[paper_name]
    tiling = fitted(size, area, pages)
    assert tiling.pages <= pages
    for parts, room in ((tiling.columns, tiling.width - 20), (tiling.rows, tiling.height - 40)):
        assert [at for part in parts for at in range(part.first, part.last + 1)] == list(range(size))
        assert all(part.end - part.start <= room + 1e-9 for part in parts)
        assert all(a.join == b.cut for a, b in pairwise(parts))
    with pytest.raises(paper.PrintError):
        tiled(size, round(tiling.square + 0.1, 1), area, pages)


def test_more_pages_give_larger_squares() -> None:
    squares = [fitted(19, (210, 297), pages).square for pages in (1, 2, 4, 9)]
    assert squares == sorted(set(squares))


def test_a_sheet_says_its_size_and_shows_a_line_to_check_the_printer() -> None:
    pdf = paper.sheet("board", BRANDUB, "fr")
    text = text_of(pdf)
    assert "Casesde25mm." in text
    assert "mesure100mm" in text
    # The ruler is 11.5 mm above the lower edge; its ends stand out above and below it.
    ends = dark_runs(pdf, 0, y_mm=297 - 10 - 3 + 0.7)[-2:]
    assert ends[1] - ends[0] == pytest.approx(100, abs=0.3)


def test_the_board_is_described_with_its_special_squares() -> None:
    figures = [alt for tag, alt in tags_of(pages_of(paper.sheet("board", BRANDUB, "en"))) if tag == "/Figure"]
    assert len(figures) == 1
    assert "d4" in figures[0]
    assert "a1, a7, g1, g7" in figures[0]
    parts = tags_of(pages_of(paper.sheet("board", EVANGELII, "en", pages=4)))
    assert sum(tag == "/Figure" for tag, _ in parts) == 4


def test_every_variant_has_a_board_of_one_page() -> None:
    for variant in hnefi.all_variants():
        assert paper.page_count(paper.sheet_document("board", variant, "fr")) == 1


@pytest.mark.parametrize("colour", [False, True])
def test_fonts_of_the_largest_board_are_embedded_and_its_file_is_small(colour: bool) -> None:
    pdf = paper.sheet("board", EVANGELII, "fr", colour=colour)
    assert len(pdf) < 200_000
    assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts_of(pages_of(pdf)).values())


def test_black_and_white_has_no_colour_and_colour_has_some() -> None:
    plain, wood = (
        paper.sheet_document("board", BRANDUB, "en", colour=colour).pictures["drawing.svg"]
        for colour in (False, True)
    )
    assert THEMES["driftwood"].field in str(wood)
    assert "#bfb6a2" not in str(plain)
    assert len(dark_runs(paper.sheet("board", BRANDUB, "en"), 0, y_mm=150)) > 7


def test_a_board_too_large_for_its_paper_is_refused() -> None:
    error = refusal("print", "board", "alea-evangelii-19", "--paper", "a6", "-o", "board.pdf")
    assert error["code"] == "board_too_large"
    assert "19\u00a0×\u00a019" in error["message"]
    wide = refusal("print", "board", "tyr-15", "--square", "150", "--paper", "a5", "-o", "board.pdf")
    assert wide["code"] == "board_too_large"
    few = refusal("print", "board", "tyr-15", "--square", "30", "--pages", "2", "-o", "board.pdf")
    assert few["code"] == "board_too_large"
    for wrong in (["--square", "2"], ["--paper", "a9"], ["--pages", "0"]):
        assert refusal("print", "board", "tyr-15", *wrong, "-o", "board.pdf")["code"] == "bad_usage"


def test_unknown_sheets_papers_and_options_are_refused() -> None:
    for wrong in ({"paper": "a9"}, {"width": 3}, {"square": 1.0}):
        with pytest.raises(ValueError, match="expected"):
            paper.sheet("board", BRANDUB, "en", **wrong)
    with pytest.raises(ValueError, match="board"):
        paper.sheet("plank", BRANDUB, "en")


def test_the_command_writes_a_board(tmp_path: Path) -> None:
    target = tmp_path / "board.pdf"
    found = answer("print", "board", "brandub-globe", "--square", "35", "-o", str(target), "--lang", "en")
    assert target.stat().st_size == found["bytes"]
    assert (found["sheet"], found["square"], found["paper"]) == ("board", 35, "a4")
