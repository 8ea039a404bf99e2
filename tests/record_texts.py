"""Records as text for the tests: one with everything in it, and records of short games with their replays."""

from pathlib import Path

from hnefi import Variant, variant
from hnefi.record import Replay, parse_records, variant_headers

SAMPLES = Path(__file__).parent / "records"

WELL_WRITTEN = """\
[Event "Fair of \\"Tara\\""]
[Variant "gwezboell-globe"]
[Round "3"]
[Calls "manual"]
[Result "defenders"]
[Reason "corner"]

{A game with everything in it.} 1. c5-a5!2 @0:59:58 2. g1-g2xd4/e5 taken_back
@0:59:58.250 {Too late.} {One breaks a long comment between two words, so that
no line is longer than it has to be; a paragraph\\
begins after a backslash.} (2. g1-g3 {Or so.} (2. g1-g4 3. a5-a6) 3. a5-a9)
({Another one.} 2. g1-h1) 3. a5-a9 refused 2. g1-b1 -- 3. a5-a9 defenders
"""

GWEZBOELL = variant("gwezboell-globe")
BRANDUB = variant("brandub-globe")
P1 = "9/9/9/9/2K6/9/9/9/6t2 d 0"
BLOCKED = "7/7/7/3K3/T6/tT5/7"  # the attacker on a2 has no move: it may not stop on the corner


def text_of(rules: Variant, moves: str, **headers: str) -> str:
    """A record with the headers it needs, and these; those with the value `-` are left out."""
    all_headers = {**dict(variant_headers(rules)), **headers}
    lines = [f'[{name} "{value}"]' for name, value in all_headers.items() if value != "-"]
    return "\n".join([*lines, "", f"{moves} {all_headers.get('Result', '*')}"])


def replayed(rules: Variant, moves: str, **headers: str) -> Replay:
    (record,) = parse_records(text_of(rules, moves, **headers))
    return record.replay()


def gwezboell(moves: str, **headers: str) -> Replay:
    """Replays the position in which the king comes to the edge, with calls made by the players."""
    return replayed(GWEZBOELL, moves, Start=P1, **{"Calls": "manual", **headers})


def faults_of(replay: Replay) -> list[tuple[int, str]]:
    return [(fault.ply, fault.code) for fault in replay.faults]
