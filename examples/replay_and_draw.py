"""How do I play a game from a file and draw it?

Prints each position of the first game of `games.tafl`, and writes the last one to `last.svg`.
"""

from pathlib import Path

from hnefi import diagram, load_records

record = load_records("games.tafl").records[0]
replay = record.replay()
if replay.game is None or not replay.ok:
    raise SystemExit(f"The record contradicts its rules: {[fault.code for fault in replay.faults]}")

positions = [replay.game]
while positions[-1].parent is not None:
    positions.append(positions[-1].parent)
for game in reversed(positions):
    print(f"\n{game.ply_count}. {game.last or 'start'}")
    print(diagram.text(game))
print(record.header("Attackers"), "against", record.header("Defenders"), "-", replay.outcome)

Path("last.svg").write_text(diagram.svg(replay.game, size_px=480), encoding="utf-8")
