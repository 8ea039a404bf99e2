"""A recorded game on paper: its moves in parts, each with the board of a key moment."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hnefi.i18n import plural
from hnefi.paper.drawings import Drawings
from hnefi.record.model import Node, Record
from hnefi.record.move_tree import GLYPHS
from hnefi.words import key_moments
from hnefi.words.variant_texts import lookup
from hnefi.words.wording import wording_of

if TYPE_CHECKING:
    from hnefi._core import Move, Ply, Square
    from hnefi.variants.model import Variant

__all__ = ["game_parts"]

_CALLS = {1: "one_exit", 2: "two_exits"}


def game_parts(
    record: Record, variant: "Variant", drawings: Drawings, square_mm: float, widest_mm: float
) -> dict[str, Any]:
    """Returns the data of a recorded game for templates: an introduction, and parts that end at key moments.

    Args:
        record: The game, ended.
        variant: The variant, for its nouns and the words of its calls.
        drawings: The drawings of the document; the language is theirs.
        square_mm: The side of a square of the boards.
        widest_mm: The greatest width of a board.

    Raises:
        RecordError: The first fault of the record; other errors of `Record.replay` likewise.
    """
    lang = drawings.lang
    moments = key_moments(record, lang)
    nodes = [node for node in record.nodes if node.move is not None and not node.is_undone]
    plies = moments[-1].game.plies
    moves = [
        _move(number, *pair, variant, lang) for number, pair in enumerate(zip(nodes, plies, strict=True), 1)
    ]
    parts: list[dict[str, Any]] = []
    first = 0
    for moment in moments:
        board = drawings.of_board(moment.game, square_mm, widest_mm)
        board["caption"] = moment.text
        parts.append({"moves": moves[first : moment.ply], "board": board})
        first = moment.ply
    nouns = wording_of(variant, lang).nouns
    return {"intro": plural("paper.game.intro", len(moves), lang, **nouns), "parts": parts}


def _move(number: int, node: Node, ply: "Ply", variant: "Variant", lang: str) -> dict[str, Any]:
    """Returns a move for templates: number, text, side, call and glyph."""
    return {
        "number": number,
        "side": ply.side.value,
        "text": _move_text(ply.move, ply.captures),
        "call": lookup(variant.calls, "words", _CALLS.get(node.call, ""), lang) or "",
        "glyph": node.comments[0] if node.comments and node.comments[0] in GLYPHS else "",
    }


def _move_text(move: "Move", captures: "Sequence[Square]") -> str:
    """Formats a move for paper.

    >>> from hnefi import Move, Square
    >>> _move_text(Move("e5-e8"), [Square("e9"), Square("f8")])
    'e5–e8 ×\u202fe9, f8'
    """
    taken = ", ".join(square.name for square in captures)
    return f"{move.from_square.name}–{move.to_square.name}" + (f" ×\u202f{taken}" if taken else "")
