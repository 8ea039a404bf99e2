"""The pages of booklets: how full they are, which pictures stand on them, and how they are folded."""

import itertools
from functools import cache

import pypdfium2
import pytest

import hnefi
from hnefi import paper, words
from hnefi.paper.arranging import arranged, fills
from hnefi.paper.booklets import booklet_document
from hnefi.paper.imposition import sheet_sides
from hnefi.paper.typesetting import Document, query
from hnefi.variants.built_in import booklet_ids
from tests.pdf_files import MM, pages_of, plain, sizes, texts_of
from tests.samples import deep, sampled
from tests.test_paper import OWN


@cache
def arranged_booklet(name: str, lang: str, form: str = "a5") -> Document:
    """Returns the pages of a booklet, which several tests look at, before they are on sheets."""
    return arranged(booklet_document(hnefi.variant(name), lang, form))


def in_both_languages(booklet_of: str) -> list[tuple[str, Document]]:
    """Returns the pages of a booklet, named by its variant and format, in both languages."""
    variant_id, form = booklet_of.split()
    return [(lang, arranged_booklet(variant_id, lang, form)) for lang in ("en", "fr")]


def fills_of(document: Document) -> list[float]:
    """Returns how far down its pages are filled."""
    return fills(query(document, "layout"))


SIZES_OF_BOARDS = ("brandub-globe", "copenhagen-11", "alea-evangelii-19")
FORMS = [f"{name} {form}" for name in booklet_ids() for form in ("a5", "a6", "a4", "letter")]


@pytest.mark.parametrize("booklet_of", sampled(FORMS, "brandub-globe a5"))
def test_no_page_of_a_booklet_but_the_last_is_half_empty(booklet_of: str) -> None:
    for lang, document in in_both_languages(booklet_of):
        fills = fills_of(document)
        assert len(fills) > 4
        assert min(fills[:-1]) > 0.65, (lang, fills)
        assert fills[-1] > 0.2, (lang, fills)
        # What is left of the last page is to write on.
        last = texts_of(paper.to_pdf(document))[-2]
        assert (document.data["games"]["heading"] in last) or fills[-1] > 0.5, (lang, fills)


@pytest.mark.parametrize("booklet_of", sampled(FORMS, "tablut-geoludie a6"))
def test_pictures_stand_on_the_page_of_their_paragraph(booklet_of: str) -> None:
    variant_id, form = booklet_of.split()
    document = arranged_booklet(variant_id, "fr", form)
    texts = texts_of(paper.to_pdf(document))
    pages = list(map(plain, texts))
    # The legend too is on one page, each of its labels on one line.
    together = [[entry["name"] for entry in [*document.data["key"], *document.data["signs"]]]]
    for blocks in (section["blocks"] for section in document.data["sections"]):
        captions: list[str] = []
        for part, following in itertools.zip_longest(blocks, blocks[1:]):
            captions += [entry["caption"] for entry in part["pictures"]]
            # Pictures of a list stand below it.
            if captions and not (part["is_item"] and following and following["is_item"]):
                together.append([part["spans"][-1]["text"][-30:], *captions])
                captions = []
    assert len(together) > 5
    assert [
        each for each in together if not any(all(plain(part) in page for part in each) for page in pages)
    ] == []
    assert [name for name in together[0] if not any(name in text for text in texts)] == []


@pytest.mark.parametrize("booklet_of", sampled(FORMS, "brandub-globe a5"))
def test_a_short_list_is_on_one_page(booklet_of: str) -> None:
    for lang, document in in_both_languages(booklet_of):
        pages = list(map(plain, texts_of(paper.to_pdf(document))))
        lists = [part["blocks"] for part in document.data["sections"] if part["is_list"]]
        for blocks in (each for each in lists if len(each) <= 6):
            items = [plain(" ".join(span["text"] for span in block["spans"])) for block in blocks]
            assert any(all(item in page for item in items) for page in pages), (lang, items)


@pytest.mark.parametrize("booklet_of", sampled(FORMS, "tablut-geoludie a6", "brandub-globe a5"))
def test_a_page_that_begins_within_a_section_has_its_heading_in_the_top_margin(booklet_of: str) -> None:
    for _, document in in_both_languages(booklet_of):
        data = document.data
        headings = [part["heading"] for part in [*data["sections"], data["games"], data["game"]]]
        found, expected, last = [], [], ""
        for page in pypdfium2.PdfDocument(paper.to_pdf(document)):
            edge = page.get_height() - 11 * MM * data["scale"]
            text = page.get_textpage()
            body = [line.strip() for line in text.get_text_bounded(top=edge).splitlines()]
            found.append(text.get_text_bounded(bottom=edge).strip())
            expected.append("" if body[0] in headings else last)
            last = next((line for line in reversed(body) if line in headings), last)
        # Covers have none.
        assert found == ["", *expected[1:-1], ""]
        # On large pages all sections may begin a page.
        assert any(found) or booklet_of.endswith((" a4", " letter"))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_pages_of_a_changed_game_are_well_filled(lang: str) -> None:
    """It has neither a history nor a sample game, which could stand in one place or another."""
    document = arranged(booklet_document(OWN, lang, "a5"))
    fills = fills_of(document)
    assert min(fills[:-1]) > 0.7, fills
    assert document.data["games"]["heading"] in texts_of(paper.to_pdf(document))[-2]


