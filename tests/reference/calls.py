"""The announcements ("calls") around a game: raichi, tuichi, one or two open roads, and their sanction."""

from copy import copy

from tests.reference.board import DEFENDERS, parse_move, square_name
from tests.reference.moves import count_open_roads, open_road_goals
from tests.reference.tafl import Game


class CalledGame:
    """A game with announcements. `play` returns a new one.

    mode: `off`, `auto` (the program calls by itself) or `manual`; sanction: `none`, `replay` or
    `until_called`; replay: `same_piece` or `any_piece`; wrong_number: `call` or `forgotten`.
    """

    def __init__(
        self,
        game: Game,
        mode: str,
        sanction: str = "none",
        replay: str = "same_piece",
        wrong_number: str = "call",
    ) -> None:
        self.game = game
        self.mode = mode
        self.sanction = sanction
        self.replay = replay
        self.wrong_number = wrong_number
        self.open_roads: list[str] = []  # goal squares the king's side has to announce, by file, then rank
        self.required = 0  # the call they require: 0 nothing, 1 one road, 2 two roads or more
        self.called = True  # whether they count as announced
        self.must_replay: str | None = None  # the square of the piece the attackers have to play again
        self.refused = False  # whether the last move was an escape that was refused
        # The game before the last attackers' move, and the square that move began on.
        self.before_attack: tuple[Game, str] | None = None

    @property
    def captures(self) -> list[str]:
        """Squares of the soldiers captured by the last move; none after a refused escape."""
        return [] if self.refused else self.game.captures

    def legal_moves(self) -> list[str]:
        """Returns the moves that may be played, limited to the piece that has to be replayed."""
        moves = self.game.legal_moves()
        if self.must_replay is None:
            return moves
        return [move for move in moves if move.startswith(f"{self.must_replay}-")]

    def play(self, move: str, call: int = 0) -> "CalledGame":
        """Plays a move with a call: 0 nothing, 1 one open road, 2 two open roads.

        Raises:
            ValueError: If the move is not legal, or another piece has to be replayed.
        """
        if move not in self.legal_moves():
            raise ValueError(f"{move}: not a move that may be played")
        after = copy(self)
        after.refused = False
        if self.game.turn == DEFENDERS:
            after._defenders_move(move, call)
        else:
            after._attackers_move(move)
        return after

    def _defenders_move(self, move: str, call: int) -> None:
        if self._escape_is_refused(move):
            assert self.before_attack is not None
            self.game, origin = self.before_attack
            self.before_attack = None
            self.must_replay = origin if self.replay == "same_piece" else None
            self.called = self.sanction == "replay"
            self.refused = True
            return
        self.game = self.game.play(move)
        if self.game.state.going:  # open roads are announced when the turn ends
            return
        self._find_open_roads(call if self.mode == "manual" else None)
        if self.game.passed:  # the attackers had to pass
            self.before_attack = None
            self.must_replay = None

    def _attackers_move(self, move: str) -> None:
        before = self.game
        self.game = before.play(move)
        if before.state.going is None:  # a turn of several captures is taken back as a whole
            self.before_attack = before, square_name(parse_move(move)[0])
        self.must_replay = None
        if self.game.passed:  # the defenders had to pass, and a pass calls by itself
            self.before_attack = None
            self._find_open_roads(None)

    def _escape_is_refused(self, move: str) -> bool:
        """Checks whether this is an escape that had to be announced and was not."""
        if self.mode != "manual" or self.sanction == "none" or self.called or self.before_attack is None:
            return False
        if self.sanction == "until_called" and all(map(self._is_escape, self.game.legal_moves())):
            return False
        return self._is_escape(move)

    def _is_escape(self, move: str) -> bool:
        """Checks whether the king leaves by a road that was open when his side had moved."""
        origin, target = parse_move(move)
        return self.game.state.board[origin] == "K" and square_name(target) in self.open_roads

    def _find_open_roads(self, call: int | None) -> None:
        """Finds the open roads at the end of a defenders' turn; none after a game that they have not won.

        Without a player's call (None) they count as announced. With `forgotten`, a player who says another
        number than the right one has not called.
        """
        state, outcome = self.game.state, self.game.outcome
        is_over = outcome is not None and outcome.reason != "tuichi"
        goals = [] if is_over else open_road_goals(self.game.rules, state.board)
        self.open_roads = [square_name(square) for square in goals]
        self.required = min(2, count_open_roads(self.game.rules, state)) if goals else 0
        if call is None or not self.open_roads:
            self.called = True
        elif self.wrong_number == "forgotten":
            self.called = call == self.required
        else:
            self.called = call != 0
