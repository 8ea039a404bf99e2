"""Captures of rows and groups, and two ends of a game: enclosure and exit fort.

Comments explain how each phrase of the rules is read. Where the rules leave a detail open,
docs/explanation/rulings has the reading, with a position each.
"""

from tests.reference.board import (
    DIRECTIONS,
    KIND,
    OPPONENT,
    SIDE,
    Board,
    Rules,
    Square,
    find_king,
    neighbours,
    step,
)
from tests.reference.hostility import hostile_now, hostile_when_empty, is_anvil
from tests.reference.moves import destinations, destinations_towards

# --- Blocked groups -------------------------------------------------------------------------------------


def connected_group(board: Board, square: Square) -> set[Square]:
    """Returns the orthogonally connected pieces of one side, king included, around a piece."""
    side = SIDE[board[square]]
    group, todo = {square}, [square]
    while todo:
        for neighbour in neighbours(todo.pop()):
            if neighbour in board and neighbour not in group and SIDE[board[neighbour]] == side:
                group.add(neighbour)
                todo.append(neighbour)
    return group


def captured_groups(rules: Rules, board: Board, moved: Square) -> list[set[Square]]:
    """Returns the blocked enemy groups that the moved piece touches and that its move captures."""
    if rules.blocked_groups == "none":
        return []
    touched = [
        connected_group(board, square)
        for square in neighbours(moved)
        if square in board and SIDE[board[square]] != SIDE[board[moved]]
    ]
    return [group for group in touched if group_is_captured(rules, board, group)]


def group_is_captured(rules: Rules, board: Board, group: set[Square]) -> bool:
    """Checks whether a touched group is captured: two pieces or more, none able to move, of the right kind.

    With `king_and_one` only the king with exactly one soldier; with `groups` any group. A group is spared
    whose king cannot be captured where he stands.
    """
    if len(group) < 2 or any(can_leave(rules, board, square) for square in group):
        return False
    kings = [square for square in group if board[square] == "K"]
    if kings and rules.king_capture[rules.zone(kings[0])] == "never":
        return False
    if rules.blocked_groups in ("king_and_one", "king_and_one_surrounded"):
        return bool(kings) and len(group) == 2
    return True


def can_leave(rules: Rules, board: Board, square: Square) -> bool:
    """Checks whether a piece of a touched group is able to move.

    With `king_and_one_surrounded` the throne, a corner or a camp square beside it that is free and hostile to
    the king counts as an enemy piece: no way leads there or beyond.
    """
    for direction in DIRECTIONS:
        beside = step(square, direction)
        is_closed = (
            beside not in board and rules.on_board(beside) and hostile_when_empty(rules, beside, "king")
        )
        if rules.blocked_groups == "king_and_one_surrounded" and is_closed:
            continue
        if any(True for _ in destinations_towards(rules, board, square, direction)):
            return True
    return False


# --- Rows -----------------------------------------------------------------------------------------------


def captured_rows(rules: Rules, board: Board, moved: Square) -> set[Square]:
    """Returns the pieces of every row of two enemies or more that the moved piece closes, the king included.

    The row begins beside the moved piece, runs in a straight line and ends where the square behind its last
    piece captures as it would that piece alone. A king whom two cannot capture there spares his row.
    """
    captured: set[Square] = set()
    if rules.blocked_groups != "groups_and_rows":
        return captured
    side = SIDE[board[moved]]
    for direction in DIRECTIONS:
        row: list[Square] = []
        square = step(moved, direction)
        while square in board and SIDE[board[square]] != side:
            row.append(square)
            square = step(square, direction)
            if is_anvil(rules, board, square, KIND[board[row[-1]]], side):
                kings = [one for one in row if board[one] == "K"]
                is_spared = any(rules.king_capture[rules.zone(one)] != "custodial" for one in kings)
                captured |= set(row) if len(row) > 1 and not is_spared else set()
                break
    return captured


# --- Shieldwall -----------------------------------------------------------------------------------------


