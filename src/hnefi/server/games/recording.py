"""Records of legs that were played on the server."""

from datetime import UTC, datetime

from hnefi._core import Move
from hnefi.record import PlayedMove, Record
from hnefi.record.headers import format_switches, record_name
from hnefi.server.events import Fischer
from hnefi.server.games.leg import LegState
from hnefi.server.games.state import State
from hnefi.server.games.time import Leads

_NOBODY = "?"


def record_of(state: State, number: int, leads: Leads) -> Record:
    """Returns the record of a leg, as far as it was played, with the date by the clock of the machine.

    Raises:
        Refused: `no_such_leg`.
    """
    leg = state.begun_leg(number)
    has_clock = state.created.clock.kind == "fischer"
    played = [
        PlayedMove(Move(ply.move), ply.call, ply.left_us // 1000 if has_clock else None) for ply in leg.plies
    ]
    return Record.from_calls(leg.start, played, _headers(state, leg, leads), leg.ended)


def _headers(state: State, leg: LegState, leads: Leads) -> list[tuple[str, str]]:
    created = state.created
    plies = leg.plies
    began_us = leads.shown_us(plies[0].t_us if plies else leg.clocks.since_us)
    headers = [
        ("Attackers", _name(state, leg.attackers)),
        ("Defenders", _name(state, 1 - leg.attackers)),
        ("Date", datetime.fromtimestamp(began_us / 1_000_000, UTC).date().isoformat()),
        ("Variant", created.variant),
        ("Revision", str(created.revision)),
        ("Rules", created.rules),
    ]
    if created.switches:
        headers.append(("Switches", format_switches(created.switches)))
    if created.title:
        headers.append(("Title", created.title))
    if isinstance(created.clock, Fischer):
        headers.append(("TimeControl", f"{created.clock.initial_s}+{created.clock.increment_s}"))
    return [*headers, ("Match", created.form), ("Leg", str(leg.number))]


def _name(state: State, player: int) -> str:
    level = state.created.level
    if level is not None and player == 1:
        return record_name(level)
    return state.names[player] or _NOBODY
