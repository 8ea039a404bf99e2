"""What an example is: a position, a move, what it does under a rule, and what it would do under another."""

from dataclasses import dataclass, field
from functools import cached_property

from hnefi._core import Game, Move, Outcome, Position, Rules, Setup, Square
from hnefi.errors import IllegalMove
from hnefi.examples.ground import distance
from hnefi.pieces import Reason
from hnefi.words.stage import crop_around

__all__ = ["Effect", "Example"]

# What a part of a board shows: men so many steps away, and so many files and ranks at least.
_NEAR = 3
_SPAN = (7, 7)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a move does under some rules.

    Attributes:
        legal: Whether it may be played.
        refusal: Why it may not; its code and its facts are for `hnefi.i18n.explain`.
        captures: The squares of what it captures, the king's among them, sorted.
        outcome: The end of the game, if it is one.
        position: The position after it as text, forced passes made; None if it may not be played.
        passed: Whether the other side cannot move then, and has passed.
    """

    legal: bool
    refusal: IllegalMove | None = field(default=None, compare=False)
    captures: tuple[Square, ...] = ()
    outcome: Outcome | None = None
    position: str | None = None
    passed: bool = False

    @property
    def going(self) -> Square | None:
        """The piece that may go on in the same turn."""
        return None if self.position is None else Setup(self.position).going


@dataclass(frozen=True)  # without slots, since the game is kept once it has been asked for
class Example:
    """A small position and a move in which the value of a rule makes a difference.

    Attributes:
        leaf: The name of the rule.
        value: What it is, written as a switch.
        other: What it is compared with.
        rules: The rules with `value`.
        other_rules: The rules with `other`, and with what follows from it.
        position: The position before the move, as text; it is one by both rules.
        move: The move, as text.
        effect: What it does with `value`.
        otherwise: What it does with `other`.
        begins: Where the moves before it begin; the position itself if there are none.
        history: The moves from there, where the rule asks for the past of a game.
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
        """The squares that the move begins and ends on, and those it captures on under either rule."""
        move = Move(self.move)
        taken = {*self.effect.captures, *self.otherwise.captures}
        return (move.from_square, move.to_square, *sorted(taken))

    @property
    def crop(self) -> tuple[Square, Square]:
        """Two opposite corners of the part of the board where it happens."""
        places = [(square.file, square.rank) for square in (*self.squares, *self._roads_to())]
        men = [(square.file, square.rank) for square in Setup(self.position).pieces]
        near = [man for man in men if any(distance(man, place) <= _NEAR for place in places)]
        return crop_around(self.rules.size, [*places, *near], _SPAN)

    def _roads_to(self) -> tuple[Square, ...]:
        """Returns where open roads lead, if they are what ends the game."""
        found: list[Square] = []
        for rules, effect in ((self.rules, self.effect), (self.other_rules, self.otherwise)):
            if effect.outcome is not None and effect.outcome.reason is Reason.TUICHI:
                after = Position(rules, Setup(str(effect.position)))
                found += [move.to_square for move in after.open_roads]
        return tuple(found)