def edges_at(rules: Rules, square: Square) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Returns the edges a square lies on, each as (a direction along it, the direction inward).

    A square in the very corner of the board lies on two edges, any other edge square on one.
    """
    last = rules.size - 1
    edges = []
    if square[1] == 0:
        edges.append(((1, 0), (0, 1)))
    if square[1] == last:
        edges.append(((1, 0), (0, -1)))
    if square[0] == 0:
        edges.append(((0, 1), (1, 0)))
    if square[0] == last:
        edges.append(((0, 1), (-1, 0)))
    return edges


def captured_by_shieldwall(rules: Rules, board: Board, moved: Square) -> set[Square]:
    """Returns the soldiers of every edge row that the moved piece closes at one of its two ends."""
    if rules.shieldwall == "none":
        return set()
    captured = set()
    for (along_file, along_rank), inward in edges_at(rules, moved):
        for direction in ((along_file, along_rank), (-along_file, -along_rank)):
            captured |= captured_row(rules, board, moved, direction, inward)
    return captured


def captured_row(
    rules: Rules, board: Board, moved: Square, along: tuple[int, int], inward: tuple[int, int]
) -> set[Square]:
    """Returns the soldiers of the row that begins next to the moved piece; empty if it is not captured.

    The row is the unbroken line of enemy pieces along the edge, the king among them if he stands there; it
    holds two pieces or more. Its far end is closed by a piece of the mover's side or, `with_corner`, by a
    corner hostile to the soldiers of the row. Directly in front of every piece of the row, the king's square
    included, stands a piece of the mover's side: special squares do not replace it. A king who is no anvil
    closes nothing. The king is never captured with a row.
    """
    side = SIDE[board[moved]]
    victims = OPPONENT[side]  # the kind of the soldiers in the row

    def closes(square: Square) -> bool:
        piece = board.get(square)
        return piece is not None and SIDE[piece] == side and (piece != "K" or rules.king_is_anvil)

    def corner_closes(square: Square) -> bool:
        return (
            rules.shieldwall == "with_corner"
            and square in rules.corners
            and hostile_now(rules, board, square, victims)
        )

    row = []
    square = step(moved, along)
    while square in board and SIDE[board[square]] != side and not corner_closes(square):
        row.append(square)
        square = step(square, along)
    if len(row) < 2 or not (closes(square) or corner_closes(square)):
        return set()
    if not all(closes(step(member, inward)) for member in row):
        return set()
    return {member for member in row if board[member] != "K"}


# --- Enclosure ------------------------------------------------------------------------------------------


def flood(rules: Rules, board: Board, seeds: set[Square]) -> set[Square]:
    """Returns the seeds and every empty square reached from them by orthogonal steps through empty squares.

    Throne, corners and camps count as empty squares here, whoever may enter them.
    """
    reached, todo = set(seeds), list(seeds)
    while todo:
        for square in neighbours(todo.pop()):
            if rules.on_board(square) and square not in board and square not in reached:
                reached.add(square)
                todo.append(square)
    return reached


def defenders_are_enclosed(rules: Rules, board: Board) -> bool:
    """Checks whether neither the king nor any defender stands on the edge or touches open water.

    Open water is what can be reached from the empty edge squares through empty squares.
    """
    open_water = flood(rules, board, {s for s in rules.squares() if rules.on_edge(s) and s not in board})
    return not any(
        rules.on_edge(square) or any(neighbour in open_water for neighbour in neighbours(square))
        for square, piece in board.items()
        if SIDE[piece] == "defenders"
    )


# --- Exit fort ------------------------------------------------------------------------------------------


def exit_fort_holds(rules: Rules, board: Board) -> bool:
    """Checks whether the king sits in a fort on the edge that the attackers cannot break.

    `inside` (R in the rules) is the king's square and every empty square reached from it by orthogonal steps
    through empty squares. The fort holds if

    * the king stands on an edge square,
    * the king has a legal move,
    * no attacker is orthogonally next to a square of `inside`,
    * no defender orthogonally next to `inside` can be broken out of the wall.

    The wall (W) is at first all defenders, wherever they stand. `outside` (O) is every square of the board
    that is neither inside nor holds a soldier of the wall: attackers, empty squares, special squares, and
    the squares of defenders broken out already. All of it counts as if attackers could come to stand there,
    whether they could or not. A soldier that could be captured then is broken out, until nothing changes.

    Captures here are custodial ones. The rules name the shieldwall too, but it breaks no fort that they do
    not: the squares in front of a row that can be taken all lie outside, so a piece of the row touches the
    room at most at a hostile corner, and the wall beside that corner is then broken without it.
    """
    king = find_king(board)
    assert king is not None  # a captured king has ended the game before
    inside = flood(rules, board, {king})
    beside = {square for member in inside for square in neighbours(member)}
    if not rules.on_edge(king):
        return False
    if not any(True for _ in destinations(rules, board, king)):
        return False
    if any(KIND.get(board.get(square, "")) == "attackers" for square in beside):
        return False

    wall = {square for square, piece in board.items() if KIND[piece] == "defenders"}
    broken = set(wall)
    while broken:
        outside = {square for square in rules.squares() if square not in inside and square not in wall}
        broken = {square for square in wall if can_be_sandwiched(rules, board, square, outside)}
        wall -= broken
    return all(square in wall for square in beside if KIND.get(board.get(square, "")) == "defenders")


def can_be_sandwiched(rules: Rules, board: Board, square: Square, outside: set[Square]) -> bool:
    """Checks whether, on one axis, both neighbours of a defender are hostile or could become so.

    A neighbour is if it lies outside, or if it is a special square hostile to defenders as it stands now,
    which counts as an attacker even inside the fort. Nothing beyond the board is.
    """

    def against(neighbour: Square, piece: str = "T") -> bool:
        is_hostile = rules.on_board(neighbour) and hostile_now(rules, board, neighbour, KIND[piece])
        return neighbour in outside or is_hostile

    def is_closed(direction: tuple[int, int]) -> bool:
        """Checks the neighbour, or where rows are captured the square behind the row."""
        king = find_king(board)
        last, behind = square, step(square, direction)
        while rules.blocked_groups == "groups_and_rows" and not against(behind, board[last]):
            is_wall = KIND.get(board.get(behind, "")) == "defenders" and behind not in outside
            falls = behind == king and rules.king_capture[rules.zone(behind)] == "custodial"
            if not is_wall and not falls:
                return False
            last, behind = behind, step(behind, direction)
        return against(behind, board[last])

    return any(is_closed((x, y)) and is_closed((-x, -y)) for x, y in ((1, 0), (0, 1)))
