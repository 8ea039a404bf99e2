"""Ends of turns that records leave implicit (decision 29)."""

from hnefi._core import Move, Position


def stop_before(position: Position, move: Move) -> Move | None:
    """Returns the stop that a move of the other side implies; None if the turn may not end here.

    >>> from hnefi import Position, Setup, variant
    >>> midway = Setup("11/11/11/11/11/5K5/3t2t4/6T4/3t7/11/11 a 0 d3")
    >>> position = Position(variant("berserk-11").rules, midway)
    >>> stop_before(position, Move("d5-e5")), stop_before(position, Move("f6-f9"))
    (None, Move('d3-d3'))
    """
    if not position.may_end_turn or position.going is None:
        return None
    moved = position.piece_at(move.from_square)
    if moved is None or moved.side is position.turn:
        return None
    return Move.of(position.going, position.going)
