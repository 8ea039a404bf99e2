"""How do I make a variant of my own with a switch, and check it?"""

from pathlib import Path

from hnefi import Engine, Limit, VariantError, load_variant, variant
from hnefi.variants import derive, format_variant, resolve, rule_differences

base = variant("brandub-globe")
mine = derive(base, "peaceful-brandub", {"en": "Peaceful Brandub"}, {"king_armed": "none"})
for difference in rule_differences(base.tree, mine.tree):
    print("differs:", difference.leaf)

# Contradictions are errors that name every fault; `resolve` finds what has to follow from a change.
try:
    base.with_switches({"corners": "none"})
except VariantError as error:
    print("refused:", *(fault.code for fault in error.faults))
print("without corners follows:", resolve(base, {"corners": "none"}).follows)

# A variant is one file. `hnefi variants add` makes it known everywhere.
Path("peaceful-brandub.toml").write_text(format_variant(mine), encoding="utf-8")
game = load_variant("peaceful-brandub.toml").new_game()
with Engine(table_mib=8) as engine:
    while game.turn is not None and game.ply_count < 30:
        game = game.play(engine.play(game, Limit(nodes=200)))
print(game.ply_count, "plies played;", game.outcome or "not over")
