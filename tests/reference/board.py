"""Squares, pieces, positions and the parameters of the rules."""

import re
from dataclasses import dataclass
from typing import Any

Square = tuple[int, int]  # (file, rank), both from 0: a1 is (0, 0)
# Only occupied squares: 't' is an attacker, 'c' a commander, 'n' a knight and 'r' a renegade of the
# attackers; 'T', 'C', 'N' and 'R' are the same for the defenders; 'K' is the king.
Board = dict[Square, str]

ATTACKERS = "attackers"
DEFENDERS = "defenders"
OPPONENT = {ATTACKERS: DEFENDERS, DEFENDERS: ATTACKERS}

# The kind of a piece is its name in the rules; its side is the player who owns it. Commanders, knights and
# renegades are soldiers of their side, except for their jumps, for the capture of the king by commanders,
# and for captured renegades, who change sides.
KIND = dict.fromkeys("tcnr", "attackers") | dict.fromkeys("TCNR", "defenders") | {"K": "king"}
SIDE = {piece: ATTACKERS if kind == "attackers" else DEFENDERS for piece, kind in KIND.items()}
ORDINARY = "trTR"  # a renegade is jumped over like a soldier
TURNED = {"r": "R", "R": "r"}
COMMANDERS = "cC"
KNIGHTS = "nN"
JUMPERS = {"K": "king", "c": "commanders", "C": "commanders", "n": "knights", "N": "knights"}

DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def square_name(square: Square) -> str:
    """Returns `d4` for (3, 3)."""
    return "abcdefghijklmnopqrs"[square[0]] + str(square[1] + 1)


def parse_square(name: str) -> Square:
    """Returns (3, 3) for `d4`."""
    return "abcdefghijklmnopqrs".index(name[0]), int(name[1:]) - 1


def parse_move(name: str) -> tuple[Square, Square]:
    """Returns the two squares of `d1-c1`."""
    origin, target = name.split("-")
    return parse_square(origin), parse_square(target)


def format_move(origin: Square, target: Square) -> str:
    """Returns `d1-c1` for two squares."""
    return f"{square_name(origin)}-{square_name(target)}"


def step(square: Square, direction: tuple[int, int], count: int = 1) -> Square:
    """Returns the square `count` steps further, on the board or not."""
    return square[0] + count * direction[0], square[1] + count * direction[1]


def neighbours(square: Square) -> list[Square]:
    """Returns the four orthogonal neighbours, on the board or not."""
    return [step(square, direction) for direction in DIRECTIONS]


def find_king(board: Board) -> Square | None:
    """Returns the king's square, None when he has been captured."""
    for square, piece in board.items():
        if piece == "K":
            return square
    return None


def parse_rows(text: str | list[str]) -> tuple[int, Board]:
    """Parses rows from the top rank down; returns the number of rows and the board.

    Rows are separated by `/` or by line ends. Within a row a letter is a piece, a dot an empty square, and a
    number that many empty squares; blanks are ignored.
    """
    if isinstance(text, str):
        text = [row for row in re.split(r"[/\n]", text) if row.strip()]
    board: Board = {}
    size = len(text)
    for index, row in enumerate(text):
        file = 0
        for token in re.findall(r"\d+|[.tcnrTCNRK]", row):
            if token.isdigit():
                file += int(token)
            else:
                if token != ".":
                    board[file, size - 1 - index] = token
                file += 1
        if file != size:
            raise ValueError(f"row {index + 1} from the top: {file} squares, expected {size}")
    return size, board


def format_rows(size: int, board: Board) -> str:
    """Formats a board as `3t3/3t3/...`, top rank first."""
    rows = []
    for rank in reversed(range(size)):
        row = "".join(board.get((file, rank), ".") for file in range(size))
        rows.append(re.sub(r"\.+", lambda dots: str(len(dots.group())), row))
    return "/".join(rows)


@dataclass(frozen=True)
class State:
    """A board, the side to move and the plies since the last capture.

    `going` is the square of a piece that has captured and may go on: the turn is still its side's.
    """

    size: int
    board: Board
    side: str
    quiet: int = 0
    going: Square | None = None


def parse_position(text: str) -> State:
    """Parses `rows side [quiet [going]]`, such as `7/7/7/3K3/7/2t4/7 a 19`."""
    rows, side, *rest = text.split()
    size, board = parse_rows(rows)
    quiet = int(rest[0]) if rest else 0
    going = parse_square(rest[1]) if len(rest) > 1 else None
    return State(size, board, {"a": ATTACKERS, "d": DEFENDERS}[side], quiet, going)


def format_position(state: State) -> str:
    """Formats a position with side, counter and, in mid-turn, the piece that may go on."""
    going = f" {square_name(state.going)}" if state.going else ""
    return f"{format_rows(state.size, state.board)} {state.side[0]} {state.quiet}{going}"


