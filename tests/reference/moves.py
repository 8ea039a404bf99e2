"""Destinations of pieces, moves, and open roads of the king."""

from collections.abc import Iterator

from tests.reference.board import (
    DIRECTIONS,
    JUMPERS,
    KIND,
    ORDINARY,
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
    """Iterates over the squares to which the piece on `origin` may slide in one direction, nearest first.

    It slides over empty squares, at most as far as the range of its kind (0: unlimited).
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


def may_stop(rules: Rules, kind: str, origin: Square, square: Square) -> bool:
    """Checks whether a piece of a kind that stands on `origin` may end a jump on an empty square."""
    if rules.camp(square) and origin not in rules.camp(square):
        return False
    if square == rules.throne:
        return kind in rules.throne_stop
    return square not in rules.corners or kind in rules.corner_stop


def jump(rules: Rules, board: Board, origin: Square, direction: tuple[int, int]) -> Square | None:
    """Returns the square to which the piece on `origin` may jump in one direction; None if it may not.

    It jumps over one ordinary soldier of the enemy next to it, with `anyone` also of its own side, to the
    empty square beyond, where it must be allowed to stop. A `restricted` jump begins or ends on the throne or
    in a corner. The range of the kind does not matter, nor does the square jumped over.
    """
    manner = rules.jumps[JUMPERS[board[origin]]] if board[origin] in JUMPERS else "none"
    over, target = step(origin, direction), step(origin, direction, 2)
    if manner == "none" or board.get(over, " ") not in ORDINARY:
        return None
    if SIDE[board[over]] == SIDE[board[origin]] and manner != "anyone":
        return None
    if not rules.on_board(target) or target in board:
        return None
    if not may_stop(rules, KIND[board[origin]], origin, target):
        return None
    restricted = rules.corners | ({rules.throne} if rules.throne else set())
    if manner == "restricted" and not {origin, target} & restricted:
        return None
    return target


def destinations_towards(
    rules: Rules, board: Board, origin: Square, direction: tuple[int, int]
) -> Iterator[Square]:
    """Iterates over the squares to which the piece on `origin` may slide or jump in one direction."""
    yield from walk(rules, board, origin, direction)
    target = jump(rules, board, origin, direction)
    if target is not None:
        yield target


def destinations(rules: Rules, board: Board, origin: Square) -> Iterator[Square]:
    """Iterates over all squares to which the piece on `origin` may move."""
    for direction in DIRECTIONS:
        yield from destinations_towards(rules, board, origin, direction)


def jumped_over(board: Board, origin: Square, target: Square) -> Square | None:
    """Returns the square half-way if a move of two squares passes a piece there: then it is a jump."""
    between = (origin[0] + target[0]) // 2, (origin[1] + target[1]) // 2
    length = abs(target[0] - origin[0]) + abs(target[1] - origin[1])
    return between if length == 2 and between in board else None


def can_move(rules: Rules, board: Board, side: str) -> bool:
    """Checks whether a side has any legal move."""
    return any(
        True
        for origin, piece in board.items()
        if SIDE[piece] == side
        for _ in destinations(rules, board, origin)
    )


def plain_moves(rules: Rules, state: State) -> list[str]:
    """Returns the moves of the side to move, `d1-c1`, sorted as text, at the start of its turn."""
    return sorted(
        format_move(origin, target)
        for origin, piece in state.board.items()
        if SIDE[piece] == state.side
        for target in destinations(rules, state.board, origin)
    )


def open_road_goals(rules: Rules, board: Board) -> list[Square]:
    """Returns the goal squares the king could reach in one move, whoever is to move, sorted."""
    king = find_king(board)
    if king is None:
        return []
    return sorted(square for square in destinations(rules, board, king) if rules.is_goal(square))


def count_open_roads(rules: Rules, state: State) -> int:
    """Counts the directions in which the king has a move to a goal, whoever is to move."""
    king = find_king(state.board)
    if king is None:
        return 0
    return sum(
        any(rules.is_goal(square) for square in destinations_towards(rules, state.board, king, direction))
        for direction in DIRECTIONS
    )
