"""How do I draw a board with arrows and marks?"""

from pathlib import Path

from hnefi import Square, diagram, variant

position = variant("brandub-globe").new_game("7/t6/3T3/2tKt2/3t3/7/7 a").position
picture = diagram.svg(
    position,
    marks={Square("d4"): "capture", Square("d7"): "highlight"},
    arrows=[(Square("a6"), Square("d6"), "move"), (Square("d4"), Square("d7"), "threat")],
    roads=position.open_roads,
    size_px=400,
    theme="print",
    pieces="line",
    title="The attackers take the king.",
)
Path("marks.svg").write_text(picture, encoding="utf-8")

# A move as it is played, with its captures, and a part of the board.
played = diagram.svg(position, played=position.legal_moves("a6")[0], crop=(Square("a3"), Square("e7")))
Path("played.svg").write_text(played, encoding="utf-8")
print("written: marks.svg, played.svg")
