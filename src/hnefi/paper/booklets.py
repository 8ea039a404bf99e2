"""The booklet of a game: its rules in words, with pictures, as pages to read or to fold."""

import functools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hnefi import words
from hnefi._core import Position, Rules, Setup
from hnefi.errors import checked_choice
from hnefi.i18n import text
from hnefi.paper.arranging import arranged, spare_pages
from hnefi.paper.board_sheets import empty_board_words
from hnefi.paper.drawings import Drawings, board_theme
from hnefi.paper.game_pages import game_parts
from hnefi.paper.imposition import imposed
from hnefi.paper.imprints import NO_IMPRINT, Imprint, issued
from hnefi.paper.key import key_of, signs_of
from hnefi.paper.page_boxes import with_page_boxes
from hnefi.paper.subjects import Subject, checked_line
from hnefi.paper.tiling import LEAST_SQUARE
from hnefi.paper.typesetting import Document, to_pdf
from hnefi.pieces import Piece
from hnefi.sample_games import sample_game
from hnefi.variants.finding import subject_of
from hnefi.variants.model import LONGEST_NAME
from hnefi.words.model import INTRODUCTION, Picture, Section
from hnefi.words.wording import wording_of

if TYPE_CHECKING:
    from hnefi.variants.model import Variant


@dataclass(frozen=True, slots=True)
class _Format:
    """The pages of a booklet: width and height in mm, the scale of sizes in mm and of the type against A5.

    Pages to fold have the width and height of the sheet on which two of them stand.
    """

    page: tuple[float, float]
    scale: float
    type_scale: float
    sheet: tuple[float, float] | None = None


_FORMATS = {
    "a6": _Format((105, 148), 0.71, 0.8),
    "a5": _Format((148, 210), 1.0, 1.0),
    "a4": _Format((210, 297), 1.25, 1.25),
    "letter": _Format((215.9, 279.4), 1.25, 1.25),
    "fold": _Format((148.5, 210), 1.0, 1.0, (297, 210)),
    "fold-a6": _Format((105, 148.5), 0.71, 0.8, (210, 148.5)),
    "fold-letter": _Format((139.7, 215.9), 0.94, 0.97, (279.4, 215.9)),
}

BOOKLET_FORMATS = tuple(_FORMATS)
"""The formats of a booklet: reading PDFs, and sheets to fold (A4, A5 and letter)."""

LARGEST_BLEED = 10.0
"""The largest margin in mm that a printer cuts off."""

BOOKLET_EXTRAS = ("sources", "doubts", "balance")
"""What a booklet has only if asked: signs of sources with misprints, our rulings, measurements."""

# Sizes in mm on pages of A5; on A4 everything is larger by the scale.
_TEXT_WIDTH = 122.0
_SQUARE, _LEAST_SQUARE = 7.3, 4.6
_HALF_WIDTH, _FRAME = 59.5, 0.85
_START_SQUARE, _START_WIDTH = 8.0, 104.0
_COVER_SQUARE, _COVER_WIDTH, _ISSUED_WIDTH = 15.0, 108.0, 94.0
# Two boards of a game stand beside each other; from this size on, each beside its moves.
_GAME_SQUARE, _GAME_WIDTH = 6.4, 55.0
_LARGE, _LARGE_WIDTH = 15, 69.0
# The room for crop marks outside the bleed, in mm.
_MARKS = 6.0
# Sections that stand elsewhere: on the cover, and on the last page.
_ON_COVER = "facts"
_LAST = "source"
# Clauses of the last page for readers who compare the text.
_MISPRINTS = "misprints."
_EXTRA_SECTIONS = {"doubts": "doubts", "balance": "measurements"}


