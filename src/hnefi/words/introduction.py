"""The first sections: board and pieces, the aim, the moves."""

from collections.abc import Collection, Iterator

from hnefi._core import Rules
from hnefi.pieces import Piece, Side
from hnefi.rule_tree import EndRules
from hnefi.words import pictures
from hnefi.words.model import Clause
from hnefi.words.nouns import capitalised
from hnefi.words.special import jumps, ranked
from hnefi.words.variant_texts import why_entries
from hnefi.words.wording import KINDS, Wording

_LEAVES_OF_AIM: dict[str, tuple[str, ...]] = {
    "take_king": ("king_captured",),
    "take_king_or_guards": ("king_captured", "guards_captured"),
    "take_guards": ("guards_captured", "king_captured"),
    "hold": ("king_captured",),
}
# What a source may say in words of the start: attackers farther out, towards the edges, in line with the
# defenders; or only where the king stands, and that the pieces stand around him.
_PLACES = ("around", "outskirts", "in_line", "king_place", "men_around")


def board(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about the board, its special squares, the pieces and the first side."""
    yield wording.clause("size", "words.size", facts={"size": wording.rules.size})
    yield _throne(wording)
    yield _corners(wording)
    yield _camps(wording)
    yield wording.clause(
        "start", "words.start.pieces", "pieces", begins_paragraph=True, facts=_armies(wording)
    )
    told = [part for part in _PLACES if wording.has_part("start", part)]
    # Rules of one's own have no source: the position tells.
    is_sourced = wording.variant is not None and why_entries(wording.variant, "start")
    if not is_sourced and _is_king_surrounded(wording.rules):
        told = ["around"]
    for part in told:
        yield wording.clause("start", f"words.start.{part}", part)
    yield wording.clause(
        "start",
        "words.start.exact_layout" if told else "words.start.layout",
        "layout",
        pictures=(pictures.start_picture(wording),) if wording.has_pictures else (),
    )
    yield wording.clause("first", f"words.first.{wording.tree.first}")
    yield wording.clause("fixed", "words.turns", "turns")
    if wording.tree.ends.no_move == "pass":
        for part in ("pass", "passes"):
            yield wording.clause("no_move", f"words.no_move.{part}", part)


def _is_king_surrounded(rules: Rules) -> bool:
    """Checks whether the king starts on the throne, with all his soldiers around him inside all attackers."""
    throne, pieces = rules.throne, rules.start.pieces
    if throne is None or pieces.get(throne) is not Piece.KING:
        return False
    attackers, defenders = (
        [
            (square.file - throne.file, square.rank - throne.rank)
            for square, piece in pieces.items()
            if piece.side is side and piece is not Piece.KING
        ]
        for side in (Side.ATTACKERS, Side.DEFENDERS)
    )
    if not attackers or not defenders:
        return False
    inside, outside = ([max(map(abs, steps)) for steps in side] for side in (defenders, attackers))
    is_all_around = all(min(steps) < 0 < max(steps) for steps in zip(*defenders, strict=True))
    return is_all_around and max(inside) < min(outside)


def _throne(wording: Wording) -> Clause:
    if wording.tree.board.throne == "none":
        return wording.clause("throne", "words.throne.none", is_silent=True)
    own_name = wording.has_own_name("throne")
    return wording.clause("throne", "words.throne.named" if own_name else "words.throne.centre")


def _corners(wording: Wording) -> Clause:
    kind = wording.tree.board.corners
    if kind == "none":
        return wording.clause("corners", "words.corners.none", is_silent=True)
    names = wording.about.get("corner_names")
    if kind == "1x1" and isinstance(names, list) and names and all(isinstance(name, str) for name in names):
        return wording.clause("corners", "words.corners.names", facts={"names": wording.listed(names)})
    for part in ("marked", "escape"):
        if kind == "1x1" and wording.has_part("corners", part):
            return wording.clause("corners", f"words.corners.{part}")
    named = kind == "1x1" and wording.has_own_name("corner")
    return wording.clause("corners", "words.corners.named" if named else f"words.corners.{kind}")


def _camps(wording: Wording) -> Clause:
    camps = wording.rules.camps
    if not camps:
        return wording.clause("camps", "words.camps.none", is_silent=True)
    squares = wording.listed([" ".join(square.name for square in camp) for camp in camps])
    return wording.clause("camps", "words.camps.some", facts={"squares": squares})


def _armies(wording: Wording) -> dict[str, str]:
    """Returns the pieces of both players: "8 attackers", and "4 princes and the king"."""
    pieces = [piece.value for piece in wording.rules.start.pieces.values()]
    armies: dict[str, list[str]] = {}
    for kind in ("attacker", "defender"):
        number = pieces.count(kind)
        noun = kind if number == 1 else f"{kind}s"
        counted = [wording.explained(noun, f"{number} {wording.nouns[noun]}")] if number else []
        ranks = (f"{kind}_commander", f"{kind}_knight", f"{kind}_renegade")
        armies[kind] = counted + [
            ranked(wording, rank, pieces.count(rank)) for rank in ranks if rank in pieces
        ]
    others = [*armies["defender"], wording.explained("king", wording.nouns["the_king"])]
    return {"attackers": wording.listed(armies["attacker"]), "others": wording.listed(others)}


def aim(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about the aims of both sides."""
    ends = wording.tree.ends
    if wording.has_part("attackers_captured", "aim"):
        yield wording.clause(("goal", "attackers_captured"), f"words.aim.{ends.goal}_or_all", "aim")
    else:
        yield wording.clause("goal", f"words.aim.{ends.goal}", "aim")
    aim_of_attackers = attackers_aim(ends)
    around = aim_of_attackers == "take_king" and wording.has_part("king_capture", "aim")
    key = f"words.aim.{'take_king_around' if around else aim_of_attackers}"
    place = wording.text(f"words.aim.place.{ends.goal}")
    yield wording.clause(_LEAVES_OF_AIM[aim_of_attackers], key, facts={"place": place})


def attackers_aim(ends: EndRules) -> str:
    """Returns the aim of the attackers: `take_king`, `take_guards`, `take_king_or_guards` or `hold`."""
    takes_guards = ends.guards_captured == "attackers_win"
    if ends.king_captured == "attackers_win":
        return "take_king_or_guards" if takes_guards else "take_king"
    return "take_guards" if takes_guards else "hold"


def moves(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about moves, and the squares that pieces may not stop on or cross."""
    jumps_over = set(wording.tree.special.jumps.to_dict().values()) != {"none"}
    yield wording.clause("range", "words.moves.line", "line")
    yield wording.clause("range", "words.moves.free_jumping" if jumps_over else "words.moves.free", "over")
    yield Clause(("range",), _reach(wording), pictures=pictures.a_move(wording), parts=KINDS)
    yield _throne_stop(wording)
    if wording.rules.throne and wording.tree.movement.throne_stop == ("king",):
        yield wording.clause("fixed", "words.throne_stop.return", "return")
    yield from _throne_pass(wording)
    yield from _corner_stop(wording)
    if wording.rules.camps:
        yield wording.clause("camps", "words.camps.moves")
    yield from jumps(wording)


def _reach(wording: Wording) -> str:
    """Returns the ranges of all kinds, grouped by range."""
    reach: dict[str, int] = wording.tree.movement.range.to_dict()
    values = list(dict.fromkeys(reach[kind] for kind in KINDS))
    if len(values) == 1:
        return (
            wording.plural("words.range.all.limit", values[0])
            if values[0]
            else wording.text("words.range.all.free")
        )
    sentences = []
    for value in values:
        kinds = [kind for kind in KINDS if reach[kind] == value]
        several = "soldiers" if kinds == ["attackers", "defenders"] else "several"
        who = "king" if kinds == ["king"] else several
        free, limit = f"words.range.{who}.free", f"words.range.{who}.limit"
        who = capitalised(wording.kinds(kinds))
        sentences.append(wording.plural(limit, value, Who=who) if value else wording.text(free, Who=who))
    return " ".join(sentences)


def _throne_stop(wording: Wording) -> Clause:
    leaf = "throne_stop"
    if wording.rules.throne is None:
        return wording.clause(leaf, "words.throne_stop.moot", is_silent=True, begins_paragraph=True)
    kinds = set(wording.tree.movement.throne_stop)
    if not kinds and wording.rules.start.pieces.get(wording.rules.throne):
        return wording.clause(leaf, "words.throne_stop.left", begins_paragraph=True)
    key = f"words.throne_stop.{_group(kinds)}"
    return wording.clause(leaf, key, begins_paragraph=True, facts=_kinds(wording, kinds))


def _throne_pass(wording: Wording) -> Iterator[Clause]:
    leaf, drawn = "throne_pass", pictures.crossing(wording)
    kinds = set(wording.tree.movement.throne_pass)
    if wording.rules.throne is None:
        yield wording.clause(leaf, "words.throne_pass.moot", is_silent=True)
    elif wording.is_one_step:
        yield wording.clause(leaf, "words.throne_pass.one_step", is_silent=True)
    elif kinds == set(KINDS) and wording.tree.movement.range.king == 1:
        yield wording.clause(leaf, "words.throne_pass.allowed", *KINDS, pictures=drawn)
    elif kinds == set(KINDS) and wording.has_part(leaf, "king"):
        yield wording.clause(leaf, "words.throne_pass.soldiers", "attackers", "defenders", pictures=drawn)
        yield wording.clause(leaf, "words.throne_pass.king_too", "king")
    else:
        key = f"words.throne_pass.{_group(kinds)}"
        yield wording.clause(leaf, key, pictures=drawn, facts=_kinds(wording, kinds))


def _corner_stop(wording: Wording) -> Iterator[Clause]:
    leaf, kinds = "corner_stop", set(wording.tree.movement.corner_stop)
    if not wording.rules.corners:
        yield wording.clause(leaf, "words.corner_stop.moot", is_silent=True)
    elif kinds == {"defenders", "king"} and wording.has_part(leaf, "attackers"):
        who = capitalised(wording.kinds(kinds))
        yield wording.clause(leaf, "words.corner_stop.allowed", "defenders", "king", facts={"Who": who})
        who = capitalised(wording.kinds(["attackers"]))
        yield wording.clause(leaf, "words.corner_stop.denied", "attackers", facts={"Who": who})
    else:
        group = "king_escapes" if wording.has_part(leaf, "escape") else _group(kinds)
        yield wording.clause(leaf, f"words.corner_stop.{group}", facts=_kinds(wording, kinds))


def _kinds(wording: Wording, kinds: Collection[str]) -> dict[str, str]:
    """Returns some kinds of pieces as facts of a sentence, with the word "only" in their gender."""
    return {"who": wording.kinds(kinds), "Only": wording.only(kinds)}


def _group(kinds: Collection[str]) -> str:
    """Returns the case of a set of kinds: `none`, `king`, `several` or `all`."""
    if not kinds:
        return "none"
    if set(kinds) == {"king"}:
        return "king"
    return "all" if set(kinds) == set(KINDS) else "several"
