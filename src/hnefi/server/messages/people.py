"""Messages about people: open challenges, games to watch, and how many people are here."""

from typing import Literal

from hnefi.server.events import Choice, Clock, Message
from hnefi.server.messages.http import GameCreated, ListedGame
from hnefi.server.messages.rules import ShapeView
from hnefi.server.messages.socket import SideName


class ChallengeView(ListedGame):
    """A game with a free seat that anybody may take."""

    position: str
    """The position it begins from."""

    shape: ShapeView
    side: Choice
    """The side of the player who posted it."""

    form: Literal["single", "two_legs"]
    clock: Clock
    name: str
    posted_ms: int
    until_ms: int
    """Until when it is listed."""

    yours: bool
    away: bool
    """Whether its poster has no page open; one with a clock is not listed then."""


class LiveGameView(ListedGame):
    """A game that began as an open challenge and is played now."""

    names: list[str | None]
    attackers: int
    """The player with the attackers."""

    position: str
    shape: ShapeView
    turn: SideName | None
    moves: int
    """How many moves the current leg has."""


class PeopleView(Message):
    """The people who are here, the open challenges and the games to watch, the newest first."""

    here: int | None
    """How many people are connected, the reader among them; None if that is unknown."""

    challenges: list[ChallengeView]
    games: list[LiveGameView]


class Paired(GameCreated):
    """The answer to a quick pairing: a challenge that was taken, or a new one that waits."""

    is_taken: bool
    """Whether the game begins now; otherwise it waits as an open challenge."""