def booklet(
    subject: "Variant | Rules | str",
    lang: str | None = None,
    *,
    format: str = "a5",  # noqa: A002
    including: Collection[str] = (),
    colour: bool = False,
    bleed: float = 0.0,
    second_lang: str | None = None,
    imprint: Imprint = NO_IMPRINT,
) -> bytes:
    """Returns the rules of a game as a booklet, in PDF.

    Args:
        subject: The game, or its id or name; rules without a variant have no name, material or history.
        lang: The language; the user's if None.
        format: One of `BOOKLET_FORMATS`.
        including: Any of `BOOKLET_EXTRAS`.
        colour: Whether boards are drawn as wood.
        bleed: A margin in mm around each page that the printer cuts off, with crop marks outside it; 0 for
            none. Only for formats that are not folded.
        second_lang: Another language, page by page beside the first; such a booklet has no tags.
        imprint: Who hands it out.

    Raises:
        PrintError: `missing_extra` without the extra `print`; `unprintable_letters`.
        ValueError: If the format or an extra is unknown, or the bleed out of bounds or on sheets to fold.
    """
    made = functools.partial(
        booklet_document,
        subject,
        page=format,
        including=including,
        colour=colour,
        bleed=bleed,
        imprint=imprint,
    )
    first, form = arranged(made(lang=lang)), _FORMATS[format]
    if second_lang is None and form.sheet is None:
        return _boxed(to_pdf(first), bleed)
    documents = [first]
    if second_lang is not None:
        documents = _of_equal_length(*_beside(first, arranged(made(lang=second_lang))))
    order = _page_order([document.data["pages"] for document in documents])
    pdfs = [to_pdf(document, is_tagged=False) for document in documents]
    sheet, title = form.sheet or first.data["sheet"], first.data["title"]
    return _boxed(imposed(pdfs, order, sheet, title, first.data["lang"]), bleed)


def _boxed(pdf: bytes, bleed: float) -> bytes:
    """Returns pages that say where they are cut, if they have a bleed."""
    return with_page_boxes(pdf, bleed + _MARKS, bleed) if bleed else pdf


def _beside(first: Document, second: Document) -> tuple[Document, Document]:
    """Returns booklets in two languages that say once what is the same in both.

    The cover has its words in the second language below those in the first, pages that fill sheets are in
    both languages, and only the last page of the first names who hands it out.
    """
    one, other = first.data, second.data
    ruled = {
        key: {
            "heading": _in_both(one[key]["heading"], other[key]["heading"]),
            "columns": list(map(_in_both, one[key]["columns"], other[key]["columns"])),
        }
        for key in ("games", "notes")
    }
    on_cover = ("facts", "name", "edition", "lead", "brief")
    named = {key: other[key] if other[key] != one[key] else "" for key in on_cover}
    to_play = {key: _in_both(words, other["to_play"][key]) for key, words in one["to_play"].items()}
    cover, both = {**named, "lang": other["lang"]}, {**ruled, "to_play": to_play}
    rest = "notes" if one["has_room"] else "games"
    return (
        replace(first, data={**one, **both, "second": cover}),
        replace(second, data={**other, **both, "is_second": True, "rest": rest}),
    )


def _in_both(one: str, other: str) -> str:
    """Returns a text in two languages, once if it is the same.

    >>> _in_both("Nos parties", "Our games"), _in_both("Date", "Date")
    ('Nos parties · Our games', 'Date')
    """
    return one if one == other else f"{one} · {other}"


def _of_equal_length(*documents: Document) -> list[Document]:
    """Returns booklets in two languages with equally many pages inside their covers.

    To be folded, they have an even number, and the first one page more, before the back.
    """
    data = [document.data for document in documents]
    lengths = [one["pages"] - len(one["spare"]) for one in data]
    longest = max(lengths)
    longest += longest % 2 if data[0]["folds"] else 0
    more = [longest - length + (data[0]["folds"] and not number) for number, length in enumerate(lengths)]
    # They are filled in the order of reading.
    places = sorted((lengths[of] + nth, of) for of, count in enumerate(more) for nth in range(count))
    kinds = spare_pages(documents[0], len(places), has_games=any(one["has_room"] for one in data))
    spare: list[list[str]] = [[] for _ in documents]
    for (_, of), kind in zip(places, kinds, strict=True):
        spare[of].append(kind)
    changes = [
        {"pages": length + len(kinds), "spare": kinds} for length, kinds in zip(lengths, spare, strict=True)
    ]
    return [
        replace(document, data={**document.data, **change})
        for document, change in zip(documents, changes, strict=True)
    ]