@pytest.mark.parametrize("name", ["brandub-globe", *deep("alea-evangelii-19")])
def test_a_booklet_to_fold_has_its_pages_on_sheets_in_print_order(name: str) -> None:
    variant = hnefi.variant(name)
    pages = texts_of(paper.to_pdf(arranged_booklet(name, "fr", "fold"), is_tagged=False))
    assert len(pages) % 4 == 0
    pdf = hnefi.booklet(variant, "fr", format="fold")
    sheets = pages_of(pdf)
    assert sizes(sheets) == {(297, 210)}
    assert [plain(side) for side in texts_of(pdf)] == [
        plain(pages[left - 1] + pages[right - 1]) for left, right in sheet_sides(len(pages))
    ]
    assert sheets.metadata is not None
    assert sheets.metadata.title == words.rules(variant, "fr").title


def test_the_last_page_of_a_booklet_to_fold_is_its_back_cover() -> None:
    booklet_to_fold = arranged_booklet("brandub-globe", "fr", "fold")
    pages = texts_of(paper.to_pdf(booklet_to_fold, is_tagged=False))
    headings = ("Nos parties", "Un plateau pour jouer", "Notes", "Source")
    lines = [[line.strip() for line in page.splitlines()] for page in pages[-4:]]
    assert [[heading for heading in headings if heading in page] for page in lines] == [
        [one] for one in headings
    ]
    assert "révision 2 · Hnefi" in " ".join(pages[-1].split())


FOLDED = [f"{name} {form}" for name in booklet_ids() for form in ("fold", "fold-a6", "fold-letter")]


@pytest.mark.parametrize("booklet_of", sampled(FOLDED, "brandub-globe fold", "tablut-geoludie fold-a6"))
def test_no_page_of_a_booklet_to_fold_is_half_empty_and_nothing_is_twice(booklet_of: str) -> None:
    for lang, document in in_both_languages(booklet_of):
        spare = document.data["spare"]
        assert len(spare) == len({*spare}) <= 2, lang
        pages = texts_of(paper.to_pdf(document, is_tagged=False))
        heading = document.data["games"]["heading"]
        games = [heading in map(str.strip, page.splitlines()) for page in pages]
        assert sum(games) == ("games" in spare or document.data["has_room"]), lang
        assert fills_of(document)[-1] > 0.55 or games[-2 - len(spare)], lang


def test_a_board_with_small_squares_fills_no_page() -> None:
    boards = [booklet_document(hnefi.variant(name), "en", "a5").data["board"] for name in SIZES_OF_BOARDS]
    assert [board is None for board in boards] == [False, False, True]


@pytest.mark.parametrize("variant_id", ["brandub-globe", "gwezboell-globe"])
def test_a_booklet_to_fold_in_two_languages_has_one_table_of_games(variant_id: str) -> None:
    text = "".join(texts_of(hnefi.booklet(hnefi.variant(variant_id), "fr", format="fold", second_lang="en")))
    assert text.count("Nos parties · Our games") == 1
    assert ("Un plateau pour jouer · A board" in text) == (variant_id == "brandub-globe")


def test_a_booklet_in_two_languages_has_each_page_twice() -> None:
    pages = [plain(page) for page in texts_of(hnefi.booklet(OWN, "fr", second_lang="en"))]
    headings = ("Plateau et pièces", "Board and pieces", "Prendre le brannán", "Capturing the brannán")
    where = [[plain(heading) in page for page in pages].index(True) for heading in headings]
    # Pages at odd places, counted from 0, lie on the left.
    assert where[:2] == [1, 2]
    assert [number % 2 for number in where[2:]] == [1, 0]
    assert plain("révision") in pages[-1]
    assert plain("revision") in pages[-2]
    folded_sheets = texts_of(hnefi.booklet(OWN, "fr", format="fold", second_lang="en"))
    assert len(folded_sheets) % 2 == 0
    assert all(any(plain(page)[:80] in plain(side) for side in folded_sheets) for page in pages)