class Rules:
    """The parameters of the rules, taken from a valid rule tree, and the special squares they give."""

    def __init__(self, tree: dict[str, Any]) -> None:
        board, movement, hostility = tree["board"], tree["movement"], tree["hostility"]
        capture, ends = tree["capture"], tree["ends"]

        self.size: int = board["size"]
        self.start_board: Board = parse_rows(board["start"])[1]
        self.first: str = tree["first"]
        self.throne: Square | None = (self.size // 2, self.size // 2) if board["throne"] == "centre" else None
        self.corner_blocks: list[set[Square]] = corner_blocks(self.size, board["corners"])
        self.corners: set[Square] = {square for block in self.corner_blocks for square in block}
        self.camps: list[set[Square]] = [{parse_square(name) for name in camp} for camp in board["camps"]]

        # Maps and lists below are keyed by kind: 'attackers' and 'defenders' (their soldiers), and 'king'.
        self.range: dict[str, int] = movement["range"]
        self.throne_stop: list[str] = movement["throne_stop"]
        self.throne_pass: list[str] = movement["throne_pass"]
        self.corner_stop: list[str] = movement["corner_stop"]
        self.throne_hostile: dict[str, str] = hostility["throne_hostile"]
        self.corner_hostile: dict[str, str] = hostility["corner_hostile"]
        self.edge_hostile_king: bool = hostility["edge_hostile_king"]
        self.camp_hostile: list[str] = hostility["camp_hostile"]

        self.king_is_hammer: bool = capture["king_armed"] in ("both", "hammer")
        self.king_is_anvil: bool = capture["king_armed"] in ("both", "anvil")
        self.king_capture: dict[str, str] = capture["king_capture"]
        self.linnaean: str = capture["linnaean"]
        self.blocked_groups: str = capture["blocked_groups"]
        self.shieldwall: str = capture["shieldwall"]

        self.goal: str = ends["goal"]
        self.king_captured: str = ends["king_captured"]
        self.guards_captured: str = ends["guards_captured"]
        self.attackers_captured: str = ends["attackers_captured"]
        self.tuichi: str = ends["tuichi"]
        self.enclosure: str = ends["enclosure"]
        self.exit_fort: str = ends["exit_fort"]
        self.no_move: str = ends["no_move"]
        self.repetition_count: int = ends["repetition"]["count"]
        self.repetition_result: str = ends["repetition"]["result"]
        self.quiet_limit: int = ends["quiet_limit"]

        # This section of the tree is optional.
        special = tree.get("special", {})
        self.berserk: str = special.get("berserk", "none")
        self.jumps: dict[str, str] = special.get("jumps", dict.fromkeys(JUMPERS.values(), "none"))
        self.commander_pair: str = special.get("commander_pair", "none")
        self.knights_taken: str = special.get("knights_taken", "by_two")
        self.occupied_camps: str = special.get("occupied_camps", "harmless")

    @property
    def start(self) -> State:
        """The start position."""
        return State(self.size, dict(self.start_board), self.first)

    def on_board(self, square: Square) -> bool:
        """Checks whether a square lies on the board."""
        return 0 <= square[0] < self.size and 0 <= square[1] < self.size

    def on_edge(self, square: Square) -> bool:
        """Checks whether a square of the board is on its edge; corners are."""
        return 0 in square or self.size - 1 in square

    def is_goal(self, square: Square) -> bool:
        """Checks whether the king wins on a square."""
        return self.on_edge(square) if self.goal == "edge" else square in self.corners

    def squares(self) -> list[Square]:
        """Returns all squares of the board."""
        return [(file, rank) for file in range(self.size) for rank in range(self.size)]

    def corner_block(self, square: Square) -> set[Square]:
        """Returns the corner a square belongs to, one square or four; empty for any other square."""
        return next((block for block in self.corner_blocks if square in block), set())

    def camp(self, square: Square) -> set[Square]:
        """Returns the camp a square belongs to; empty for a square outside the camps."""
        return next((camp for camp in self.camps if square in camp), set())

    def zone(self, square: Square) -> str:
        """Returns the entry of `king_capture` for a king on this square."""
        if self.throne is None:
            return "elsewhere"
        if square == self.throne:
            return "on_throne"
        if square in neighbours(self.throne):
            return "beside_throne"
        return "elsewhere"


def corner_blocks(size: int, corners: str) -> list[set[Square]]:
    """Returns the squares of each corner: none, four of one square, or four of 2 by 2 squares."""
    if corners == "none":
        return []
    width = 1 if corners == "1x1" else 2
    ends = (range(width), range(size - width, size))
    return [{(file, rank) for file in files for rank in ranks} for files in ends for ranks in ends]
