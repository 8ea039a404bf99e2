"""Open challenges: games with a free seat that anybody may take, listed for some time."""

from collections.abc import Iterable
from typing import NamedTuple

from hnefi.server import events as e
from hnefi.server.games.clocks import DAY_US, SECOND_US
from hnefi.server.games.commands import NewGameRequest

_CLOCK_US = 3_600 * SECOND_US
"""How long a challenge with a clock of hours or less is listed: its maker has to be there."""

_SLOW_US = 7 * DAY_US
"""How long any other is listed, as long as a game waits for its second player."""


class Wish(NamedTuple):
    """A game that somebody wants to play, as far as an opponent has to agree."""

    variant: str
    switches: dict[str, str]
    start: str | None
    form: str
    clock: e.Clock
    side: e.Choice


def open_until_us(created: e.Created, posted_us: int) -> int:
    """Returns until when an open challenge is listed and may be taken."""
    return posted_us + (_CLOCK_US if created.clock.kind == "fischer" else _SLOW_US)


def best_match(wish: Wish, challenges: Iterable[tuple[str, e.Created]]) -> list[str]:
    """Returns the challenges that fulfil a wish, the best first.

    A side that is wished for is given: a challenge with a draw of lots does not fulfil it. Those with a draw
    are better for a wish without a side. Among equals, the first is better. `challenges` has ids and first
    events, the oldest first.
    """
    found = [(game, created) for game, created in challenges if _fits(wish, created)]
    return [game for game, _ in sorted(found, key=lambda one: wish.side == "lot" and one[1].side != "lot")]


def wish_of(new: e.Created | NewGameRequest) -> Wish:
    """Returns the game that somebody asks for, or offers, with the own side."""
    return Wish(new.variant, new.switches, new.start, new.form, new.clock, new.side)


def _fits(wish: Wish, created: e.Created) -> bool:
    if wish._replace(side="lot") != wish_of(created)._replace(side="lot"):
        return False
    return wish.side == "lot" or (created.side != "lot" and created.side != wish.side)
