"""A recorded game on paper: its moves in parts, each with the board of a key moment."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hnefi.i18n import plural, text
from hnefi.paper.drawings import Drawings
from hnefi.record.model import Node, Record
from hnefi.words import key_moments
from hnefi.words.variant_texts import lookup
from hnefi.words.wording import wording_of

if TYPE_CHECKING:
    from hnefi._core import Game, Move, Square
    from hnefi.variants.model import Variant

_CALLS = {1: "one_exit", 2: "two_exits"}
# How many plies may pass without a board.
_MOST_PLIES = 14
# Blanks and line ends, but not the spaces at which no line may be broken, which `str.split` takes for blanks.
_SPACES = re.compile(r"[ \t\r\n\f\v]+")
_UNBROKEN = re.compile(r"(?<=\d) (?=%)|(?<=\S) (?=[;:!?»](?:\s|$))|(?<=«) ")
_MOVE = re.compile(r"\b([a-z]\d{1,2})-([a-z]\d{1,2})\b")


def game_parts(
    record: Record, variant: "Variant", drawings: Drawings, square_mm: float, widest_mm: float
) -> dict[str, Any]:
    """Returns the data of a finished game for templates: an introduction, and parts that end at key moments.

    Raises:
        RecordError: The first fault of the record; other errors of `Record.replay` likewise.
    """
    lang = drawings.lang
    moments = key_moments(record, lang)
    games = _games(moments[-1].game)
    moves = [
        move_entry(number, *pair, variant, lang)
        for number, pair in enumerate(zip(record.counted, games, strict=True), 1)
    ]
    captions = {moment.ply: typeset(moment.text) for moment in moments}
    parts: list[dict[str, Any]] = []
    first = 0
    for last in _ends_of_parts(list(captions)):
        board = drawings.of_board(games[last - 1], square_mm, widest_mm)
        board["caption"] = captions.get(last) or text("paper.game.after", lang, number=last)
        parts.append({"moves": moves[first:last], "board": board})
        first = last
    nouns = wording_of(variant, lang).nouns
    intro = [plural("paper.game.intro", len(moves), lang, **nouns)]
    captures = (game.last for game in games if game.last and len(game.last.captures) == 1)
    if ply := next(captures, None):
        origin, target, taken = ply.move.from_square.name, ply.move.to_square.name, ply.captures[0].name
        move = move_text(ply.move, ply.captures)
        intro.append(text("paper.game.notation", lang, move=move, origin=origin, target=target, taken=taken))
    if any(move["glyph"] for move in moves):
        intro.append(text("paper.game.marks", lang))
    return {"intro": " ".join(intro), "parts": parts}


def _games(game: "Game") -> "list[Game]":
    """Returns the game after each of its plies."""
    games: list[Game] = []
    at: Game | None = game
    while at is not None and at.last is not None:
        games.append(at)
        at = at.parent
    return games[::-1]


def _ends_of_parts(moments: Sequence[int]) -> list[int]:
    """Returns after how many plies each part ends: at the moments, and in between where they are far apart.

    >>> _ends_of_parts([5, 8, 32])
    [5, 8, 20, 32]
    """
    ends: list[int] = []
    for moment in moments:
        first = ends[-1] if ends else 0
        parts = -(-(moment - first) // _MOST_PLIES)
        ends += [first + round(part * (moment - first) / parts) for part in range(1, parts + 1)]
    return ends


def move_entry(number: int, node: Node, game: "Game", variant: "Variant", lang: str) -> dict[str, Any]:
    """Returns a move for templates: number, text, side, call and glyph."""
    ply = game.last
    assert ply is not None
    return {
        "number": number,
        "side": ply.side.value,
        "text": move_text(ply.move, ply.captures),
        "call": lookup(variant.calls, "words", _CALLS.get(node.call, ""), lang) or "",
        "glyph": node.glyph,
    }


def typeset(sentences: str) -> str:
    """Formats sentences on one line, with moves as on paper, and no line break before a sign.

    >>> typeset("Mieux : a5-g5, 44 %")
    'Mieux\\u202f: a5–g5, 44\\u202f%'
    """
    return _MOVE.sub("\\1–\\2", _UNBROKEN.sub("\u202f", _SPACES.sub(" ", sentences.strip())))


def move_text(move: "Move", captures: "Sequence[Square]") -> str:
    """Formats a move for paper.

    >>> from hnefi import Move, Square
    >>> move_text(Move("e5-e8"), [Square("e9"), Square("f8")])
    'e5–e8 ×\u202fe9, f8'
    """
    taken = ", ".join(square.name for square in captures)
    return f"{move.from_square.name}–{move.to_square.name}" + (f" ×\u202f{taken}" if taken else "")
