"""The current game with its players, leg and record headers."""

from dataclasses import dataclass

from hnefi._core import Square
from hnefi.cli.play.game_files import make_record
from hnefi.cli.play.names import displayed_name
from hnefi.cli.play.session import Session
from hnefi.cli.texts import language, translate
from hnefi.match import Sides
from hnefi.pieces import Side
from hnefi.record import Record


@dataclass(slots=True)
class CurrentGame:
    """The game being played.

    Attributes:
        sides: Who has which side; None without names.
        leg: Which leg of a match it is, None for a single game.
        old: The record it was resumed from.
        chosen: The square whose moves were listed last.
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
        """The legs before it, and the record of this game."""
        return (*self.before, make_record(self.session, self.headers, self.old))

    @property
    def title(self) -> str:
        """Variant, players and leg as one line."""
        parts = [self.session.variant.name(language())]
        if self.sides is not None:
            parts.append(f"{self.name(Side.ATTACKERS)} – {self.name(Side.DEFENDERS)}")
        if self.leg is not None:
            parts.append(translate("play.leg", leg=self.leg))
        return " · ".join(parts)

    @property
    def prompt(self) -> str:
        """The input prompt."""
        turn = self.session.turn
        if turn is None:
            return f"{translate('play.prompt.over')} "
        return f"{translate('play.prompt', who=self.name(turn), number=self.session.game.ply_count + 1)} "

    def name(self, side: Side) -> str:
        """Returns the name of a side with its player."""
        if self.sides is None:
            return translate(f"play.side.{side.value}")
        name = displayed_name(self.sides.player(side))
        return translate("play.side.named", name=name, side=translate(f"side.{side.value}"))
