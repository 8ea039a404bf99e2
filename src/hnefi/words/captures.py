"""The sections about captures: of soldiers, and of the king."""

from collections.abc import Iterator

from hnefi.words import pictures
from hnefi.words.model import Clause
from hnefi.words.special import berserk, commander_pair, knights_taken, renegades
from hnefi.words.teller import Teller, capitalised

__all__ = ["captures", "king"]


def captures(teller: Teller) -> Iterator[Clause]:
    """Tells how soldiers are taken, and what helps to take them."""
    capture = teller.tree.capture
    yield Clause((), teller.say("words.capture.how"), pictures=pictures.custodial(teller))
    yield Clause((), teller.say("words.capture.each"))
    yield Clause((), teller.say("words.capture.free"))
    yield Clause((), teller.say("words.capture.safe"), pictures=pictures.safe(teller))
    yield Clause(
        ("king_armed",),
        teller.say(f"words.king_armed.{capture.king_armed}"),
        pictures=pictures.armed_king(teller),
        begins=True,
    )
    yield _hostile_throne(teller)
    yield _hostile_corner(teller)
    yield _hostile_camp(teller)
    yield _occupied_camps(teller)
    if capture.linnaean != "guard_and_king":
        yield _linnaean(teller)
    if capture.blocked_groups != "king_and_one":
        yield _blocked_groups(teller)
    yield _shieldwall(teller)
    yield knights_taken(teller)
    yield berserk(teller)
    yield from renegades(teller)


def _hostile_throne(teller: Teller) -> Clause:
    when = teller.tree.hostility.throne_hostile
    sentence = teller.say(f"words.throne_hostile.{when.attackers}.{when.defenders}")
    return Clause(
        ("throne_hostile",),
        sentence,
        pictures=pictures.hostile_throne(teller),
        is_silent=when.attackers == when.defenders == "never",
    )


def _hostile_corner(teller: Teller) -> Clause:
    when = teller.tree.hostility.corner_hostile
    sentence = teller.say(f"words.corner_hostile.{when.attackers}.{when.defenders}")
    return Clause(
        ("corner_hostile",),
        sentence,
        pictures=pictures.hostile_corner(teller),
        is_silent=when.attackers == when.defenders == "never",
    )


def _hostile_camp(teller: Teller) -> Clause:
    kinds = teller.tree.hostility.camp_hostile
    if not kinds:
        return Clause(("camp_hostile",), teller.say("words.camp_hostile.none"), is_silent=True)
    return Clause(("camp_hostile",), teller.say("words.camp_hostile.some", who=teller.kinds(kinds)))


def _occupied_camps(teller: Teller) -> Clause:
    value = teller.tree.special.occupied_camps
    sentence = teller.say(f"words.occupied_camps.{value}", who=teller.kinds(["attackers"]))
    return Clause(("occupied_camps",), sentence, is_silent=value == "harmless")


def _linnaean(teller: Teller) -> Clause:
    value = teller.tree.capture.linnaean
    return Clause(
        ("linnaean",),
        teller.say(f"words.linnaean.{value}"),
        pictures=pictures.linnaean(teller),
        is_silent=value == "none",
        begins=True,
    )


def _blocked_groups(teller: Teller) -> Clause:
    value = teller.tree.capture.blocked_groups
    key = f"words.blocked_groups.{value}"
    if value == "groups" and "never" in teller.tree.capture.king_capture.to_dict().values():
        key = "words.blocked_groups.groups_spared"
    return Clause(
        ("blocked_groups",),
        teller.say(key),
        pictures=pictures.blocked_groups(teller),
        is_silent=value == "none",
        begins=True,
    )


def _shieldwall(teller: Teller) -> Clause:
    value = teller.tree.capture.shieldwall
    return Clause(
        ("shieldwall",),
        teller.say(f"words.shieldwall.{value}"),
        pictures=pictures.shieldwall(teller),
        is_silent=value == "none",
        begins=True,
    )


def king(teller: Teller) -> Iterator[Clause]:
    """Tells how the king is taken, wherever he stands."""
    capture = teller.tree.capture
    yield from _king_by_place(teller)
    yield _edge(teller)
    yield _corner_and_king(teller)
    if capture.linnaean == "guard_and_king":
        yield _linnaean(teller)
    if capture.blocked_groups == "king_and_one":
        yield _blocked_groups(teller)
    yield commander_pair(teller)
    yield Clause((), teller.say("words.king.own_move"), begins=True)


