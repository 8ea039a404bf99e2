"""Verification of proofs of forced wins, with the reference alone.

A certificate gives one move for each position in which the winner is to move. It is sound if, from the
start, every move of the other side is answered, every line ends in the winner's win, no line comes to a
position twice (so that repetition does not matter), and the quiet moves in a row never reach the limit.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tests.reference.berserk_turns import legal_moves
from tests.reference.board import Rules, State, format_position, format_rows, parse_position
from tests.reference.tafl import after_forced_pass, apply_move, outcome_without_move

Key = str


class BadCertificateError(Exception):
    """The reason why a certificate proves nothing."""


def key_of(state: State) -> Key:
    return format_position(replace(state, quiet=0))


def read_moves(moves: Iterable[tuple[str, str]]) -> dict[Key, str]:
    """Parses the moves of a certificate: positions as text, whose counter does not matter, and moves."""
    found: dict[Key, str] = {}
    for position, move in moves:
        found[key_of(parse_position(position))] = move
    return found


def verify(rules: Rules, start: str, winner: str, moves: Iterable[tuple[str, str]]) -> tuple[int, int]:
    """Returns the largest number of plies the win takes, and of quiet plies from the start it needs.

    Raises:
        BadCertificateError: If the certificate does not prove that the winner wins.
    """
    checker = Checker(rules, winner, read_moves(moves))
    state = after_forced_pass(rules, parse_position(start))
    longest, need = checker.follow(state)
    if rules.quiet_limit and state.quiet + need > rules.quiet_limit:
        raise BadCertificateError(f"{start}: {need} quiet plies needed, limit {rules.quiet_limit}")
    return longest, need


class Checker:
    """Follows all lines of a certificate, each position once."""

    def __init__(self, rules: Rules, winner: str, moves: Mapping[Key, str]) -> None:
        self.rules = rules
        self.winner = winner
        self.moves = moves
        self.done: dict[Key, tuple[int, int]] = {}

    def follow(self, start: State) -> tuple[int, int]:
        """Returns the plies of the longest line from a position, and its quiet plies up to a capture or end.

        The search is depth-first with an explicit stack: lines may be longer than Python's recursion limit.
        """
        first = self._key(start)
        open_: dict[Key, tuple[Iterator[State | None], list[tuple[int, int]], bool]] = {}
        path = [first]
        open_[first] = (self._next(start), [], False)
        while path:
            states, found, _ = open_[path[-1]]
            state = next(states, "end")
            if state == "end":
                self._close(path, open_)
            elif state is None:
                found.append((1, 1))
            elif isinstance(state, State):
                captured = state.quiet == 0
                key = self._key(state)
                if key in self.done:
                    found.append(self._add(self.done[key], captured))
                elif key in open_:
                    raise BadCertificateError(f"{key}: comes again in one line")
                else:
                    path.append(key)
                    open_[key] = (self._next(state), [], captured)
        return self.done[first]

    def _close(
        self, path: list[Key], open_: dict[Key, tuple[Iterator[State | None], list[tuple[int, int]], bool]]
    ) -> None:
        key = path.pop()
        _, found, captured = open_.pop(key)
        self.done[key] = max(plies for plies, _ in found), max(need for _, need in found)
        if path:
            open_[path[-1]][1].append(self._add(self.done[key], captured))

    def _add(self, below: tuple[int, int], captured: bool) -> tuple[int, int]:
        plies, need = below
        limit = self.rules.quiet_limit
        if captured and limit and need > limit:
            raise BadCertificateError(f"{need} quiet plies needed after a capture, limit {limit}")
        return 1 + plies, 1 if captured else 1 + need

    def _key(self, state: State) -> Key:
        return key_of(state)

    def _next(self, state: State) -> Iterator[State | None]:
        """Iterates over the positions after the winner's move or all replies; None where the game ends."""
        legal = legal_moves(self.rules, state)
        if state.side == self.winner:
            move = self.moves.get(self._key(state))
            if move is None:
                raise BadCertificateError(f"{format_rows(state.size, state.board)}: no move given")
            if move not in legal:
                raise BadCertificateError(f"{format_rows(state.size, state.board)}: {move} is not legal")
            legal = [move]
        for move in legal:
            yield self._after(state, move)

    def _after(self, state: State, move: str) -> State | None:
        # Here the counter only marks captures; `verify` checks the quiet limit.
        result = apply_move(self.rules, replace(state, quiet=0), move)
        outcome = result.outcome or outcome_without_move(self.rules, result.state)
        if outcome is None:
            return after_forced_pass(self.rules, result.state)
        if outcome.winner != self.winner:
            where = format_rows(state.size, state.board)
            raise BadCertificateError(
                f"{where} {state.side}: {move} ends in {outcome.winner} {outcome.reason}"
            )
        return None
