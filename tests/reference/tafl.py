"""One move, one game, and the count of move sequences."""

from collections import Counter
from copy import copy
from dataclasses import replace
from typing import NamedTuple

from tests.reference.berserk_turns import continuations, is_stop, legal_moves
from tests.reference.board import (
    ATTACKERS,
    DEFENDERS,
    KIND,
    OPPONENT,
    TURNED,
    Board,
    Rules,
    State,
    find_king,
    format_position,
    format_rows,
    parse_move,
    parse_position,
    square_name,
)
from tests.reference.captures import find_captures
from tests.reference.moves import can_move, count_open_roads, plain_moves
from tests.reference.special import defenders_are_enclosed, exit_fort_holds

__all__ = [
    "Game",
    "Outcome",
    "Ply",
    "Result",
    "Rules",
    "State",
    "apply_move",
    "count_open_roads",
    "format_position",
    "king_in_danger",
    "legal_moves",
    "parse_position",
    "perft",
]


class Outcome(NamedTuple):
    """Who won, None for a draw, and why."""

    winner: str | None
    reason: str


class Result(NamedTuple):
    """What one move does, without repetition, quiet counter and missing moves.

    `captures` names the squares of the captured soldiers, by file, then rank; never the king's.
    """

    state: State
    captures: list[str]
    king_captured: bool
    outcome: Outcome | None


class Ply(NamedTuple):
    """One move of a game, and whether the other side then had to pass."""

    move: str
    side: str
    captures: list[str]
    passed: bool


def apply_move(rules: Rules, state: State, move: str) -> Result:
    """Plays a legal move; returns its captures and whether the move itself ends the game.

    The opponent of the mover is to move in the resulting position, also when the game is over. In mid-turn (a
    turn of several captures) it is still the mover. A captured king is removed like any captured piece. Every
    capture resets the quiet counter to 0, the king's too; ending a turn leaves it as it is.

    Raises:
        ValueError: If the move is not legal.
    """
    if move not in legal_moves(rules, state):
        raise ValueError(f"{move}: not a legal move of the {state.side}")
    if is_stop(move):
        return Result(replace(state, side=OPPONENT[state.side], going=None), [], False, None)

    origin, target = parse_move(move)
    captured, king_captured = find_captures(rules, state.board, origin, target)
    board = dict(state.board)
    board[target] = board.pop(origin)
    # A renegade is not removed: he stays where he stands and belongs to the other side.
    after = {
        square: TURNED.get(letter, letter) if square in captured else letter
        for square, letter in board.items()
        if square not in captured or letter in TURNED
    }
    if king_captured:
        after = {square: letter for square, letter in after.items() if letter != "K"}

    quiet = 0 if captured or king_captured else state.quiet + 1
    outcome = outcome_of_board(rules, after) or outcome_of_areas(rules, after, state.side)
    goes_on = bool(captured) and outcome is None and bool(continuations(rules, after, target))
    return Result(
        state=State(
            size=state.size,
            board=after,
            side=state.side if goes_on else OPPONENT[state.side],
            quiet=quiet,
            going=target if goes_on else None,
        ),
        captures=[square_name(square) for square in sorted(captured)],
        king_captured=king_captured,
        outcome=outcome,
    )


def outcome_of_board(rules: Rules, board: Board) -> Outcome | None:
    """Returns the end that shows on the board itself, after a move or in a position that is loaded.

    In this order: the king on a goal, the king captured, all defenders captured, all attackers captured.
    """
    king = find_king(board)
    if king is not None and rules.is_goal(king):
        return Outcome(DEFENDERS, rules.goal)
    if king is None:
        return Outcome(ATTACKERS if rules.king_captured == "attackers_win" else None, "king_captured")
    kinds = {KIND[piece] for piece in board.values()}
    if rules.guards_captured == "attackers_win" and "defenders" not in kinds:
        return Outcome(ATTACKERS, "guards_captured")
    if rules.attackers_captured == "defenders_win" and "attackers" not in kinds:
        return Outcome(DEFENDERS, "attackers_captured")
    return None


def outcome_of_areas(rules: Rules, board: Board, mover: str) -> Outcome | None:
    """Returns the end by an area, which only a move of the side that profits from it can make."""
    if mover == DEFENDERS:
        if rules.tuichi == "defenders_win" and count_open_roads(rules, State(rules.size, board, mover)) >= 2:
            return Outcome(DEFENDERS, "tuichi")
        if rules.exit_fort == "defenders_win" and exit_fort_holds(rules, board):
            return Outcome(DEFENDERS, "exit_fort")
    elif rules.enclosure == "attackers_win" and defenders_are_enclosed(rules, board):
        return Outcome(ATTACKERS, "enclosure")
    return None


def outcome_of_quiet_moves(rules: Rules, state: State) -> Outcome | None:
    """Returns the draw when the quiet counter has reached its limit."""
    if rules.quiet_limit and state.quiet >= rules.quiet_limit:
        return Outcome(None, "quiet_moves")
    return None


def outcome_without_move(rules: Rules, state: State) -> Outcome | None:
    """Returns the end when the side to move cannot move; None if it can, or if it only has to pass."""
    if state.going or can_move(rules, state.board, state.side):
        return None
    if rules.no_move == "loses":
        return Outcome(OPPONENT[state.side], "no_move")
    if rules.no_move == "draw":
        return Outcome(None, "no_move")
    if can_move(rules, state.board, OPPONENT[state.side]):
        return None
    return Outcome(None, "blocked")


