"""Captures: custodial, on four sides, Linnaean. Rows and groups are in `special`.

All functions take the board after the move, before anything is removed.
"""

from tests.reference.board import (
    ATTACKERS,
    COMMANDERS,
    DIRECTIONS,
    JUMPERS,
    KIND,
    KNIGHTS,
    SIDE,
    Board,
    Rules,
    Square,
    neighbours,
    step,
)
from tests.reference.hostility import closed_to_king, hostile_now, is_anvil
from tests.reference.moves import jumped_over
from tests.reference.special import captured_by_shieldwall, captured_groups, captured_rows


def linnaean_holds(rules: Rules, board: Board, guard: Square, behind: Square) -> bool:
    """Checks whether a defender stands beside his king on the throne, attackers on the other three sides."""
    if rules.linnaean == "none" or KIND[board[guard]] != "defenders":
        return False
    if rules.throne is None or behind != rules.throne or board.get(behind) != "K":
        return False
    return sum(SIDE.get(board.get(square, "")) == ATTACKERS for square in neighbours(behind)) == 3


def commanders_take_the_king(rules: Rules, board: Board, moved: Square, king: Square, behind: Square) -> bool:
    """Checks whether a commander who moved next to the king captures him against what is behind him.

    That is another commander of the attackers, or a square hostile to the king as it stands. With `open`
    there is no such capture on the throne or against it.
    """
    if rules.commander_pair == "none" or board[moved] not in COMMANDERS:
        return False
    if rules.commander_pair == "open" and rules.throne in (king, behind):
        return False
    if not rules.on_board(behind):
        return False
    return board.get(behind) == board[moved] or hostile_now(rules, board, behind, "king")


def captured_in_direction(
    rules: Rules, board: Board, moved: Square, direction: tuple[int, int]
) -> tuple[set[Square], bool]:
    """Returns the soldiers captured next to the moved piece in one direction, and whether the king is."""
    side = SIDE[board[moved]]
    victim, behind = step(moved, direction), step(moved, direction, 2)
    if victim not in board or SIDE[board[victim]] == side:
        return set(), False
    if board[victim] == "K":
        manner = rules.king_capture[rules.zone(victim)]
        if manner != "never" and commanders_take_the_king(rules, board, moved, victim, behind):
            return set(), True
        if manner == "custodial":
            return set(), is_anvil(rules, board, behind, "king", side)
        if manner == "four_sides":
            return set(), all(closed_to_king(rules, board, square) for square in neighbours(victim))
        return set(), False
    if linnaean_holds(rules, board, victim, behind):
        return {victim}, rules.linnaean == "guard_and_king"
    if rules.knights_taken == "by_three" and board[victim] in KNIGHTS:
        others = [square for square in neighbours(victim) if square != moved]
        closed = [square for square in others if is_anvil(rules, board, square, KIND[board[victim]], side)]
        return {victim} if len(closed) >= 2 else set(), False
    if is_anvil(rules, board, behind, KIND[board[victim]], side):
        return {victim}, False
    return set(), False


def find_captures(rules: Rules, before: Board, origin: Square, moved: Square) -> tuple[set[Square], bool]:
    """Returns the squares of all soldiers a move captures, and whether it captures the king.

    Args:
        rules: The rules.
        before: The board before the move.
        origin: Where the moved piece stood.
        moved: Where it now stands.
    """
    board = dict(before)
    board[moved] = board.pop(origin)
    soldiers: set[Square] = set()
    king_captured = False
    over = jumped_over(before, origin, moved)
    if over is not None and rules.jumps[JUMPERS[board[moved]]] == "capture":
        soldiers.add(over)
    if board[moved] != "K" or rules.king_is_hammer:
        for direction in DIRECTIONS:
            taken, king_taken = captured_in_direction(rules, board, moved, direction)
            soldiers |= taken
            king_captured = king_captured or king_taken
        soldiers |= captured_by_shieldwall(rules, board, moved)
        rows = captured_rows(rules, board, moved)
        king_captured = king_captured or any(board[square] == "K" for square in rows)
        soldiers |= {square for square in rows if board[square] != "K"}
    for group in captured_groups(rules, board, moved):
        king_captured = king_captured or any(board[square] == "K" for square in group)
        soldiers |= {square for square in group if board[square] != "K"}
    return soldiers, king_captured


def is_capture(rules: Rules, board: Board, origin: Square, target: Square) -> bool:
    """Checks whether a move captures anything, the king included."""
    soldiers, king_captured = find_captures(rules, board, origin, target)
    return bool(soldiers) or king_captured
