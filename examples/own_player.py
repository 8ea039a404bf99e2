"""How do I let other programs play against a player of my own?

It moves at random, and speaks what a game needs of the Universal Game Interface. Others start it so:
`hnefi play brandub-globe --against "python own_player.py engine"`.
"""

import random
import sys

from hnefi import ExternalEngine, Game, Limit, Rules, variant


def answer(line: str, game: Game) -> Game:
    """Answers a line and returns the game as it is then."""
    match line.split():
        case ["ugi"]:
            print("id name Random")
            print("option name Variant type string default brandub-globe")
            print("option name Rules type string default <empty>")
            print("ugiok")
        case ["isready"]:
            print("readyok")
        case ["setoption", "name", "Variant", "value", name]:
            return variant(name).new_game()
        case ["setoption", "name", "Rules", "value", *_]:
            return Game(Rules(line.partition(" value ")[2]))
        case ["position", *words]:
            at = words.index("moves") if "moves" in words else len(words)
            setup = None if words[0] == "startpos" else " ".join(words[1:at])
            return Game.replay(game.rules, setup, words[at + 1 :])
        case ["go", *_]:
            print("bestmove", random.choice(game.legal_moves()))
    return game


game = variant("brandub-globe").new_game()
if sys.argv[1:] == ["engine"]:
    while (line := sys.stdin.readline().strip()) != "quit":
        game = answer(line, game)
        sys.stdout.flush()
    sys.exit()
with ExternalEngine([sys.executable, __file__, "engine"]) as player:
    while game.turn is not None and game.ply_count < 20:
        game = game.play(player.play(game, Limit(nodes=1)))
print(player.name, "played", game.moves_text())
