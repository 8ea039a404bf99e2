"""Overviews of a game: the rules on one page, and a poster for a class room."""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hnefi import words
from hnefi._core import Position
from hnefi.paper.drawings import Drawings, board_theme
from hnefi.paper.imprints import NO_IMPRINT, Imprint, issued
from hnefi.paper.key import key_of
from hnefi.paper.subjects import Subject, paper_size
from hnefi.paper.typesetting import Document, PrintError, page_count
from hnefi.words.model import RulesText

if TYPE_CHECKING:
    from hnefi._core import Rules
    from hnefi.variants.model import Variant

_A4_WIDTH = 210.0
_WIDEST = 150.0


# The picture of a section that shows how the king is captured is there too.
_OF_KING = "king_and_one"
# The sections of an overview, each with the most pictures that it has.
_SECTIONS = {"moves": 0, "captures": 2, "king": 6, "ends": 0, "calls": 0, "match": 0}
# The width of the board in mm on A4, the side of a square of the pictures in mm for each point of type, and
# the type sizes in half points on A4: the largest that fits is used.
_KINDS = {"summary": (58.0, 0.42, range(40, 15, -1)), "poster": (100.0, 0.5, range(36, 13, -1))}


def overview_document(
    name: str,
    game: "Variant | Rules",
    lang: str | None = None,
    *,
    paper: str,
    colour: bool = False,
    imprint: Imprint = NO_IMPRINT,
) -> Document:
    """Returns the content of an overview, in the largest type that fits.

    Args:
        name: `summary`, the rules on one page, or `poster`, with a large board and more pictures.
        paper: One of `PAPERS`.

    Raises:
        PrintError: `too_much_text`, if the rules do not fit on one page in the smallest type.
        ValueError: If the paper is unknown.
    """
    board_width, square, sizes = _KINDS[name]
    subject, rules_text = Subject.of(game, lang), words.rules(game, lang)
    width, height = paper_size(paper)
    scale = width / _A4_WIDTH
    board = board_width * scale

    def made(points: float, *, has_pictures: bool = True) -> Document:
        drawings = Drawings(subject.lang, board_theme(colour=colour))
        shown = _SECTIONS if has_pictures else dict.fromkeys(_SECTIONS, 0)
        sections = _sections(rules_text, shown, drawings, square * points * scale)
        data = {
            **_common(subject, rules_text, drawings),
            "kind": name,
            "width": width,
            "height": height,
            "scale": scale,
            "points": points * scale,
            "board": drawings.of_board(Position(subject.rules), board, board),
            "sections": list(sections),
        }
        return issued(
            Document("overview", data, drawings.files), imprint, subject, imprint.foot(width, height)
        )

    try:
        return _largest_fitting(made, sizes)
    except PrintError as error:
        if error.code != "too_much_text":
            raise
        return _largest_fitting(functools.partial(made, has_pictures=False), sizes)


def _common(subject: Subject, rules_text: RulesText, drawings: Drawings) -> dict[str, Any]:
    aim = next((section for section in rules_text.sections if section.id == "aim"), None)
    board = next(section for section in rules_text.sections if section.id == "board")
    turns = [one for one in board.clauses if {"first", "no_move"} & {*one.leaves} or one.parts == ("turns",)]
    return {
        "lang": subject.lang,
        "title": subject.name,
        "name": subject.name_and_edition[0],
        "edition": subject.cover_line,
        "facts": list(rules_text.facts),
        "aim": {"heading": aim.heading, "text": " ".join(aim.paragraphs)} if aim else None,
        "begins": " ".join(one.text for one in turns),
        "key": key_of(subject.game, subject.lang, drawings),
        "colophon": subject.colophon,
    }


def _sections(
    rules_text: RulesText, pictures: Mapping[str, int], drawings: Drawings, square: float
) -> Iterator[dict[str, Any]]:
    for section in rules_text.sections:
        if section.id in pictures:
            most = pictures[section.id]
            chosen = [
                one for at, one in enumerate(section.pictures) if at < most or (most and one.kind == _OF_KING)
            ]
            yield {
                "id": section.id,
                "heading": section.heading,
                "is_list": section.is_list,
                "paragraphs": list(section.paragraphs),
                "pictures": [drawings.of_picture(picture, square, _WIDEST) for picture in chosen],
            }


def _largest_fitting(made: Callable[[float], Document], sizes: Sequence[int]) -> Document:
    """Returns the document in the largest type with which it has one page, by bisection.

    Raises:
        PrintError: `too_much_text`.
    """
    low, high = 0, len(sizes)
    best: Document | None = None
    while low < high:
        middle = (low + high) // 2
        document = made(sizes[middle] / 2)
        if page_count(document) == 1:
            best, high = document, middle
        else:
            low = middle + 1
    if best is None:
        raise PrintError.of_facts("too_much_text", title=made(sizes[-1] / 2).data["title"])
    return best
