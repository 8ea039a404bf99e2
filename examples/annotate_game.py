"""How do I annotate a game with an engine?

Reviews the first game of `games.tafl`: where a move gave up much, a better one is added as a variation.
"""

from hnefi import Engine, Limit, load_records, save_records
from hnefi.engine.review import recorded_plies, review
from hnefi.record import add_variation, set_comments

record = load_records("games.tafl").records[0]
with Engine(table_mib=8) as engine:
    for found in review(engine, recorded_plies(record.replay()), Limit(nodes=1_000)):
        path = (found.ply.index,)
        mark = "?" if found.is_turning_point else "?!" if found.has_better else ""
        comment = f"{mark} {found.chances_after:.0%} for the player".strip()
        record = set_comments(record, path, *record.nodes[found.ply.index].comments, comment)
        if found.has_better:
            record = add_variation(record, path, [found.best.move])
annotated = record.with_headers({"Annotator": engine.name})
save_records("annotated.tafl", [annotated])
print(annotated)
