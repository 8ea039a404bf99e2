"""Puzzles of a game on paper: sheets of four, each with a page of its solutions, for the back."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hnefi import words
from hnefi.errors import checked_choice
from hnefi.i18n import text
from hnefi.paper.drawings import Drawings, board_theme
from hnefi.paper.game_pages import move_text
from hnefi.paper.imprints import NO_IMPRINT, Imprint, issued
from hnefi.paper.key import key_of
from hnefi.paper.subjects import Subject, paper_size
from hnefi.paper.typesetting import Document, PrintError, to_pdf
from hnefi.puzzles import DIFFICULTIES, Attempt, Puzzle, has_puzzles
from hnefi.puzzles import puzzles as puzzles_of

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

PUZZLE_PAPERS = ("a4", "a5")
"""The papers of sheets of puzzles."""

_ON_A_SHEET = 4
# In mm: two boards stand beside each other and two below, on a page without an imprint.
_SQUARE, _WIDEST = 10.0, {"a4": 78.0, "a5": 52.0}


def puzzle_sheets(
    variant: "Variant",
    lang: str | None = None,
    *,
    puzzles: Sequence[Puzzle] | None = None,
    number: int | None = None,
    paper: str = "a4",
    colour: bool = False,
    imprint: Imprint = NO_IMPRINT,
) -> bytes:
    """Returns puzzles of a variant with their solutions, in PDF.

    Args:
        lang: The language; the user's if None.
        puzzles: What is printed, in this order; all of Hnefi if None, themes mixed and the easy ones first.
        number: The number of the only sheet wanted, from 1; all if None.
        paper: One of `PUZZLE_PAPERS`.
        colour: Whether boards are drawn as wood.
        imprint: Who hands them out.

    Raises:
        PrintError: `no_puzzles` if there are none, `no_such_sheet`; `missing_extra`, `unprintable_letters`.
        ValueError: If the paper is unknown.

    >>> from hnefi import variant
    >>> puzzle_sheets(variant("brandub-globe"), "en", number=1)[:5]
    b'%PDF-'
    """
    checked_choice("paper", paper, PUZZLE_PAPERS)
    subject = Subject.of(variant, lang)
    chosen = _dealt(variant) if puzzles is None else puzzles
    sheets = [chosen[first : first + _ON_A_SHEET] for first in range(0, len(chosen), _ON_A_SHEET)]
    if not sheets:
        raise PrintError.of_facts("no_puzzles", variant=subject.name)
    if number is not None and not 0 < number <= len(sheets):
        raise PrintError.of_facts("no_such_sheet", number=number, count=len(sheets))
    drawings = Drawings(subject.lang, board_theme(colour=colour))
    width, height = paper_size(paper)
    foot = imprint.foot(width, height)
    widest = _WIDEST[paper] - foot / 2
    has_calls = variant.calls is not None and bool(variant.calls["sides"])
    sections = words.rules(variant, subject.lang, pictures=False).sections
    aim = next(section for section in sections if section.id == "aim")
    wanted = range(len(sheets)) if number is None else [number - 1]
    data = {
        "lang": subject.lang,
        "paper": paper,
        "width": width,
        "height": height,
        "title": subject.name,
        "about": " ".join((*aim.paragraphs, *([subject.text("puzzle.calls")] if has_calls else []))),
        "key": key_of(variant, subject.lang, drawings),
        "form_name": subject.text("paper.puzzles.heading"),
        "moves": subject.text("paper.puzzles.moves"),
        "solutions": subject.text("paper.puzzles.solutions"),
        "colophon": subject.colophon,
        "sheets": [
            {
                "heading": subject.text("paper.puzzles.sheet", number=index + 1, count=len(sheets)),
                "puzzles": [_entry(one, drawings, widest) for one in sheets[index]],
            }
            for index in wanted
        ],
    }
    return to_pdf(issued(Document("puzzles", data, drawings.files), imprint, subject, foot))


def _dealt(variant: "Variant") -> list[Puzzle]:
    """Returns the puzzles of Hnefi for a game, dealt in turn to the sheets, each from easy to hard."""
    found = puzzles_of(variant) if has_puzzles(variant) else ()
    count = -(-len(found) // _ON_A_SHEET)
    hands = (sorted(found[index::count], key=_level) for index in range(count))
    return [one for hand in hands for one in hand]


def _level(puzzle: Puzzle) -> int:
    return DIFFICULTIES.index(puzzle.difficulty)


def _entry(puzzle: Puzzle, drawings: Drawings, widest_mm: float) -> dict[str, Any]:
    """Returns a puzzle for the template, with its solution: the moves of both sides up to the end."""
    lang = drawings.lang
    game, written = puzzle.new_game(), []
    for move in Attempt.begin(puzzle).line():
        game = game.play(move)
        assert game.last is not None
        written.append(move_text(move, game.last.captures))
    return {
        "title": puzzle.title(lang),
        "task": puzzle.task(lang),
        "level": text(f"page.puzzles.{puzzle.difficulty}", lang),
        "id": puzzle.id,
        "board": drawings.of_board(puzzle.new_game(), _SQUARE, widest_mm),
        "solution": " ".join(written),
    }
