"""Where a piece may go."""

from collections.abc import Iterator

from tests.reference.board import (
    DIRECTIONS,
    KIND,
    SIDE,
    Board,
    Rules,
    Square,
    State,
    find_king,
    format_move,
    step,
)


def walk(rules: Rules, board: Board, origin: Square, direction: tuple[int, int]) -> Iterator[Square]:
    """Gives the squares the piece on `origin` may come to in one direction, the nearest first.

    It slides over empty squares, at most as far as the range of its kind (0: as far as it likes).
    """
    kind = KIND[board[origin]]
    longest = rules.range[kind] or rules.size
    square = origin
    for _ in range(longest):
        came_from_corner = square != origin and square in rules.corners
        here = rules.corner_block(square)
        square = step(square, direction)
        if not rules.on_board(square) or square in board:
            return
        if came_from_corner and square not in here:
            return  # a corner is never crossed: beyond it only squares of the same corner
        if rules.camp(square) and origin not in rules.camp(square):
            return  # a camp is a wall for every piece that does not stand in it
        if square == rules.throne:
            if kind in rules.throne_stop:
                yield square
            if kind not in rules.throne_pass:
                return
        elif square in rules.corners:
            if kind in rules.corner_stop:
                yield square
        else:
            yield square


def destinations(rules: Rules, board: Board, origin: Square) -> Iterator[Square]:
    """Gives all squares the piece on `origin` may come to."""
    for direction in DIRECTIONS:
        yield from walk(rules, board, origin, direction)


def can_move(rules: Rules, board: Board, side: str) -> bool:
    """Tests whether a side has any legal move."""
    return any(
        True
        for origin, piece in board.items()
        if SIDE[piece] == side
        for _ in destinations(rules, board, origin)
    )


def legal_moves(rules: Rules, state: State) -> list[str]:
    """Lists the moves of the side to move, `d1-c1`, sorted as text; whether the game is over is not asked."""
    return sorted(
        format_move(origin, target)
        for origin, piece in state.board.items()
        if SIDE[piece] == state.side
        for target in destinations(rules, state.board, origin)
    )


def reachable_goals(rules: Rules, board: Board) -> list[Square]:
    """Lists the goal squares the king could reach in one move, whoever is to move, sorted."""
    king = find_king(board)
    if king is None:
        return []
    return sorted(square for square in destinations(rules, board, king) if rules.is_goal(square))


def routes(rules: Rules, state: State) -> int:
    """Counts the directions in which the king has a move to a goal, whoever is to move."""
    king = find_king(state.board)
    if king is None:
        return 0
    return sum(
        any(rules.is_goal(square) for square in walk(rules, state.board, king, direction))
        for direction in DIRECTIONS
    )
