"""How do I convert a PGN of another site?

Reads `club.pgn`, whose games do not say by which rules they were played, and writes `club.tafl`.
"""

from pathlib import Path

from hnefi import RecordError, variant
from hnefi.formats import ReadOptions, explain_gap, find_format, read_games

target = find_format("tafl")
texts = []
for raw in read_games("club.pgn", ReadOptions(variant=variant("brandub-globe"))):
    if isinstance(raw, RecordError):
        print("left out:", raw)
        continue
    written = target.write(raw)
    texts.append(written.text)
    for gap in (*raw.gaps, *written.gaps):
        print("lost:", explain_gap(gap, "en"))
Path("club.tafl").write_text("".join(texts), encoding="utf-8")
print(len(texts), "games written")
