"""Exact proofs of puzzles: plain searches of all moves and all replies, with a limit on the winner's moves.

Nothing is pruned but moves after the first that wins, and replies after the first that refutes. The prover is
asked only where the search would be long, and its answer counts only where it is exact.
"""

from collections.abc import Callable, Collection
from typing import Any

from hnefi._core import Game, Move, Searcher
from hnefi.lab.positions import from_position
from hnefi.pieces import Side
from hnefi.puzzles import Puzzle

# Winner's moves from which the prover is asked first.
LONG = 3
PROVER_NODES = 4_000


def can_win_next(game: Game) -> bool:
    """Checks whether a move of the side to move wins at once."""
    side = game.turn
    if side is None:
        return False
    roads = game.position.open_roads if side is Side.DEFENDERS else ()
    moves = (*filter(game.is_legal, roads), *game.legal_moves())
    return any((end := game.play(move).outcome) is not None and end.winner is side for move in moves)


class TooLongError(Exception):
    """Raised if a proof takes more positions than it may."""


class Prover:
    """Decides whether a side wins within a number of its moves, whatever the other side plays."""

    def __init__(self, side: Side, budget: int = 40_000) -> None:
        """Creates a prover.

        Args:
            side: The side that is to win.
            budget: The most positions in which it may look for a move that wins at once.
        """
        self.side = side
        self.budget = budget
        self._searcher = Searcher(1, 1)
        # Replies that refuted a move lately, by the number of moves that were left.
        self._killers: dict[int, list[Move]] = {}

    def wins_within(self, game: Game, moves: int) -> bool:
        """Checks whether the side wins with at most this many moves of its own."""
        if game.outcome is not None:
            return game.outcome.winner is self.side
        if moves == 0:
            return False
        if game.turn is not self.side:
            return not self._is_refuted(game, moves)
        self.budget -= 1
        if self.budget < 0:
            raise TooLongError
        if moves == 1:
            return can_win_next(game)
        answer = self._ask_prover(game, moves) if moves >= LONG else None
        if answer is not None:
            return answer
        return can_win_next(game) or any(
            self.wins_within(game.play(move), moves - 1) for move in game.legal_moves()
        )

    def _is_refuted(self, game: Game, moves: int) -> bool:
        """Checks whether the side does not win within this many moves after some reply."""
        killers = self._killers.setdefault(moves, [])
        known = list(filter(game.is_legal, killers))
        for reply in (*known, *(move for move in game.legal_moves() if move not in killers)):
            if not self.wins_within(game.play(reply), moves):
                killers[:] = [reply, *(one for one in killers if one != reply)][:12]
                return True
        return False

    def winning_moves(self, game: Game, moves: int) -> list[Move]:
        """Returns all moves that win within this many moves."""
        return [move for move in game.legal_moves() if self.wins_within(game.play(move), moves - 1)]

    def _ask_prover(self, game: Game, moves: int) -> bool | None:
        """Returns the answer of the prover if it is exact for this number of moves."""
        plies = 2 * moves
        answer, _, proof = self._searcher.prove(
            from_position(game, self.side), self.side, nodes=PROVER_NODES, quiet_limit=plies, table_mib=1
        )
        if answer == "disproven":
            return False
        return True if proof is not None and proof[2] < plies else None


def false_claim(puzzle: Puzzle) -> dict[str, str] | None:
    """Returns what is false about the claim of a puzzle: its `part`, and the move; None if it is proved.

    The parts are `no_win` (the solution does not win in time), `sooner` (the win takes fewer moves),
    `not_only` (another move wins too), for an only move `loses` and `also_safe`, and `too_long` to prove.
    """
    game, side, moves, solution = puzzle.new_game(), puzzle.side, puzzle.moves, puzzle.solution
    is_defence = puzzle.theme == "only_move"
    prover = Prover(side.opponent if is_defence else side)
    try:
        if is_defence:
            right = [move for move in game.legal_moves() if not prover.wins_within(game.play(move), moves)]
        elif prover.wins_within(game, moves - 1):
            return {"part": "sooner", "count": str(moves)}
        else:
            right = prover.winning_moves(game, moves)
    except TooLongError:
        return {"part": "too_long"}
    if solution not in right:
        return {"part": "loses" if is_defence else "no_win", "move": str(solution), "count": str(moves)}
    other = next((move for move in right if move != solution), None)
    if other is None:
        return None
    return {"part": "also_safe" if is_defence else "not_only", "move": str(other), "count": str(moves)}


def squares(move: Move) -> str:
    """Returns the two squares of a move."""
    return f"{move.from_square.name}{move.to_square.name}"


def refuting_replies(
    game: Game, right: Collection[Move], is_refuted: Callable[[Game], bool]
) -> list[list[str]]:
    """Returns the refuting replies with the wrong moves each answers, the reply that answers most last.

    Replies that answer many moves are tried first, so that few replies are needed. The moves of the last are
    left out: it answers all others.
    """
    answered: dict[Move, list[Move]] = {}
    for move in game.legal_moves():
        after = game.play(move)
        if move in right or after.outcome is not None:
            continue
        ordered = sorted(answered, key=lambda reply: -len(answered[reply]))
        replies = [*filter(after.is_legal, ordered)]
        replies += [reply for reply in after.legal_moves() if reply not in answered]
        reply = next((reply for reply in replies if is_refuted(after.play(reply))), None)
        if reply is None:
            raise ValueError(f"{move} is not refuted")
        answered.setdefault(reply, []).append(move)
    by_count = sorted(answered.items(), key=lambda item: len(item[1]))
    groups = [[squares(reply), *map(squares, moves)] for reply, moves in by_count]
    if groups:
        del groups[-1][1:]
    return groups


def solution_tree(prover: Prover, game: Game, moves: int) -> list[Any] | None:
    """Returns the winning moves with the reply to each, and the refutations; None where rules decide."""
    if moves == 1:
        return None
    winning = prover.winning_moves(game, moves)
    right: dict[str, Any] = {}
    for move in winning:
        after = game.play(move)
        right[squares(move)] = None if after.outcome is not None else longest_reply(prover, after, moves - 1)
    return [right, refuting_replies(game, winning, lambda after: not prover.wins_within(after, moves - 1))]


def longest_reply(prover: Prover, after: Game, moves: int) -> list[Any]:
    """Returns the reply that delays the win longest and leaves fewest ways, with the tree behind it."""
    keys: dict[Move, tuple[bool, int]] = {}
    for reply in after.legal_moves():
        game = after.play(reply)
        if game.turn is prover.side:
            is_quick = moves == 1 or prover.wins_within(game, moves - 1)
            is_counted = moves == 1 or not is_quick
            keys[reply] = is_quick, len(prover.winning_moves(game, moves)) if is_counted else 99
    if not keys:
        raise ValueError("no reply")
    reply = min(keys, key=lambda reply: keys[reply])
    left = moves - 1 if keys[reply][0] and moves > 1 else moves
    return [squares(reply), left, solution_tree(prover, after.play(reply), left)]


def tempting_moves(game: Game, right: Move) -> int:
    """Counts the wrong moves that capture or threaten to win at once."""
    side, count = game.turn, 0
    for move in game.legal_moves():
        after = game.play(move)
        if move == right or after.outcome is not None or after.last is None:
            continue
        has_king = after.position.king is not None
        count += bool(after.last.captures) or (has_king and can_win_next(from_position(after, side)))
    return count
