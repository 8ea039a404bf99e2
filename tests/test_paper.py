"""Printed pages: booklets as PDF, their sizes, fonts, tags and texts."""

import re
import sys
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from pypdf import PdfReader

import hnefi
from hnefi import Position, Square, paper, words
from hnefi.paper.booklets import BOOKLET_EXTRAS, booklet_document
from hnefi.paper.drawings import Drawings
from hnefi.paper.imposition import sheet_sides
from hnefi.paper.typesetting import LETTERS, Document
from hnefi.variants.built_in import booklet_ids
from hnefi.variants.custom import derive
from hnefi.variants.files import format_variant
from tests.cli_runs import answer, refusal
from tests.codes import has_code
from tests.pdf_files import MM, fonts_of, pages_of, plain, root_of, sizes, tags_of, text_of, texts_of
from tests.samples import deep, sampled

BRANDUB = hnefi.variant("brandub-globe")
TABLUT = hnefi.variant("tablut-geoludie")
pytestmark = pytest.mark.usefixtures("first_arrangement")

OWN = derive(BRANDUB, "oak-tafl", {"en": "Oak tafl", "fr": "Tafl du chêne"}, {"king_armed": "none"})


@cache
def booklet(lang: str) -> bytes:
    """Returns the booklet of Brandub; several tests look at the same."""
    return hnefi.booklet(BRANDUB, lang)


SIZES = {"a6": (105, 148), "letter": (216, 279), "fold-a6": (210, 149), "fold-letter": (279, 216)}


@pytest.mark.parametrize("form", sampled(SIZES, "letter"))
def test_the_pages_of_a_format_have_its_size(form: str) -> None:
    assert sizes(pages_of(hnefi.booklet(OWN, "en", format=form))) == {SIZES[form]}


def test_a_booklet_for_a_print_shop_has_crop_marks_around_its_bleed() -> None:
    pdf = hnefi.booklet(OWN, "en", bleed=3)
    # A bleed of 3 mm, and 6 mm for the marks, on every side.
    assert sizes(pages_of(pdf)) == {(148 + 18, 210 + 18)}
    assert texts_of(pdf) == texts_of(hnefi.booklet(OWN, "en"))


