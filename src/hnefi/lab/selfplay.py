"""Quick games of the search against itself, each side with weights of its own, and the scores it saw."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from hnefi._core import Game, Move, Rules, Searcher
from hnefi.pieces import Side

__all__ = ["PlayedOut", "Start", "play_all"]

_TABLE_MIB = 1
MAX_PLIES = 400


@dataclass(frozen=True, slots=True)
class Start:
    """A game to be played: its opening, and the weights of each side as JSON."""

    opening: tuple[Move, ...]
    attackers: str
    defenders: str


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """How a game went.

    Attributes:
        points: What the attackers have in the end: 1, ½ or 0. A game that does not end is drawn.
        scores: What the searches gave for the attackers, move by move, as far as they proved nothing.
    """

    points: float
    scores: tuple[int, ...]


def play_all(rules: Rules, starts: Iterable[Start], nodes: int, jobs: int = 1) -> list[PlayedOut]:
    """Plays games to their ends, in their order whatever the number of jobs.

    Args:
        rules: What is played.
        starts: The games.
        nodes: Positions a move.
        jobs: How many are played at once; the search does not hold the interpreter.
    """
    if jobs == 1:
        return [_play_out(rules, start, nodes) for start in starts]
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda start: _play_out(rules, start, nodes), starts))


def _play_out(rules: Rules, start: Start, nodes: int) -> PlayedOut:
    """Plays a game; it depends on nothing but its arguments."""
    weights = {Side.ATTACKERS: start.attackers, Side.DEFENDERS: start.defenders}
    searchers = {side: Searcher(_TABLE_MIB) for side in Side}
    game = Game.replay(rules, None, start.opening)
    scores = []
    while (side := game.turn) is not None and game.ply_count < MAX_PLIES:
        best = searchers[side].analyse(game, nodes=nodes, weights=weights[side]).lines[0]
        if best.win_in is None:
            scores.append(best.score)
        game = game.play(best.moves[0])
    winner = game.outcome.winner if game.outcome else None
    return PlayedOut(0.5 if winner is None else float(winner is Side.ATTACKERS), tuple(scores))
