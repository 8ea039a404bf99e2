"""Turns of several captures, and legal moves."""

from tests.reference.board import Board, Rules, Square, State, format_move, parse_move
from tests.reference.captures import is_capture
from tests.reference.moves import destinations, plain_moves


def is_stop(move: str) -> bool:
    """Checks whether a move ends a turn: it is written as a move of the piece to its own square."""
    origin, target = parse_move(move)
    return origin == target


def continuations(rules: Rules, board: Board, origin: Square) -> list[Square]:
    """Returns the squares on which a piece that has captured may go on in the same turn.

    Every such move captures again; the king may also go on to a goal, and so escape.
    """
    if rules.berserk == "none":
        return []
    return [
        target
        for target in destinations(rules, board, origin)
        if is_capture(rules, board, origin, target) or (board[origin] == "K" and rules.is_goal(target))
    ]


def legal_moves(rules: Rules, state: State) -> list[str]:
    """Returns the moves of the side to move, `d1-c1`, sorted as text, even if the game is over.

    In mid-turn only the piece that has captured moves, and with `may` it may also stop.
    """
    if state.going is None:
        return plain_moves(rules, state)
    targets = continuations(rules, state.board, state.going)
    if rules.berserk == "may":
        targets.append(state.going)
    return sorted(format_move(state.going, target) for target in targets)
