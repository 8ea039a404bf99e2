"""How do I count the positions of a variant ply by ply, to check a move generator of mine?"""

from hnefi import variant

brandub = variant("brandub-globe")
start = brandub.new_game().position
for depth in range(1, 5):
    print(f"{brandub.id} perft({depth}) = {start.perft(depth):,}")

# Where two programs differ, the counts by first move lead to the position.
for move, count in sorted(start.divide(3).items(), key=lambda item: -item[1])[:3]:
    print(move, count)
