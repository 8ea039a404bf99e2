"""Commands: which events follow from a command of a player in a state of a game."""

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from hnefi._core import Move, format_move
from hnefi.errors import IllegalMove
from hnefi.match import draw_sides
from hnefi.server import events as e
from hnefi.server.games.actions import (
    Action,
    acting_player,
    action_context,
    move_refusal,
    moves_to_take_back,
    refusal_code,
)
from hnefi.server.games.state import State
from hnefi.server.refusals import refused

__all__ = [
    "AWAY_US",
    "LONGEST_LEG",
    "NEW_GAME",
    "ActionCommand",
    "Actor",
    "MoveCommand",
    "begin",
    "claim_us",
    "decide",
    "seed_digest",
]

AWAY_US = 60 * 1_000_000
"""After which absence of the other player a game with a clock can be claimed."""

AWAY_WITHOUT_CLOCK_US = 3 * 86_400 * 1_000_000
"""The same for a game without a clock."""

LONGEST_LEG = 2_000
"""The most moves of a leg; then only the players or the clock can end it."""

NEW_GAME = ""
"""The placeholder for the id of the rematch, which the room fills in."""

_LEG_ENDS = (Action.RESIGN, Action.ABORT)
_LOT_NAMES = ("first", "second")
_ACCEPTED: dict[Action, e.OfferKind] = {
    Action.ACCEPT_DRAW: "draw",
    Action.ACCEPT_TAKEBACK: "takeback",
    Action.ACCEPT_REMATCH: "rematch",
}


class MoveCommand(NamedTuple):
    """The command to play a move, with its call."""

    move: str
    call: int = 0


class ActionCommand(NamedTuple):
    """The command to do anything else."""

    action: Action


class Actor(NamedTuple):
    """The sender of a command, and what the sender had seen.

    Attributes:
        players: The sender's seats: none for a spectator, both on a shared device.
        seq: The last event the sender had seen.
        now_us: When the command was received.
        away_us: For each player, how long the player has been gone; 0 if present.
    """

    players: frozenset[int]
    seq: int
    now_us: int
    away_us: tuple[int, int] = (0, 0)


def decide(state: State, actor: Actor, command: MoveCommand | ActionCommand) -> tuple[int, list[e.Body]]:
    """Returns the player who acts and the events that follow from a command.

    Raises:
        Refused: If it cannot be carried out.
        IllegalMove: If the rules forbid the move.
    """
    if not actor.players:
        raise refused("no_seat")
    if actor.seq > state.seq:
        raise refused("seq_unknown", found=actor.seq, expected=state.seq)
    if isinstance(command, MoveCommand):
        return _play(state, actor, command)
    player = acting_player(state, actor.players)
    _check_permitted(state, player, command.action, actor.now_us)
    _check_seen(state, actor, command.action)
    if command.action is Action.CLAIM:
        _check_absence(state, actor, player)
    return player, _DECISIONS[command.action](state, player)


def _check_permitted(state: State, player: int, action: Action, now_us: int) -> None:
    code = refusal_code(action_context(state, player, now_us), action)
    match code:
        case None:
            return
        case "too_late_to_abort":
            raise refused(code, moves=state.leg.ply_count)
        case "already_rematched":
            raise refused(code, game=state.rematch)
        case "already_offered" | "no_offer":
            raise refused(code, what=action.offer_kind)
        case _:
            raise refused(code)


def _check_seen(state: State, actor: Actor, action: Action) -> None:
    """Checks that the actor knew what the action is about: the leg, or the offer."""
    if action in _LEG_ENDS and state.legs and actor.seq < state.leg.seq:
        raise refused("board_changed", found=actor.seq, expected=state.leg.seq)
    what = _ACCEPTED.get(action)
    if what is not None and actor.seq < state.offers[what].seq:
        raise refused("no_offer", what=what)


