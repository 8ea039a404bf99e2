"""How do I play with an engine of another program?

The engine is `hnefi engine`, which speaks the Universal Game Interface; any other command line does as well.
"""

import sys

from hnefi import ExternalEngine, Limit, variant

COMMAND = [sys.executable, "-m", "hnefi", "engine"]

game = variant("brandub-globe").new_game()
with ExternalEngine(COMMAND, options={"Hash": "8"}) as engine:
    print(engine.name, "knows the options", ", ".join(sorted(engine.options)))
    best = engine.analyse(game, Limit(nodes=2_000), lines=1).last().best
    if best is not None:
        print(f"best: {best.move}, {best.score.chances:.0%} for the attackers")
    while game.turn is not None and game.ply_count < 6:
        game = game.play(engine.play(game, Limit(nodes=500)))
print(*game.plies)
