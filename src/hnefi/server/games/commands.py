"""What players may do, and when: a command and the state of a game give the events that follow."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from hnefi._core import Move, format_move
from hnefi.errors import IllegalMove
from hnefi.match import draw_sides
from hnefi.pieces import Side
from hnefi.server import events as e
from hnefi.server.games.state import LegState, State, Status
from hnefi.server.refusals import refused

__all__ = [
    "AWAY_US",
    "LONGEST_LEG",
    "NEW_GAME",
    "Action",
    "Actor",
    "Do",
    "Play",
    "begin",
    "claim_us",
    "decide",
    "lot_of",
]

AWAY_US = 60 * 1_000_000
"""How long the other has to be gone, where a clock runs, before a player may claim the game."""

AWAY_WITHOUT_CLOCK_US = 3 * 86_400 * 1_000_000
"""The same where there is no clock."""

LONGEST_LEG = 2_000
"""The most moves of a leg; after them it can only be ended by the players or by the clock."""

NEW_GAME = ""
"""Stands for the id of the next game, which whoever carries out the command chooses."""

_LOT_NAMES = ("first", "second")
_ABORT_BEFORE = 2


class Action(Enum):
    """What a player can do besides moving."""

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


@dataclass(frozen=True, slots=True)
class Play:
    """The command to play a move, with what is called with it."""

    move: str
    call: int = 0


@dataclass(frozen=True, slots=True)
class Do:
    """Any other command."""

    action: Action


@dataclass(frozen=True, slots=True)
class Actor:
    """Who commands, and what he had seen when he did.

    Attributes:
        players: The seats he has: none for a spectator, both on a shared device.
        seq: The last event he had seen.
        now_us: When his command came in.
        away_us: For each player, how long he has been gone; 0 if he is here.
    """

    players: frozenset[int]
    seq: int
    now_us: int
    away_us: tuple[int, int] = (0, 0)


def decide(state: State, actor: Actor, command: Play | Do) -> tuple[int, list[e.Body]]:
    """Gives the player who acts and the events that follow from his command.

    Raises:
        Refused: If it cannot be carried out; IllegalMove if the rules forbid the move.
    """
    if not actor.players:
        raise refused("no_seat")
    if actor.seq > state.seq:
        raise refused("seq_unknown", found=actor.seq, expected=state.seq)
    if isinstance(command, Play):
        return _play(state, actor, command)
    return _ACTIONS[command.action](state, actor)


def begin(state: State, seed: str | None) -> list[e.Body]:
    """Gives the events with which a game begins once both players are there.

    Args:
        state: The game; both have their seats.
        seed: The seed of the lot, where lots are to be drawn.
    """
    side = state.created.side
    if side != "lot":
        return [e.Began(attackers=0 if side == "attackers" else 1)]
    assert seed is not None
    assert lot_of(seed) == state.created.lot
    drawn = draw_sides(_LOT_NAMES, seed)
    return [e.Began(attackers=_LOT_NAMES.index(drawn.attackers), seed=seed)]


def lot_of(seed: str) -> str:
    """Gives what is told of a seed before lots are drawn: its SHA-256.

    >>> lot_of("seed")[:8]
    '19b25856'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def claim_us(state: State) -> int:
    """How long the player to move has to be gone before the other may claim the game."""
    return AWAY_WITHOUT_CLOCK_US if state.created.clock.kind == "none" else AWAY_US


def _play(state: State, actor: Actor, command: Play) -> tuple[int, list[e.Body]]:
    leg, mover = _playing(state, actor), state.mover
    assert mover is not None
    if mover not in actor.players:
        raise refused("not_your_turn")
    if actor.seq < state.board_seq:
        raise refused("board_changed", found=actor.seq, expected=state.board_seq)
    if leg.count >= LONGEST_LEG:
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
    """Writes a move without its captures, which follow from the game."""
    return format_move(Move(move))


def _playing(state: State, actor: Actor) -> LegState:
    """Gives the leg that is being played, whose clock has not run out."""
    if state.status is Status.WAITING:
        raise refused("not_begun")
    if state.status is not Status.PLAYING:
        raise refused("leg_over" if state.status is Status.BETWEEN_LEGS else "already_over")
    if state.leg.clocks.is_over(actor.now_us):
        raise refused("time_over")
    return state.leg