def _page_order(pages: Sequence[int]) -> list[tuple[int, int]]:
    """Returns the pages of a booklet in their order, each as the number of its file and of its page.

    In two languages each page stands beside the same one of the other, between the covers of the first; the
    last page of the second stands inside.

    >>> _page_order([4])
    [(0, 1), (0, 2), (0, 3), (0, 4)]
    >>> _page_order([5, 4])
    [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (1, 4), (0, 4), (0, 5)]
    """
    if len(pages) == 1:
        return [(0, page) for page in range(1, pages[0] + 1)]
    first, second = pages
    inner = [(of, page) for page in range(2, second) for of in (0, 1)]
    return [(0, 1), *inner, (1, second), *((0, page) for page in range(second, first + 1))]


def booklet_document(
    subject: "Variant | Rules | str",
    lang: str | None,
    page: str,
    including: Collection[str] = (),
    imprint: Imprint = NO_IMPRINT,
    *,
    colour: bool = False,
    bleed: float = 0.0,
) -> Document:
    """Returns the content of a booklet.

    Raises:
        PrintError: `text_too_long`, for the name of the game.
        ValueError: If the format or an extra is unknown, or the bleed out of bounds or on sheets to fold.
    """
    checked_choice("format", page, BOOKLET_FORMATS)
    unknown = sorted({*including} - {*BOOKLET_EXTRAS})
    if unknown:
        raise ValueError(f"including: {unknown[0]!r}, expected any of {', '.join(BOOKLET_EXTRAS)}")
    form = _FORMATS[page]
    if not 0 <= bleed <= (0 if form.sheet else LARGEST_BLEED):
        raise ValueError(f"bleed: {bleed}, expected 0 to {LARGEST_BLEED:g} mm, and 0 on sheets to fold")
    subject = subject_of(subject)
    checked_line(Subject.of(subject, lang).name, LONGEST_NAME)
    rules_text = words.rules(subject, lang)
    scale = form.scale
    drawings = Drawings(rules_text.lang, board_theme(colour=colour))
    rules = subject if isinstance(subject, Rules) else subject.rules
    sections = {section.id: section for section in rules_text.sections}
    left_out = {_ON_COVER, _LAST, *(name for key, name in _EXTRA_SECTIONS.items() if key not in including)}
    inside = [section for name, section in sections.items() if name not in left_out]
    last = sections.get(_LAST)
    if last and "sources" not in including:
        last = replace(
            last, clauses=tuple(each for each in last.clauses if not each.name.startswith(_MISPRINTS))
        )
    legend = words.legend(rules_text) if "sources" in including else ()
    named = Subject(subject, rules_text.lang)
    # The page of the game is where the address leads.
    rulings = ["paper.rulings.elsewhere" if named.is_changed else "paper.rulings"]
    rulings += ["paper.rulings.where"] if imprint.url else []
    data: dict[str, Any] = {
        "lang": rules_text.lang,
        "folds": form.sheet is not None,
        "page": list(form.page),
        "scale": scale,
        "type_scale": form.type_scale,
        "bleed": bleed,
        "sheet": [side + 2 * (bleed + _MARKS if bleed else 0) for side in form.page],
        "title": rules_text.title,
        "name": named.name_and_edition[0],
        "edition": named.cover_line,
        "facts": " · ".join(rules_text.facts),
        "brief": " ".join(sections[_ON_COVER].paragraphs) if _ON_COVER in sections else "",
        "lead": " ".join(sections["aim"].paragraphs) if "aim" in sections else "",
        "cover": drawings.of_board(
            Position(rules),
            _COVER_SQUARE * scale,
            (_ISSUED_WIDTH if imprint else _COVER_WIDTH) * scale,
            coordinates=False,
        ),
        "key": key_of(subject, rules_text.lang, drawings),
        "signs": signs_of(
            subject, (each for section in inside for each in section.pictures), rules_text.lang, drawings
        ),
        "legend": [{"sign": sign, "meaning": meaning} for _, sign, meaning in legend],
        "sections": [_section(section, drawings, scale, is_signed=bool(legend)) for section in inside],
        "game": _sample_game(subject, drawings, scale),
        "ornament": _ornament(rules, drawings),
        "source": _section(last, drawings, scale) if last else None,
        "colophon": named.colophon,
        "credit": named.credit[1],
        "rulings": " ".join(map(named.text, rulings)) if "ruling" in rules_text.marks and not legend else "",
        "licence": named.text("paper.licence"),
        "games": _games_table(named),
        "notes": {"heading": named.text("paper.notes"), "columns": []},
        "to_play": {key: named.text(f"paper.to_play.{key}") for key in ("heading", "note")},
        "board": _board_to_play_on(named, drawings, scale),
        "pages": 0,
        "spare": [],
        "has_room": False,
        "rest": "games",
        "tightness": 0,
        "of_full": {},
        "loose": False,
    }
    return issued(Document("booklet", data, drawings.files), imprint, named)


