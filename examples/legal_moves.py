"""How do I find the legal moves of a piece, and what each would do?"""

from hnefi import IllegalMove, variant

game = variant("brandub-globe").new_game("7/t6/3T3/2tKt2/3t3/7/7 a")
print("The attacker on a6 may go to", ", ".join(str(move.to_square) for move in game.legal_moves("a6")))

for move in game.legal_moves("a6"):
    described = game.position.describe(move)
    for capture in described.captures:
        print(f"{move} captures the {capture.piece.value} on {capture.square} ({capture.how})")
    if described.outcome is not None:
        print(f"{move} ends the game: {described.outcome.reason.value}")

print("a6-d6 is legal:", game.is_legal("a6-d6"))
try:
    game.play("a6-a1")
except IllegalMove as error:
    print(f"a6-a1 is not ({error.code}): {error}")
