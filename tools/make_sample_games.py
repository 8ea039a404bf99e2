"""Makes the sample games of `src/hnefi/sample_games`: games of the engine against itself.

    python tools/make_sample_games.py brandub-globe tablut-kouvia

For each variant, by default every built-in one, the engine plays some dozens of games at levels whose
searches are limited by depth and nodes, so that a seed gives the same game on every machine. The variants of
the booklets get stronger players and more games. A game counts if the rules end it with a winner, after two
captures or more, within the plies of `PLIES`. The best of them by `game_points` are reviewed, and the best by
`game_points` plus `review_points` is written with its mistakes annotated. A variant for which no game counts
is reported, and its file stays as it is.
"""

import argparse
import sys
import zlib
from dataclasses import replace
from typing import NamedTuple

from hnefi import CalledGame, Record, Side, Variant, save_records, variant
from hnefi.engine import Engine, Limit, level
from hnefi.engine.review import ReviewedPly, recorded_plies, review
from hnefi.record import MoveTree, PlayedMove, TreePly, variant_headers
from hnefi.sample_games import sample_game_file
from hnefi.variants.built_in import booklet_ids, built_in_ids

# The levels of attackers and defenders, taken in turn.
BOOKLET_LEVELS = ((8, 8), (8, 7), (7, 8), (7, 7))
LEVELS = ((7, 7), (7, 6), (6, 7), (6, 6))
BOOKLET_GAMES, GAMES, GAMES_ON_LARGE_BOARDS = 160, 24, 10
LARGE = 13
# How many of the best games are reviewed, and with how many nodes for each position.
REVIEWED = 4
REVIEW_NODES, REVIEW_NODES_ON_LARGE_BOARDS = 60_000, 20_000
TABLE_MIB = 16
# By size of the board: the fewest plies, the preferred ones from and to, and the most.
PLIES = {7: (15, 18, 32, 60), 9: (15, 20, 42, 60), 11: (15, 24, 56, 70), 19: (15, 30, 80, 90)}
LEAST_CAPTURES = 2
# How many plies of a better line are written.
LINE_PLIES = 5


class Candidate(NamedTuple):
    """A game that counts, with the levels of attackers and defenders, its seed, and its points."""

    record: Record
    played: CalledGame
    levels: tuple[int, int]
    seed: int
    winner: Side
    points: float
    plies: tuple[ReviewedPly, ...] = ()


def bounds(variant_id: str) -> tuple[int, int, int, int]:
    """Returns the plies of a game of a variant: the fewest, the preferred ones from and to, and the most."""
    size = variant(variant_id).rules.size
    return next(plies for most, plies in PLIES.items() if size <= most)


def game_points(record: Record, played: CalledGame, winner: Side) -> float:
    """Scores a game: captures of both sides, calls, length, moves back, the winner wanted.

    Which winner is wanted depends on the id alone, so that over all variants both sides win.
    """
    game = played.game
    variant_id = str(record.header("Variant"))
    _, shortest, longest, _ = bounds(variant_id)
    captures = [game.captured_by(side) for side in Side]
    points = min(sum(captures), 6) * 0.5 + 4.0 * all(captures)
    points += min(sum(node.call for node in record.nodes), 3)
    points -= 0.15 * max(shortest - game.ply_count, game.ply_count - longest, 0)
    moves = [ply.move for ply in game.plies]
    # A move that takes a piece back to where it came from with the move before of its side.
    points -= sum(
        (later.from_square, later.to_square) == (earlier.to_square, earlier.from_square)
        for earlier, later in zip(moves, moves[2:], strict=False)
    )
    wanted = Side.ATTACKERS if zlib.crc32(variant_id.encode()) % 2 else Side.DEFENDERS
    return points + 2.0 * (winner is wanted)


def review_points(plies: tuple[ReviewedPly, ...], winner: Side) -> float:
    """Scores a review: best is a game that the loser gave away with one move, without other mistakes."""
    turning = [one for one in plies if one.is_turning_point]
    by_loser = sum(one.ply.game.turn is not winner for one in turning)
    others = sum(one.has_better and not one.is_turning_point for one in plies)
    return 3.0 * (by_loser > 0) - 1.5 * max(len(turning) - 1, 0) - 0.7 * others


