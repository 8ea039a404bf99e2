"""Sample games: short games of the engine against itself, the best of dozens, with their mistakes marked."""

import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from hnefi._core import CalledGame
from hnefi.engine import Engine, Limit, level
from hnefi.engine.review import ReviewedPly, recorded_plies, review
from hnefi.pieces import Side
from hnefi.record import MoveTree, PlayedMove, Record, TreePly, variant_headers
from hnefi.variants.built_in import booklet_ids
from hnefi.variants.model import Variant

_BOOKLET_LEVELS = ((8, 8), (8, 7), (7, 8), (7, 7))
_LEVELS = ((7, 7), (7, 6), (6, 7), (6, 6))
"""The levels of attackers and defenders, taken in turn: limited by nodes, so that a seed repeats a game."""
_BOOKLET_GAMES, _GAMES, _GAMES_ON_LARGE_BOARDS = 160, 24, 10
_LARGE = 13
_REVIEWED = 4
_REVIEW_NODES, _REVIEW_NODES_ON_LARGE_BOARDS = 60_000, 20_000
_TABLE_MIB = 16
_PLIES = {7: (15, 18, 32, 60), 9: (15, 20, 42, 60), 11: (15, 24, 56, 70), 19: (15, 30, 80, 90)}
"""By size of the board: the fewest plies, the preferred ones from and to, and the most."""
LEAST_CAPTURES = 2
_LINE_PLIES = 5
"""How many plies of a better line are written."""


class SampleGame(NamedTuple):
    """A game that counts, with the levels of attackers and defenders, and its review once there is one."""

    record: Record
    called: CalledGame
    levels: tuple[int, int]
    seed: int
    winner: Side
    points: float
    plies: tuple[ReviewedPly, ...] = ()


def usual_games(one: Variant) -> int:
    """Returns how many games are played for a variant: more for those of the booklets."""
    is_large = one.rules.size >= _LARGE
    return _BOOKLET_GAMES if one.id in booklet_ids() else _GAMES_ON_LARGE_BOARDS if is_large else _GAMES


def choose_sample(
    one: Variant, games: int, nodes: int | None = None, on_game: Callable[[int], None] = lambda _: None
) -> tuple[SampleGame | None, int]:
    """Plays games, and returns the annotated best and how many counted; it takes seconds a game.

    A game counts if the rules end it with a winner, after two captures or more, within the plies for the size
    of the board. The four with the most points are reviewed, and the review adds points.

    Args:
        nodes: Positions searched for each move of the review; None for those of the size of the board.
        on_game: Called with the number of games so far.
    """
    pairs = _BOOKLET_LEVELS if one.id in booklet_ids() else _LEVELS
    nodes = nodes or (_REVIEW_NODES_ON_LARGE_BOARDS if one.rules.size >= _LARGE else _REVIEW_NODES)
    found: list[SampleGame] = []
    for seed in range(1, 1 + games):
        game = play_sample(one, pairs[seed % len(pairs)], seed)
        found += [game] if game else []
        on_game(seed)
    best = sorted(found, key=lambda game: (-game.points, game.seed))[:_REVIEWED]
    reviewed = (_reviewed(one, game, nodes) for game in best)
    chosen = max(reviewed, key=lambda game: (game.points, -game.seed), default=None)
    return chosen and chosen._replace(record=_annotated(one, chosen, nodes)), len(found)


def plies_of(size: int) -> tuple[int, int, int, int]:
    """Returns the plies of a game on a board: the fewest, the preferred ones from and to, and the most."""
    return next(plies for most, plies in _PLIES.items() if size <= most)


def _game_points(one: Variant, record: Record, called: CalledGame, winner: Side) -> float:
    """Scores a game: captures of both sides, calls, length, moves back, the winner wanted.

    Which winner is wanted depends on the id alone, so that over all variants both sides win.
    """
    game = called.game
    _, shortest, longest, _ = plies_of(game.rules.size)
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
    wanted = Side.ATTACKERS if zlib.crc32(one.id.encode()) % 2 else Side.DEFENDERS
    return points + 2.0 * (winner is wanted)


def _review_points(plies: tuple[ReviewedPly, ...], winner: Side) -> float:
    """Scores a review: best is a game that the loser gave away with one move, without other mistakes."""
    turning = [one for one in plies if one.is_turning_point]
    by_loser = sum(one.ply.game.turn is not winner for one in turning)
    others = sum(one.has_better and not one.is_turning_point for one in plies)
    return 3.0 * (by_loser > 0) - 1.5 * max(len(turning) - 1, 0) - 0.7 * others


def play_sample(one: Variant, levels: tuple[int, int], seed: int) -> SampleGame | None:
    """Plays a game; None if it does not count."""
    fewest, _, _, most = plies_of(one.rules.size)
    start = called = one.new_called_game()
    moves: list[PlayedMove] = []
    of_side = dict(zip(Side, levels, strict=True))
    with Engine(table_mib=1) as engine:
        while called.game.turn is not None and len(moves) <= most:
            move = engine.play(called, level(of_side[called.game.turn]), seed=f"{one.id} {seed}")
            moves.append(PlayedMove(move))
            called = called.play(move)
    winner = called.game.outcome.winner if called.game.outcome is not None else None
    captures = sum(len(ply.captures) for ply in called.game.plies)
    if winner is None or not fewest <= len(moves) <= most or captures < LEAST_CAPTURES:
        return None
    players = [(side.value.capitalize(), f"Hnefi level {number}") for side, number in of_side.items()]
    record = Record.from_calls(start, moves, [*variant_headers(one), *players, ("Seed", str(seed))])
    return SampleGame(record, called, levels, seed, winner, _game_points(one, record, called, winner))


def _reviewed(one: Variant, game: SampleGame, nodes: int) -> SampleGame:
    plies = recorded_plies(game.record.replay(lambda _: one))
    with Engine(table_mib=_TABLE_MIB) as engine:
        found = tuple(review(engine, plies, Limit(nodes=nodes)))
    return game._replace(plies=found, points=game.points + _review_points(found, game.winner))


def _annotated(one: Variant, game: SampleGame, nodes: int) -> Record:
    """Returns the record with glyphs for the mistakes, and the better lines as variations.

    The last turning point of the loser gets `??`, every other clear mistake `?`.
    """
    start = called = one.new_called_game()
    tree = MoveTree.of(game.record, start.game)
    plies = list(tree.plies)
    deciding = [
        at
        for at, found in enumerate(game.plies)
        if found.is_turning_point and found.ply.game.turn is not game.winner
    ]
    for at, found in enumerate(game.plies):
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
    for move in found.best.moves[:_LINE_PLIES]:
        side = called.game.turn
        if side is None:
            break
        called = called.play(move)
        call = called.required if side is Side.DEFENDERS and called.mode == "auto" else 0
        line.append(TreePly(first + len(line) - 1 if line else parent, move, call=call))
    return line