def _own(state: State, actor: Actor) -> int:
    """Gives the player who acts: on a shared device the one to move."""
    if len(actor.players) == 1:
        return next(iter(actor.players))
    return state.mover if state.mover is not None else 0


def _resign(state: State, actor: Actor) -> tuple[int, list[e.Body]]:
    leg, own = _playing(state, actor), _own(state, actor)
    if actor.seq < leg.seq:
        raise refused("board_changed", found=actor.seq, expected=leg.seq)
    winner = leg.side(1 - own)
    return own, [e.Ended(winner=winner.value, reason="resignation")]


def _abort(state: State, actor: Actor) -> tuple[int, list[e.Body]]:
    own = _own(state, actor)
    if state.status is not Status.WAITING:
        leg = _playing(state, actor)
        if leg.number > 1 or leg.count >= _ABORT_BEFORE:
            raise refused("too_late_to_abort", moves=leg.count)
    return own, [e.Aborted()]


def _offer(what: e.What) -> Callable[[State, Actor], tuple[int, list[e.Body]]]:
    def offer(state: State, actor: Actor) -> tuple[int, list[e.Body]]:
        own = _own(state, actor)
        if what == "rematch":
            _check_over(state)
        else:
            _playing(state, actor)
        if what == "takeback":
            count = _to_take_back(state, own)
            if state.is_free:
                return own, [e.TakenBack(count=count)]
        standing = state.offers.get(what)
        if standing is not None and standing.player == own:
            raise refused("already_offered", what=what)
        if standing is not None:
            return _accept(what)(state, replace(actor, seq=state.seq))
        if what == "rematch" and state.is_free:
            return own, [e.Rematched(game=NEW_GAME)]
        if state.created.opponent == "same_device" and what == "draw":
            return own, [e.Ended(winner=None, reason="agreement")]
        if state.has_computer and what == "draw":
            return own, [e.Offered(what=what), e.Declined(what=what)]
        return own, [e.Offered(what=what)]

    return offer


def _accept(what: e.What) -> Callable[[State, Actor], tuple[int, list[e.Body]]]:
    def accept(state: State, actor: Actor) -> tuple[int, list[e.Body]]:
        own = _own(state, actor)
        if what == "rematch":
            _check_over(state)
        else:
            _playing(state, actor)
        standing = state.offers.get(what)
        if standing is None or standing.player == own or actor.seq < standing.seq:
            raise refused("no_offer", what=what)
        if what == "rematch":
            return own, [e.Rematched(game=NEW_GAME)]
        if what == "draw":
            return own, [e.Ended(winner=None, reason="agreement")]
        return own, [e.TakenBack(count=_to_take_back(state, standing.player))]

    return accept


def _decline(what: e.What) -> Callable[[State, Actor], tuple[int, list[e.Body]]]:
    def decline(state: State, actor: Actor) -> tuple[int, list[e.Body]]:
        if what not in state.offers:
            raise refused("no_offer", what=what)
        return _own(state, actor), [e.Declined(what=what)]

    return decline


def _to_take_back(state: State, player: int) -> int:
    """Counts the moves to take back until it is the player's turn again, one of his own among them."""
    leg = state.leg
    own = {leg.side(player)} if state.created.opponent != "same_device" else set(Side)
    for count, step in enumerate(reversed(leg.steps), start=1):
        if step.side in own:
            return count
    raise refused("nothing_to_take_back")


def _claim(state: State, actor: Actor) -> tuple[int, list[e.Body]]:
    leg, own = _playing(state, actor), _own(state, actor)
    other = 1 - own
    if state.mover != other or state.created.opponent != "friend" or state.created.clock.kind == "days":
        raise refused("nothing_to_claim")
    if actor.away_us[other] < claim_us(state):
        raise refused("not_long_enough", found=actor.away_us[other] // 1000, expected=claim_us(state) // 1000)
    return own, [e.Ended(winner=leg.side(own).value, reason="abandoned")]


def _next_leg(state: State, actor: Actor) -> tuple[int, list[e.Body]]:
    if state.status is not Status.BETWEEN_LEGS:
        raise refused("no_next_leg")
    return _own(state, actor), [e.LegBegan()]


def _check_over(state: State) -> None:
    if state.status is not Status.OVER:
        raise refused("not_over")
    if state.rematch is not None:
        raise refused("already_rematched", game=state.rematch)


_ACTIONS: dict[Action, Callable[[State, Actor], tuple[int, list[e.Body]]]] = {
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
