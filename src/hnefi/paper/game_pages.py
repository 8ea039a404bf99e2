"""A recorded game on paper: its moves in parts, each with a board."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hnefi.i18n import outcome_text, plural, text
from hnefi.paper.drawings import Drawings
from hnefi.record.model import Node, Record
from hnefi.record.move_tree import GLYPHS
from hnefi.words.variant_texts import lookup
from hnefi.words.wording import wording_of

if TYPE_CHECKING:
    from hnefi._core import Game, Move, Square
    from hnefi.variants.model import Variant

__all__ = ["game_parts"]

_CALLS = {1: "one_exit", 2: "two_exits"}
# An even number of parts, since two boards stand beside each other.
_PLIES_PER_PAIR, _MOST_PAIRS = 12, 3


def game_parts(
    record: Record, variant: "Variant", drawings: Drawings, square_mm: float, widest_mm: float
) -> dict[str, Any] | None:
    """Returns the data of a recorded game for templates: introduction, parts, and how it ends.

    Args:
        record: The game; None is returned if it cannot be played, or has no moves.
        variant: The variant, for the words of its calls.
        drawings: The drawings of the document; the language is theirs.
        square_mm: The side of a square of the boards.
        widest_mm: The greatest width of a board.
    """
    replay = record.replay()
    nodes = [node for node in record.nodes if node.move is not None and not node.is_undone]
    if replay.called is None or replay.faults or not nodes:
        return None
    games = _games(replay.called.game)
    lang = drawings.lang
    parts: list[dict[str, Any]] = []
    first = 0
    for last in _ends_of_parts(nodes):
        moves = [_move(nodes, games, index, variant, lang) for index in range(first, last)]
        board = drawings.of_board(games[last - 1], square_mm, widest_mm)
        board["caption"] = text("paper.game.after", lang, number=last)
        parts.append({"moves": moves, "board": board})
        first = last
    return {
        "intro": plural("paper.game.intro", len(nodes), lang, **wording_of(variant, lang).nouns),
        "parts": parts,
        "outcome": outcome_text(replay.outcome, lang) if replay.outcome else "",
    }


def _games(game: "Game") -> "list[Game]":
    """Returns the game after each of its plies."""
    games: list[Game] = []
    at: Game | None = game
    while at is not None and at.last is not None:
        games.append(at)
        at = at.parent
    return games[::-1]


def _ends_of_parts(nodes: Sequence[Node]) -> list[int]:
    """Returns after how many plies each part ends: about equal parts, preferably after a capture."""
    count = len(nodes)
    parts = min(2 * min(max(round(count / _PLIES_PER_PAIR), 1), _MOST_PAIRS), count)
    ends: list[int] = []
    for part in range(1, parts):
        about = round(part * count / parts)
        near = sorted(range(max(about - 1, 1), min(about + 2, count)), key=lambda at: abs(at - about))
        best = max(near, key=lambda at: _interest(nodes[at - 1]))
        if not ends or best > ends[-1]:
            ends.append(best)
    return [*ends, count]


def _interest(node: Node) -> int:
    """Returns how much there is to see after a move."""
    return 2 * bool(node.captures) + bool(node.call) + 2 * bool(_glyph(node))


def _glyph(node: Node) -> str:
    return node.comments[0] if node.comments and node.comments[0] in GLYPHS else ""


def _move(
    nodes: Sequence[Node], games: "Sequence[Game]", index: int, variant: "Variant", lang: str
) -> dict[str, Any]:
    """Returns a move for templates: number, text, side, call, glyph and the better line."""
    node, ply = nodes[index], games[index].last
    assert ply is not None
    better = node.variations[0].nodes if node.variations and _glyph(node) else ()
    line = " ".join(
        f"{index + 1 + k}.\u00a0{_move_text(one.move, one.captures)}"
        for k, one in enumerate(better)
        if one.move is not None
    )
    return {
        "number": index + 1,
        "side": ply.side.value,
        "text": _move_text(ply.move, ply.captures),
        "call": lookup(variant.calls, "words", _CALLS.get(node.call, ""), lang) or "",
        "glyph": _glyph(node),
        "better": text("paper.game.better", lang, line=line) if line else "",
    }


def _move_text(move: "Move", captures: "Sequence[Square]") -> str:
    """Formats a move for paper.

    >>> from hnefi import Move, Square
    >>> _move_text(Move("e5-e8"), [Square("e9"), Square("f8")])
    'e5–e8 ×\u202fe9, f8'
    """
    taken = ", ".join(square.name for square in captures)
    return f"{move.from_square.name}–{move.to_square.name}" + (f" ×\u202f{taken}" if taken else "")
