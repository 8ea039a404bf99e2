"""How do I list all variants with a rule?"""

from hnefi import all_variants, variants_where

# Rules as switches, as in `hnefi variants --where king_armed=none`.
for one in variants_where({"king_armed": "none", "goal": "corner"}):
    print(f"{one.id}: {one.name()} ({one.rules.size}×{one.rules.size})")

# Or as typed values, with any condition.
edge = [one for one in all_variants() if one.tree.ends.goal == "edge" and one.rules.size <= 9]
print(len(edge), "variants on small boards to the edge:", *(one.id for one in edge))
