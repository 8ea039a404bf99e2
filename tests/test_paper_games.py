"""Diagrams and annotated games on paper, and board sheets: sizes in mm, pages to join, marks, refusals."""

import re
import struct
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest

import hnefi
from hnefi import paper
from hnefi.diagram.theme import THEMES
from hnefi.formats import FORMATS, RawGame
from hnefi.paper.annotated_games import annotated_game_document
from hnefi.paper.tiling import fitted, frame_width, tiled
from hnefi.record import Record, read_records
from tests.cli_runs import answer, complaint, refusal
from tests.pdf_files import (
    MM,
    dark_runs,
    figures_of,
    fonts_of,
    pages_of,
    plain,
    root_of,
    sizes,
    text_of,
    texts_of,
)
from tests.samples import deep

RECORDS = Path(__file__).parent / "records"
GAME = RECORDS / "brandub-globe.tafl"
MOVE = ("7/7/3T3/1K1t3/1Tt1tT1/7/3T3 d", "d1-d3")


def record_of(name: str) -> Record:
    return read_records((RECORDS / f"{name}.tafl").read_bytes()).records[0]


# --- Diagrams -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("square", [4, 6, 12.5])
def test_squares_of_a_diagram_have_their_size(square: float) -> None:
    game = hnefi.variant("brandub-globe").new_game()
    pdf = paper.diagram_file(game, ".pdf", "en", square=square)
    (width, height), *_ = sizes(pages_of(pdf))
    assert 7 * square < width < 10 * square
    assert abs(height - width) <= 1
    page = pages_of(pdf).pages[0].mediabox
    centre = float(page.width) / (72 / 25.4) / 2
    # The lower part of the second row from the top, beside its holes.
    lines = dark_runs(pdf, 0, y_mm=centre - 1.6 * square)
    apart = [b - a for a in lines for b in lines]
    assert sum(abs(distance - square) < 0.03 for distance in apart) >= 5


def test_diagrams_have_the_chosen_format(tmp_path: Path) -> None:
    starts = {".pdf": b"%PDF-", ".svg": b"<svg", ".png": b"\x89PNG"}
    for suffix, start in starts.items():
        target = tmp_path / f"move{suffix}"
        found = answer("print", "diagram", "brandub-globe", *MOVE, "--square", "6", "-o", str(target))
        content = target.read_bytes()
        assert content.startswith(start)
        assert (found["square"], found["bytes"]) == (6, len(content))
    width, _ = struct.unpack(">II", (tmp_path / "move.png").read_bytes()[16:24])
    millimetres = width / 300 * 25.4
    assert 42 < millimetres < 6 * 9


def test_a_diagram_shows_the_position_and_describes_it() -> None:
    game = hnefi.variant("brandub-globe").new_game().play("d2-c2")
    pdf = paper.diagram_file(game, ".pdf", "fr")
    (figure,) = figures_of(pdf)
    assert "c2" in figure
    assert root_of(pages_of(pdf))["/Lang"] == "fr"
    assert b"c2" in paper.diagram_file(game, ".svg", "en")


def test_moves_and_numbers_in_comments_and_captions_keep_to_their_lines() -> None:
    record = record_of("brandub-globe")
    nodes = list(record.nodes)
    said = "bien plus sûr : a5-g5, puis a6-b6 vaut 44 %,\nou encore 30\u202f% « en tout »"
    nodes[0] = replace(nodes[0], comments=(said,))
    data = annotated_game_document(replace(record, nodes=tuple(nodes)), "fr").data
    comments = [item["text"] for item in data["items"] if item["kind"] == "comment"]
    assert comments[1] == (
        "bien plus sûr\u202f: a5–g5, puis a6–b6 vaut 44\u202f%, ou encore 30\u202f% «\u202fen tout\u202f»"
    )
    captions = [item["board"]["caption"] for item in data["items"] if item["kind"] == "board"]
    assert not [caption for caption in captions if re.search(r"[a-g]\d-[a-g]\d", caption)]


