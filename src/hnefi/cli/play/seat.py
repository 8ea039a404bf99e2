"""One game at the table with what belongs to it: who plays, which leg it is, what its record says."""

from dataclasses import dataclass

from hnefi._core import Square
from hnefi.cli.play.keeping import make_record
from hnefi.cli.play.session import Session
from hnefi.cli.speech import language, say
from hnefi.match import Sides
from hnefi.pieces import Side
from hnefi.record import Record

__all__ = ["Seat"]


@dataclass(slots=True)
class Seat:
    """A game at the table.

    Attributes:
        session: The game.
        headers: What its record says besides the game itself.
        sides: Who has which side; None where nobody has given names.
        leg: Which leg of a match it is, None for a single game.
        old: The record it was taken up from.
        before: The records of the legs that were played before it.
        chosen: The square whose moves were asked for last.
    """

    session: Session
    headers: tuple[tuple[str, str], ...]
    sides: Sides | None = None
    leg: int | None = None
    old: Record | None = None
    before: tuple[Record, ...] = ()
    chosen: Square | None = None

    @property
    def records(self) -> tuple[Record, ...]:
        """The legs before it, and the game as it is written down now."""
        return (*self.before, make_record(self.session, self.headers, self.old))

    @property
    def title(self) -> str:
        """What is played, by whom."""
        parts = [self.session.variant.name(language())]
        if self.sides is not None:
            parts.append(f"{self.name(Side.ATTACKERS)} – {self.name(Side.DEFENDERS)}")
        if self.leg is not None:
            parts.append(say("play.leg", leg=self.leg))
        return " · ".join(parts)

    @property
    def prompt(self) -> str:
        """What stands before the line that is typed."""
        turn = self.session.turn
        if turn is None:
            return f"{say('play.prompt.over')} "
        return f"{say('play.prompt', who=self.name(turn), number=self.session.game.ply_count + 1)} "

    def name(self, side: Side) -> str:
        """Says who plays a side."""
        if self.sides is None:
            return say(f"play.side.{side.value}")
        return say("play.side.named", name=self.sides.player(side), side=say(f"side.{side.value}"))
