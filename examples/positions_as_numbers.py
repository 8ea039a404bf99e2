"""How do I turn positions into arrays of numbers, as a program that learns takes them?

Each position of a game becomes four planes of 0 and 1: attackers, defenders, the king, and the side to move.
"""

from pathlib import Path

from hnefi import Game, Piece, Position, Side, random_game, variant
from hnefi.squares import pieces_on

KINDS = (Piece.ATTACKER, Piece.DEFENDER, Piece.KING)


def planes(position: Position) -> bytearray:
    """Returns the planes one after the other, each rank by rank from a1."""
    size = position.rules.size
    values = bytearray(3 * size**2) + bytes([position.turn is Side.ATTACKERS]) * size**2
    for number, kind in enumerate(KINDS):
        for square in pieces_on(position, kind):
            values[(number * size + square.rank) * size + square.file] = 1
    return values


rules = variant("brandub-globe").rules
numbers, positions = bytearray(), 0
for seed in range(10):
    game: Game | None = random_game(rules, seed, 40)
    while game is not None:
        numbers += planes(game.position)
        positions, game = positions + 1, game.parent
Path("positions.bin").write_bytes(numbers)
# numpy.fromfile("positions.bin", numpy.uint8).reshape(-1, 4, 7, 7) has them as an array of NumPy.
print(f"{positions} positions of {4 * rules.size**2} numbers, {sum(numbers)} of them 1")
