"""Turns of several captures of which only the first is written: the others are found from what follows."""

from collections.abc import Iterator, Sequence

from hnefi._core import Game, Rules, Setup, Square, parse_move
from hnefi.errors import IllegalMove
from hnefi.pieces import Side
from hnefi.variants.model import Variant

__all__ = ["Expansion", "expanded", "has_turns"]

# So many ways to go on are tried in one game.
_MOST_TRIED = 20_000
_LONGEST_TURN = 8

Expansion = tuple[list[str], list[int], list[int]]
"""The moves with every hop and stop, the ply each belongs to, and the plies with hops not written."""


def has_turns(played: Variant) -> bool:
    """Checks whether a piece may capture more than once in a turn."""
    special = played.tree.get("special", {})
    return bool(special.get("berserk", "none") != "none")


def expanded(rules: Rules, setup: Setup | None, moves: Sequence[str]) -> Expansion:
    """Returns the moves with hops and stops that are not written, so that as many as possible can be played.

    Of several ways the one that keeps the earliest turns short is taken; what cannot be played stays. Where
    the game can be played to its end with every capture that is written, it is; else some may be missing.
    """
    extras = _extras(rules, setup, moves, with_all=True)
    if len(extras) < len(moves):
        extras = max(extras, _extras(rules, setup, moves, with_all=False), key=len)
    return _written_out(moves, extras)


def _extras(
    rules: Rules, setup: Setup | None, moves: Sequence[str], *, with_all: bool
) -> list[tuple[str, ...]]:
    """Finds the hops and stops of as many turns as possible, a tuple a turn.

    Args:
        rules: The rules.
        setup: What the game begins from.
        moves: The moves that are written.
        with_all: Whether a turn has to make every capture that is written.
    """
    best: list[tuple[str, ...]] = []
    chosen: list[tuple[str, ...]] = []
    ways = [_ways(Game(rules, setup), moves[0], with_all=with_all)] if moves else []
    for _ in range(_MOST_TRIED):
        if not ways or len(chosen) == len(moves):
            break
        way = next(ways[-1], None)
        if way is None:
            ways.pop()
            del chosen[-1:]
            continue
        game, extra = way
        chosen.append(extra)
        if len(chosen) > len(best):
            best = list(chosen)
        if len(chosen) < len(moves):
            ways.append(_ways(game, moves[len(chosen)], with_all=with_all))
    return best


def _written_out(moves: Sequence[str], extras: Sequence[tuple[str, ...]]) -> Expansion:
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


def _ways(game: Game, text: str, *, with_all: bool) -> Iterator[tuple[Game, tuple[str, ...]]]:
    """Returns the games after a turn that begins with a move, and its other moves; the shortest first."""
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
    for length in range(_LONGEST_TURN):
        found = list(_turns(begun, side, length))
        yield from (way for way in found if missing <= _taken(way[0], length + 1))
        if not any(True for _ in _turns(begun, side, length + 1)):
            return


def _taken(game: Game, moves: int) -> set[Square]:
    """Returns what the last so many moves have captured; a stop, which captures nothing, is not counted."""
    plies = [ply for ply in game.plies[-moves - 1 :] if not ply.move.is_stop]
    return {square for ply in plies[-moves:] for square in ply.captures}


def _turns(game: Game, side: Side, hops: int) -> Iterator[tuple[Game, tuple[str, ...]]]:
    """Returns the games after exactly so many more hops, the turn being over."""
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
