"""The clauses about ranks, jumps and turns of several captures."""

from collections.abc import Iterator

from hnefi.pieces import Piece
from hnefi.words.model import Clause
from hnefi.words.wording import Wording

_JUMPERS = ("king", "commanders", "knights")


def ranked(wording: Wording, piece: str, number: int) -> str:
    """Returns a number of soldiers of a rank: "4 commanders"."""
    rank = piece.partition("_")[2]
    noun = wording.text(f"words.rank.{rank}" if number == 1 else f"words.rank.{rank}s")
    return f"{number} {noun}"


def jumps(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about jumps."""
    modes: dict[str, str] = wording.tree.special.jumps.to_dict()
    jumping = [jumper for jumper in _JUMPERS if modes[jumper] != "none"]
    if not jumping:
        yield wording.clause("jumps", "words.jumps.none", is_silent=True)
        return
    yield wording.clause("jumps", "words.jumps.how", begins_paragraph=True)
    for jumper in jumping:
        yield wording.clause("jumps", f"words.jumps.{jumper}.{modes[jumper]}")


def turns_and_ranks(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about captured knights, turns of several captures and captured renegades."""
    taken, turns = wording.tree.special.knights_taken, wording.tree.special.berserk
    knights = f"words.knights_taken.{taken}"
    yield wording.clause("knights_taken", knights, is_silent=taken == "by_two", begins_paragraph=True)
    several = f"words.berserk.{turns}"
    yield wording.clause("berserk", several, is_silent=turns == "none", begins_paragraph=True)
    if set(wording.rules.start.pieces.values()) & {Piece.ATTACKER_RENEGADE, Piece.DEFENDER_RENEGADE}:
        yield wording.clause("start", "words.renegades", begins_paragraph=True)