def _check_absence(state: State, actor: Actor, player: int) -> None:
    """Checks that the other player has been away for long enough to claim the game."""
    away_us = actor.away_us[1 - player]
    if away_us < claim_us(state):
        raise refused("not_long_enough", found=away_us // 1000, expected=claim_us(state) // 1000)


def begin(state: State, seed: str | None) -> list[e.Body]:
    """Returns the events with which a game begins once both seats are taken.

    Args:
        state: The game.
        seed: The seed, if sides are drawn.
    """
    side = state.created.side
    if side != "lot":
        return [e.Began(attackers=0 if side == "attackers" else 1)]
    assert seed is not None
    assert seed_digest(seed) == state.created.lot
    drawn = draw_sides(_LOT_NAMES, seed)
    return [e.Began(attackers=_LOT_NAMES.index(drawn.attackers), seed=seed)]


def seed_digest(seed: str) -> str:
    """Returns the SHA-256 of a seed, which is published before sides are drawn.

    >>> seed_digest("seed")[:8]
    '19b25856'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def claim_us(state: State) -> int:
    """Returns how long the player to move has to be gone before the other may claim the game."""
    return AWAY_WITHOUT_CLOCK_US if state.created.clock.kind == "none" else AWAY_US


def _play(state: State, actor: Actor, command: MoveCommand) -> tuple[int, list[e.Body]]:
    if (code := move_refusal(state, actor.now_us)) is not None:
        raise refused(code)
    leg, mover = state.leg, state.mover
    assert mover is not None
    if mover not in actor.players:
        raise refused("not_your_turn")
    if actor.seq < state.board_seq:
        raise refused("board_changed", found=actor.seq, expected=state.board_seq)
    if leg.ply_count >= LONGEST_LEG:
        raise refused("leg_too_long", limit=LONGEST_LEG)
    if command.call not in (0, 1, 2):
        raise IllegalMove(
            "bad_call", f"call: {command.call}, expected 0, 1 or 2", {"found": str(command.call)}
        )
    before = leg.called
    after = before.play(command.move, command.call)
    last = after.game.last
    written = command.move if after.refused or last is None else str(last.move)
    return mover, [e.Moved(move=_plain(written), call=command.call)]


def _plain(move: str) -> str:
    """Returns a move without its captures, which follow from the game."""
    return format_move(Move(move))


def _resign(state: State, player: int) -> list[e.Body]:
    leg = state.leg
    return [e.Ended(winner=leg.side(1 - player).value, reason="resignation")]


def _abort(_state: State, _player: int) -> list[e.Body]:
    return [e.Aborted()]


def _claim(state: State, player: int) -> list[e.Body]:
    return [e.Ended(winner=state.leg.side(player).value, reason="abandoned")]


def _next_leg(_state: State, _player: int) -> list[e.Body]:
    return [e.LegBegan()]


def _offer(what: e.OfferKind) -> "_Decision":
    def offer(state: State, player: int) -> list[e.Body]:
        agrees = what in state.offers or (
            state.is_free if what != "draw" else state.created.opponent == "same_device"
        )
        if agrees:
            return _accept(what)(state, player)
        if what == "draw" and state.has_computer:
            return [e.Offered(what=what), e.Declined(what=what)]
        return [e.Offered(what=what)]

    return offer


def _accept(what: e.OfferKind) -> "_Decision":
    def accept(state: State, player: int) -> list[e.Body]:
        if what == "rematch":
            return [e.Rematched(game=NEW_GAME)]
        if what == "draw":
            return [e.Ended(winner=None, reason="agreement")]
        offer = state.offers.get(what)
        return [e.TakenBack(count=moves_to_take_back(state, offer.player if offer else player))]

    return accept


def _decline(what: e.OfferKind) -> "_Decision":
    return lambda _state, _player: [e.Declined(what=what)]


_Decision = Callable[[State, int], list[e.Body]]
_DECISIONS: dict[Action, _Decision] = {
    Action.RESIGN: _resign,
    Action.ABORT: _abort,
    Action.OFFER_DRAW: _offer("draw"),
    Action.ACCEPT_DRAW: _accept("draw"),
    Action.DECLINE_DRAW: _decline("draw"),
    Action.OFFER_TAKEBACK: _offer("takeback"),
    Action.ACCEPT_TAKEBACK: _accept("takeback"),
    Action.DECLINE_TAKEBACK: _decline("takeback"),
    Action.CLAIM: _claim,
    Action.NEXT_LEG: _next_leg,
    Action.OFFER_REMATCH: _offer("rematch"),
    Action.ACCEPT_REMATCH: _accept("rematch"),
    Action.DECLINE_REMATCH: _decline("rematch"),
}
"""The events that follow from each action, once `refusal_code` permits it."""
