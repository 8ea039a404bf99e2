"""The sections about captures: of soldiers, and of the king."""

from collections.abc import Iterator

from hnefi.words import pictures
from hnefi.words.model import Clause, Picture
from hnefi.words.nouns import capitalised
from hnefi.words.special import turns_and_ranks
from hnefi.words.wording import Wording

# The values with which any blocked group is captured.
_GROUPS = ("groups", "groups_and_rows")


def captures(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about capturing soldiers."""
    capture = wording.tree.capture
    yield from _custodial(wording)
    yield wording.clause(
        "king_armed",
        f"words.king_armed.{capture.king_armed}",
        pictures=pictures.armed_king(wording),
        begins_paragraph=True,
    )
    yield from _hostile_square(wording, "throne_hostile", pictures.hostile_throne(wording))
    throne = wording.tree.hostility.throne_hostile
    is_hostile = {throne.attackers, throne.defenders} != {"never"}
    if is_hostile and wording.has_part("fixed", "left_throne"):
        yield wording.clause("fixed", "words.capture.left_throne", "left_throne")
    yield from _hostile_square(wording, "corner_hostile", pictures.hostile_corner(wording))
    yield _hostile_camp(wording)
    yield _occupied_camps(wording)
    if capture.linnaean != "guard_and_king":
        yield from _linnaean(wording)
    if capture.blocked_groups in ("none", *_GROUPS):
        yield from _blocked_groups(wording)
    yield _shieldwall(wording)
    yield from turns_and_ranks(wording)


def _custodial(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about captures between two enemies, which all games share."""
    # Where soldiers are just "pieces", the king has to be named as the exception.
    between = "between_pieces" if wording.nouns["soldier"] == wording.text("words.noun.piece") else "between"
    yield wording.clause("fixed", f"words.capture.{between}", "between", pictures=pictures.custodial(wording))
    yield wording.clause("fixed", "words.capture.adjacent", "adjacent")
    yield wording.clause("fixed", "words.capture.diagonal", "diagonal")
    hostile = wording.tree.hostility.corner_hostile
    beside_corner = "never" not in (hostile.attackers, hostile.defenders) and wording.rules.corners
    yield wording.clause("fixed", "words.capture.move", "move", pictures=pictures.safe(wording))
    for part in ("return", "return_other"):
        if wording.has_part("fixed", part):
            yield wording.clause("fixed", f"words.capture.{part}", part)
    if beside_corner:
        yield wording.clause("fixed", "words.capture.move_corner", "move_corner")
        throne = wording.tree.hostility.throne_hostile
        if throne.attackers == throne.defenders == "empty":
            yield wording.clause("fixed", "words.capture.move_throne", "move_throne")
    yield wording.clause(
        "fixed", "words.capture.several", "several", pictures=pictures.double(wording), begins_paragraph=True
    )
    blocked = wording.tree.capture.blocked_groups
    if blocked != "groups_and_rows":
        each = "individually_unless_blocked" if blocked == "groups" else "individually"
        yield wording.clause("fixed", f"words.capture.{each}", "individually")
        pair = wording.has_part("fixed", "pair")
        if pair:
            yield wording.clause("fixed", "words.capture.pair", "pair")
        if wording.tree.capture.shieldwall == "none":
            row = "row_unless_blocked" if blocked == "groups" else "row_of_pair" if pair else "row"
            drawn = pictures.side_by_side(wording)
            yield wording.clause("fixed", f"words.capture.{row}", "row", pictures=drawn)
    yield wording.clause("fixed", "words.capture.removed", "removed")
    if wording.tree.ends.guards_captured == "none":
        yield wording.clause(
            "guards_captured",
            "words.guards_captured.none",
            is_silent=not wording.has_part("guards_captured", "alone"),
        )
    if _is_safe_in_corners(wording):
        drawn = pictures.safe_in_corner(wording)
        yield wording.clause("fixed", "words.capture.corner_safe", "corner_safe", pictures=drawn)
    yield wording.clause("fixed", "words.capture.optional", "optional")
    yield wording.clause("fixed", "words.capture.always", "always")


def _is_safe_in_corners(wording: Wording) -> bool:
    """Checks whether soldiers may stop in corners of one square, where nothing can capture them."""
    capture = wording.tree.capture
    return (
        wording.tree.board.corners == "1x1"
        and bool({"attackers", "defenders"} & set(wording.tree.movement.corner_stop))
        and capture.blocked_groups not in _GROUPS
        and capture.shieldwall == "none"
    )


def _hostile_square(wording: Wording, leaf: str, drawn: tuple[Picture, ...]) -> Iterator[Clause]:
    """Iterates over the clauses about the throne or a corner as the second piece of a capture.

    Silent only if the square helps to capture nobody, not even the king.
    """
    hostility = wording.tree.hostility
    when = hostility.throne_hostile if leaf == "throne_hostile" else hostility.corner_hostile
    parts = ("attackers", "defenders")
    if leaf == "throne_hostile" and wording.rules.throne is None:
        yield wording.clause(leaf, "words.throne_hostile.moot", *parts, is_silent=True)
        return
    if when.attackers == when.defenders == "empty":
        if wording.has_part(leaf, "empty"):
            yield wording.clause(leaf, f"words.{leaf}.both", *parts, pictures=drawn)
            is_unarmed = leaf == "throne_hostile" and wording.tree.capture.king_armed == "none"
            empty = "words.hostile.empty_unarmed" if is_unarmed else "words.hostile.empty"
            yield wording.clause(leaf, empty, "empty")
            return
        if leaf == "corner_hostile" and _is_never_occupied(wording):
            yield wording.clause(leaf, f"words.{leaf}.both", *parts, pictures=drawn)
            return
    told = f"{when.attackers}.{when.defenders}"
    yield wording.clause(
        leaf,
        f"words.{leaf}.{'king_alone' if told == 'never.never' and when.king != 'never' else told}",
        *parts,
        pictures=drawn,
        is_silent=when.attackers == when.defenders == when.king == "never",
    )
    if wording.has_part(leaf, "king_too"):
        yield wording.clause(leaf, "words.throne_hostile.king_too", "king_too")


def _is_never_occupied(wording: Wording) -> bool:
    """Checks whether only the king may stop in a corner, which ends the game."""
    return set(wording.tree.movement.corner_stop) <= {"king"} and wording.tree.board.corners == "1x1"


def _hostile_camp(wording: Wording) -> Clause:
    kinds = wording.tree.hostility.camp_hostile
    if not kinds:
        return wording.clause("camp_hostile", "words.camp_hostile.none", is_silent=True)
    return wording.clause("camp_hostile", "words.camp_hostile.some", facts={"who": wording.kinds(kinds)})


def _occupied_camps(wording: Wording) -> Clause:
    value, who = wording.tree.special.occupied_camps, wording.kinds(["attackers"])
    key = f"words.occupied_camps.{value}"
    return wording.clause("occupied_camps", key, is_silent=value == "harmless", facts={"who": who})


def _linnaean(wording: Wording) -> Iterator[Clause]:
    value = wording.tree.capture.linnaean
    yield wording.clause(
        "linnaean",
        f"words.linnaean.{value if wording.rules.throne is not None else 'moot'}",
        "capture",
        pictures=pictures.linnaean(wording),
        is_silent=value == "none",
        begins_paragraph=True,
    )
    if value != "none" and wording.has_part("linnaean", "standing"):
        yield wording.clause("linnaean", "words.linnaean.standing", "standing")


def _blocked_groups(wording: Wording) -> Iterator[Clause]:
    capture = wording.tree.capture
    value = "groups" if capture.blocked_groups in _GROUPS else capture.blocked_groups
    yield wording.clause(
        "blocked_groups",
        f"words.blocked_groups.{value}",
        "capture",
        pictures=pictures.blocked_groups(wording, has_king=value != "groups"),
        is_silent=value == "none",
        begins_paragraph=True,
    )
    if value == "groups":
        drawn = pictures.blocked_groups(wording, has_king=True)
        yield wording.clause("blocked_groups", "words.blocked_groups.groups_king", "king", pictures=drawn)
    if value != "none":
        yield wording.clause("blocked_groups", f"words.blocked_groups.{value}_which", "group")
    if value == "groups" and "never" in capture.king_capture.to_dict().values():
        yield wording.clause("blocked_groups", "words.blocked_groups.groups_spared", "spared")
    if capture.blocked_groups == "groups_and_rows":
        yield wording.clause("blocked_groups", "words.blocked_groups.rows", "rows")
        modes = set(capture.king_capture.to_dict().values())
        king = "falls" if modes == {"custodial"} else "some" if "custodial" in modes else "spares"
        yield wording.clause("blocked_groups", f"words.blocked_groups.rows_king.{king}", "rows_king")


def _shieldwall(wording: Wording) -> Clause:
    value = wording.tree.capture.shieldwall
    told = wording.text(f"words.shieldwall.{value}")
    # Where he wins on the edge, he never stands in such a line.
    if value != "none" and wording.tree.ends.goal != "edge":
        told = f"{told} {wording.text('words.shieldwall.king')}"
    return Clause(
        ("shieldwall",),
        told,
        pictures=pictures.shieldwall(wording),
        is_silent=value == "none",
        begins_paragraph=True,
    )


def king(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about capturing the king."""
    capture = wording.tree.capture
    # What holds beside a corner stands before what holds anywhere else.
    corner = [_corner_and_king(wording)]
    for clause in _king_by_place(wording):
        if clause.parts == ("elsewhere",) and capture.king_capture.elsewhere == "custodial":
            yield from corner
            corner = []
        yield clause
    yield from _edge(wording)
    yield from corner
    if capture.linnaean == "guard_and_king":
        yield from _linnaean(wording)
    if capture.blocked_groups not in ("none", *_GROUPS):
        yield from _blocked_groups(wording)
    pair = wording.tree.special.commander_pair
    commanders = f"words.commander_pair.{pair}"
    yield wording.clause("commander_pair", commanders, is_silent=pair == "none", begins_paragraph=True)
    falls_to_two = "custodial" in capture.king_capture.to_dict().values()
    own_move = "words.king.own_move" if falls_to_two else "words.king.own_move_surrounded"
    yield wording.clause("fixed", own_move, "king_move", begins_paragraph=True)


def _king_by_place(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about how many take the king: one for all places, else one per place."""
    modes = wording.tree.capture.king_capture
    everywhere = len(set(modes.to_dict().values())) == 1
    throne = wording.rules.throne
    counts = throne is not None and wording.tree.hostility.throne_hostile.king != "never"
    if everywhere and (throne is None or modes.elsewhere != "four_sides"):
        drawn = pictures.king_elsewhere(wording)
        mode = _king_capture_key(wording, modes.elsewhere)
        yield wording.clause("king_capture", f"words.king.anywhere.{mode}", pictures=drawn)
        if counts and modes.elsewhere == "custodial":
            yield wording.clause(
                ("throne_hostile", "king_capture"),
                "words.king.throne_counts",
                "king",
                "beside_throne",
                pictures=pictures.king_beside_throne(wording),
            )
        return
    beside, elsewhere = _beside(wording, counts), _king_capture_key(wording, modes.elsewhere)
    if elsewhere == "four_sides" and _edge_closes(wording):
        elsewhere = "four_sides_inside"
    facing = wording.has_part("king_capture", "opposite")
    if facing and (beside, elsewhere) == ("custodial_throne", "custodial"):
        beside, elsewhere = "two_or_throne", "two"
    yield wording.clause("fixed", "words.king.intro", "king_adjacent")
    yield wording.clause(
        "king_capture",
        f"words.king.on_throne.{_king_capture_key(wording, modes.on_throne)}",
        "on_throne",
        pictures=pictures.king_on_throne(wording),
    )
    yield wording.clause(
        ("king_capture", "throne_hostile") if modes.beside_throne != "never" else ("king_capture",),
        f"words.king.beside.{beside}",
        "beside_throne",
        "king",
        pictures=pictures.king_beside_throne(wording),
    )
    yield wording.clause(
        "king_capture",
        f"words.king.elsewhere.{elsewhere}",
        "elsewhere",
        pictures=pictures.king_elsewhere(wording),
    )
    if facing:
        yield wording.clause("king_capture", "words.king.opposite", "opposite")


def _king_capture_key(wording: Wording, mode: str) -> str:
    """Returns the text key for capturing a king who stands alone.

    A king who cannot be captured alone may still be captured together with a soldier.
    """
    capture = wording.tree.capture
    falls_with_another = capture.linnaean == "guard_and_king" or capture.blocked_groups not in (
        "none",
        *_GROUPS,
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


def _edge(wording: Wording) -> Iterator[Clause]:
    """Iterates over clauses about the edge; silent unless the king can be there and needs four captors."""
    lives_there = wording.tree.ends.goal == "corner"
    leaf = "edge_hostile_king"
    if not lives_there or wording.tree.capture.king_capture.elsewhere != "four_sides":
        yield wording.clause(leaf, "words.edge.moot", is_silent=True)
        return
    if not _edge_closes(wording):
        yield wording.clause(leaf, "words.edge.open", begins_paragraph=True)
        return
    drawn = pictures.king_on_edge(wording)
    yield wording.clause(leaf, "words.edge.closed", pictures=drawn, begins_paragraph=True)
    if corner := _corner_against_king(wording):
        yield wording.clause(
            "corner_hostile",
            "words.edge.corner",
            "king",
            facts={"Corner": capitalised(corner)},
            pictures=pictures.king_beside_corner(wording),
        )


def _edge_closes(wording: Wording) -> bool:
    """Checks whether the edge closes a side of a king who can be there."""
    return wording.tree.hostility.edge_hostile_king and wording.tree.ends.goal == "corner"


def _corner_against_king(wording: Wording) -> str | None:
    """Returns a corner that is hostile to the king; None if there is none."""
    when = wording.tree.hostility.corner_hostile.king
    if when == "never" or not wording.rules.corners:
        return None
    is_closed = when == "empty" and _is_never_occupied(wording)
    return wording.text("words.corner.closed" if is_closed else f"words.corner.{when}")


def _corner_and_king(wording: Wording) -> Clause:
    """Returns the clause about corners; silent if the clause about the edge covers it."""
    corner = _corner_against_king(wording)
    mode = wording.tree.capture.king_capture.elsewhere
    lives_there = wording.tree.ends.goal == "corner"
    wide = wording.tree.board.corners == "2x2"
    edge_closes = wording.tree.hostility.edge_hostile_king
    matters = mode == "custodial" or (mode == "four_sides" and wide and not edge_closes)
    if corner is None or not matters or not (lives_there or wide):
        return wording.clause("corner_hostile", "words.corner_king.moot", is_silent=True)
    return wording.clause(
        "corner_hostile",
        f"words.corner_king.{mode}",
        "king",
        facts={"corner_square": corner, "Corner": capitalised(corner)},
        pictures=pictures.king_beside_corner(wording),
    )
