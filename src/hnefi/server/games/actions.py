"""Actions besides moving: which a player may take is decided here, for commands and for pages."""

from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from hnefi.server import events as e
from hnefi.server.games.state import State, Status

_ABORT_BEFORE = 2
"""A game can be aborted before this many moves were played."""


Action = Literal[
    "resign",
    "abort",
    "offer_draw",
    "accept_draw",
    "decline_draw",
    "offer_takeback",
    "accept_takeback",
    "decline_takeback",
    "claim",
    "next_leg",
    "offer_rematch",
    "accept_rematch",
    "decline_rematch",
]
"""An action of a player besides moving."""

ACTIONS: tuple[Action, ...] = get_args(Action)
OFFER_KINDS: dict[Action, e.OfferKind] = {
    "offer_draw": "draw",
    "accept_draw": "draw",
    "decline_draw": "draw",
    "offer_takeback": "takeback",
    "accept_takeback": "takeback",
    "decline_takeback": "takeback",
    "offer_rematch": "rematch",
    "accept_rematch": "rematch",
    "decline_rematch": "rematch",
}
"""The kinds of offer that are made, accepted or declined."""


class ActionContext(NamedTuple):
    """The facts that decide which actions a player has at a moment."""

    status: Status
    is_time_over: bool
    is_early: bool
    """Whether the game can still be aborted."""

    has_moved: bool
    """Whether there is a move to take back."""

    is_claimable: bool
    """Whether the game can be claimed once the other player was away for long enough."""

    offers: tuple[tuple[str, bool], ...]
    """Open offers, and whether this player made them."""

    has_rematch: bool


_NO_OFFERS: tuple[tuple[str, bool], ...] = ()


def action_context(state: State, player: int, now_us: int) -> ActionContext:
    """Returns the facts that decide a player's permitted actions."""
    status = state.status
    offers = _NO_OFFERS
    if state.offers:
        offers = tuple((what, offer.player == player) for what, offer in state.offers.items())
    if status is not Status.PLAYING:
        return ActionContext(status, False, False, False, False, offers, state.rematch is not None)
    is_over, is_early, claimant = _facts(state, now_us)
    has_moved = moves_to_take_back(state, player) > 0
    return ActionContext(status, is_over, is_early, has_moved, claimant == player, offers, False)


def _facts(state: State, now_us: int) -> tuple[bool, bool, int | None]:
    """Returns whether the time is over, whether it is early, and who can claim a game that is played."""
    leg, created = state.legs[-1], state.created
    is_early = leg.number == 1 and leg.ply_count < _ABORT_BEFORE
    claimant = None
    if created.opponent == "friend" and created.clock.kind != "days" and (mover := state.mover) is not None:
        claimant = 1 - mover
    return leg.clocks.is_over(now_us), is_early, claimant


def move_refusal(state: State, now_us: int) -> str | None:
    """Returns the code of the refusal if nobody may move now; None if a player may."""
    status = state.status
    if state.adjudicated is not None:
        return "adjudicated"
    return _playing(status, status is Status.PLAYING and state.leg.clocks.is_over(now_us))


def refusal_code(context: ActionContext, action: Action) -> str | None:
    """Returns the code of the refusal if a player may not do something; None if the player may.

    A claim needs in addition that the other player has been away for long enough.
    """
    status, what = context.status, OFFER_KINDS.get(action)
    is_own = dict(context.offers).get(what) if what is not None else None
    if action in _DECLINES:
        return "no_offer" if is_own is None else None
    if action == "next_leg":
        return None if status is Status.BETWEEN_LEGS else "no_next_leg"
    if action == "abort" and status is Status.WAITING:
        return None
    found = _over(context) if what == "rematch" else _playing(status, context.is_time_over)
    if found is not None:
        return found
    if action in _ACCEPTS:
        return None if is_own is False else "no_offer"
    return _refusal(context, action, is_own)


def _refusal(context: ActionContext, action: Action, is_own: bool | None) -> str | None:
    """Returns the refusal code of an action in a game whose status allows it, None if it is permitted."""
    if action == "abort":
        return None if context.is_early else "too_late_to_abort"
    if action == "claim":
        return None if context.is_claimable else "nothing_to_claim"
    if action == "offer_takeback" and not context.has_moved:
        return "nothing_to_take_back"
    return "already_offered" if is_own else None


_ACCEPTS = frozenset(("accept_draw", "accept_takeback", "accept_rematch"))
_DECLINES = frozenset(("decline_draw", "decline_takeback", "decline_rematch"))
_NOT_PLAYING = {
    Status.WAITING: "not_begun",
    Status.BETWEEN_LEGS: "leg_over",
    Status.OVER: "already_over",
    Status.ABORTED: "already_over",
}


def _playing(status: Status, is_time_over: bool) -> str | None:
    return "time_over" if is_time_over else _NOT_PLAYING.get(status)


def _over(context: ActionContext) -> str | None:
    if context.status is not Status.OVER:
        return "not_over"
    return "already_rematched" if context.has_rematch else None


def permitted_actions(state: State, now_us: int) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
    """Returns each player's actions; a computer has none, on a shared device both have the same.

    A claim is among them as soon as only the absence of the other player is missing.
    """
    if state.created.opponent == "same_device":
        actions = _permitted(action_context(state, acting_player(state, frozenset((0, 1))), now_us))
        return actions, actions
    if state.has_computer:
        return _permitted(action_context(state, 0, now_us)), ()
    if state.status is Status.PLAYING and not state.offers:
        # Every move comes here.
        is_over, is_early, claimant = _facts(state, now_us)
        return (
            _permitted_without_offers(is_over, is_early, moves_to_take_back(state, 0) > 0, claimant == 0),
            _permitted_without_offers(is_over, is_early, moves_to_take_back(state, 1) > 0, claimant == 1),
        )
    return _permitted(action_context(state, 0, now_us)), _permitted(action_context(state, 1, now_us))


@lru_cache(maxsize=256)
def _permitted(context: ActionContext) -> tuple[Action, ...]:
    """Returns the actions of a player."""
    return tuple(action for action in ACTIONS if refusal_code(context, action) is None)


@lru_cache(maxsize=16)
def _permitted_without_offers(
    is_over: bool, is_early: bool, has_moved: bool, is_claimable: bool
) -> tuple[Action, ...]:
    """Returns the actions of a player in a game that is played, without open offers."""
    return _permitted(
        ActionContext(Status.PLAYING, is_over, is_early, has_moved, is_claimable, _NO_OFFERS, False)
    )


def acting_player(state: State, players: frozenset[int]) -> int:
    """Returns the player who acts: with both seats, the one to move."""
    if len(players) == 1:
        return next(iter(players))
    return state.mover if state.mover is not None else 0


def moves_to_take_back(state: State, player: int) -> int:
    """Counts the moves back to and including the last one of the player; 0 if there is none."""
    leg = state.legs[-1]
    ply, count = leg.last, 1
    if state.created.opponent == "same_device":
        return 1 if ply is not None else 0
    side = leg.side(player)
    while ply is not None:
        if ply.side is side:
            return count
        ply, count = ply.before, count + 1
    return 0
