"""The last sections: how the game ends, what is announced, what a match is."""

from collections.abc import Iterator

from hnefi.rule_tree import EndRules
from hnefi.words import pictures
from hnefi.words.facts import in_language, lookup
from hnefi.words.model import Clause
from hnefi.words.teller import Teller

__all__ = ["calls", "ends", "match"]


def ends(teller: Teller) -> Iterator[Clause]:
    """Tells the ends of the game, in the order in which they count."""
    tree = teller.tree.ends
    yield Clause(("goal",), teller.say(f"words.goal.{tree.goal}"))
    yield Clause(("king_captured",), teller.say(f"words.king_captured.{tree.king_captured}"))
    guards = tree.guards_captured
    yield Clause(
        ("guards_captured",), teller.say(f"words.guards_captured.{guards}"), is_silent=guards == "none"
    )
    attackers = tree.attackers_captured
    yield Clause(
        ("attackers_captured",),
        teller.say(f"words.attackers_captured.{attackers}"),
        is_silent=attackers == "none",
    )
    yield Clause(
        ("tuichi",),
        teller.say(f"words.tuichi.{tree.tuichi}"),
        pictures=pictures.roads(teller, 2) if tree.tuichi != "none" else (),
        is_silent=tree.tuichi == "none",
    )
    yield Clause(
        ("exit_fort",),
        teller.say(f"words.exit_fort.{tree.exit_fort}"),
        pictures=pictures.exit_fort(teller),
        is_silent=tree.exit_fort == "none",
    )
    yield Clause(
        ("enclosure",),
        teller.say(f"words.enclosure.{tree.enclosure}"),
        pictures=pictures.enclosure(teller),
        is_silent=tree.enclosure == "none",
    )
    yield from _stops(teller, tree)


def _stops(teller: Teller, tree: EndRules) -> Iterator[Clause]:
    """Tells of games that go on too long, and of sides that cannot go on."""
    again = tree.repetition
    yield Clause(
        ("repetition",),
        teller.say(f"words.repetition.{again.result}", count=again.count),
        is_silent=again.result == "none",
    )
    limit = tree.quiet_limit
    if limit:
        yield Clause(("quiet_limit",), teller.count("words.quiet_limit.some", limit))
    else:
        yield Clause(("quiet_limit",), teller.say("words.quiet_limit.none"), is_silent=True)
    yield Clause(("no_move",), teller.say(f"words.no_move.{tree.no_move}"))
    yield Clause((), teller.say("words.ends.order"))


def calls(teller: Teller) -> Iterator[Clause]:
    """Tells what is announced, and what follows if it is forgotten."""
    if teller.calls is None:
        return
    one, two, danger = (_called(teller, word) for word in ("one_exit", "two_exits", "king_in_danger"))
    if one and two:
        drawn = pictures.roads(teller, 1)
        if teller.tree.ends.tuichi == "none":
            drawn += pictures.roads(teller, 2)
        yield Clause(("calls",), teller.say("words.calls.exits", one=one, two=two), pictures=drawn)
        yield Clause(("calls",), teller.say("words.calls.opened"))
    if danger and teller.calls.get("king_in_danger"):
        yield Clause(("calls",), teller.say("words.calls.danger", word=danger))
    sanction = teller.calls["sanction"]
    yield Clause(("sanction",), teller.say(f"words.sanction.{sanction}"), begins=True)
    replay = teller.say(f"words.replay.{teller.calls['replay']}")
    yield Clause(("replay",), replay, is_silent=sanction == "none")


def _called(teller: Teller, word: str) -> str | None:
    """Returns what is said at a call."""
    return in_language(lookup(teller.calls, "words", word), teller.lang)


def match(teller: Teller) -> Iterator[Clause]:
    """Tells what a match is and who takes which side."""
    if teller.match is None:
        return
    if teller.match.get("legs") == 2:
        yield Clause(("match",), teller.say("words.match.legs.two"))
        breaks = "captures" if teller.match.get("tie_break") == "captures" else "none"
        yield Clause(("match",), teller.say(f"words.match.tie_break.{breaks}"))
    else:
        yield Clause(("match",), teller.say("words.match.legs.one"))
    lot = bool(teller.match.get("lot", False))
    yield Clause(
        ("match",), teller.say("words.match.lot.yes" if lot else "words.match.lot.no"), is_silent=not lot
    )
