"""The sections about captures: of soldiers, and of the king."""

from collections.abc import Iterator

from hnefi.words import pictures
from hnefi.words.model import Clause
from hnefi.words.special import berserk, commander_pair, knights_taken, renegades
from hnefi.words.wording import Wording, capitalised

__all__ = ["captures", "king"]


def captures(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about capturing soldiers."""
    capture = wording.tree.capture
    yield Clause((), wording.text("words.capture.how"), pictures=pictures.custodial(wording))
    yield Clause((), wording.text("words.capture.each"))
    yield Clause((), wording.text("words.capture.free"))
    yield Clause((), wording.text("words.capture.safe"), pictures=pictures.safe(wording))
    yield Clause(
        ("king_armed",),
        wording.text(f"words.king_armed.{capture.king_armed}"),
        pictures=pictures.armed_king(wording),
        begins_paragraph=True,
    )
    yield _hostile_throne(wording)
    yield _hostile_corner(wording)
    yield _hostile_camp(wording)
    yield _occupied_camps(wording)
    if capture.linnaean != "guard_and_king":
        yield _linnaean(wording)
    if capture.blocked_groups in ("none", "groups"):
        yield _blocked_groups(wording)
    yield _shieldwall(wording)
    yield knights_taken(wording)
    yield berserk(wording)
    yield from renegades(wording)


def _hostile_throne(wording: Wording) -> Clause:
    when = wording.tree.hostility.throne_hostile
    sentence = wording.text(f"words.throne_hostile.{when.attackers}.{when.defenders}")
    return Clause(
        ("throne_hostile",),
        sentence,
        pictures=pictures.hostile_throne(wording),
        is_silent=when.attackers == when.defenders == "never",
    )


def _hostile_corner(wording: Wording) -> Clause:
    when = wording.tree.hostility.corner_hostile
    sentence = wording.text(f"words.corner_hostile.{when.attackers}.{when.defenders}")
    return Clause(
        ("corner_hostile",),
        sentence,
        pictures=pictures.hostile_corner(wording),
        is_silent=when.attackers == when.defenders == "never",
    )


def _hostile_camp(wording: Wording) -> Clause:
    kinds = wording.tree.hostility.camp_hostile
    if not kinds:
        return Clause(("camp_hostile",), wording.text("words.camp_hostile.none"), is_silent=True)
    return Clause(("camp_hostile",), wording.text("words.camp_hostile.some", who=wording.kinds(kinds)))


def _occupied_camps(wording: Wording) -> Clause:
    value = wording.tree.special.occupied_camps
    sentence = wording.text(f"words.occupied_camps.{value}", who=wording.kinds(["attackers"]))
    return Clause(("occupied_camps",), sentence, is_silent=value == "harmless")


def _linnaean(wording: Wording) -> Clause:
    value = wording.tree.capture.linnaean
    return Clause(
        ("linnaean",),
        wording.text(f"words.linnaean.{value}"),
        pictures=pictures.linnaean(wording),
        is_silent=value == "none",
        begins_paragraph=True,
    )


def _blocked_groups(wording: Wording) -> Clause:
    value = wording.tree.capture.blocked_groups
    key = f"words.blocked_groups.{value}"
    if value == "groups" and "never" in wording.tree.capture.king_capture.to_dict().values():
        key = "words.blocked_groups.groups_spared"
    return Clause(
        ("blocked_groups",),
        wording.text(key),
        pictures=pictures.blocked_groups(wording),
        is_silent=value == "none",
        begins_paragraph=True,
    )


def _shieldwall(wording: Wording) -> Clause:
    value = wording.tree.capture.shieldwall
    return Clause(
        ("shieldwall",),
        wording.text(f"words.shieldwall.{value}"),
        pictures=pictures.shieldwall(wording),
        is_silent=value == "none",
        begins_paragraph=True,
    )


def king(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about capturing the king."""
    capture = wording.tree.capture
    yield from _king_by_place(wording)
    yield _edge(wording)
    yield _corner_and_king(wording)
    if capture.linnaean == "guard_and_king":
        yield _linnaean(wording)
    if capture.blocked_groups not in ("none", "groups"):
        yield _blocked_groups(wording)
    yield commander_pair(wording)
    yield Clause((), wording.text("words.king.own_move"), begins_paragraph=True)


def _king_by_place(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about how many take the king: one for all places, else one per place."""
    modes = wording.tree.capture.king_capture
    everywhere = len(set(modes.to_dict().values())) == 1
    throne = wording.rules.throne
    counts = throne is not None and wording.tree.hostility.throne_hostile.king != "never"
    if everywhere and (throne is None or modes.elsewhere != "four_sides"):
        drawn = pictures.king_elsewhere(wording)
        mode = _king_capture_key(wording, modes.elsewhere)
        yield Clause(("king_capture",), wording.text(f"words.king.anywhere.{mode}"), pictures=drawn)
        if counts and modes.elsewhere == "custodial":
            yield Clause(
                ("throne_hostile", "king_capture"),
                wording.text("words.king.throne_counts"),
                pictures=pictures.king_beside_throne(wording),
            )
        return
    yield Clause(("king_capture",), wording.text("words.king.intro"))
    yield Clause(
        ("king_capture",),
        wording.text(f"words.king.on_throne.{_king_capture_key(wording, modes.on_throne)}"),
        pictures=pictures.king_on_throne(wording),
    )
    yield Clause(
        ("king_capture", "throne_hostile") if modes.beside_throne != "never" else ("king_capture",),
        wording.text(f"words.king.beside.{_beside(wording, counts)}"),
        pictures=pictures.king_beside_throne(wording),
    )
    yield Clause(
        ("king_capture",),
        wording.text(f"words.king.elsewhere.{_king_capture_key(wording, modes.elsewhere)}"),
        pictures=pictures.king_elsewhere(wording),
    )


def _king_capture_key(wording: Wording, mode: str) -> str:
    """Returns the text key for capturing a king who stands alone.

    A king who cannot be captured alone may still be captured together with a soldier.
    """
    capture = wording.tree.capture
    falls_with_another = capture.linnaean == "guard_and_king" or capture.blocked_groups not in (
        "none",
        "groups",
    )
    return "never_alone" if mode == "never" and falls_with_another else mode


def _beside(wording: Wording, throne_counts: bool) -> str:
    mode: str = wording.tree.capture.king_capture.beside_throne
    if mode == "never":
        return _king_capture_key(wording, mode)
    if throne_counts:
        return f"{mode}_throne"
    if mode == "four_sides" and "attackers" not in wording.tree.movement.throne_stop:
        return "four_sides_open"
    return mode


def _edge(wording: Wording) -> Clause:
    """Returns the clause about the edge; silent unless the king may be there and needs four captors."""
    closes = wording.tree.hostility.edge_hostile_king
    lives_there = wording.tree.ends.goal == "corner"
    if not lives_there or wording.tree.capture.king_capture.elsewhere != "four_sides":
        return Clause(("edge_hostile_king",), wording.text("words.edge.moot"), is_silent=True)
    if not closes:
        return Clause(("edge_hostile_king",), wording.text("words.edge.open"), begins_paragraph=True)
    corner = _corner_against_king(wording)
    if corner is None:
        drawn = pictures.king_on_edge(wording)
        return Clause(
            ("edge_hostile_king",), wording.text("words.edge.closed"), pictures=drawn, begins_paragraph=True
        )
    return Clause(
        ("edge_hostile_king", "corner_hostile"),
        wording.text("words.edge.closed_corner", corner=corner, Corner=capitalised(corner).rstrip(",")),
        pictures=pictures.king_on_edge(wording) + pictures.king_beside_corner(wording),
        begins_paragraph=True,
    )


def _corner_against_king(wording: Wording) -> str | None:
    """Returns a corner that is hostile to the king; None if there is none."""
    when = wording.tree.hostility.corner_hostile.king
    return None if when == "never" or not wording.rules.corners else wording.text(f"words.corner.{when}")


def _corner_and_king(wording: Wording) -> Clause:
    """Returns the clause about corners; silent if the clause about the edge covers it."""
    corner = _corner_against_king(wording)
    mode = wording.tree.capture.king_capture.elsewhere
    lives_there = wording.tree.ends.goal == "corner"
    wide = wording.tree.board.corners == "2x2"
    edge_closes = wording.tree.hostility.edge_hostile_king
    matters = mode == "custodial" or (mode == "four_sides" and wide and not edge_closes)
    if corner is None or not matters or not (lives_there or wide):
        return Clause(("corner_hostile",), wording.text("words.corner_king.moot"), is_silent=True)
    return Clause(
        ("corner_hostile",),
        wording.text(f"words.corner_king.{mode}", corner=corner, Corner=capitalised(corner)),
        pictures=pictures.king_beside_corner(wording),
    )
