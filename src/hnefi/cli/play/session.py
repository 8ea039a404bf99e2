"""A game with undo and redo, calls, and ends agreed by the players."""

from collections.abc import Iterable
from dataclasses import dataclass

from hnefi._core import CalledGame, Game, Move, Outcome, Square, format_move, parse_move
from hnefi.errors import HnefiError
from hnefi.pieces import Side
from hnefi.record import PlayedMove
from hnefi.variants.model import Variant


class CallRefused(HnefiError):
    """Raised for a call that is not allowed: `call.off`, `call.attackers`, `call.defenders`, `call.none`."""


@dataclass(frozen=True, slots=True)
class MoveReport:
    """The effect of a move.

    Attributes:
        written: The move with its captures.
        captures: The soldiers it captured.
        call: The call made with it, by player or program: 0 none, 1 one open road, 2 two.
        warned: Whether the king's side was warned that he can be taken.
        refused: Whether it was a refused escape; it is undone then, and the move before it too.
        passed: Whether the other side could not move after it.
        outcome: How it ended the game, None if the game goes on.
    """

    side: Side
    written: str
    captures: tuple[Square, ...]
    call: int
    warned: bool
    refused: bool
    passed: bool
    outcome: Outcome | None


class Session:
    """A game that is being played.

    Attributes:
        variant: The variant, its switches applied.
        advises: Whether open roads and threats are shown in a variant without calls.
        agreed: The end on which the players agreed, if the rules did not end the game.
    """

    def __init__(
        self, variant: Variant, start: CalledGame, played: Iterable[PlayedMove] = (), *, advises: bool = True
    ) -> None:
        self.variant = variant
        self.start = start
        self.advises = advises
        self._played: list[PlayedMove] = []
        self._states = [start]
        self._at = 0
        self.agreed: Outcome | None = None
        for item in played:
            self._add(item, self.called.play(item.move, item.call))

    @property
    def called(self) -> CalledGame:
        """The current game with its calls."""
        return self._states[self._at]

    @property
    def game(self) -> Game:
        """The current game."""
        return self.called.game

    @property
    def played(self) -> tuple[PlayedMove, ...]:
        """Every move played, including those undone by a refusal."""
        return tuple(self._played[: self._at])

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, None while the game goes on."""
        return self.game.outcome or self.agreed

    @property
    def turn(self) -> Side | None:
        """The side to move, None when the game is over."""
        return None if self.outcome else self.game.turn

    def play(self, text: str, call: int = 0, *, warns: bool = False) -> MoveReport:
        """Plays a move with its call.

        Args:
            call: The call of the king's side: 0 none, 1 one open road, 2 two.

        Raises:
            IllegalMove: With the reason.
            CallRefused: If the call is not allowed; the move is not played then.
        """
        before, turn = self.called, self.turn
        side = turn or before.game.position.turn
        after = before.play(text, call)
        move, _ = parse_move(text)
        if not after.refused:
            self._check_call(side, after, call, warns)
        # A move that ends the game needs no call, except for two roads that win.
        self._add(PlayedMove(move, 0 if after.game.outcome and not after.required else call), after)
        return self._happened(side, move, after, call, warns)

    def undo(self) -> bool:
        """Undoes the last move or agreed end; returns whether there was one."""
        if self.agreed is not None:
            self.agreed = None
            return True
        if self._at == 0:
            return False
        self._at -= 1
        return True

    def redo(self) -> bool:
        """Redoes the last undone move; returns whether there was one."""
        if self.agreed is not None or self._at == len(self._played):
            return False
        self._at += 1
        return True

    def moves_from(self, square: Square) -> list[Move]:
        """Returns the legal moves of the piece on a square."""
        return [move for move in self.called.legal_moves() if move.from_square == square]

    def moves_to(self, square: Square) -> list[Move]:
        """Returns the legal moves to a square."""
        return [move for move in self.called.legal_moves() if move.to_square == square]

    def _add(self, item: PlayedMove, after: CalledGame) -> None:
        del self._played[self._at :], self._states[self._at + 1 :]
        self._played.append(item)
        self._states.append(after)
        self._at += 1

    def _check_call(self, side: Side, after: CalledGame, call: int, warns: bool) -> None:
        if after.mode == "auto" or not (call or warns):
            return
        if after.mode == "off":
            raise CallRefused.of_facts("call.off")
        if side is Side.ATTACKERS and call:
            raise CallRefused.of_facts("call.attackers")
        if side is Side.DEFENDERS and warns:
            raise CallRefused.of_facts("call.defenders")
        if after.game.outcome is None and (
            (call and after.required == 0) or (warns and not after.game.position.threatened_king)
        ):
            raise CallRefused.of_facts("call.none")

    def _happened(self, side: Side, move: Move, after: CalledGame, call: int, warns: bool) -> MoveReport:
        game, last = after.game, after.game.last
        captures = () if after.refused or last is None else last.captures
        return MoveReport(
            side,
            format_move(move, captures),
            captures,
            self._call_made(side, after, call),
            self._is_warned(side, after, warns),
            after.refused,
            game.passed and not after.refused and game.outcome is None,
            game.outcome,
        )

    def _call_made(self, side: Side, after: CalledGame, call: int) -> int:
        """Returns the call of a move: made by the player, by the program, or implied by a forced pass."""
        if after.refused or after.mode == "off":
            return 0
        by_itself = after.mode == "auto" and side is Side.DEFENDERS
        return after.required if by_itself or after.game.passed else call

    def _is_warned(self, side: Side, after: CalledGame, warns: bool) -> bool:
        """Checks whether the king's side is warned, by the player or by the program."""
        if side is Side.DEFENDERS or after.game.outcome or after.mode == "off" or self.variant.calls is None:
            return False
        if after.mode == "manual":
            return warns
        return self.variant.calls.get("king_in_danger") is True and after.game.position.threatened_king
