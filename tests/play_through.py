"""Random games of every variant written in full, ply by ply, in tests/playthroughs.

    python -m tests.play_through

writes them anew. A difference then shows in the diff what a change of the rules does to whole games; that the
rules are right is not shown by these files, but by the other tests.
"""

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from hnefi import CalledGame, Game, Move, Square, variant
from hnefi.variants.built_in import booklet_ids

FOLDER = Path(__file__).parent / "playthroughs"
# Chosen so that the games end, and show captures, calls and, where there is one, the sanction.
SEEDS = {
    "ard-ri-globe": 439,
    "brandub-breyer": 15,
    "brandub-globe": 1319,
    "gwezboell-globe": 797,
    "tablut-geoludie": 1057,
    "tablut-geoludie-slow": 593,
    "tablut-kouvia": 2156,
}
LONGEST = 150


def play_through(identity: str, seed: int) -> Iterator[CalledGame]:
    """Iterates over the states of a random game with random calls; captures are a little more likely."""
    rng = random.Random(f"{identity} {seed}")
    called = variant(identity).new_called_game("manual")
    yield called
    for _ in range(LONGEST):
        moves = sorted(called.legal_moves())
        if not moves:
            return
        position = called.game.position
        capturing = [move for move in moves if position.describe(move).captures]
        move = rng.choice(capturing if capturing and rng.random() < 0.4 else moves)
        called = called.play(move, rng.choice([0, 0, 1, 2]))
        yield called


def written(identity: str, seed: int) -> str:
    """Formats a whole game."""
    parts = [f"{identity}, seed {seed}, rules {variant(identity).rules.hash}"]
    parts += [described(called) for called in play_through(identity, seed)]
    return "\n\n".join(parts) + "\n"


def described(called: CalledGame) -> str:
    """Formats one state: the board, the last move, and all facts of the library about it."""
    game = called.game
    position, outcome, last = game.position, game.outcome, game.last
    move = "start" if last is None else f"{last.side.value} {last}" + (", and a pass" if last.passed else "")
    lines = [
        f"ply {game.ply_count}: {'an escape was refused' if called.refused else move}",
        *drawn(game),
        f"position {position}",
        f"turn {game.turn.value if game.turn else '-'}, quiet {game.quiet}, occurrences {game.repetitions}",
        f"moves {spaced(called.legal_moves())}",
        f"exits {spaced(position.open_roads)}, king in danger {yes(position.threatened_king)}",
        f"owed {names(called.open_roads)}, required {called.required}, called {yes(called.called)}",
        f"must replay {called.must_replay.name if called.must_replay else '-'}",
        f"key {game.zobrist:016x}",
    ]
    if outcome is not None:
        winner = outcome.winner.value if outcome.winner else "nobody"
        lines.append(f"outcome {winner} {outcome.reason.value}")
    return "\n".join(lines)


def drawn(game: Game) -> Iterator[str]:
    """Draws the board, the top rank first."""
    size, pieces = game.rules.size, game.position.pieces
    for rank in reversed(range(size)):
        squares = (pieces.get(Square.at(file, rank)) for file in range(size))
        yield f"{rank + 1:2} " + "".join(f" {piece.letter if piece else '.'}" for piece in squares)
    yield "   " + "".join(f" {'abcdefghijklmnopqrs'[file]}" for file in range(size))


def names(squares: tuple[Square, ...]) -> str:
    """Formats squares in a row."""
    return "/".join(square.name for square in squares) or "-"


def spaced(moves: Iterable[Move]) -> str:
    """Formats moves in a row."""
    return " ".join(map(str, moves)) or "-"


def yes(value: bool) -> str:
    """Formats a boolean."""
    return "yes" if value else "no"


def main() -> None:
    """Writes all files again."""
    FOLDER.mkdir(exist_ok=True)
    for identity in booklet_ids():
        (FOLDER / f"{identity}.txt").write_text(written(identity, SEEDS[identity]), encoding="utf-8")


if __name__ == "__main__":
    main()
