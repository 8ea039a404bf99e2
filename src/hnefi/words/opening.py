"""The first sections: the board and its pieces, the aim, how the pieces move."""

from collections.abc import Collection, Iterator

from hnefi.words.model import Clause
from hnefi.words.pictures import start_picture
from hnefi.words.special import jumps, ranked
from hnefi.words.teller import KINDS, Teller, capitalised

__all__ = ["aim", "board", "moves"]


def board(teller: Teller) -> Iterator[Clause]:
    """Tells of the board, its special squares, the pieces and who begins."""
    size = teller.rules.size
    yield Clause(("size",), teller.say("words.size", size=size))
    yield _throne(teller)
    yield _corners(teller)
    yield _camps(teller)
    yield Clause(
        ("start",),
        teller.say("words.start", pieces=_pieces(teller)),
        pictures=(start_picture(teller),),
        begins=True,
    )
    yield from _names(teller)
    yield Clause(("first",), teller.say(f"words.first.{teller.tree.first}"))


def _throne(teller: Teller) -> Clause:
    if teller.tree.board.throne == "none":
        return Clause(("throne",), teller.say("words.throne.none"), is_silent=True)
    name = teller.own_name("throne")
    sentence = teller.say("words.throne.named", name=name) if name else teller.say("words.throne.centre")
    return Clause(("throne",), sentence)


def _corners(teller: Teller) -> Clause:
    kind = teller.tree.board.corners
    name = teller.own_name("corners")
    if kind == "none":
        return Clause(("corners",), teller.say("words.corners.none"), is_silent=True)
    key = f"words.corners.{kind}_named" if name else f"words.corners.{kind}"
    return Clause(("corners",), teller.say(key, name=name))


def _camps(teller: Teller) -> Clause:
    camps = teller.rules.camps
    if not camps:
        return Clause(("camps",), teller.say("words.camps.none"), is_silent=True)
    squares = teller.listed([" ".join(square.name for square in camp) for camp in camps])
    return Clause(("camps",), teller.say("words.camps.some", squares=squares))


def _names(teller: Teller) -> Iterator[Clause]:
    """Tells how the text calls the pieces, where these sentences call them otherwise."""
    first, second = teller.own_name("attackers"), teller.own_name("defenders")
    if first and second:
        yield Clause(("start",), teller.say("words.called.both", first=first, second=second))
    elif first:
        yield Clause(("start",), teller.say("words.called.attackers", name=first))
    elif second:
        yield Clause(("start",), teller.say("words.called.defenders", name=second))


def _pieces(teller: Teller) -> str:
    """Counts the pieces of the start: "8 attackers, 4 princes and the king"."""
    pieces = [piece.value for piece in teller.rules.start.pieces.values()]
    counted = []
    for kind in ("attacker", "defender"):
        number = pieces.count(kind)
        if number:
            counted.append(f"{number} {teller.nouns[kind if number == 1 else kind + 's']}")
        ranks = (f"{kind}_commander", f"{kind}_knight", f"{kind}_renegade")
        counted += [ranked(teller, rank, pieces.count(rank)) for rank in ranks if rank in pieces]
    return teller.listed([*counted, teller.nouns["the_king"]])


def aim(teller: Teller) -> Iterator[Clause]:
    """Tells what each side is after."""
    ends = teller.tree.ends
    takes_guards = ends.guards_captured == "attackers_win"
    takes_king = ends.king_captured == "attackers_win"
    yield Clause(("goal",), teller.say(f"words.aim.{ends.goal}"))
    if takes_king:
        key = "words.aim.take_king_or_guards" if takes_guards else "words.aim.take_king"
    else:
        key = "words.aim.take_guards" if takes_guards else "words.aim.hold"
    yield Clause(("king_captured", "guards_captured"), teller.say(key))


def moves(teller: Teller) -> Iterator[Clause]:
    """Tells how far the pieces go, and where they may not stop or cross."""
    jumpers = set(teller.tree.special.jumps.to_dict().values())
    yield Clause((), teller.say("words.moves.how" if jumpers == {"none"} else "words.moves.how_jumping"))
    yield Clause(("range",), _reach(teller))
    yield _throne_stop(teller)
    yield _throne_pass(teller)
    yield _corner_stop(teller)
    if teller.rules.camps:
        yield Clause(("camps",), teller.say("words.camps.moves"))
    yield from jumps(teller)


def _reach(teller: Teller) -> str:
    """Tells the range of all kinds, those of one range together."""
    reach: dict[str, int] = teller.tree.movement.range.to_dict()
    values = list(dict.fromkeys(reach[kind] for kind in KINDS))
    if len(values) == 1:
        return (
            teller.count("words.range.all.limit", values[0])
            if values[0]
            else teller.say("words.range.all.free")
        )
    sentences = []
    for value in values:
        kinds = [kind for kind in KINDS if reach[kind] == value]
        if kinds == ["king"]:
            free, limit = "words.range.king.free", "words.range.king.limit"
        else:
            free, limit = "words.range.several.free", "words.range.several.limit"
        who = capitalised(teller.kinds(kinds))
        sentences.append(teller.count(limit, value, Who=who) if value else teller.say(free, Who=who))
    return " ".join(sentences)


def _throne_stop(teller: Teller) -> Clause:
    leaves = ("throne_stop",)
    if teller.rules.throne is None:
        return Clause(leaves, teller.say("words.throne_stop.moot"), is_silent=True, begins=True)
    kinds = set(teller.tree.movement.throne_stop)
    if not kinds and teller.rules.start.pieces.get(teller.rules.throne):
        return Clause(leaves, teller.say("words.throne_stop.left"), begins=True)
    return Clause(
        leaves, teller.say(f"words.throne_stop.{_group(kinds)}", who=teller.kinds(kinds)), begins=True
    )


def _throne_pass(teller: Teller) -> Clause:
    leaves = ("throne_pass",)
    if teller.rules.throne is None:
        return Clause(leaves, teller.say("words.throne_pass.moot"), is_silent=True)
    if teller.is_one_step:
        return Clause(leaves, teller.say("words.throne_pass.one_step"), is_silent=True)
    kinds = set(teller.tree.movement.throne_pass)
    return Clause(leaves, teller.say(f"words.throne_pass.{_group(kinds)}", who=teller.kinds(kinds)))


def _corner_stop(teller: Teller) -> Clause:
    leaves = ("corner_stop",)
    if not teller.rules.corners:
        return Clause(leaves, teller.say("words.corner_stop.moot"), is_silent=True)
    kinds = set(teller.tree.movement.corner_stop)
    return Clause(leaves, teller.say(f"words.corner_stop.{_group(kinds)}", who=teller.kinds(kinds)))


def _group(kinds: Collection[str]) -> str:
    """Names the case of a set of kinds: `none`, `king`, `several` or `all`."""
    if not kinds:
        return "none"
    if set(kinds) == {"king"}:
        return "king"
    return "all" if set(kinds) == set(KINDS) else "several"
