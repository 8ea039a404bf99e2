"""How do I ask whether a forced win is proven?"""

from hnefi import Engine, Limit, variant

game = variant("brandub-globe").new_game("3t3/t6/3T3/K5t/t2T3/3t1t1/1t1t3 d")

with Engine(table_mib=16) as engine:
    # A search that neither depth nor positions limit proves forced wins beside it, and ends with a proof.
    [*_, analysis] = engine.analyse(game, Limit(time_ms=5_000))

best = analysis.lines[0]
if best.score.winner is None:
    print("nothing is proven")
else:
    print(f"the {best.score.winner.value} win in {best.score.wins_in} plies:", *best.moves)
