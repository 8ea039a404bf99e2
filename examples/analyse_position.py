"""How do I analyse a position with a time limit?"""

from hnefi import Engine, Limit, variant

game = variant("brandub-globe").new_game("3t3/2t4/3T3/tt1K1tt/3T3/3T3/3t3 d")

with Engine(table_mib=16) as engine:
    # Each iteration of the search comes as it is found; the last one is final.
    for analysis in engine.analyse(game, Limit(time_ms=300), lines=2):
        print(f"depth {analysis.depth}, {analysis.nodes} positions, {analysis.time_ms} ms")

for line in analysis.lines:
    score = line.score
    if score.winner is not None:
        print(f"{line.move}: the {score.winner.value} win in {score.wins_in}", *line.moves)
    elif score.spread is None:
        # No games of these rules were measured: a percentage would promise too much.
        print(f"{line.move}: {score.value:+} for the attackers", *line.moves)
    else:
        print(f"{line.move}: {score.chances:.0%} for the attackers", *line.moves)
