"""How do I export a collection of games to a table, one row a game?"""

import csv
from pathlib import Path

from hnefi import Side, load_records

FIELDS = ("Date", "Attackers", "Defenders", "Variant", "Result", "Reason")

reading = load_records("games.tafl")
with Path("table.csv").open("w", encoding="utf-8", newline="") as file:
    table = csv.writer(file)
    table.writerow([*FIELDS, "Plies", "Captured by attackers", "Captured by defenders", "Moves"])
    for record in reading.records:
        game = record.replay().game
        if game is None:
            continue
        sides = [game.captured_by(side) for side in Side]
        row = [record.header(field) or "" for field in FIELDS]
        table.writerow([*row, game.ply_count, *sides, " ".join(str(ply) for ply in game.plies)])
print(len(reading.records), "games;", len(reading.faults), "could not be read")
