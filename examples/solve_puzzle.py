"""How do I let a program solve a puzzle?"""

from hnefi import Engine, Limit
from hnefi.puzzles import Attempt, puzzles

puzzle = next(one for one in puzzles("brandub-globe", "king_out") if one.moves == 2)
print(puzzle.new_game())
print(f"{puzzle.id}, {puzzle.difficulty}: {puzzle.task('en')}")

attempt = Attempt.begin(puzzle)
with Engine(table_mib=8) as engine:
    while True:
        move = engine.play(attempt.game, Limit(depth=5))
        answer = attempt.answer(move)
        print(move, answer.kind, answer.explanation("en"))
        if answer.kind != "right":
            break
        print("the other side plays", answer.reply)
        attempt = answer.attempt
