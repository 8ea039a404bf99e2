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


def berserk(wording: Wording) -> Clause:
    """Returns the clause about turns of several captures."""
    value = wording.tree.special.berserk
    return wording.clause(
        "berserk", f"words.berserk.{value}", is_silent=value == "none", begins_paragraph=True
    )


def knights_taken(wording: Wording) -> Clause:
    """Returns the clause about capturing knights."""
    value = wording.tree.special.knights_taken
    sentence = wording.text(f"words.knights_taken.{value}")
    return Clause(("knights_taken",), sentence, is_silent=value == "by_two", begins_paragraph=True)


def renegades(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clause about captured renegades, if there are any."""
    if set(wording.rules.start.pieces.values()) & {Piece.ATTACKER_RENEGADE, Piece.DEFENDER_RENEGADE}:
        yield wording.clause("start", "words.renegades", begins_paragraph=True)


def commander_pair(wording: Wording) -> Clause:
    """Returns the clause about commanders and the king."""
    value = wording.tree.special.commander_pair
    sentence = wording.text(f"words.commander_pair.{value}")
    return Clause(("commander_pair",), sentence, is_silent=value == "none", begins_paragraph=True)