def play(played: Variant, levels: tuple[int, int], seed: int) -> Candidate | None:
    """Plays a game; None if it does not count."""
    fewest, _, _, most = bounds(played.id)
    start = called = played.new_called_game()
    moves: list[PlayedMove] = []
    of_side = dict(zip(Side, levels, strict=True))
    with Engine(table_mib=1) as engine:
        while called.game.turn is not None and len(moves) <= most:
            move = engine.play(called, level(of_side[called.game.turn]), seed=f"{played.id} {seed}")
            moves.append(PlayedMove(move))
            called = called.play(move)
    winner = called.game.outcome.winner if called.game.outcome is not None else None
    captures = sum(len(ply.captures) for ply in called.game.plies)
    if winner is None or not fewest <= len(moves) <= most or captures < LEAST_CAPTURES:
        return None
    players = [(side.value.capitalize(), f"Hnefi level {number}") for side, number in of_side.items()]
    record = Record.from_calls(start, moves, [*variant_headers(played), *players, ("Seed", str(seed))])
    return Candidate(record, called, levels, seed, winner, game_points(record, called, winner))


def reviewed(one: Candidate, nodes: int) -> Candidate:
    """Reviews a game with so many nodes for each position."""
    with Engine(table_mib=TABLE_MIB) as engine:
        plies = recorded_plies(one.record.replay())
        found = tuple(review(engine, plies, Limit(nodes=nodes)))
    return one._replace(plies=found, points=one.points + review_points(found, one.winner))


def annotated(one: Candidate, nodes: int) -> Record:
    """Returns the record with glyphs for the mistakes, and the better lines as variations.

    The last turning point of the loser gets `??`, every other clear mistake `?`.
    """
    start = one.record.replay().start
    assert start is not None
    called = start
    tree = MoveTree.of(one.record, start.game)
    plies = list(tree.plies)
    deciding = [
        at
        for at, found in enumerate(one.plies)
        if found.is_turning_point and found.ply.game.turn is not one.winner
    ]
    for at, found in enumerate(one.plies):
        if found.has_better:
            plies[at] = replace(plies[at], glyph="??" if at in deciding[-1:] else "?")
            plies += _better_line(called, found, at - 1, len(plies))
        called = called.play(found.ply.move)
    annotated_tree = MoveTree(tree.headers, tree.comments, tuple(plies))
    return annotated_tree.record(start.game, {"Annotator": f"Hnefi nodes:{nodes}"})


def _better_line(called: CalledGame, found: ReviewedPly, parent: int, first: int) -> list[TreePly]:
    """Returns the first moves of the better line, with their calls, as plies of the tree.

    Args:
        called: The game before the mistake.
        found: The mistake.
        parent: The index of the ply before the mistake.
        first: The index that the first of the new plies gets.
    """
    line: list[TreePly] = []
    for move in found.best.moves[:LINE_PLIES]:
        side = called.game.turn
        if side is None:
            break
        called = called.play(move)
        call = called.required if side is Side.DEFENDERS and called.mode == "auto" else 0
        line.append(TreePly(first + len(line) - 1 if line else parent, move, call=call))
    return line


def make(played: Variant, games: int) -> int:
    """Makes the game of a variant, and returns 0; 1 if no game counts."""
    is_large, has_booklet = played.rules.size >= LARGE, played.id in booklet_ids()
    pairs = BOOKLET_LEVELS if has_booklet else LEVELS
    games = games or (BOOKLET_GAMES if has_booklet else GAMES_ON_LARGE_BOARDS if is_large else GAMES)
    nodes = REVIEW_NODES_ON_LARGE_BOARDS if is_large else REVIEW_NODES
    played_games = (play(played, pairs[seed % len(pairs)], seed) for seed in range(1, 1 + games))
    found = [one for one in played_games if one is not None]
    if not found:
        print(f"{played.id}: no game counts", flush=True)
        return 1
    best = sorted(found, key=lambda one: (-one.points, one.seed))[:REVIEWED]
    chosen = max((reviewed(one, nodes) for one in best), key=lambda one: (one.points, -one.seed))
    save_records(sample_game_file(played.id), [annotated(chosen, nodes)])
    game = chosen.played.game
    print(
        f"{played.id}: {len(found)} games, seed {chosen.seed}, levels {chosen.levels}, "
        f"{game.ply_count} plies, {game.captured_by(Side.ATTACKERS)} and {game.captured_by(Side.DEFENDERS)} "
        f"captures, {game.outcome}, {sum(one.is_turning_point for one in chosen.plies)} turning points, "
        f"{sum(one.has_better for one in chosen.plies)} mistakes, {chosen.points:.1f} points",
        flush=True,
    )
    return 0


def main() -> int:
    """Makes the games of the variants of the command line; returns 1 if one of them has none."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("variants", nargs="*", default=built_in_ids())
    parser.add_argument("--games", type=int, default=0, help="how many games to play for each variant")
    options = parser.parse_args()
    return max(make(variant(name), options.games) for name in options.variants)


if __name__ == "__main__":
    sys.exit(main())
