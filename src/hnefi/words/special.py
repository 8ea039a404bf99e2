"""The clauses about commanders, knights and renegades, jumps and turns of several captures."""

from collections.abc import Iterator

from hnefi.pieces import Piece
from hnefi.words.model import Clause
from hnefi.words.teller import Teller

__all__ = ["berserk", "commander_pair", "jumps", "knights_taken", "ranked", "renegades"]

_JUMPERS = ("king", "commanders", "knights")


def ranked(teller: Teller, piece: str, number: int) -> str:
    """Names a number of soldiers of a rank: "4 commanders"."""
    rank = piece.partition("_")[2]
    noun = teller.say(f"words.rank.{rank}" if number == 1 else f"words.rank.{rank}s")
    return f"{number} {noun}"


def jumps(teller: Teller) -> Iterator[Clause]:
    """Tells who jumps, and whether he captures by it."""
    manners: dict[str, str] = teller.tree.special.jumps.to_dict()
    jumping = [jumper for jumper in _JUMPERS if manners[jumper] != "none"]
    if not jumping:
        yield Clause(("jumps",), teller.say("words.jumps.none"), is_silent=True)
        return
    yield Clause(("jumps",), teller.say("words.jumps.how"), begins=True)
    for jumper in jumping:
        yield Clause(("jumps",), teller.say(f"words.jumps.{jumper}.{manners[jumper]}"))


def berserk(teller: Teller) -> Clause:
    """Checks whether a piece that has captured goes on."""
    value = teller.tree.special.berserk
    return Clause(("berserk",), teller.say(f"words.berserk.{value}"), is_silent=value == "none", begins=True)


def knights_taken(teller: Teller) -> Clause:
    """Tells how a knight is taken."""
    value = teller.tree.special.knights_taken
    sentence = teller.say(f"words.knights_taken.{value}")
    return Clause(("knights_taken",), sentence, is_silent=value == "by_two", begins=True)


def renegades(teller: Teller) -> Iterator[Clause]:
    """Tells what becomes of a renegade who is captured, where there are any."""
    if set(teller.rules.start.pieces.values()) & {Piece.ATTACKER_RENEGADE, Piece.DEFENDER_RENEGADE}:
        yield Clause(("start",), teller.say("words.renegades"), begins=True)


def commander_pair(teller: Teller) -> Clause:
    """Tells what commanders can do to the king."""
    value = teller.tree.special.commander_pair
    sentence = teller.say(f"words.commander_pair.{value}")
    return Clause(("commander_pair",), sentence, is_silent=value == "none", begins=True)
