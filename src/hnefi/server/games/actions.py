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
    action: kind for action in ACTIONS for kind in get_args(e.OfferKind) if action.endswith(f"_{kind}")
}
"""The kinds of offer that are made, accepted or declined."""


class ActionContext(NamedTuple):
    """The facts that decide which actions a player has at a moment."""

    status: Status
    offers: tuple[tuple[str, bool], ...]
    """Open offers, and whether this player made them."""

    has_rematch: bool
    is_time_over: bool = False
    is_early: bool = False
    """Whether the game can still be aborted."""

    has_moved: bool = False
    """Whether there is a move to take back."""

    is_claimable: bool = False
    """Whether the game can be claimed once the other player was away for long enough."""


def action_context(state: State, player: int, now_us: int) -> ActionContext:
    """Returns the facts that decide a player's permitted actions."""
    offers = tuple((what, offer.player == player) for what, offer in state.offers.items())
    if state.status is not Status.PLAYING:
        return ActionContext(state.status, offers, state.rematch is not None)
    leg, created = state.leg, state.created
    has_claims = created.opponent == "friend" and created.clock.kind != "days"
    return ActionContext(
        state.status,
        offers,
        has_rematch=False,
        is_time_over=leg.clocks.is_over(now_us),
        is_early=leg.number == 1 and leg.ply_count < _ABORT_BEFORE,
        has_moved=moves_to_take_back(state, player) > 0,
        is_claimable=has_claims and state.mover == 1 - player,
    )


def move_refusal(state: State, now_us: int) -> str | None:
    """Returns the code of the refusal if nobody may move now; None if a player may."""
    status = state.status
    if state.adjudicated is not None:
        return "adjudicated"
    return _play_refusal(status, status is Status.PLAYING and state.leg.clocks.is_over(now_us))


def refusal_code(context: ActionContext, action: Action) -> str | None:
    """Returns the code of the refusal if a player may not do something; None if the player may.

    A claim needs in addition that the other player has been away for long enough.
    """
    status, what = context.status, OFFER_KINDS.get(action)
    is_own = dict(context.offers).get(what) if what is not None else None
    if action.startswith("decline"):
        return "no_offer" if is_own is None else None
    if action == "next_leg":
        return None if status is Status.BETWEEN_LEGS else "no_next_leg"
    if action == "abort" and status is Status.WAITING:
        return None
    found = _rematch_refusal(context) if what == "rematch" else _play_refusal(status, context.is_time_over)
    if found is not None:
        return found
    if action.startswith("accept"):
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


_NOT_PLAYING = {
    Status.WAITING: "not_begun",
    Status.BETWEEN_LEGS: "leg_over",
    Status.OVER: "already_over",
    Status.ABORTED: "already_over",
}


def _play_refusal(status: Status, is_time_over: bool) -> str | None:
    return "time_over" if is_time_over else _NOT_PLAYING.get(status)


def _rematch_refusal(context: ActionContext) -> str | None:
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
    return _permitted(action_context(state, 0, now_us)), _permitted(action_context(state, 1, now_us))


@lru_cache(maxsize=256)  # every move comes here
def _permitted(context: ActionContext) -> tuple[Action, ...]:
    return tuple(action for action in ACTIONS if refusal_code(context, action) is None)


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
