"""What a move captures: custodial, on four sides, Linnaean. Rows and groups are in `special`.

All tests look at the same board: after the move, before anything is removed.
"""

from tests.reference.board import DIRECTIONS, KIND, SIDE, Board, Rules, Square, neighbours, step
from tests.reference.hostility import closed_to_king, is_anvil
from tests.reference.special import captured_by_shieldwall, captured_groups


def linnaean_holds(rules: Rules, board: Board, guard: Square, behind: Square) -> bool:
    """Tests whether a defender stands beside his king on the throne, attackers on the other three sides."""
    if rules.linnaean == "none" or board[guard] != "T":
        return False
    if rules.throne is None or behind != rules.throne or board.get(behind) != "K":
        return False
    return sum(board.get(square) == "t" for square in neighbours(behind)) == 3


def captured_in_direction(
    rules: Rules, board: Board, moved: Square, direction: tuple[int, int]
) -> tuple[set[Square], bool]:
    """Gives the soldiers captured next to the moved piece in one direction, and whether the king is."""
    side = SIDE[board[moved]]
    victim, behind = step(moved, direction), step(moved, direction, 2)
    if victim not in board or SIDE[board[victim]] == side:
        return set(), False
    if board[victim] == "K":
        manner = rules.king_capture[rules.zone(victim)]
        if manner == "custodial":
            return set(), is_anvil(rules, board, behind, "king", side)
        if manner == "four_sides":
            return set(), all(closed_to_king(rules, board, square) for square in neighbours(victim))
        return set(), False
    if linnaean_holds(rules, board, victim, behind):
        return {victim}, rules.linnaean == "guard_and_king"
    if is_anvil(rules, board, behind, KIND[board[victim]], side):
        return {victim}, False
    return set(), False


def find_captures(rules: Rules, board: Board, moved: Square) -> tuple[set[Square], bool]:
    """Gives the squares of all soldiers the moved piece captures, and whether it captures the king.

    Args:
        rules: The rules.
        board: The board after the move, nothing removed.
        moved: Where the moved piece now stands.
    """
    soldiers: set[Square] = set()
    king_captured = False
    if board[moved] != "K" or rules.king_is_hammer:
        for direction in DIRECTIONS:
            taken, king_taken = captured_in_direction(rules, board, moved, direction)
            soldiers |= taken
            king_captured = king_captured or king_taken
        soldiers |= captured_by_shieldwall(rules, board, moved)
    for group in captured_groups(rules, board, moved):
        king_captured = king_captured or any(board[square] == "K" for square in group)
        soldiers |= {square for square in group if board[square] != "K"}
    return soldiers, king_captured
