"""Actions besides moving: which a player may take is decided here, for commands and for pages."""

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from hnefi.server import events as e
from hnefi.server.games.state import State, Status

__all__ = [
    "Action",
    "ActionContext",
    "acting_player",
    "action_context",
    "move_refusal",
    "moves_to_take_back",
    "permitted_actions",
    "refusal_code",
]

_ABORT_BEFORE = 2
"""A game can be aborted before this many moves were played."""


class Action(StrEnum):
    """An action of a player besides moving."""

    RESIGN = "resign"
    ABORT = "abort"
    OFFER_DRAW = "offer_draw"
    ACCEPT_DRAW = "accept_draw"
    DECLINE_DRAW = "decline_draw"
    OFFER_TAKEBACK = "offer_takeback"
    ACCEPT_TAKEBACK = "accept_takeback"
    DECLINE_TAKEBACK = "decline_takeback"
    CLAIM = "claim"
    NEXT_LEG = "next_leg"
    OFFER_REMATCH = "offer_rematch"
    ACCEPT_REMATCH = "accept_rematch"
    DECLINE_REMATCH = "decline_rematch"

    @property
    def offer_kind(self) -> e.OfferKind | None:
        """The kind of offer that is made, accepted or declined; None for all other actions."""
        return _OFFER_KINDS.get(self)


_OFFER_KINDS: dict[Action, e.OfferKind] = {
    Action.OFFER_DRAW: "draw",
    Action.ACCEPT_DRAW: "draw",
    Action.DECLINE_DRAW: "draw",
    Action.OFFER_TAKEBACK: "takeback",
    Action.ACCEPT_TAKEBACK: "takeback",
    Action.DECLINE_TAKEBACK: "takeback",
    Action.OFFER_REMATCH: "rematch",
    Action.ACCEPT_REMATCH: "rematch",
    Action.DECLINE_REMATCH: "rematch",
}


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
    status, what = context.status, action.offer_kind
    is_own = dict(context.offers).get(what) if what is not None else None
    if action in _DECLINES:
        return "no_offer" if is_own is None else None
    if action is Action.NEXT_LEG:
        return None if status is Status.BETWEEN_LEGS else "no_next_leg"
    if action is Action.ABORT and status is Status.WAITING:
        return None
    found = _over(context) if what == "rematch" else _playing(status, context.is_time_over)
    if found is not None:
        return found
    if action in _ACCEPTS:
        return None if is_own is False else "no_offer"
    return _refusal(context, action, is_own)


def _refusal(context: ActionContext, action: Action, is_own: bool | None) -> str | None:
    """Returns the refusal code of an action in a game whose status allows it, None if it is permitted."""
    if action is Action.ABORT:
        return None if context.is_early else "too_late_to_abort"
    if action is Action.CLAIM:
        return None if context.is_claimable else "nothing_to_claim"
    if action is Action.OFFER_TAKEBACK and not context.has_moved:
        return "nothing_to_take_back"
    return "already_offered" if is_own else None


_ACCEPTS = frozenset((Action.ACCEPT_DRAW, Action.ACCEPT_TAKEBACK, Action.ACCEPT_REMATCH))
_DECLINES = frozenset((Action.DECLINE_DRAW, Action.DECLINE_TAKEBACK, Action.DECLINE_REMATCH))
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


def permitted_actions(state: State, now_us: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the names of each player's actions; a computer has none, on a shared device both have the same.

    They are plain texts, since an enumeration takes three times as long to encode. A claim is among them as
    soon as only the absence of the other player is missing.
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
def _permitted(context: ActionContext) -> tuple[str, ...]:
    """Returns the names of the actions of a player."""
    return tuple(action.value for action in Action if refusal_code(context, action) is None)


@lru_cache(maxsize=16)
def _permitted_without_offers(
    is_over: bool, is_early: bool, has_moved: bool, is_claimable: bool
) -> tuple[str, ...]:
    """Returns the names of the actions of a player in a game that is played, without open offers."""
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