def outcome_as_loaded(rules: Rules, state: State) -> Outcome | None:
    """Returns the outcome of a position as loaded."""
    return (
        outcome_of_board(rules, state.board)
        or outcome_of_quiet_moves(rules, state)
        or outcome_without_move(rules, state)
    )


def after_forced_pass(rules: Rules, state: State) -> State:
    """Returns the position with the turn at the side that can move. The game must not be over."""
    if state.going or can_move(rules, state.board, state.side):
        return state
    return replace(state, side=OPPONENT[state.side])


def king_in_danger(rules: Rules, state: State) -> bool:
    """Checks whether the attackers, if they were to move, could capture the king."""

    def takes_the_king(move: str) -> bool:
        origin, target = parse_move(move)
        return find_captures(rules, state.board, origin, target)[1]

    return any(takes_the_king(move) for move in plain_moves(rules, replace(state, side=ATTACKERS)))


def perft(rules: Rules, state: State, depth: int) -> int:
    """Counts the move sequences of `depth` plies.

    Games that end earlier do not count, a forced pass is no ply, and repetition is ignored.
    """
    if depth == 0:
        return 1
    if outcome_as_loaded(rules, state) is not None:
        return 0
    state = after_forced_pass(rules, state)
    moves = legal_moves(rules, state)
    if depth == 1:
        return len(moves)
    results = [apply_move(rules, state, move) for move in moves]
    return sum(perft(rules, result.state, depth - 1) for result in results if result.outcome is None)


def times_in_a_row(line: list[tuple[str, str]]) -> int:
    """Returns how often the last position has occurred in a row: each time after the same positions."""
    if line[-1] not in line[:-1]:
        return 1
    cycle = line[:-1][::-1].index(line[-1]) + 1  # how many positions ago it occurred
    times = 2
    while line[-1 - cycle * times :][:1] == line[-1:] and len(line) > cycle * times:
        if line[-cycle * times :][:cycle] != line[-cycle:]:
            break
        times += 1
    return times


class Game:
    """A game: its moves, repetition, quiet counter, forced passes, outcome. `play` returns a new game."""

    def __init__(self, rules: Rules, position_text: str | None = None) -> None:
        self.rules = rules
        self.state = rules.start if position_text is None else parse_position(position_text)
        self.captures: list[str] = []  # by the last move
        self.passed = False  # whether the side to move had to pass just before
        self.history: tuple[Ply, ...] = ()
        self.occurrences: Counter[tuple[str, str]] = Counter()
        self.line: list[tuple[str, str]] = []  # the positions that are counted, in order
        self.outcome = outcome_as_loaded(rules, self.state)
        if self.outcome is None:
            self._count_occurrence()
            self._pass_if_forced(mover=OPPONENT[self.state.side])

    @property
    def turn(self) -> str | None:
        """The side to move, None when the game is over."""
        return None if self.outcome else self.state.side

    @property
    def position(self) -> str:
        """The present position as text."""
        return format_position(self.state)

    def legal_moves(self) -> list[str]:
        """Returns the legal moves, sorted as text; none when the game is over."""
        return [] if self.outcome else legal_moves(self.rules, self.state)

    def play(self, move: str) -> "Game":
        """Returns the game after a legal move and, where the opponent cannot move, his forced pass.

        Ends are checked in this order: those of the board, repetition, quiet moves, no legal move.
        """
        if self.outcome:
            raise ValueError("the game is over")
        mover = self.state.side
        result = apply_move(self.rules, self.state, move)

        game = copy(self)
        # Positions before a capture cannot count: renegades could bring them back.
        game.occurrences = Counter() if result.captures else self.occurrences.copy()
        game.line = [] if result.captures else list(self.line)
        game.state = result.state
        game.captures = result.captures
        game.passed = False
        game.outcome = (
            result.outcome
            or game._count_occurrence(mover)
            or outcome_of_quiet_moves(self.rules, game.state)
            or outcome_without_move(self.rules, game.state)
        )
        if game.outcome is None:
            game._pass_if_forced(mover)
        game.history = (*self.history, Ply(move, mover, result.captures, game.passed))
        return game

    def _count_occurrence(self, mover: str | None = None) -> Outcome | None:
        """Counts the present position, and returns the end by repetition, if there is one."""
        if self.state.going:  # it comes after a capture, and so for the first time
            return None
        key = format_rows(self.state.size, self.state.board), self.state.side
        self.occurrences[key] += 1
        self.line.append(key)
        limit = self.rules.repetition_count
        in_a_row = self.rules.repetition_result == "draw_in_a_row"
        if limit == 0 or (times_in_a_row(self.line) if in_a_row else self.occurrences[key]) < limit:
            return None
        winner = {
            "draw": None,
            "draw_in_a_row": None,
            "defenders_lose": ATTACKERS,
            "mover_loses": OPPONENT[mover] if mover else None,
        }[self.rules.repetition_result]
        return Outcome(winner, "repetition")

    def _pass_if_forced(self, mover: str) -> None:
        """Passes the turn back when the side to move cannot move; the position then occurs anew."""
        passed_to = after_forced_pass(self.rules, self.state)
        if passed_to != self.state:
            self.state = passed_to
            self.passed = True
            self.outcome = self._count_occurrence(mover)
