"""Replays games of which a file has only the moves; what has to be repaired in them is a remark."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hnefi._core import Game
from hnefi.errors import RecordError, VariantError
from hnefi.formats.findings import Finding, FindingKind
from hnefi.formats.game_check import check, unclaimed
from hnefi.formats.game_types import game_types, number_of
from hnefi.record import Record, Replay, ReplayFault, variant_headers
from hnefi.record.replay import called_game, with_switches_of
from hnefi.variants.model import Variant

if TYPE_CHECKING:
    from hnefi.formats.raw_game import RawGame

_CODES = {
    FindingKind.CAPTURE_NOT_MADE: "wrong_captures",
    FindingKind.CAPTURE_NOT_WRITTEN: "wrong_captures",
    FindingKind.WINNER: "wrong_result",
}


def replay_moves(raw: "RawGame", lookup: Callable[[str], Variant]) -> Replay:
    """Replays a game of moves alone, and finds what `hnefi replay` finds in collections.

    Its record has the moves that were played: repeated ones are left out, unwritten hops are there. If one is
    illegal, it has those that are written.

    Raises:
        RecordError: `bad_move`, for the first text that is no move.
    """
    written = raw.record()
    try:
        readings = _readings(raw, written, lookup)
    except (RecordError, VariantError):
        return written.replay(lookup)
    result = check(raw, readings)
    played, game = result.variant, result.game
    assert played is not None
    assert game is not None
    if game.rules != played.rules:
        played = unclaimed(played)
    start = called_game(written, Game(played.rules, game.start), played)
    outcome, record = None, written
    if not result.is_refused:
        outcome = game.outcome or written.outcome
        record = Record.from_game(game, written.with_headers(dict(variant_headers(played))).headers)
        if game.outcome is None:
            record = record.with_headers({"Result": written.result, "Reason": written.header("Reason")})
    faults = tuple(_fault(raw, one) for one in result.findings)
    return Replay(record, called_game(written, game, played), outcome, faults, played, start)


def _readings(raw: "RawGame", written: Record, lookup: Callable[[str], Variant]) -> Sequence[Variant]:
    """Returns the rules that a game may follow: those of its type, else those that its headers name.

    Raises:
        RecordError, VariantError: If the headers name none.
    """
    kind = game_types().get(number_of(raw)[0])
    return (kind.readings() if kind else ()) or (with_switches_of(written, lookup),)


def _fault(raw: "RawGame", found: Finding) -> ReplayFault:
    facts = dict(found.facts)
    code = facts.pop("code", _CODES.get(found.kind, found.kind.value))
    if found.kind is FindingKind.WINNER:
        facts = {"found": facts["written"], "expected": facts["found"]}
    line = raw.lines[found.ply - 1] if found.ply and raw.lines else raw.line if found.ply else 0
    return ReplayFault(found.ply, code, facts, line=line)
