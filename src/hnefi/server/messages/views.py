"""Messages of games: the whole state for a viewer, an event, the presence of players."""

from typing import Any

from pydantic import TypeAdapter

from hnefi._core import CalledGame, Outcome
from hnefi.match import Match
from hnefi.pieces import Side
from hnefi.server import events as e
from hnefi.server.games.actions import permitted_actions
from hnefi.server.games.audience import Attendance
from hnefi.server.games.clocks import Running
from hnefi.server.games.commands import claim_us
from hnefi.server.games.leg import LegState, Ply
from hnefi.server.games.room import Room
from hnefi.server.games.state import PLAYERS, State, Status
from hnefi.server.games.time import Leads
from hnefi.server.messages.socket import (
    After,
    ClocksView,
    EventMessage,
    GameView,
    LegView,
    OutcomeView,
    PlayerView,
    PlyView,
    Presence,
    SideName,
    VerdictView,
)

_SIDE: dict[Side | None, SideName | None] = {
    Side.ATTACKERS: "attackers",
    Side.DEFENDERS: "defenders",
    None: None,
}


_EVENT = TypeAdapter(EventMessage)


class MessageEncoder:
    """Encodes events, states and presence as JSON messages; see `hnefi.server.games.rooms.Encoder`."""

    def __init__(self, leads: Leads) -> None:
        """Creates it with the leads of the server's time, which messages do not show."""
        self._leads = leads

    def event(self, game: str, state: State, event: e.Event) -> str:
        """Returns the message of an event that `state` contains already."""
        ply, leads = state.leg.last if isinstance(event.body, e.Moved) else None, self._leads
        message = EventMessage(
            game=game,
            seq=event.seq,
            t_ms=leads.shown_us(event.t_us) // 1000,
            actor=event.actor,
            body=event.body,
            ply=_ply(ply, leads) if ply else None,
            after=_after(state, event.t_us, leads),
        )
        return _EVENT.dump_json(message).decode()

    def state(self, room: Room, players: frozenset[int]) -> str:
        """Returns the message of the whole state, for a viewer with these seats."""
        return game_view(room, players).model_dump_json()

    def presence(self, game: str, attendance: Attendance) -> str:
        """Returns the message that a player or a spectator came or left."""
        return Presence(
            game=game,
            present=[away_us == 0 for away_us in attendance.away_us],
            away_ms=[away_us // 1000 for away_us in attendance.away_us],
            watching=attendance.watching,
        ).model_dump_json()


def game_view(room: Room, you: frozenset[int]) -> GameView:
    """Returns the whole state of a game for a viewer with these seats."""
    state, attendance, now_us = room.state, room.audience.attendance(), room.time.now_us()
    match = state.match if state.legs else None
    legal = [] if state.turn is None else [str(move) for move in state.leg.called.legal_moves()]
    return GameView(
        game=room.id,
        seq=state.seq,
        created=state.created,
        **_common(state, match, now_us),
        players=[_player(state, player, attendance) for player in (0, 1)],
        you=sorted(you),
        legs=[_leg(leg, room.time.leads) for leg in state.legs],
        clocks=_clocks(state.leg.clocks, now_us, room.time.leads) if state.legs else None,
        seed=state.seed,
        rematch=state.rematch,
        adjudicated=state.adjudicated,
        claim_after_ms=claim_us(state) // 1000,
        watching=attendance.watching,
        legal=legal,
        now_ms=room.time.leads.shown_us(now_us) // 1000,
    )


def _after(state: State, now_us: int, leads: Leads) -> After:
    leg = state.legs[-1] if state.legs else None
    over = state.status in (Status.BETWEEN_LEGS, Status.OVER)
    match = state.match if over or len(state.legs) > 1 else None
    return After(
        **_common(state, match, now_us),
        **_board(leg.called if leg else None),
        leg=leg.number if leg else 0,
        attackers=leg.attackers if leg else None,
        turn=_SIDE[state.turn],
        outcome=outcome_view(leg.outcome) if leg else None,
        clocks=_clocks(leg.clocks, now_us, leads) if leg else None,
    )


def _common(state: State, match: Match | None, now_us: int) -> dict[str, Any]:
    """Returns what the state and every event tell of a game."""
    verdict = match.verdict if match else None
    winner = None if verdict is None or verdict.winner is None else PLAYERS.index(verdict.winner)
    return {
        "status": state.status.value,
        "offers": {what: offer.player for what, offer in state.offers.items()},
        "score": [float(match.standing(player).points) for player in PLAYERS] if match else [0.0, 0.0],
        "verdict": verdict and VerdictView(winner=winner, decision=verdict.decision.value),
        "actions": permitted_actions(state, now_us),
    }


def _board(called: CalledGame | None) -> dict[str, Any]:
    """Returns the position, and what the side to move has to announce or repeat, unless players see that."""
    shown = called if called and called.mode == "auto" else None
    square = called.must_replay if called else None
    return {
        "position": str(called.game.position.setup) if called else None,
        "owed": [one.name for one in shown.open_roads] if shown else [],
        "required": shown.required if shown else 0,
        "must_replay": square.name if square else None,
    }


def _player(state: State, player: int, attendance: Attendance) -> PlayerView | None:
    name = state.names[player]
    if name is None:
        return None
    computer = state.has_computer and player == 1
    away_us = 0 if computer else attendance.away_us[player]
    level = state.created.level if computer else None
    return PlayerView(name=name, level=level, present=away_us == 0, away_ms=away_us // 1000)


def _leg(leg: LegState, leads: Leads) -> LegView:
    return LegView(
        **_board(leg.called),
        number=leg.number,
        attackers=leg.attackers,
        start=str(leg.start.game.start),
        plies=[_ply(ply, leads) for ply in leg.plies],
        turn=_SIDE[leg.turn],
        outcome=outcome_view(leg.outcome),
    )


def _ply(ply: Ply, leads: Leads) -> PlyView:
    after = ply.after
    last = None if after.refused else after.game.last
    call = ply.call
    if after.mode == "auto":
        call = after.required if ply.side is Side.DEFENDERS else 0
    return PlyView(
        side="attackers" if ply.side is Side.ATTACKERS else "defenders",
        move=ply.move if last is None else str(last),
        captures=[] if last is None else [square.name for square in last.captures],
        call=call,
        passed=False if last is None else last.passed,
        refused=after.refused,
        t_ms=leads.shown_us(ply.t_us) // 1000,
        left_ms=ply.left_us // 1000,
    )


def _clocks(clocks: Running, now_us: int, leads: Leads) -> ClocksView | None:
    if clocks.clock.kind == "none":
        return None
    free_us = max(clocks.since_us + clocks.free_us - now_us, 0) if clocks.side else 0
    return ClocksView(
        attackers_ms=clocks.left_us(Side.ATTACKERS, now_us) // 1000,
        defenders_ms=clocks.left_us(Side.DEFENDERS, now_us) // 1000,
        running=_SIDE[clocks.side],
        free_ms=free_us // 1000,
        at_ms=leads.shown_us(now_us) // 1000,
    )


def outcome_view(outcome: Outcome | None) -> OutcomeView | None:
    """Returns the view of an outcome, None for a leg that is being played."""
    if outcome is None:
        return None
    return OutcomeView(winner=_SIDE[outcome.winner], reason=outcome.reason.value)
