"""Infers the captures of turns of which only the first capture is written, from the later moves."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from hnefi._core import Game, Rules, Setup, Square, parse_move
from hnefi.errors import IllegalMove
from hnefi.pieces import Side

# The maximum number of continuations tried in one game.
_MOST_TRIED = 20_000
_LONGEST_TURN = 8

Expansion = tuple[list[str], list[int], list[int]]
"""The moves with every hop and stop, the written ply of each, and the plies with unwritten hops."""


@lru_cache(maxsize=64)
def has_turns(rules: Rules) -> bool:
    """Checks whether a piece may capture more than once in a turn."""
    return rules.tree.special.berserk != "none"


def expanded(rules: Rules, setup: Setup | None, moves: Sequence[str]) -> Expansion:
    """Returns the moves with unwritten hops and stops added, so that as many moves as possible are legal.

    Among several expansions, the one with the shortest earliest turns is chosen; illegal moves remain. Every
    written capture is made if the game can be played to its end that way.
    """
    extras = _extras(rules, setup, moves, with_all=True)
    if len(extras) < len(moves):
        extras = max(extras, _extras(rules, setup, moves, with_all=False), key=len)
    return _with_extras(moves, extras)


def _extras(
    rules: Rules, setup: Setup | None, moves: Sequence[str], *, with_all: bool
) -> list[tuple[str, ...]]:
    """Returns the hops and stops of as many turns as possible, one tuple per turn.

    Args:
        rules: The rules.
        setup: The start position.
        moves: The written moves.
        with_all: Whether a turn has to make every written capture.
    """
    best: list[tuple[str, ...]] = []
    chosen: list[tuple[str, ...]] = []
    stack = [_expansions(Game(rules, setup), moves[0], with_all=with_all)] if moves else []
    for _ in range(_MOST_TRIED):
        if not stack or len(chosen) == len(moves):
            break
        expansion = next(stack[-1], None)
        if expansion is None:
            stack.pop()
            del chosen[-1:]
            continue
        game, extra = expansion
        chosen.append(extra)
        if len(chosen) > len(best):
            best = list(chosen)
        if len(chosen) < len(moves):
            stack.append(_expansions(game, moves[len(chosen)], with_all=with_all))
    return best


def _with_extras(moves: Sequence[str], extras: Sequence[tuple[str, ...]]) -> Expansion:
    texts, places, hopped = list[str](), list[int](), list[int]()
    for ply, move in enumerate(moves, 1):
        more = extras[ply - 1] if ply <= len(extras) else ()
        texts += [move, *more]
        places += [ply] * (1 + len(more))
        if any(not _is_stop(text) for text in more):
            hopped.append(ply)
    return texts, places, hopped


def _is_stop(text: str) -> bool:
    return text[: len(text) // 2] == text[len(text) // 2 :]


def _expansions(game: Game, text: str, *, with_all: bool) -> Iterator[tuple[Game, tuple[str, ...]]]:
    """Iterates over the games after a turn that begins with a move, with the other moves of the turn."""
    side = game.turn
    if side is None:
        return
    try:
        move, captures = parse_move(text)
        begun = game.play(move)
    except IllegalMove:
        return
    made = set(begun.last.captures) if begun.last else set()
    if "-" in text and not made <= set(captures or ()):
        return
    missing = set(captures or ()) - made if with_all else set()
    if begun.turn is not side:
        # Most turns end with their first move.
        if not missing:
            yield begun, ()
        return
    for length in range(_LONGEST_TURN):
        turns = list(_turns(begun, side, length))
        yield from (turn for turn in turns if not missing or missing <= _captured(turn[0], length + 1))
        if not any(True for _ in _turns(begun, side, length + 1)):
            return


def _captured(game: Game, moves: int) -> set[Square]:
    """Returns the captures of the last `moves` moves, not counting a stop."""
    plies = [ply for ply in game.plies[-moves - 1 :] if not ply.move.is_stop]
    return {square for ply in plies[-moves:] for square in ply.captures}


def _turns(game: Game, side: Side, hops: int) -> Iterator[tuple[Game, tuple[str, ...]]]:
    """Iterates over the games after exactly `hops` more hops, at the end of the turn."""
    if game.outcome is not None or game.turn is not side:
        if hops == 0:
            yield game, ()
        return
    for move in game.legal_moves():
        text = f"{move.from_square.name}{move.to_square.name}"
        if move.is_stop and hops == 0:
            yield game.play(move), (text,)
        elif not move.is_stop and hops > 0:
            for after, rest in _turns(game.play(move), side, hops - 1):
                yield after, (text, *rest)
