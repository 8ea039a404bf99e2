"""New games: their settings, validated against the variant before the first event is written."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hnefi._core import Rules, Setup
from hnefi.match import TieBreak
from hnefi.server import events as e
from hnefi.server.games.challenges import open_until_us
from hnefi.server.games.commands import NewGameRequest, begin
from hnefi.server.games.state import State, fold
from hnefi.server.refusals import refused
from hnefi.server.secrets import new_game_id
from hnefi.server.store import processes
from hnefi.server.store.rows import GameRow, Seat
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant


class Guest(NamedTuple):
    """Who has the second seat from the beginning, as in the games of a class.

    Attributes:
        visitor: The hash of the visitor's secret.
    """

    visitor: str
    name: str


def playable_variant(new: NewGameRequest) -> Variant:
    """Returns the variant with its switches applied.

    Raises:
        Refused: If it cannot be played like this: `bad_level`, `clock_for_one`, `open_for_one`,
            `start_is_over`.
        VariantError: If there is no such variant, or no such switch.
        SetupError: If the start position cannot be used.
    """
    changed = variant(new.variant).with_switches(new.switches)
    if (new.opponent == "computer") != (new.level is not None):
        raise refused("bad_level", opponent=new.opponent)
    if isinstance(new.clock, e.Fischer) and new.opponent == "same_device":
        raise refused("clock_for_one", opponent=new.opponent)
    if new.open and new.opponent != "friend":
        raise refused("open_for_one", opponent=new.opponent)
    game = changed.new_game(None if new.start is None else Setup(new.start))
    if game.turn is None:
        raise refused("start_is_over")
    return changed


def created_event(new: NewGameRequest, played: Variant, lot: str | None) -> e.Created:
    """Returns the first event of a game; `lot` is the digest of the seed, if sides are drawn."""
    calls = played.calls
    return e.Created(
        variant=played.id,
        revision=played.revision,
        rules=played.rules.hash,
        switches=dict(played.switches),
        start=new.start,
        calls="off" if calls is None else new.calls,
        sanction="none" if calls is None else calls["sanction"],
        replay="same_piece" if calls is None else calls["replay"],
        form=new.form,
        clock=new.clock,
        opponent=new.opponent,
        level=new.level,
        side=new.side,
        name=new.name,
        lot=lot,
        tie_break=TieBreak.of(played).value,
        wrong_number="call" if calls is None else calls["wrong_number"],
        open=new.open,
        title=(played.switches and new.title) or None,
    )


def new_game_row(
    created: e.Created,
    rules: Rules,
    now_us: int,
    visitors: Mapping[int, Sequence[str]],
    *,
    seed: str | None = None,
    invite: str | None = None,
    other_name: str | None = None,
) -> GameRow:
    """Returns what is stored of a new game, which begins at once unless a friend has to join.

    `visitors` has those with the seat of each player. There is a seed if sides are drawn; `invite` is the
    hash of the secret of the invitation. `other_name` is the name of player 1, if that is known already.
    """
    game, first = new_game_id(), e.Event(1, now_us, 0, None, created)
    events, bodies = [first], list[e.Body]()
    if created.opponent != "friend" or other_name is not None:
        bodies = [e.Joined(name=other_name or ""), *begin(State.begin(first, rules), seed)]
        events += [e.Event(number, now_us, None, None, body) for number, body in enumerate(bodies, start=2)]
    if created.opponent == "same_device":
        visitors = {0: visitors[0], 1: visitors[0]}
    state = fold(events, rules)
    is_computer_to_move = state.has_computer and state.mover == 1
    return GameRow(
        game,
        created.rules,
        rules.to_json(),
        created.clock.kind,
        events,
        [Seat(game, player, one) for player, seated in visitors.items() for one in seated],
        status="playing" if bodies else "waiting",
        due_us=state.deadline_us,
        computer_us=now_us + processes.CLAIM_US if is_computer_to_move else None,
        invite=invite,
        seed=None if bodies else seed,
        open_until_us=open_until_us(created, now_us) if created.open else None,
    )


def rematch_row(before: str, state: State, seats: Iterable[Seat], now_us: int) -> GameRow:
    """Returns what is stored of the rematch of a game: the same one with the sides swapped."""
    side = "defenders" if state.legs[0].attackers == 0 else "attackers"
    changed = {"side": side, "lot": None, "after": before, "name": state.names[0]}
    created = state.created.model_copy(update=changed)
    visitors: dict[int, list[str]] = {0: [], 1: []}
    for seat in seats:
        visitors[seat.player].append(seat.visitor)
    return new_game_row(created, state.rules, now_us, visitors, other_name=state.names[1])
