"""The record of a leg that was played on the server."""

from datetime import UTC, datetime

from hnefi._core import Move
from hnefi.record import PlayedMove, Record
from hnefi.record.headers import format_switches
from hnefi.server.events import Fischer
from hnefi.server.games.state import LegState, State
from hnefi.server.refusals import refused

__all__ = ["record_of"]

_NOBODY = "?"


def record_of(state: State, number: int) -> Record:
    """Gives the record of a leg, as far as it was played.

    Raises:
        Refused: `no_such_leg`.
    """
    if not 1 <= number <= len(state.legs):
        raise refused("no_such_leg", leg=number)
    leg = state.legs[number - 1]
    has_clock = state.created.clock.kind == "fischer"
    played = [
        PlayedMove(Move(step.move), step.call, step.left_us // 1000 if has_clock else None)
        for step in leg.steps
    ]
    return Record.from_calls(leg.start, played, _headers(state, leg), leg.ended)


def _headers(state: State, leg: LegState) -> list[tuple[str, str]]:
    created = state.created
    began = leg.clocks.since_us if not leg.steps else leg.steps[0].t_us
    headers = [
        ("Attackers", _name(state, leg.attackers)),
        ("Defenders", _name(state, 1 - leg.attackers)),
        ("Date", datetime.fromtimestamp(began / 1_000_000, UTC).date().isoformat()),
        ("Variant", created.variant),
        ("Revision", str(created.revision)),
        ("Rules", created.rules),
    ]
    if created.switches:
        headers.append(("Switches", format_switches(created.switches)))
    if isinstance(created.clock, Fischer):
        headers.append(("TimeControl", f"{created.clock.initial_s}+{created.clock.increment_s}"))
    return [*headers, ("Match", created.form), ("Leg", str(leg.number))]


def _name(state: State, player: int) -> str:
    if state.has_computer and player == 1:
        return f"Hnefi, level {state.created.level}"
    return state.names[player] or _NOBODY
