"""The types of examples: a position, a move, and its effects under two values of a rule."""

from dataclasses import dataclass, field
from functools import cached_property

from hnefi._core import Game, Move, Outcome, Position, Rules, Setup, Square
from hnefi.errors import IllegalMove
from hnefi.pieces import Reason
from hnefi.staging import crop_around, distance, place_of

# A crop shows pieces within this distance, and at least this number of files and ranks.
_NEAR = 3
_SPAN = (7, 7)


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a move under a set of rules.

    Attributes:
        legal: Whether the move is legal.
        refusal: Why it is illegal; `hnefi.i18n.explain` formats it.
        captures: The squares of captured pieces, including the king's, sorted.
        outcome: The outcome, if it ends the game.
        position: The position after it and after forced passes, as text; None if it is illegal.
        passed: Whether the other side cannot move afterwards and passes.
    """

    legal: bool
    refusal: IllegalMove | None = field(default=None, compare=False)
    captures: tuple[Square, ...] = ()
    outcome: Outcome | None = None
    position: str | None = None
    passed: bool = False

    @property
    def going(self) -> Square | None:
        """The square of the piece that may move again in the same turn."""
        return None if self.position is None else Setup(self.position).going


@dataclass(frozen=True)  # without slots, because the game is cached
class Example:
    """A small position and a move in which the value of a rule makes a difference.

    Attributes:
        leaf: The name of the rule.
        value: Its value, as in a switch.
        other: The value it is compared with.
        rules: The rules with `value`.
        other_rules: The rules with `other`, and with the changes that follow from it.
        position: The position before the move, as text, valid by both rules.
        move: The move, as text.
        effect: Its effect with `value`.
        otherwise: Its effect with `other`.
        begins: The start of the history, as text; the position itself without one.
        history: The moves from there to the position, for rules about the past of a game.
    """

    leaf: str
    value: str
    other: str
    rules: Rules
    other_rules: Rules
    position: str
    move: str
    effect: Effect
    otherwise: Effect
    begins: str
    history: tuple[str, ...] = ()

    @cached_property
    def game(self) -> Game:
        """The game before the move, by the rules with `value`."""
        return Game.replay(self.rules, Setup(self.begins), self.history)

    @property
    def squares(self) -> tuple[Square, ...]:
        """The origin and target of the move, and the squares of captures by either rules."""
        move = Move(self.move)
        captured = {*self.effect.captures, *self.otherwise.captures}
        return (move.from_square, move.to_square, *sorted(captured))

    @property
    def crop(self) -> tuple[Square, Square]:
        """Opposite corners of the part of the board where it happens."""
        places = [place_of(square) for square in (*self.squares, *self._roads_to())]
        pieces = [place_of(square) for square in Setup(self.position).pieces]
        near = [piece for piece in pieces if any(distance(piece, place) <= _NEAR for place in places)]
        return crop_around(self.rules.size, [*places, *near], _SPAN)

    def _roads_to(self) -> tuple[Square, ...]:
        """Returns the goals of open roads, if these end the game."""
        goals: list[Square] = []
        for rules, effect in ((self.rules, self.effect), (self.other_rules, self.otherwise)):
            if effect.outcome is not None and effect.outcome.reason is Reason.TUICHI:
                after = Position(rules, Setup(str(effect.position)))
                goals += [move.to_square for move in after.open_roads]
        return tuple(goals)