@pytest.mark.parametrize("second_lang", [None, "fr"])
def test_a_print_shop_reads_from_the_boxes_of_a_page_where_it_is_cut(second_lang: str | None) -> None:
    for bleed, form, (width, height) in ((3, "a5", (148, 210)), (2.5, "a6", (105, 148))):
        pdf = hnefi.booklet(OWN, "en", format=form, bleed=bleed, second_lang=second_lang)
        # Strict: the table of objects has to have the right places.
        reader = PdfReader(BytesIO(pdf), strict=True)
        assert len(reader.pages) > 4
        for page in reader.pages:
            for box, inset in ((page.trimbox, bleed + 6), (page.bleedbox, 6)):
                far = [side + 2 * (bleed + 6) - inset for side in (width, height)]
                assert [float(at) / MM for at in box] == pytest.approx([inset, inset, *far], abs=0.01)
    assert pages_of(booklet("en")).pages[0].trimbox == pages_of(booklet("en")).pages[0].mediabox


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"format": "a7"}, "a6, a5, a4, letter, fold"),
        ({"including": ["history"]}, "'history', expected any of sources, doubts, balance"),
        ({"format": "fold", "bleed": 3}, "bleed"),
        ({"bleed": 11}, "bleed"),
    ],
)
def test_wishes_that_no_booklet_fulfils_are_refused(wishes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hnefi.booklet(BRANDUB, "en", **wishes)


def test_a_booklet_in_two_languages_says_once_what_is_the_same_in_both() -> None:
    shop = paper.Imprint(publisher="The Oak Workshop", text="1 rue du Chêne")
    pages = texts_of(hnefi.booklet(OWN, "fr", format="fold", second_lang="en", imprint=shop))
    lines = [line.strip() for page in pages for line in page.splitlines()]
    assert lines.index("Tafl du chêne") < lines.index("Oak tafl")
    assert sum("1 rue du Chêne" in line for line in lines) == 1
    assert {line for line in lines if "Our games" in line} == {"Nos parties · Our games"}


@pytest.mark.parametrize("form", ["a5", "a6"])
def test_the_cover_of_two_languages_has_its_words_in_both(form: str) -> None:
    pages = texts_of(hnefi.booklet("gwezboell-globe", "fr", format=form, second_lang="en"))
    for lang in ("fr", "en"):
        data = booklet_document("gwezboell-globe", lang, form).data
        told = [data[key] for key in ("facts", "name", "edition", "lead", "brief")]
        assert [part for part in told if plain(part) not in plain(pages[0])] == [], lang


def test_the_key_explains_the_signs_that_the_pictures_have() -> None:
    moves = ["Départ et arrivée", "Coup qui prend", "Pièce prise"]
    for name, signs in {
        "brandub-globe": [*moves, "Brannán pris", "Route ouverte"],
        "ard-ri-globe": [*moves, "Roi pris"],
    }.items():
        document = booklet_document(hnefi.variant(name), "fr", "a5")
        assert [entry["name"] for entry in document.data["signs"]] == signs
        assert {entry["file"] for entry in document.data["signs"]} <= document.pictures.keys()
        page = plain(texts_of(paper.to_pdf(document))[1])
        assert [plain(sign) in page for sign in signs] == [True] * len(signs)


def test_the_foot_of_a_picture_is_what_lies_below_its_lowest_rank() -> None:
    drawings, position = Drawings("en"), Position(BRANDUB.rules)
    whole, edge, middle = (
        drawings.of_board(position, 7, 200, crop=crop)
        for crop in (None, (Square("a1"), Square("c3")), (Square("c3"), Square("e5")))
    )
    # Squares are about 7 mm wide, and the frame of the edge is the same below and above the whole board.
    assert whole["height"] - 2 * whole["foot"] == pytest.approx(7 * 7, rel=0.02)
    assert edge["foot"] == pytest.approx(whole["foot"], abs=0.1)
    assert middle["foot"] < edge["foot"] - 0.3
    assert edge["height"] - edge["foot"] > 3 * 7


def test_boards_between_key_moments_say_after_which_move_they_are() -> None:
    variant = hnefi.variant("gwezboell-globe")
    game = hnefi.sample_game(variant)
    assert game is not None
    parts = booklet_document(variant, "fr", "a5").data["game"]["parts"]
    captions = [part["board"]["caption"] for part in parts]
    between = [caption for caption in captions if caption.startswith("Après le coup ")]
    assert 0 < len(between) == len(parts) - len(words.key_moments(game, "fr"))


def test_the_sample_game_stands_after_the_history_in_every_booklet() -> None:
    for name in ("gwezboell-globe", "brandub-globe"):
        text = text_of(hnefi.booklet(name, "fr"))
        assert text.index("Histoire") < text.index(plain("Exemple de partie")) < text.index(plain("révision"))


def test_calls_stay_on_the_line_of_their_moves() -> None:
    lines = [line for page in texts_of(booklet("fr")) for line in page.splitlines()]
    moves = [line for line in lines if re.match(r"\d+\. ?[a-g]\d", line)]
    assert sum("une sortie" in line for line in moves) == 3


LEFT_OUT = {"doubts", "measurements", "misprints"}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_booklet_holds_every_spoken_clause(lang: str) -> None:
    missing = missing_clauses(booklet(lang), BRANDUB, lang)
    assert set(missing) == LEFT_OUT
    assert [len(missing[name]) > 2 for name in ("doubts", "measurements")] == [True, True]


def missing_clauses(pdf: bytes, variant: hnefi.Variant, lang: str) -> dict[str, list[str]]:
    """Returns the clauses that readers see and a booklet lacks, by section; misprints by themselves."""
    text = text_of(pdf)
    missing: dict[str, list[str]] = {}
    for section in words.rules(variant, lang).sections:
        # The head of a new page may stand in the middle of a sentence.
        head = plain(section.heading)
        headless = text.replace(head, "")
        for clause in section.spoken_clauses:
            if plain(clause.text).replace(head, "") not in headless:
                of = "misprints" if clause.name.startswith("misprints.") else section.id
                missing.setdefault(of, []).append(clause.text)
    return missing


def test_a_booklet_has_signs_rulings_and_measurements_if_asked() -> None:
    assert missing_clauses(hnefi.booklet(BRANDUB, "en", including=BOOKLET_EXTRAS), BRANDUB, "en") == {}
    signs = [signs_of(booklet_document(BRANDUB, "en", "a5", extras)) for extras in ((), ("sources",))]
    assert signs == [set(), {"§", "*"}]


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_rulings_tell_in_words_how_often_something_happens(variant_id: str) -> None:
    for lang in ("en", "fr"):
        sections = words.rules(hnefi.variant(variant_id), lang).sections
        rulings = [each.text for section in sections if section.id == "doubts" for each in section.clauses]
        assert [text for text in rulings if re.search(r"%|\d{3}", text)] == []


def signs_of(document: Document) -> set[str]:
    blocks = [block for part in document.data["sections"] for block in part["blocks"]]
    return {span["sign"] for block in blocks for span in block["spans"]} - {""}


@pytest.mark.parametrize("form", ["a6", "a5", "a4"])
def test_words_with_a_hyphen_keep_to_their_line(form: str) -> None:
    document = booklet_document(TABLUT, "fr", form, BOOKLET_EXTRAS)
    text = "\n".join(texts_of(paper.to_pdf(document)))
    assert "demi-point" in text
    # PDFium gives a hyphen at the end of a line as another letter.
    assert re.findall(r"[^\W\d]+(?:[\ufffe\x02]|-\s)\w*", text) == []


def test_fonts_are_embedded() -> None:
    fonts = fonts_of(pages_of(booklet("fr")))
    assert {name.partition("+")[2] for name in fonts} >= {"HnefiCut-Bold", "HnefiText-Regular"}
    assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts.values())


