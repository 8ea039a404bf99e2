"""Open challenges: games with a free seat that anybody may take, listed for some time."""

from collections.abc import Iterable
from operator import attrgetter

from hnefi.server import events as e
from hnefi.server.games.clocks import DAY_US, SECOND_US
from hnefi.server.games.commands import NewGameRequest

_CLOCK_US = 3_600 * SECOND_US
"""How long a challenge with a clock of hours or less is listed: its maker has to be there."""

_SLOW_US = 7 * DAY_US
"""How long any other is listed, as long as a game waits for its second player."""

_game_of = attrgetter("variant", "switches", "start", "form", "clock")
"""Returns what an opponent has to agree with, besides the side."""


def open_until_us(created: e.Created, posted_us: int) -> int:
    """Returns until when an open challenge is listed and may be taken."""
    return posted_us + (_CLOCK_US if created.clock.kind == "fischer" else _SLOW_US)


def best_match(wish: NewGameRequest, challenges: Iterable[tuple[str, e.Created]]) -> list[str]:
    """Returns the challenges that fulfil a wish, the best first.

    A side that is wished for is given: a challenge with a draw of lots does not fulfil it. Those with a draw
    are better for a wish without a side. Among equals, the first is better. `challenges` has ids and first
    events, the oldest first.
    """
    found = [(game, created) for game, created in challenges if _fits(wish, created)]
    return [game for game, _ in sorted(found, key=lambda one: wish.side == "lot" and one[1].side != "lot")]


def is_same(one: e.Created, wish: NewGameRequest) -> bool:
    """Checks whether a challenge is for the game that somebody asks for, with the same side."""
    return _game_of(one) == _game_of(wish) and one.side == wish.side


def _fits(wish: NewGameRequest, created: e.Created) -> bool:
    if _game_of(wish) != _game_of(created):
        return False
    return wish.side == "lot" or created.side not in ("lot", wish.side)