def test_no_move_is_broken_at_its_dash() -> None:
    record = record_of("brandub-globe")
    said = " ".join("m" * length + " a5-g5" for length in range(1, 40))
    nodes = (replace(record.nodes[0], comments=(said,)), *record.nodes[1:])
    pdf = paper.annotated_game(replace(record, nodes=nodes), "fr")
    assert sum(page.count("a5–g5") for page in texts_of(pdf)) == 39


def test_a_diagram_of_a_record_is_the_position_after_a_ply(tmp_path: Path) -> None:
    target = str(tmp_path / "board.svg")
    game = hnefi.variant("brandub-globe").new_game()
    for ply, move in enumerate(("d2-b2", "d5-b5"), start=1):
        game = game.play(move)
        found = answer("print", "diagram", str(GAME), "--ply", str(ply), "-o", target)
        assert (found["variant"], found["position"]) == ("brandub-globe", str(game.position.setup))
    last = answer("print", "diagram", str(GAME), "--game", "1", "-o", target)["position"]
    assert last == str(record_of("brandub-globe").replay().called.game.position.setup)  # type: ignore[union-attr]
    for args in ([str(GAME), "--ply", "99"], [str(GAME), "d2-b2"], ["brandub-globe", "--ply", "1"]):
        assert refusal("print", "diagram", *args, "-o", target)["code"] == "bad_usage", args
    assert refusal("print", "diagram", str(GAME), "--game", "2", "-o", target)["code"] == "no_such_game"


def test_a_command_for_variants_tells_what_draws_a_record() -> None:
    found = refusal("show", str(GAME))
    assert found["code"] == "unknown_variant"
    assert f"`hnefi replay {GAME} --ply 12` shows a position" in found["message"]
    assert f"`hnefi print diagram {GAME} --ply 12 -o board.svg`" in found["message"]


def test_unknown_endings_of_diagrams_are_refused() -> None:
    assert refusal("print", "diagram", "brandub-globe", "-o", "x.gif")["code"] == "bad_usage"
    assert refusal("print", "diagram", "brandub-globe", "8/8 a", "-o", "x.pdf")["code"].startswith("bad_")
    with pytest.raises(ValueError, match=r"\.pdf, \.svg, \.png"):
        paper.diagram_file(hnefi.variant("brandub-globe").new_game(), ".gif")


# --- Annotated games ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_game_on_paper_has_its_headers_moves_comments_variations_and_calls(lang: str) -> None:
    pdf = paper.annotated_game(record_of("brandub-globe"), lang)
    text = text_of(pdf)
    for part in ("Ana–Bran", "2027", "d2–b2", "b6×b5", "Thefirstmangoes", "a5–e5", "c4–c6"):
        assert part in text, part
    assert {"en": "oneexit", "fr": "unesortie"}[lang] in text
    assert len(figures_of(pdf)) >= 3
    assert len(pdf) < 200_000


def test_diagrams_stand_at_comments_key_moments_and_the_end() -> None:
    items = annotated_game_document(record_of("brandub-globe"), "en").data["items"]
    kinds = [item["kind"] for item in items]
    boards = [item["board"]["caption"] for item in items if item["kind"] == "board"]
    assert kinds[-1] == "board"
    assert any("First capture" in caption or "first capture" in caption for caption in boards)
    assert kinds.count("move") == 12


def test_comments_end_where_the_next_move_begins() -> None:
    game = '[Variant "brandub-globe"]\n\n1. d2-c2 {slow} {Why?} (1. d2-b2 {better}) 2. d3-e3 *'
    items = annotated_game_document(read_records(game).records[0], "en").data["items"]
    texts = [item["text"] for item in items if item["kind"] in ("comment", "variation")]
    assert texts == ["slow.", "Why?", "(1.\u00a0d2–b2 better.)"]


def test_refused_escapes_passes_and_games_without_moves_are_printed() -> None:
    text = text_of(paper.annotated_game(record_of("refused-escape"), "en"))
    assert "refused" in text
    assert "takenback" in text
    assert len(pages_of(paper.annotated_game(record_of("forced-pass"), "fr")).pages) == 1
    empty = Record((("Variant", "brandub-globe"), ("Result", "*")))
    assert len(pages_of(paper.annotated_game(empty, "en")).pages) == 1


