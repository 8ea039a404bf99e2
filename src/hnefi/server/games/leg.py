"""A leg of a game: its sides, plies and clocks. Values, of which a state is made."""

from dataclasses import dataclass, field
from typing import NamedTuple

from hnefi._core import CalledGame, Game, Outcome
from hnefi.match import Leg
from hnefi.pieces import Side
from hnefi.server.games.clocks import Running


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of a leg and the game after it, linked to the ply before it.

    A list of all plies would have to be copied for every move.
    """

    number: int
    """Its number in the leg, from 1."""

    before: "Ply | None" = field(repr=False, compare=False)
    side: Side
    move: str
    call: int
    after: CalledGame
    t_us: int
    left_us: int
    """The time its player had left."""


class LegState(NamedTuple):
    """A leg: its sides, plies and clocks."""

    number: int
    attackers: int
    """The player with the attackers."""

    start: CalledGame
    clocks: Running
    seq: int
    """The number of its first event."""

    last: Ply | None = None
    """The last ply that was not taken back."""

    ended: Outcome | None = None
    """The outcome, if something else than the rules ended it."""

    @property
    def ply_count(self) -> int:
        """The number of its plies."""
        return self.last.number if self.last else 0

    @property
    def plies(self) -> list[Ply]:
        """The plies from first to last. They are a linked list: every access walks through all of them."""
        plies, ply = list[Ply](), self.last
        while ply is not None:
            plies.append(ply)
            ply = ply.before
        return plies[::-1]

    @property
    def called(self) -> CalledGame:
        """The current game with its announcements."""
        return self.last.after if self.last else self.start

    @property
    def game(self) -> Game:
        """The current game."""
        return self.called.game

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the leg, None while it is played."""
        return self.ended or self.game.outcome

    @property
    def turn(self) -> Side | None:
        """The side to move, None if the leg is over."""
        return None if self.ended else self.called.game.turn

    def player(self, side: Side) -> int:
        """Returns the player with a side."""
        return self.attackers if side is Side.ATTACKERS else 1 - self.attackers

    def side(self, player: int) -> Side:
        """Returns the side of a player."""
        return Side.ATTACKERS if player == self.attackers else Side.DEFENDERS

    def finished(self) -> Leg:
        """Returns the finished leg."""
        game = self.game if self.ended is None else self.game.end(self.ended)
        return Leg.of(game)