def test_a_booklet_is_tagged_with_language_title_headings_and_alternative_texts() -> None:
    reader = pages_of(booklet("fr"))
    assert root_of(reader)["/Lang"] == "fr"
    assert reader.metadata is not None
    assert "Brandub" in str(reader.metadata.title)
    assert "pdfuaid" in root_of(reader)["/Metadata"].get_object().get_data().decode()
    tags = tags_of(reader)
    sections = words.rules(BRANDUB, "fr").sections
    # Two sections are in a booklet only if asked.
    assert sum(tag == "/H2" for tag, _ in tags) >= len(sections) - 2
    described = [alt for tag, alt in tags if tag == "/Figure"]
    captions = [picture.caption for section in sections for picture in section.pictures]
    assert len(described) > len(captions) > 5
    assert [caption for caption in captions if not any(caption in alt for alt in described)] == []
    assert all(re.search(r"\b[a-g][1-7]\b", alt) for alt in described), "a text without squares"


def test_the_same_booklet_has_the_same_bytes() -> None:
    assert hnefi.booklet(BRANDUB, "en") == booklet("en")


def test_the_table_of_games_has_the_captures_where_these_decide_a_match() -> None:
    # A match of Tablut has two legs, one of Brandub has one.
    columns = [booklet_document(game, "fr", "a5").data["games"]["columns"] for game in (TABLUT, BRANDUB)]
    assert columns[0] == ["Date", "Les noirs", "×", "Les blancs", "×", "Résultat"]
    assert columns[1] == ["Date", "Les attaquants", "Les princes", "Résultat"]
    pages = texts_of(hnefi.booklet(TABLUT, "fr", format="fold", second_lang="en"))
    heads = next(page for page in pages if "Our games" in page)
    assert heads.count("×") >= 2


def test_rules_without_a_variant_have_a_booklet() -> None:
    assert len(pages_of(hnefi.booklet(BRANDUB.rules, "en")).pages) > 3


def test_the_fonts_have_the_letters_of_every_text() -> None:
    needed = set("þðǫáščŋœ«»←→↑↓×½–—…’“”Þ\u00a0\u202f")
    for variant in hnefi.all_variants():
        for lang in ("en", "fr"):
            rules = words.rules(variant, lang)
            needed |= {letter for part in rules.sections for c in part.clauses for letter in c.text}
            needed |= set(rules.title)
    assert sorted(needed - LETTERS) == []


def test_a_missing_compiler_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(paper.PrintError) as caught:
        hnefi.booklet(BRANDUB, "en")
    assert (caught.value.code, caught.value.parameters["extra"]) == ("missing_extra", "print")


def test_pages_become_pictures() -> None:
    pictures = paper.to_png(booklet_document(BRANDUB, "en", "a5"), ppi=30)
    assert len(pictures) == paper.page_count(booklet_document(BRANDUB, "en", "a5"))
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)


LANGUAGE_OF = {name: ("en", "fr")[number % 2] for number, name in enumerate(hnefi.variant_ids())}


@pytest.mark.parametrize("name", sampled(LANGUAGE_OF, "copenhagen-11", "gwezboell-globe"))
def test_every_variant_has_a_booklet_under_a_megabyte(name: str) -> None:
    variant, lang = hnefi.variant(name), LANGUAGE_OF[name]
    pdf = hnefi.booklet(variant, lang)
    assert len(pdf) < 1_000_000
    text = text_of(pdf)
    assert missing_clauses(pdf, variant, lang).keys() <= LEFT_OUT
    game = hnefi.sample_game(variant)
    captions = [moment.text for moment in words.key_moments(game, lang)] if game else []
    # Moves have a dash on paper.
    dashless = text.replace("–", "")
    assert [caption for caption in captions if plain(caption.replace("–", "")) not in dashless] == []


def test_rules_changed_by_switches_have_no_sample_game_and_name_their_switches() -> None:
    switched = BRANDUB.with_switches({"quiet_limit": "40"})
    document = booklet_document(switched, "en", "a5", ("sources",))
    assert document.data["game"] is None
    assert document.data["edition"].endswith("With changed rules")
    told = "One point of the rules is changed. Moves without a capture: 40 moves."
    assert document.data["colophon"].endswith(told)
    assert booklet_document(switched, "en", "a5").data["rulings"].startswith("For the rest,")
    assert "+" in [entry["sign"] for entry in document.data["legend"]]
    assert "+" in signs_of(document)