def test_changed_rules_are_called_by_the_name_they_were_given() -> None:
    facts = (("Variant", "tablut-kouvia"), ("Title", "Winter"), ("Result", "*"))
    changed = Record((*facts, ("Switches", "quiet_limit=7")))
    documents = [annotated_game_document(record, "en").data for record in (changed, Record(facts))]
    assert [(data["title"], data["variant"]) for data in documents] == [
        ("Winter", "Winter"),
        ("Tablut (Kouviadenn)", "Tablut (Kouviadenn)"),
    ]


def test_every_format_that_is_read_can_be_printed(tmp_path: Path) -> None:
    for one in FORMATS:
        written = one.write(RawGame.of(record_of("brandub-globe")))
        source, target = tmp_path / f"game{one.extensions[0]}", tmp_path / f"{one.name}.pdf"
        source.write_text(written.text, encoding="utf-8")
        found = answer(
            "print", "game", str(source), "--variant", "brandub-globe", "-o", str(target), "--lang", "en"
        )
        assert found["variant"] == "brandub-globe", one.name
        assert "d2–b2" in text_of(target.read_bytes()), one.name


def test_every_sample_game_can_be_printed_in_colour() -> None:
    record = hnefi.sample_game("copenhagen-11")
    assert record is not None
    document = annotated_game_document(record, "fr", colour=True, paper="a5")
    assert sum(item["kind"] == "board" for item in document.data["items"]) >= 2
    assert len(paper.to_pdf(document)) < 1_000_000


def test_games_with_faults_and_missing_games_are_refused() -> None:
    faulty = refusal("print", "game", str(RECORDS / "faulty.tafl"), "-o", "x.pdf")
    assert faulty["code"] == "unusable_record"
    assert "line 7, game 1: d5" in faulty["message"]
    assert refusal("print", "game", str(GAME), "--game", "9", "-o", "x.pdf")["code"] == "no_such_game"
    assert refusal("print", "game", "missing.tafl", "-o", "x.pdf")["code"] == "cannot_read"
    err = complaint("print", "game", str(GAME), "--lang", "en")
    assert "--output" in err


def test_long_names_are_broken_and_names_without_letters_are_refused(tmp_path: Path) -> None:
    record = record_of("brandub-globe")
    long = record.with_headers({"Attackers": "x" * 300})
    assert plain("x" * 60) in text_of(paper.annotated_game(long, "en"))
    hebrew = record.with_headers({"Attackers": "הנפאטאפל"})
    source = tmp_path / "game.tafl"
    source.write_text(f"{hebrew}\n", encoding="utf-8")
    error = refusal("print", "game", str(source), "-o", "x.pdf")
    assert error["code"] == "unprintable_letters"


BRANDUB = hnefi.variant("brandub-globe")
EVANGELII = hnefi.variant("alea-evangelii-19")


def test_squares_have_the_chosen_size_in_the_pdf() -> None:
    pdf = paper.sheet("board", BRANDUB, "en", square=35)
    assert sizes(pages_of(pdf)) == {(297, 210)}
    # 31 mm from the top of the page: within the second row of squares, beside holes and numbers.
    below_first_row = 10 + 11 + frame_width(35) + 35 + 6
    lines = dark_runs(pdf, 0, y_mm=below_first_row)
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
    (figure,) = figures_of(paper.sheet("board", BRANDUB, "en"))
    assert "d4" in figure
    assert "a1, a7, g1, g7" in figure
    assert len(figures_of(paper.sheet("board", EVANGELII, "en", pages=4))) == 4


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
    assert "does not fit on one page of" in error["message"]
    wide = refusal("print", "board", "tyr-15", "--square", "150", "--paper", "a5", "-o", "board.pdf")
    assert wide["code"] == "board_too_large"
    few = refusal("print", "board", "tyr-15", "--square", "30", "--pages", "2", "-o", "board.pdf")
    assert (few["code"], "does not fit on 2 pages of" in few["message"]) == ("board_too_large", True)
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
