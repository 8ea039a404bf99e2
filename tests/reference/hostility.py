"""Hostility: special squares, the edge, and the pieces that close a capture."""

from tests.reference.board import SIDE, Board, Rules, Square, neighbours


def hostile_when_empty(rules: Rules, square: Square, kind: str) -> bool:
    """Checks whether an empty square, or the edge beyond the board, is hostile to a piece of this kind."""
    if not rules.on_board(square):
        return kind == "king" and rules.edge_hostile_king
    if square == rules.throne:
        return rules.throne_hostile[kind] in ("empty", "always")
    if square in rules.corners:
        return rules.corner_hostile[kind] in ("empty", "always")
    if rules.camp(square):
        is_inside = rules.occupied_camps == "hostile" and not borders_on_none(rules, square)
        return kind in rules.camp_hostile and not (kind == "attackers" and is_inside)
    return False


def borders_on_none(rules: Rules, square: Square) -> bool:
    """Checks whether a square of the board that belongs to no camp lies beside a camp square."""
    return any(rules.on_board(beside) and not rules.camp(beside) for beside in neighbours(square))


def hostile_now(rules: Rules, board: Board, square: Square, kind: str) -> bool:
    """Checks whether a square is hostile by itself as it stands, empty or not.

    An occupied square counts only as its piece, except with `always`: then the throne is hostile while the
    king stands on it, and a corner whatever stands on it. With `occupied_camps`, an occupied camp square is
    hostile to attackers if it borders on a square of no camp.
    """
    if square not in board:
        return hostile_when_empty(rules, square, kind)
    if square == rules.throne:
        return board[square] == "K" and rules.throne_hostile[kind] == "always"
    if rules.camp(square):
        hostile = rules.occupied_camps == "hostile" and kind == "attackers" and kind in rules.camp_hostile
        return hostile and borders_on_none(rules, square)
    return square in rules.corners and rules.corner_hostile[kind] == "always"


def is_anvil(rules: Rules, board: Board, square: Square, kind: str, side: str) -> bool:
    """Checks whether a square can be the anvil of a custodial capture of a `kind` by `side`.

    The edge of the board never can, not even against the king.
    """
    if not rules.on_board(square):
        return False
    if hostile_now(rules, board, square, kind):
        return True
    piece = board.get(square)
    if piece is None or SIDE[piece] != side:
        return False
    return piece != "K" or rules.king_is_anvil


def closed_to_king(rules: Rules, board: Board, square: Square) -> bool:
    """Checks whether a neighbour of the king is a closed side of a capture on four sides."""
    return SIDE.get(board.get(square, "")) == "attackers" or hostile_now(rules, board, square, "king")