def test_pages_have_no_colour_and_little_ink() -> None:
    for page in pypdfium2.PdfDocument(booklet("en")):
        picture = page.render(scale=1).to_pil().convert("RGB")
        colours = picture.getcolors(1 << 10)
        assert colours is not None
        assert all(max(colour) - min(colour) <= 2 for _, colour in colours)
        dark = sum(count for count, colour in colours if colour[0] < 128)
        assert dark < 0.15 * picture.width * picture.height


@pytest.mark.parametrize("pages", [4, 8, 12, 36])
def test_sheets_folded_into_each_other_read_in_order(pages: int) -> None:
    sides = sheet_sides(pages)
    assert len(sides) == pages // 2
    assert sorted(page for side in sides for page in side) == list(range(1, pages + 1))
    # The front of a sheet has an odd page on the right; behind it is the next page, on the left of the back.
    for front, back in zip(sides[::2], sides[1::2], strict=True):
        assert front[1] % 2 == 1
        assert (back[0], back[1]) == (front[1] + 1, front[0] - 1)
    # The innermost two pages face each other.
    assert sides[-1] == (pages // 2, pages // 2 + 1)


def test_pages_that_do_not_fill_sheets_are_refused() -> None:
    with pytest.raises(ValueError, match="multiple of four"):
        sheet_sides(6)


def custom(name: str) -> hnefi.Variant:
    """Returns the rules of Brandub with another name."""
    return derive(BRANDUB, "mine", {"en": name}, {})


@pytest.mark.parametrize("name", ["x" * 80, "a name of many words " * 3 + "and of 80 letters"])
@pytest.mark.parametrize("form", ["a5", *deep("a4")])
def test_a_long_name_stays_on_its_page(name: str, form: str) -> None:
    pdf = hnefi.booklet(custom(name), "en", format=form)
    cover = pages_of(pdf).pages[0]
    assert plain(texts_of(pdf)[0]).count(plain(name)) == 1
    page = pypdfium2.PdfDocument(pdf)[0]
    bounds = [page.get_textpage().get_charbox(index) for index in range(page.get_textpage().count_chars())]
    assert max(right for _, _, right, _ in bounds) < float(cover.mediabox.width) - 8 * MM


def test_a_booklet_of_a_name_beyond_a_line_is_refused() -> None:
    named = replace(custom("x"), about={"names": {"en": "x" * 81}})
    with pytest.raises(paper.PrintError, check=has_code("text_too_long")):
        hnefi.booklet(named, "en")


@pytest.mark.parametrize("name", ["\u05d4\u05e0\u05e4", "\u0647\u0646\u064a", "\u65e5", "\u202eabc"])
def test_a_name_in_another_script_is_refused_by_its_letters(name: str) -> None:
    for form in paper.BOOKLET_FORMATS:
        with pytest.raises(paper.PrintError) as caught:
            hnefi.booklet(custom(name), "en", format=form)
        assert caught.value.code == "unprintable_letters"
        assert f"U+{ord(name[0]):04X}" in caught.value.parameters["letters"]


@pytest.mark.parametrize("name", ["#let x = 1", "$x$ _a_ *b* @c <d>", "\\", '"'])
def test_a_name_is_text_and_no_markup(name: str) -> None:
    assert plain(name) in plain(texts_of(hnefi.booklet(custom(name), "en"))[0])


def test_contradictory_rules_have_no_booklet(tmp_path: Path) -> None:
    source, target = tmp_path / "wrong.toml", tmp_path / "wrong.pdf"
    source.write_text(format_variant(BRANDUB).replace('throne = "centre"', 'throne = "none"'), "utf-8")
    assert "board.throne" in refusal("booklet", str(source), "-o", str(target))["message"]
    assert not target.exists()


def test_a_rules_string_of_another_program_has_a_booklet(tmp_path: Path) -> None:
    target = tmp_path / "string.pdf"
    string = "dim:7 name:Mine surf:n atkf:y start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
    answer("booklet", string, "-o", str(target))
    assert len(pages_of(target.read_bytes()).pages) > 3


def test_the_command_writes_a_booklet(tmp_path: Path) -> None:
    target = tmp_path / "brandub.pdf"
    found = answer("booklet", "brandub-globe", "-o", str(target), "--format", "a4")
    assert found["bytes"] == target.stat().st_size
    assert sizes(pages_of(target.read_bytes())) == {(210, 297)}


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ("", "--output"),
        ("-o x.pdf --format fold --bleed 3", "--bleed"),
        ("-o x.pdf --with sources,colour", "“colour”; expected sources | doubts | balance"),
    ],
)
def test_the_command_says_what_it_cannot_do(wishes: str, message: str) -> None:
    assert message in refusal("booklet", "brandub-globe", "--lang", "en", *wishes.split())["message"]
