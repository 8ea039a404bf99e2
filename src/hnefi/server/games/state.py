"""The state of a game: an immutable value that follows from its events."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from hnefi._core import CalledGame, Game, Outcome, Rules, Setup
from hnefi.errors import HnefiError
from hnefi.match import Match, MatchFormat, Sides, TieBreak
from hnefi.pieces import Reason, Side
from hnefi.server import events as e
from hnefi.server.games.clocks import Running
from hnefi.server.games.leg import LegState, Ply
from hnefi.server.refusals import refused

_NO_OFFERS: Mapping[str, "Offer"] = MappingProxyType({})

PLAYERS = ("0", "1")
"""The names of the players within a `Match`: those they chose need not differ."""


class Status(StrEnum):
    """The status of a game."""

    WAITING = "waiting"
    """Waiting for the second player."""

    PLAYING = "playing"
    BETWEEN_LEGS = "between_legs"
    OVER = "over"
    ABORTED = "aborted"


class Offer(NamedTuple):
    """An open offer: the player who made it, and its event."""

    player: int
    seq: int


class State(NamedTuple):
    """The state of a game after `seq` events.

    Attributes:
        created: The first event.
        seq: The number of the last event.
        t_us: The time of the last event.
        board_seq: The last event that changed the board; moves of clients that had not seen it are refused.
        names: The names of the players, the second None until there is one.
        legs: The legs that have begun.
        seed: The seed, if sides were drawn.
        rematch: The id of the rematch.
        adjudicated: The result that the host of a class has set.
    """

    created: e.Created
    rules: Rules
    seq: int
    t_us: int
    board_seq: int
    status: Status
    names: tuple[str, str | None]
    legs: tuple[LegState, ...] = ()
    offers: Mapping[str, Offer] = _NO_OFFERS
    seed: str | None = None
    rematch: str | None = None
    adjudicated: e.Result | None = None

    @classmethod
    def begin(cls, event: e.Event, rules: Rules) -> "State":
        """Returns the state after the first event."""
        created = event.body
        assert isinstance(created, e.Created)
        assert event.seq == 1
        return cls(created, rules, 1, event.t_us, 1, Status.WAITING, (created.name, None))

    @property
    def leg(self) -> LegState:
        """The last leg.

        Raises:
            IndexError: If none has begun.
        """
        return self.legs[-1]

    def begun_leg(self, number: int) -> LegState:
        """Returns a leg by its number, from 1.

        Raises:
            Refused: `no_such_leg`, if it has not begun.
        """
        if not 1 <= number <= len(self.legs):
            raise refused("no_such_leg", leg=number)
        return self.legs[number - 1]

    @property
    def turn(self) -> Side | None:
        """The side to move, None if nobody is."""
        return self.legs[-1].turn if self.status is Status.PLAYING else None

    @property
    def mover(self) -> int | None:
        """The player to move, None if nobody is."""
        turn = self.turn
        return None if turn is None else self.leg.player(turn)

    @property
    def match(self) -> Match:
        """The match with its finished legs.

        Raises:
            IndexError: If none has begun.
        """
        first = self.legs[0].attackers
        sides = Sides(PLAYERS[first], PLAYERS[1 - first])
        done = tuple(leg.finished() for leg in self.legs if leg.outcome is not None)
        return Match(MatchFormat(self.created.form), sides, done, TieBreak(self.created.tie_break))

    @property
    def is_adjudicable(self) -> bool:
        """Whether a host can set the result: the game has begun, and the rules have not ended it."""
        return bool(self.legs) and self.leg.game.outcome is None

    @property
    def has_computer(self) -> bool:
        """Whether player 1 is the computer."""
        return self.created.opponent == "computer"

    @property
    def is_free(self) -> bool:
        """Whether moves are taken back without an offer, since nobody else plays."""
        return self.created.opponent != "friend"

    @property
    def deadline_us(self) -> int | None:
        """When the running clock reaches zero; None if none runs."""
        return self.legs[-1].clocks.deadline_us if self.status is Status.PLAYING else None

    def keeps_deadline(self, stored_us: int | None) -> bool:
        """Checks whether the deadline that is stored may stay.

        With a clock of hours or less the stored one need not be exact, since such games are loaded at a start
        and have a timer. It stays while it is in the future and not too late, which saves a write per move.
        """
        kind, due_us = self.created.clock.kind, self.deadline_us
        if kind == "fischer" and stored_us is not None and due_us is not None:
            return self.t_us < stored_us <= due_us
        return kind == "none"

    def resumed(self, restart: e.Restart) -> "State":
        """Returns the state after a restart of the server, which is charged to no clock."""
        if self.status is not Status.PLAYING:
            return self
        clocks = self.leg.clocks.resumed(restart.away_since_us, restart.back_us)
        return _with_leg(self, self.leg._replace(clocks=clocks))

    def apply(self, event: e.Event, after: CalledGame | None = None) -> "State":
        """Returns the state after one more event.

        `after` is the game after the event's move, if that was played already.

        Raises:
            ValueError: If it is not the next event, or cannot have happened here.
        """
        if event.seq != self.seq + 1:
            raise ValueError(f"event {event.seq} after {self.seq}")
        if isinstance(event.body, e.Moved):
            return _moved(self, event, event.body, after)
        changed = _changed(self, event)
        return changed if changed.seq == event.seq else changed._replace(seq=event.seq, t_us=event.t_us)


class ImpossibleEvent(ValueError):
    """An event that cannot have happened. `seq` is its number."""

    def __init__(self, event: e.Event, reason: Exception) -> None:
        super().__init__(f"event {event.seq} of kind {event.body.kind}: {reason}")
        self.seq = event.seq


def fold(events: Iterable[e.Event], rules: Rules, restarts: Iterable[e.Restart] = ()) -> State:
    """Returns the state after all events of a game.

    `restarts` are in order; those before the game do not matter.

    Raises:
        ImpossibleEvent: If an event cannot have happened.
    """
    rest = iter(events)
    state = State.begin(next(rest), rules)
    later = (restart for restart in restarts if restart.back_us > state.t_us)
    restart = next(later, None)
    for event in rest:
        while restart is not None and restart.back_us <= event.t_us:
            state = state.resumed(restart)
            restart = next(later, None)
        try:
            state = state.apply(event)
        except (HnefiError, ValueError, LookupError, AssertionError) as error:
            raise ImpossibleEvent(event, error) from error
    while restart is not None:
        state = state.resumed(restart)
        restart = next(later, None)
    return state


def _changed(state: State, event: e.Event) -> State:
    """Returns the state after an event that is no move; its number and time may still be the old ones."""
    body = event.body
    match body:
        case e.Named():
            return state._replace(names=(body.name, state.names[1]))
        case e.Joined():
            return state._replace(names=(state.names[0], body.name))
        case e.Began():
            return _with_new_leg(state, body.attackers, event)._replace(seed=body.seed)
        case e.LegBegan():
            return _with_new_leg(state, 1 - state.leg.attackers, event)
        case e.TakenBack():
            return _taken_back(state, event, body.count)
        case e.Offered():
            assert event.actor is not None
            return state._replace(offers={**state.offers, body.what: Offer(event.actor, event.seq)})
        case e.Declined():
            return state._replace(offers={what: o for what, o in state.offers.items() if what != body.what})
        case e.Ended():
            return _ended(state, event, body)
        case e.Aborted():
            return _stopped(state, event, None)._replace(status=Status.ABORTED)
        case e.Adjudicated():
            return _adjudicated(state, event, body.result)
        case e.Resumed():
            return state.resumed(e.Restart(body.away_since_us, event.t_us))
    assert isinstance(body, e.Rematched)
    return state._replace(rematch=body.game, offers=_NO_OFFERS)


def _with_new_leg(state: State, attackers: int, event: e.Event) -> State:
    created, number = state.created, len(state.legs) + 1
    setup = None if created.start is None else Setup(created.start)
    game = CalledGame(
        Game(state.rules, setup),
        created.calls,
        sanction=created.sanction,
        replay=created.replay,
        wrong_number=created.wrong_number,
    )
    waits = number == 1 and created.opponent == "friend"
    clocks = Running.begin(created.clock, game.game.turn, event.t_us, waits=waits)
    legs = (*state.legs, LegState(number, attackers, game, clocks, event.seq))
    return state._replace(status=Status.PLAYING, legs=legs, board_seq=event.seq, offers=_NO_OFFERS)


def _moved(state: State, event: e.Event, body: e.Moved, after: CalledGame | None) -> State:
    leg, side = state.leg, state.leg.turn
    if state.status is not Status.PLAYING or side is None:
        raise ValueError(f"event {event.seq}: a move in a leg that is over")
    if after is None:
        after = leg.called.play(body.move, body.call)
    clocks = leg.clocks.moved(side, after.game.turn, event.t_us, counts=not after.refused)
    left_us = clocks.left_us(side, event.t_us)
    ply = Ply(leg.ply_count + 1, leg.last, side, body.move, body.call, after, event.t_us, left_us)
    played = _with_leg(state, leg._replace(clocks=clocks, last=ply))
    return played._replace(seq=event.seq, t_us=event.t_us, board_seq=event.seq, offers=_NO_OFFERS)


def _taken_back(state: State, event: e.Event, count: int) -> State:
    leg = state.leg
    if not 0 < count <= leg.ply_count or state.status is not Status.PLAYING:
        raise ValueError(f"event {event.seq}: {count} of {leg.ply_count} moves taken back")
    last = leg.last
    for _ in range(count):
        last = last.before if last else None
    kept = leg._replace(last=last)
    kept = kept._replace(clocks=leg.clocks.turned(kept.turn, event.t_us))
    return _with_leg(state, kept)._replace(board_seq=event.seq, offers=_NO_OFFERS)


def _ended(state: State, event: e.Event, body: e.Ended) -> State:
    if state.status is not Status.PLAYING:
        raise ValueError(f"event {event.seq}: an end of a leg that is over")
    winner = None if body.winner is None else Side(body.winner)
    stopped = _stopped(state, event, Outcome(winner, Reason(body.reason)))
    return stopped._replace(status=_status(state, stopped.leg))


def _adjudicated(state: State, event: e.Event, result: e.Result) -> State:
    if not state.is_adjudicable:
        raise ValueError(f"event {event.seq}: a result for a leg that is over by the rules")
    if result == "void":
        ended, status = None, Status.ABORTED
    else:
        winner = None if result == "draw" else Side(result)
        ended, status = Outcome(winner, Reason.ADJUDICATION), Status.OVER
    return _stopped(state, event, ended)._replace(status=status, adjudicated=result)


def _stopped(state: State, event: e.Event, ended: Outcome | None) -> State:
    """Returns the state with the clocks of the last leg stopped, if one has begun, and its outcome."""
    legs = state.legs
    if legs:
        leg = legs[-1]
        legs = (*legs[:-1], leg._replace(ended=ended, clocks=leg.clocks.turned(None, event.t_us)))
    return state._replace(board_seq=event.seq, offers=_NO_OFFERS, legs=legs)


def _with_leg(state: State, leg: LegState) -> State:
    return state._replace(legs=(*state.legs[:-1], leg), status=_status(state, leg))


def _status(state: State, leg: LegState) -> Status:
    """Returns the status of the game with this last leg."""
    if leg.outcome is None:
        return state.status
    last = leg.number == MatchFormat(state.created.form).legs
    return Status.OVER if last else Status.BETWEEN_LEGS
