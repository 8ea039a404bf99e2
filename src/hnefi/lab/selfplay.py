"""Fast self-play games, each side with its own weights, with the scores of the searches."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from hnefi._core import Game, Move, Rules, Searcher
from hnefi.pieces import Side

_TABLE_MIB = 1
MAX_PLIES = 400


@dataclass(frozen=True, slots=True)
class SelfPlayTask:
    """A game to play: its opening, and the weights of each side as JSON."""

    opening: tuple[Move, ...]
    attackers: str
    defenders: str


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A finished game.

    Attributes:
        points: The result for the attackers: 1, ½ or 0. A game that does not end is drawn.
        scores: The scores of the searches for the attackers, without proven ones.
    """

    points: float
    scores: tuple[int, ...]


def play_self_play_games(
    rules: Rules, tasks: Iterable[SelfPlayTask], nodes: int, jobs: int = 1
) -> list[SelfPlayGame]:
    """Plays games to their ends; returns them in the order of the tasks.

    Args:
        nodes: Positions a move.
        jobs: How many threads play; the search releases the interpreter lock.
    """
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(partial(play_self_play_game, rules, nodes), tasks))


def play_self_play_game(rules: Rules, nodes: int, task: SelfPlayTask) -> SelfPlayGame:
    """Plays a game, which depends only on the arguments."""
    weights = {Side.ATTACKERS: task.attackers, Side.DEFENDERS: task.defenders}
    searchers = {side: Searcher(_TABLE_MIB) for side in Side}
    game = Game.replay(rules, None, task.opening)
    scores = []
    while (side := game.turn) is not None and game.ply_count < MAX_PLIES:
        best = searchers[side].analyse(game, nodes=nodes, weights=weights[side]).lines[0]
        if best.win_in is None:
            scores.append(best.score)
        game = game.play(best.moves[0])
    winner = game.outcome.winner if game.outcome else None
    return SelfPlayGame(0.5 if winner is None else float(winner is Side.ATTACKERS), tuple(scores))