def _section(
    section: Section, drawings: Drawings, scale: float, *, is_signed: bool = False
) -> dict[str, Any]:
    return {
        "id": section.id,
        "heading": section.heading,
        "is_list": section.is_list,
        "blocks": list(_blocks(section, drawings, scale, is_signed=is_signed)),
    }


def _blocks(
    section: Section, drawings: Drawings, scale: float, *, is_signed: bool
) -> Iterator[dict[str, Any]]:
    """Iterates over the paragraphs of a section: sentences, signs if wanted, and pictures."""
    for clauses in section.marked_paragraphs:
        pictures = [picture for clause in clauses for picture in clause.pictures]
        yield {
            "spans": [{"text": clause.text, "sign": clause.sign if is_signed else ""} for clause in clauses],
            "pictures": [drawings.of_picture(picture, *_size(picture, scale)) for picture in pictures],
            "is_item": section.is_list and clauses[0].name != INTRODUCTION,
        }


def _size(picture: Picture, scale: float) -> tuple[float, float]:
    """Returns the side of the squares of a picture and its greatest width, in mm.

    Wide pictures are small enough that two fit beside each other, unless their squares would be too small.
    """
    if picture.kind == "start":
        return _START_SQUARE * scale, _START_WIDTH * scale
    fits = _HALF_WIDTH / (picture.files + 2 * _FRAME) >= _LEAST_SQUARE
    return _SQUARE * scale, (_HALF_WIDTH if fits else _TEXT_WIDTH) * scale


def _sample_game(subject: "Variant | Rules", drawings: Drawings, scale: float) -> dict[str, Any] | None:
    """Returns the sample game of a variant; rules without one have none."""
    record = None if isinstance(subject, Rules) else sample_game(subject)
    if isinstance(subject, Rules) or record is None:
        return None
    width = _LARGE_WIDTH if subject.rules.size >= _LARGE else _GAME_WIDTH
    parts = game_parts(record, subject, drawings, _GAME_SQUARE * scale, width * scale)
    return {**parts, "heading": text("paper.game.heading", drawings.lang)}


def _ornament(rules: Rules, drawings: Drawings) -> str:
    """Returns the file of the drawing on the last page: a carving of the board, else the king."""
    square = rules.throne or next(iter(rules.corners), None)
    return drawings.of_piece(Piece.KING) if square is None else drawings.of_square(rules, square)


def _board_to_play_on(named: Subject, drawings: Drawings, scale: float) -> dict[str, Any] | None:
    """Returns the empty board, as wide as the text, for a page that is left; None if it is too small."""
    rules, width = named.rules, _TEXT_WIDTH * scale
    if width / (rules.size + 1) < LEAST_SQUARE:
        return None
    empty = Setup.of(rules.size, {}, rules.start.turn)
    return {**drawings.of_board(empty, width, width, rules=rules), "alt": empty_board_words(named)}


def _games_table(named: Subject) -> dict[str, Any]:
    """Returns the texts of the table in which readers write down their games.

    Each side has a column for its captures where these can decide a match of two legs.
    """
    nouns = wording_of(named.game, named.lang).nouns
    captures = ["×"] * named.captures_decide
    columns = [
        named.text("paper.games.date"),
        *(nouns["The_attackers_side"], *captures),
        *(nouns["The_defenders_side"], *captures),
        named.text("paper.games.result"),
    ]
    return {"heading": named.text("paper.games.heading"), "columns": columns}
