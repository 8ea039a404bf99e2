"""How do I annotate a game with an engine?

Reviews the first game of `games.tafl`: where a move gave up much, a better one is added as a variation.
"""

from dataclasses import replace

from hnefi import Engine, Limit, load_records, save_records
from hnefi.engine.review import recorded_plies, review
from hnefi.record import Node, Variation

record = load_records("games.tafl").records[0]
nodes = list(record.nodes)
with Engine(table_mib=8) as engine:
    for found in review(engine, recorded_plies(record, record.replay()), Limit(nodes=1_000)):
        node = nodes[found.ply.index]
        mark = "?" if found.is_turning_point else "?!" if found.has_better else ""
        comment = f"{mark} {found.chances_after:.0%} for the player".strip()
        better = (Variation((Node(found.best.move),)),) if found.has_better else ()
        nodes[found.ply.index] = replace(
            node, comments=(*node.comments, comment), variations=(*node.variations, *better)
        )
annotated = replace(record, nodes=tuple(nodes)).with_headers({"Annotator": engine.name})
save_records("annotated.tafl", [annotated])
print(annotated)
