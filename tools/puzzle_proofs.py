"""Exact proofs of puzzles: plain searches of all moves and all replies, with a limit on the winner's moves.

Nothing is pruned but moves after the first that wins, and replies after the first that refutes. The prover is
asked only where the search would be long, and its answer counts only where it is exact.
"""

from collections.abc import Callable
from typing import Any

from positions import from_position

from hnefi import Game, Move, Side
from hnefi._core import Searcher

# Winner's moves from which the prover is asked first.
LONG = 3
PROVER_NODES = 4_000


def can_win_next(game: Game) -> Move | None:
    """Returns a move of the side to move that wins at once."""
    side = game.turn
    if side is None:
        return None
    roads = game.position.open_roads if side is Side.DEFENDERS else ()
    for move in roads:
        if game.is_legal(move) and _winner(game.play(move)) is side:
            return move
    play = game.play
    for move in game.legal_moves():
        outcome = play(move).outcome
        if outcome is not None and outcome.winner is side:
            return move
    return None


def _winner(game: Game) -> Side | None:
    return game.outcome.winner if game.outcome is not None else None


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
            return self.refutation(game, moves) is None
        self.budget -= 1
        if self.budget < 0:
            raise TooLongError
        if moves == 1:
            return can_win_next(game) is not None
        if moves >= LONG:
            answer = self._ask_prover(game, moves)
            if answer is not None:
                return answer
        if can_win_next(game) is not None:
            return True
        return any(self.wins_within(game.play(move), moves - 1) for move in game.legal_moves())

    def refutation(self, game: Game, moves: int) -> Move | None:
        """Returns a reply after which the side does not win within this many moves; None if it wins."""
        killers = self._killers.setdefault(moves, [])
        for reply in [one for one in killers if game.is_legal(one)]:
            if not self.wins_within(game.play(reply), moves):
                killers.remove(reply)
                killers.insert(0, reply)
                return reply
        for reply in game.legal_moves():
            if reply not in killers and not self.wins_within(game.play(reply), moves):
                killers.insert(0, reply)
                del killers[12:]
                return reply
        return None

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


def refuting_replies(game: Game, right: set[Move], is_refuted: Callable[[Game], bool]) -> list[list[str]]:
    """Returns the refuting replies with the wrong moves each answers, the reply that answers most last.

    Replies that answer many moves are tried first, so that few replies are needed. The moves of the last are
    left out: it answers all others.
    """
    wrong = [move for move in game.legal_moves() if move not in right]
    counts: dict[Move, int] = {}
    assigned: dict[Move, Move] = {}
    for move in wrong:
        after = game.play(move)
        if after.outcome is not None:
            continue
        ordered = sorted(counts, key=lambda reply: -counts[reply])
        replies = [reply for reply in ordered if after.is_legal(reply)]
        replies += [reply for reply in after.legal_moves() if reply not in counts]
        for reply in replies:
            if is_refuted(after.play(reply)):
                assigned[move] = reply
                counts[reply] = counts.get(reply, 0) + 1
                break
        else:
            raise ValueError(f"{move} is not refuted")
    ordered = sorted(counts, key=lambda reply: counts[reply])
    groups = [
        [str(reply), *(str(move) for move in wrong if assigned.get(move) == reply)] for reply in ordered
    ]
    if groups:
        del groups[-1][1:]
    return groups


def solution_tree(prover: Prover, game: Game, moves: int) -> dict[str, Any] | None:
    """Returns the winning moves with the reply to each, and the refutations; None where rules decide."""
    if moves == 1:
        return None
    winning = prover.winning_moves(game, moves)
    right: dict[str, Any] = {}
    for move in winning:
        after = game.play(move)
        right[str(move)] = None if after.outcome is not None else longest_reply(prover, after, moves - 1)
    wrong = refuting_replies(game, set(winning), lambda after: not prover.wins_within(after, moves - 1))
    return {"right": right, "wrong": wrong}


def longest_reply(prover: Prover, after: Game, moves: int) -> list[Any]:
    """Returns the reply that delays the win longest and leaves fewest ways, with the tree behind it."""
    best: tuple[tuple[int, int], Move] | None = None
    for reply in after.legal_moves():
        game = after.play(reply)
        if game.turn is not prover.side:
            continue
        delays = moves > 1 and not prover.wins_within(game, moves - 1)
        ways = len(prover.winning_moves(game, moves)) if delays or moves == 1 else 99
        key = (-int(delays), ways)
        if best is None or key < best[0]:
            best = (key, reply)
    if best is None:
        raise ValueError("no reply")
    key, reply = best
    left = moves if moves == 1 or key[0] else moves - 1
    return [str(reply), left, solution_tree(prover, after.play(reply), left)]


def tempting_moves(game: Game, right: set[Move]) -> int:
    """Counts the wrong moves that capture or threaten to win at once."""
    side = game.turn
    assert side is not None
    count = 0
    for move in game.legal_moves():
        if move in right:
            continue
        after = game.play(move)
        last = after.last
        if after.outcome is not None or last is None:
            continue
        if last.captures:
            count += 1
            continue
        if after.position.king is None:
            continue
        count += can_win_next(from_position(after, side)) is not None
    return count