def _king_by_place(teller: Teller) -> Iterator[Clause]:
    """Tells what takes the king: in one sentence if it is the same everywhere, else place by place."""
    modes = teller.tree.capture.king_capture
    everywhere = len(set(modes.to_dict().values())) == 1
    throne = teller.rules.throne
    counts = throne is not None and teller.tree.hostility.throne_hostile.king != "never"
    if everywhere and (throne is None or modes.elsewhere != "four_sides"):
        drawn = pictures.king_elsewhere(teller)
        mode = _alone(teller, modes.elsewhere)
        yield Clause(("king_capture",), teller.say(f"words.king.anywhere.{mode}"), pictures=drawn)
        if counts and modes.elsewhere == "custodial":
            yield Clause(
                ("throne_hostile", "king_capture"),
                teller.say("words.king.throne_counts"),
                pictures=pictures.king_beside_throne(teller),
            )
        return
    yield Clause(("king_capture",), teller.say("words.king.intro"))
    yield Clause(
        ("king_capture",),
        teller.say(f"words.king.on_throne.{_alone(teller, modes.on_throne)}"),
        pictures=pictures.king_on_throne(teller),
    )
    yield Clause(
        ("king_capture", "throne_hostile") if modes.beside_throne != "never" else ("king_capture",),
        teller.say(f"words.king.beside.{_beside(teller, counts)}"),
        pictures=pictures.king_beside_throne(teller),
    )
    yield Clause(
        ("king_capture",),
        teller.say(f"words.king.elsewhere.{_alone(teller, modes.elsewhere)}"),
        pictures=pictures.king_elsewhere(teller),
    )


def _alone(teller: Teller, mode: str) -> str:
    """Returns the case of how the king is taken: one who cannot be may yet fall with one of his men."""
    capture = teller.tree.capture
    falls_with_another = capture.linnaean == "guard_and_king" or capture.blocked_groups == "king_and_one"
    return "never_alone" if mode == "never" and falls_with_another else mode


def _beside(teller: Teller, throne_counts: bool) -> str:
    mode: str = teller.tree.capture.king_capture.beside_throne
    if mode == "never":
        return _alone(teller, mode)
    if throne_counts:
        return f"{mode}_throne"
    if mode == "four_sides" and "attackers" not in teller.tree.movement.throne_stop:
        return "four_sides_open"
    return mode


def _edge(teller: Teller) -> Clause:
    """Tells what the edge is to the king: it matters only where he lives there and needs four to take."""
    closes = teller.tree.hostility.edge_hostile_king
    lives_there = teller.tree.ends.goal == "corner"
    if not lives_there or teller.tree.capture.king_capture.elsewhere != "four_sides":
        return Clause(("edge_hostile_king",), teller.say("words.edge.moot"), is_silent=True)
    if not closes:
        return Clause(("edge_hostile_king",), teller.say("words.edge.open"), begins=True)
    corner = _corner_against_king(teller)
    if corner is None:
        drawn = pictures.king_on_edge(teller)
        return Clause(("edge_hostile_king",), teller.say("words.edge.closed"), pictures=drawn, begins=True)
    return Clause(
        ("edge_hostile_king", "corner_hostile"),
        teller.say("words.edge.closed_corner", corner=corner, Corner=capitalised(corner).rstrip(",")),
        pictures=pictures.king_on_edge(teller) + pictures.king_beside_corner(teller),
        begins=True,
    )


def _corner_against_king(teller: Teller) -> str | None:
    """Names a corner that is hostile to the king; None if none is."""
    when = teller.tree.hostility.corner_hostile.king
    return None if when == "never" or not teller.rules.corners else teller.say(f"words.corner.{when}")


def _corner_and_king(teller: Teller) -> Clause:
    """Tells what a corner is to the king, where the clause about the edge does not."""
    corner = _corner_against_king(teller)
    mode = teller.tree.capture.king_capture.elsewhere
    lives_there = teller.tree.ends.goal == "corner"
    wide = teller.tree.board.corners == "2x2"
    edge_closes = teller.tree.hostility.edge_hostile_king
    matters = mode == "custodial" or (mode == "four_sides" and wide and not edge_closes)
    if corner is None or not matters or not (lives_there or wide):
        return Clause(("corner_hostile",), teller.say("words.corner_king.moot"), is_silent=True)
    return Clause(
        ("corner_hostile",),
        teller.say(f"words.corner_king.{mode}", corner=corner, Corner=capitalised(corner)),
        pictures=pictures.king_beside_corner(teller),
    )
