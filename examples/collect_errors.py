"""How do I read games, and collect those with errors apart?

Reads `club.pgn`: some of its games cannot be parsed, and some contradict the rules.
"""

from hnefi import Record, RecordError, save_records, variant
from hnefi.formats import ReadOptions, read_games
from hnefi.record import explain_fault

sound: list[Record] = []
errors: list[str] = []
for raw in read_games("club.pgn", ReadOptions(variant=variant("brandub-globe"))):
    if isinstance(raw, RecordError):
        errors.append(explain_fault(raw, "en"))
        continue
    replay = raw.replay()
    if replay.fault is not None:
        errors.append(f"Game {raw.game}, line {raw.line}: {explain_fault(replay.fault, 'en')}")
    else:
        sound.append(replay.record)
save_records("sound.tafl", sound)
print(len(sound), "sound games")
print("\n".join(errors))
