"""Fast self-play games, with the scores of the searches."""

from dataclasses import dataclass

from hnefi._core import Game, Move, Rules, Searcher
from hnefi.pieces import Side

_TABLE_MIB = 1
MAX_PLIES = 400


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A finished game.

    Attributes:
        points: The result for the attackers: 1, ½ or 0. A game that does not end is drawn.
        scores: The scores of the searches for the attackers, without proven ones.
    """

    points: float
    scores: tuple[int, ...]


def play_self_play_game(rules: Rules, weights: str, nodes: int, opening: tuple[Move, ...]) -> SelfPlayGame:
    """Plays a game from an opening, with so many positions a move; it depends only on the arguments."""
    searchers = {side: Searcher(_TABLE_MIB) for side in Side}
    game = Game.replay(rules, None, opening)
    scores = []
    while (side := game.turn) is not None and game.ply_count < MAX_PLIES:
        best = searchers[side].analyse(game, nodes=nodes, weights=weights).lines[0]
        if best.win_in is None:
            scores.append(best.score)
        game = game.play(best.moves[0])
    winner = game.outcome.winner if game.outcome else None
    return SelfPlayGame(0.5 if winner is None else float(winner is Side.ATTACKERS), tuple(scores))
