"""Score sheets: pages on which players write down the moves of a game, one page for each leg of a match."""

from math import ceil
from typing import TYPE_CHECKING, Any

from hnefi._core import Position, Rules
from hnefi.errors import checked_choice
from hnefi.paper.drawings import Drawings
from hnefi.paper.imprints import NO_IMPRINT, Imprint, issued
from hnefi.paper.subjects import Subject, checked_line, paper_size
from hnefi.paper.typesetting import Document
from hnefi.pieces import Side
from hnefi.words.nouns import capitalised
from hnefi.words.wording import wording_of

if TYPE_CHECKING:
    from hnefi.variants.model import Variant

_ROWS = {"a4": 30, "a5": 21}
_ROW_HEIGHT = 5.0
# The rows that lines for captures take.
_CAPTURE_ROWS = 2
_GROUPS = {"a4": 2, "a5": 1}
# Widths in mm.
_BOARD_SQUARE = 5.0
_BOARD_WIDTH = {"a4": 62.0, "a5": 52.0}


def score_document(
    game: "Variant | Rules",
    lang: str | None = None,
    *,
    paper: str = "a4",
    attackers: str = "",
    defenders: str = "",
    date: str = "",
    imprint: Imprint = NO_IMPRINT,
) -> Document:
    """Returns the content of a score sheet: a page for each leg, with the sides exchanged.

    Args:
        paper: `a4` or `a5`.
        attackers: The name of the player who has the attackers in the first leg; empty to write it by hand.
        imprint: Who hands it out; it takes the place of some lines.

    Raises:
        PrintError: `text_too_long`.
        ValueError: If the paper is unknown.
    """
    checked_choice("paper", paper, _ROWS)
    subject = Subject.of(game, lang)
    say = subject.text
    names = [checked_line(name) for name in (attackers, defenders)]
    legs = 1 if isinstance(game, Rules) else int(game.match.get("legs", 1))
    first = subject.rules.start.turn
    drawings = Drawings(subject.lang)
    width, height = paper_size(paper)
    foot = imprint.foot(width, height)
    data = {
        "lang": subject.lang,
        "paper": paper,
        "width": width,
        "height": height,
        "title": subject.name,
        "heading": say("paper.score.heading"),
        "colophon": subject.colophon_with_hash,
        "board": drawings.of_board(Position(subject.rules), _BOARD_SQUARE, _BOARD_WIDTH[paper]),
        "columns": [_column(subject, side) for side in (first, first.opponent)],
        "rows": _ROWS[paper] - ceil(foot / _ROW_HEIGHT) - _CAPTURE_ROWS * subject.captures_decide,
        "groups": _GROUPS[paper],
        "date": {"label": say("paper.games.date"), "text": checked_line(date)},
        "place": say("paper.score.place"),
        "result": say("paper.games.result"),
        "reason": say("paper.score.reason"),
        "outcomes": [
            *(capitalised(_side(subject, side)) for side in (first, first.opponent)),
            say("paper.score.draw"),
        ],
        "match": say("paper.score.match") if legs > 1 else "",
        "legs": [_leg(subject, leg, legs, names) for leg in range(legs)],
    }
    return issued(Document("score", data, drawings.files), imprint, subject, foot)


def _leg(subject: Subject, leg: int, legs: int, names: list[str]) -> dict[str, Any]:
    """Returns the players of a leg; they exchange the sides after each."""
    players = names if leg % 2 == 0 else names[::-1]
    sides = (Side.ATTACKERS, Side.DEFENDERS)
    return {
        "heading": subject.text("paper.score.leg", leg=leg + 1, legs=legs) if legs > 1 else "",
        "players": [
            {"label": capitalised(_side(subject, side)), "text": name}
            for side, name in zip(sides, players, strict=True)
        ],
        "captures": _captures(subject, is_last=leg + 1 == legs) if subject.captures_decide else [],
    }


def _captures(subject: Subject, *, is_last: bool) -> list[str]:
    """Returns what the players count at the end of a leg, and of the match."""
    nouns = wording_of(subject.game, subject.lang).nouns
    keys = ("paper.score.captures", "paper.score.all_captures")[: 1 + is_last]
    return [subject.text(key, the_king=nouns["the_king"]) for key in keys]


def _column(subject: Subject, side: Side) -> dict[str, str]:
    """Returns the headings of a side: its moves, captures, and calls if it has some."""
    calls = None if isinstance(subject.game, Rules) else subject.game.calls
    has_calls = calls is not None and side.value in calls["sides"]
    return {
        "side": capitalised(_side(subject, side)),
        "captures": "×",
        "call": subject.text("paper.score.call") if has_calls else "",
    }


def _side(subject: Subject, side: Side) -> str:
    return wording_of(subject.game, subject.lang).nouns[side.value]
