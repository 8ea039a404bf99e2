"""How do I let two levels play each other, and save the record?"""

from hnefi import Engine, Record, level, save_records, variant
from hnefi.record import variant_headers

brandub = variant("brandub-globe")
players = {"attackers": level(3), "defenders": level(1)}

game = brandub.new_game()
with Engine(table_mib=8) as engine:
    while game.turn is not None and game.ply_count < 200:
        game = game.play(engine.play(game, players[game.turn.value], seed=game.ply_count))

headers = [(side.capitalize(), f"Level {one.number}") for side, one in players.items()]
record = Record.from_game(game, [*headers, *variant_headers(brandub)])
save_records("levels.tafl", [record])
print(record)
