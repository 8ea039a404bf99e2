"""Sheets on paper besides the board: pieces, score sheets, summaries and posters."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

import hnefi
from hnefi import paper, words
from hnefi.diagram.theme import THEMES
from hnefi.i18n import text
from hnefi.paper import SHEETS
from hnefi.paper.piece_sheets import piece_counts
from hnefi.pieces import Piece
from hnefi.variants.model import Variant
from tests.cli_runs import answer, refusal
from tests.codes import has_code
from tests.pdf_files import (
    MM,
    dark_runs,
    figures_of,
    fonts_of,
    pages_of,
    plain,
    root_of,
    sizes,
    tags_of,
    text_of,
    texts_of,
)
from tests.samples import deep, sampled

BRANDUB = hnefi.variant("brandub-globe")
BERSERK = hnefi.variant("alea-berserk-19")
TWO_LEGS = hnefi.variant("tablut-geoludie")
OTHERS = ("pieces", "score", "summary", "poster")


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_sheet_is_tagged_small_and_has_its_fonts(name: str, lang: str) -> None:
    pdf = paper.sheet(name, TWO_LEGS, lang)
    reader = pages_of(pdf)
    assert len(pdf) < 1_000_000
    assert root_of(reader)["/Lang"] == lang
    title = str(reader.metadata.title if reader.metadata else "")
    assert title == f"{TWO_LEGS.name(lang)} · {text(f'page.print.{name}', lang)}"
    tags = tags_of(reader)
    assert "/Figure" in dict(tags)
    assert ("/Figure", "") not in tags
    assert "/H1" in dict(tags)
    assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts_of(reader).values())


@pytest.mark.parametrize("name", OTHERS)
def test_a_sheet_of_rules_without_a_variant_works(name: str) -> None:
    assert len(pages_of(paper.sheet(name, TWO_LEGS.rules, "en")).pages) >= 1


# --- Pieces ---------------------------------------------------------------------------------------------


def test_every_piece_of_the_start_position_is_printed_with_spares() -> None:
    assert piece_counts(BRANDUB.rules) == {Piece.ATTACKER: (8, 1), Piece.DEFENDER: (4, 1), Piece.KING: (1, 1)}
    for variant in hnefi.all_variants():
        printed = piece_counts(variant.rules)
        assert Counter(variant.rules.start.pieces.values()) == {p: n for p, (n, _) in printed.items()}
        assert min(spare for _, spare in printed.values()) >= 1


def test_commanders_knights_and_renegades_are_among_the_pieces() -> None:
    text = text_of(paper.sheet("pieces", BERSERK, "en"))
    assert "Commander:8,plus1tospare" in text
    assert "Knight:2" in text
    assert "Renegade:4" in text


def test_discs_have_four_fifths_of_a_square() -> None:
    document = paper.sheet_document("pieces", BRANDUB, "en", square=40)
    assert document.data["disc"] == 32
    pdf = paper.to_pdf(document)
    # Discs stand 2 mm apart, so the same lines come back every 34 mm, five times on A4.
    rows = [dark_runs(pdf, 0, y_mm=y) for y in range(40, 80)]
    apart = [sum(abs(b - a - 34) < 0.1 for a in row for b in row) for row in rows]
    assert max(apart) >= 4


@pytest.mark.parametrize("form", ["discs", "standing"])
@pytest.mark.parametrize("colour", [False, True])
def test_pieces_have_both_forms_in_colour_and_in_black(form: str, colour: bool) -> None:
    document = paper.sheet_document("pieces", BRANDUB, "fr", form=form, colour=colour)
    bone = THEMES["driftwood"].bone
    assert any(bone in str(content) for content in document.pictures.values()) is colour
    assert figures_of(paper.to_pdf(document)) == ["Attaquant", "Prince", "Brannán"]


def test_unknown_forms_of_pieces_are_refused() -> None:
    with pytest.raises(ValueError, match="discs, standing"):
        paper.sheet("pieces", BRANDUB, "en", form="cubes")
    assert refusal("print", "pieces", "tyr-15", "--form", "cubes", "-o", "x.pdf")["code"] == "bad_usage"


# --- Score sheets ---------------------------------------------------------------------------------------


def test_a_score_sheet_has_a_page_for_each_leg_and_the_players_exchange_the_sides() -> None:
    pdf = paper.sheet("score", TWO_LEGS, "fr", attackers="Aoife", defenders="Niamh", date="3 mai 2026")
    first, second = (plain(page) for page in texts_of(pdf))
    assert "Manche1sur2" in first
    assert "Manche2sur2" in second
    assert first.index("Aoife") < first.index("Niamh")
    assert second.index("Niamh") < second.index("Aoife")
    assert plain("révision 1") in first
    assert "3mai2026" in first
    assert len(pages_of(paper.sheet("score", BRANDUB, "fr")).pages) == 1


@pytest.mark.parametrize("paper_name", ["a4", "a5"])
def test_a_score_sheet_has_lines_for_the_captures_where_these_decide_a_match(paper_name: str) -> None:
    pdf = paper.sheet("score", TWO_LEGS, "fr", paper=paper_name, attackers="Aoife", defenders="Niamh")
    pages = [text.splitlines() for text in texts_of(pdf)]
    assert len(pages) == 2
    of_game = [sum("Prises de cette manche, sans compter le roi" in line for line in page) for page in pages]
    of_match = [sum("Prises des deux manches" in line for line in page) for page in pages]
    assert (of_game, of_match) == ([1, 1], [0, 1])
    assert [plain("".join(page)).count("Aoife") for page in pages] == [2, 3]
    assert "sans compter" not in text_of(paper.sheet("score", BRANDUB, "fr", paper=paper_name))


def test_the_columns_of_a_score_sheet_are_in_the_order_of_play_with_calls_where_there_are_some() -> None:
    columns = paper.sheet_document("score", BRANDUB, "en").data["columns"]
    assert [(column["side"], column["call"]) for column in columns] == [
        ("Attackers", ""),
        ("Princes", "Call"),
    ]
    for variant in hnefi.all_variants():
        first, second = paper.sheet_document("score", variant, "en").data["columns"]
        calling = variant.calls["sides"] if variant.calls else []
        sides = [variant.rules.start.turn, variant.rules.start.turn.opponent]
        assert [bool(first["call"]), bool(second["call"])] == [side.value in calling for side in sides]


def test_the_moves_of_a_score_sheet_are_numbered_as_in_records() -> None:
    document = paper.sheet_document("score", BRANDUB, "fr")
    words_of_page = texts_of(paper.to_pdf(document))[0].split()
    # The numbers above those of the ranks, from the row of the move 9, in the order of play.
    numbers = [int(word) for word in words_of_page if word.isdecimal() and int(word) > 8]
    assert numbers == list(range(9, 4 * document.data["rows"] + 1))


@pytest.mark.parametrize("paper_name", ["a5", *deep("a4")])
def test_every_score_sheet_has_a_page_for_each_leg(paper_name: str) -> None:
    for variant in hnefi.all_variants():
        document = paper.sheet_document("score", variant, "fr", paper=paper_name)
        assert paper.page_count(document) == variant.match.get("legs", 1), variant.id


def test_names_that_are_too_long_or_have_no_letters_are_refused() -> None:
    long = refusal("print", "score", "brandub-globe", "--attackers", "x" * 300, "-o", "x.pdf")
    assert long["code"] == "text_too_long"
    assert "300" in long["message"]
    hebrew = refusal("print", "score", "brandub-globe", "--defenders", "הנפאטאפל", "-o", "x.pdf")
    assert hebrew["code"] == "unprintable_letters"
    assert "U+05D4" in hebrew["message"]


@pytest.mark.parametrize(
    ("lang", "labels"),
    [
        (
            "en",
            ["Attackers: 8, plus 1 to spare", "Princes: 4, plus 1 to spare", "Brannán: 1, plus 1 to spare"],
        ),
        ("fr", ["Attaquants\u00a0: 8, plus 1 de rechange", "Princes\u00a0: 4, plus 1 de rechange"]),
    ],
)
def test_labels_of_pieces_are_in_the_plural(lang: str, labels: list[str]) -> None:
    kinds = paper.sheet_document("pieces", BRANDUB, lang).data["kinds"]
    assert [kind["label"] for kind in kinds][: len(labels)] == labels


def test_sheets_name_the_game_and_its_revision() -> None:
    colophon = paper.sheet_document("summary", BRANDUB, "fr").data["colophon"]
    assert colophon == "Brandub (Le Globe Joueur), révision 2 · Hnefi"
    # Own games may change their rules and keep their name: what is played on paper has to say by which.
    hashed = f"{colophon} · {BRANDUB.rules.hash[:8]}"
    assert paper.sheet_document("score", BRANDUB, "fr").data["colophon"] == hashed
    assert hashed.replace(" ", "") in text_of(paper.sheet("score", BRANDUB, "fr"))
    ruled = paper.sheet_document("score", BRANDUB.rules, "en").data["colophon"]
    assert ruled == f"Rules hash {BRANDUB.rules.hash[:8]} · Hnefi"


# --- Summaries and posters ------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["fr", *deep("en")])
@pytest.mark.parametrize("name", sampled(hnefi.variant_ids(), "globe", "tablut-geoludie", "alea"))
def test_summary_and_poster_of_every_variant_have_one_page_in_readable_type(name: str, lang: str) -> None:
    variant = hnefi.variant(name)
    summary, poster = (paper.sheet_document(kind, variant, lang) for kind in ("summary", "poster"))
    assert (paper.page_count(summary), paper.page_count(poster)) == (1, 1)
    assert summary.data["points"] >= 9.5
    assert poster.data["points"] >= 11
    rules = [section.heading for section in words.rules(variant, lang).rules_sections]
    shown = [section["heading"] for section in poster.data["sections"]]
    assert [heading for heading in rules if heading in shown] == shown
    assert len(shown) >= 4


@pytest.mark.parametrize("kind", ["summary", "poster"])
def test_a_summary_and_a_poster_have_the_sentences_of_the_rules(kind: str) -> None:
    text = text_of(paper.sheet(kind, BRANDUB, "en"))
    sections = {section.id: section for section in words.rules(BRANDUB, "en").sections}
    for name in ("aim", "moves", "captures", "king", "ends", "calls", "match"):
        for clause in sections[name].spoken_clauses:
            assert plain(clause.text) in text, clause.text
    assert plain("The attackers move first. The players take turns and move one piece each time.") in text


@pytest.mark.parametrize("name", sampled(hnefi.variant_ids(), "brandub-breyer", "tablut-geoludie"))
def test_each_way_of_capturing_the_king_has_its_picture(name: str) -> None:
    ways = [
        picture.caption
        for section in words.rules(hnefi.variant(name), "en").sections
        for picture in section.pictures
        if section.id in ("captures", "king")
        and picture.move is not None
        and any(taken.piece is Piece.KING for taken in picture.position.describe(picture.move).captures)
    ]
    assert ways
    for kind in ("summary", "poster"):
        sections = paper.sheet_document(kind, hnefi.variant(name), "en").data["sections"]
        shown = [picture["caption"] for part in sections for picture in part["pictures"]]
        assert [way for way in ways if way not in shown] == [], kind


@pytest.mark.parametrize("name", ["tablut-geoludie", "ard-ri-globe"])
def test_pictures_of_a_poster_stand_in_the_order_of_its_text(name: str) -> None:
    document = paper.sheet_document("poster", hnefi.variant(name), "fr")
    captions = [picture["alt"] for part in document.data["sections"] for picture in part["pictures"]]
    shown = figures_of(paper.to_pdf(document))
    assert len(captions) >= 5
    assert [alt for alt in shown if alt in captions] == captions


@pytest.mark.parametrize("kind", ["summary", "poster"])
@pytest.mark.parametrize(
    "name", sampled(hnefi.variant_ids(), "brandub-globe", "tablut-geoludie", "ard-ri-globe")
)
def test_the_second_column_begins_with_a_heading_and_ends_near_the_first(kind: str, name: str) -> None:
    document = paper.sheet_document(kind, hnefi.variant(name), "fr")
    headings = [section["heading"] for section in document.data["sections"]]
    page = pypdfium2.PdfDocument(paper.to_pdf(document))[0]
    width, height = page.get_size()
    text = page.get_textpage()
    found = text.search(headings[0], match_case=True).get_next()
    assert found is not None
    top = text.get_charbox(found[0])[3] + 3.5 * MM * document.data["scale"]
    columns = [text.get_text_bounded(left, height * 0.028, left + width / 2, top) for left in (0, width / 2)]
    assert [column.splitlines()[0].strip() in headings for column in columns] == [True, True]
    paragraphs = [plain(part) for each in document.data["sections"] for part in each["paragraphs"]]
    assert [part for part in paragraphs if not any(part in plain(column) for column in columns)] == []
    boxes = [text.get_rect(number) for number in range(text.count_rects())]
    ends = [
        min(
            bottom
            for left, bottom, _, _ in boxes
            if (left > width / 2) is is_right and height * 0.028 < bottom < top
        )
        for is_right in (False, True)
    ]
    assert abs(ends[0] - ends[1]) < 0.16 * height


def test_pages_of_summaries_and_posters_have_their_size() -> None:
    assert sizes(pages_of(paper.sheet("summary", BRANDUB, "en"))) == {(210, 297)}
    assert sizes(pages_of(paper.sheet("poster", BRANDUB, "en"))) == {(297, 420)}
    assert sizes(pages_of(paper.sheet("poster", BRANDUB, "en", paper="a2"))) == {(420, 594)}
    assert refusal("print", "poster", "tyr-15", "--paper", "a6", "-o", "x.pdf")["code"] == "bad_usage"


@pytest.mark.parametrize("name", OTHERS)
def test_the_command_writes_the_sheet(name: str, tmp_path: Path) -> None:
    target = tmp_path / f"{name}.pdf"
    found = answer("print", name, "brandub-globe", "-o", str(target), "--lang", "fr")
    assert (found["sheet"], found["bytes"]) == (name, target.stat().st_size)
    assert "Brandub" in text_of(target.read_bytes())


@pytest.mark.parametrize("name", SHEETS)
def test_names_of_games_that_are_long_fit_and_longer_ones_are_refused(name: str) -> None:
    def named(title: str) -> Variant:
        return replace(TWO_LEGS, about={**TWO_LEGS.about, "names": {"en": title}})

    pages = paper.page_count(paper.sheet_document(name, TWO_LEGS, "en"))
    assert paper.page_count(paper.sheet_document(name, named("Wide Name " * 8), "en")) == pages
    with pytest.raises(paper.PrintError, check=has_code("text_too_long")):
        paper.sheet(name, named("X" * 300), "en")
    with pytest.raises(paper.PrintError, check=has_code("unprintable_letters")):
        paper.sheet(name, named("הנפאטאפל"), "en")
