"""The last sections: the ends of the game, the calls, the match."""

from collections.abc import Iterator

from hnefi.rule_tree import EndRules
from hnefi.words import pictures
from hnefi.words.model import Clause
from hnefi.words.variant_texts import in_language, lookup
from hnefi.words.wording import Wording

__all__ = ["calls", "ends", "match"]


def ends(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about ends of the game, in order of precedence."""
    tree = wording.tree.ends
    yield Clause(("goal",), wording.text(f"words.goal.{tree.goal}"))
    yield Clause(("king_captured",), wording.text(f"words.king_captured.{tree.king_captured}"))
    guards = tree.guards_captured
    yield Clause(
        ("guards_captured",), wording.text(f"words.guards_captured.{guards}"), is_silent=guards == "none"
    )
    attackers = tree.attackers_captured
    yield Clause(
        ("attackers_captured",),
        wording.text(f"words.attackers_captured.{attackers}"),
        is_silent=attackers == "none",
    )
    yield Clause(
        ("tuichi",),
        wording.text(f"words.tuichi.{tree.tuichi}"),
        pictures=pictures.roads(wording, 2) if tree.tuichi != "none" else (),
        is_silent=tree.tuichi == "none",
    )
    yield Clause(
        ("exit_fort",),
        wording.text(f"words.exit_fort.{tree.exit_fort}"),
        pictures=pictures.exit_fort(wording),
        is_silent=tree.exit_fort == "none",
    )
    yield Clause(
        ("enclosure",),
        wording.text(f"words.enclosure.{tree.enclosure}"),
        pictures=pictures.enclosure(wording),
        is_silent=tree.enclosure == "none",
    )
    yield from _draw_clauses(wording, tree)


def _draw_clauses(wording: Wording, tree: EndRules) -> Iterator[Clause]:
    """Iterates over the clauses about repetition, quiet moves and sides that cannot move."""
    again = tree.repetition
    yield Clause(
        ("repetition",),
        wording.text(f"words.repetition.{again.result}", count=again.count),
        is_silent=again.result == "none",
    )
    limit = tree.quiet_limit
    if limit:
        yield Clause(("quiet_limit",), wording.plural("words.quiet_limit.some", limit))
    else:
        yield Clause(("quiet_limit",), wording.text("words.quiet_limit.none"), is_silent=True)
    yield Clause(("no_move",), wording.text(f"words.no_move.{tree.no_move}"))
    yield Clause((), wording.text("words.ends.order"))


def calls(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about calls, and the sanction for a missing one."""
    if wording.calls is None:
        return
    one, two, danger = (_call_name(wording, word) for word in ("one_exit", "two_exits", "king_in_danger"))
    if one and two:
        drawn = pictures.roads(wording, 1)
        if wording.tree.ends.tuichi == "none":
            drawn += pictures.roads(wording, 2)
        yield Clause(("calls",), wording.text("words.calls.exits", one=one, two=two), pictures=drawn)
        yield Clause(("calls",), wording.text("words.calls.opened"))
    if danger and wording.calls.get("king_in_danger"):
        yield Clause(("calls",), wording.text("words.calls.danger", word=danger))
    sanction = wording.calls["sanction"]
    yield Clause(("sanction",), wording.text(f"words.sanction.{sanction}"), begins_paragraph=True)
    replay = wording.text(f"words.replay.{wording.calls['replay']}")
    yield Clause(("replay",), replay, is_silent=sanction == "none")
    wrong_number = wording.text(f"words.wrong_number.{wording.calls['wrong_number']}")
    yield Clause(("wrong_number",), wrong_number, is_silent=sanction == "none")


def _call_name(wording: Wording, word: str) -> str | None:
    """Returns the word of a call."""
    return in_language(lookup(wording.calls, "words", word), wording.lang)


def match(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about the match: legs, tie-break, drawing of sides."""
    if wording.match is None:
        return
    if wording.match.get("legs") == 2:
        yield Clause(("match",), wording.text("words.match.legs.two"))
        tie_break = "captures" if wording.match.get("tie_break") == "captures" else "none"
        yield Clause(("match",), wording.text(f"words.match.tie_break.{tie_break}"))
    else:
        yield Clause(("match",), wording.text("words.match.legs.one"))
    lot = bool(wording.match.get("lot", False))
    yield Clause(
        ("match",), wording.text("words.match.lot.yes" if lot else "words.match.lot.no"), is_silent=not lot
    )
