"""The last sections: the ends of the game, the calls, the match."""

from collections.abc import Iterator

from hnefi.rule_tree import EndRules
from hnefi.words import pictures
from hnefi.words.model import Clause
from hnefi.words.nouns import capitalised
from hnefi.words.variant_texts import call_name
from hnefi.words.wording import Wording


def ends(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about ends of the game, in order of precedence."""
    tree = wording.tree.ends
    yield wording.clause("goal", f"words.goal.{tree.goal}", "win")
    if wording.has_part("goal", "king_only"):
        yield wording.clause("goal", "words.goal.king_only", "king_only", continues_item=True)
    yield wording.clause("king_captured", f"words.king_captured.{tree.king_captured}")
    guards = tree.guards_captured
    if guards != "none":
        yield wording.clause("guards_captured", f"words.guards_captured.{guards}")
    attackers = tree.attackers_captured
    yield wording.clause(
        "attackers_captured", f"words.attackers_captured.{attackers}", is_silent=attackers == "none"
    )
    yield wording.clause(
        "tuichi",
        f"words.tuichi.{tree.tuichi}",
        "win",
        pictures=pictures.roads(wording, 2) if tree.tuichi != "none" else (),
        is_silent=tree.tuichi == "none",
    )
    if tree.tuichi != "none":
        yield wording.clause("tuichi", "words.tuichi.road", "road", continues_item=True)
    yield wording.clause(
        "exit_fort",
        f"words.exit_fort.{tree.exit_fort}",
        pictures=pictures.exit_fort(wording),
        is_silent=tree.exit_fort == "none",
    )
    yield wording.clause(
        "enclosure",
        f"words.enclosure.{tree.enclosure}",
        pictures=pictures.enclosure(wording),
        is_silent=tree.enclosure == "none",
    )
    yield from _draw_clauses(wording, tree)


def _draw_clauses(wording: Wording, tree: EndRules) -> Iterator[Clause]:
    """Iterates over the clauses about repetition, quiet moves and sides that cannot move."""
    again = tree.repetition
    key, times = f"words.repetition.{again.result}", wording.times(again.count)
    yield wording.clause("repetition", key, is_silent=again.result == "none", facts={"count": times})
    limit, leaf = tree.quiet_limit, "quiet_limit"
    if limit:
        count = capitalised(wording.number(limit))
        yield Clause((leaf,), wording.plural("words.quiet_limit.some", limit, Count=count), parts=("limit",))
        if limit > 1:
            yield wording.clause(leaf, "words.quiet_limit.plies", "plies", continues_item=True)
        if tree.no_move == "pass":
            yield wording.clause("fixed", "words.no_move.pass_uncounted", "pass", continues_item=True)
    else:
        yield wording.clause(leaf, "words.quiet_limit.none", is_silent=True)
    if tree.no_move == "pass":
        yield wording.clause("no_move", "words.no_move.nobody", "nobody")
    else:
        yield wording.clause("no_move", f"words.no_move.{tree.no_move}")
    yield wording.clause("fixed", "words.ends.order", "order")


def readings(wording: Wording) -> Iterator[tuple[str, str]]:
    """Iterates over what our rulings decided, each with a sentence on its other readings.

    Without an end for captured attackers, the game still ends as it does for a side that cannot move: only a
    draw makes a difference.
    """
    tree = wording.tree.ends
    if wording.has_other_reading("corner_hostile.king=never"):
        yield "corner_hostile", wording.text("words.reading.corner_hostile")
    added = {
        "attackers_captured": tree.attackers_captured != "none" and tree.no_move == "draw",
        "repetition": tree.repetition.result != "none",
        "quiet_limit": tree.quiet_limit > 0,
        "no_move": True,
    }
    for leaf in (leaf for leaf, is_told in added.items() if is_told):
        values: dict[str, dict[str, None]] = {}
        for value in wording.other_readings(leaf):
            key, other = _reading(wording, leaf, value)
            values.setdefault(key, {})[other] = None
        for key, others in values.items():
            *first, last = others
            more = "words.reading.most" if first[1:] else "words.reading.more"
            listed = wording.text(more, first=", ".join(first), last=last) if first else last
            yield leaf, wording.text(key, readings=listed)


def _reading(wording: Wording, leaf: str, value: str) -> tuple[str, str]:
    """Returns the key of the sentence of another reading, and what it says there of the value of a switch."""
    count, _, result = value.rpartition(",")
    key = f"words.reading.{leaf}"
    if leaf == "repetition" and int(count) and result.startswith(wording.tree.ends.repetition.result):
        in_a_row = "words.reading.in_a_row"
        times = wording.times(int(count))
        quoted = "quoted" if wording.has_part("repetition", "repeated") else "times"
        return f"{key}.{quoted}", wording.text(in_a_row, count=times) if result.endswith("row") else times
    if leaf == "quiet_limit":
        limit = wording.tree.ends.quiet_limit
        each = value.isdigit() and int(value) == 2 * limit
        how = f"{key}.{'each' if each else 'other'}"
        return key, wording.text(how, count=wording.number(limit if each else int(value)))
    return key, wording.text(f"{key}.{result}")


def calls(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about calls, and the sanction for a missing one."""
    if wording.calls is None:
        return
    one, two, danger = (
        call_name(wording.calls, word, wording.lang) for word in ("one_exit", "two_exits", "king_in_danger")
    )
    facts = {"one": one, "two": two, "word": danger}
    wins = wording.tree.ends.tuichi != "none"
    # To the edge more than two roads may be open.
    edge = ".edge" if wording.tree.ends.goal == "edge" else ""
    if one and two:
        drawn = pictures.roads(wording, 1)
        if not wins:
            drawn += pictures.roads(wording, 2)
        never_two = not wins and _has_one_road_at_most(wording)
        key = f"one_exit{edge}" if wins else "one_at_most" if never_two else f"exits{edge}"
        called = f"words.calls.{key}"
        yield wording.clause("calls", called, "exits", "one_exit", pictures=drawn, facts=facts)
        for part in ("when", "again"):
            yield wording.clause("calls", f"words.calls.{part}", part)
        if never_two:
            yield wording.clause("calls", "words.calls.never_two", "never_two", facts=facts)
        yield wording.clause("calls", "words.calls.opened", "opened")
    yield from _sanction(wording, "none_one" if wins else "none")
    if one and two and wins:
        called = f"words.calls.two_exits{edge}"
        yield wording.clause("calls", called, "two_exits", begins_paragraph=True, facts=facts)
    if danger and wording.calls.get("king_in_danger"):
        yield wording.clause("calls", "words.calls.danger", "danger", begins_paragraph=True, facts=facts)


def _sanction(wording: Wording, without: str) -> Iterator[Clause]:
    """Iterates over the clauses about a forgotten call; `without` is the key if there is no sanction."""
    chosen = wording.calls or {}
    is_free = chosen.get("sanction") == "none"
    sanction = f"words.sanction.{without if is_free else 'replay'}"
    yield wording.clause("sanction", sanction, "sanction", begins_paragraph=True)
    if not is_free:
        yield wording.clause("sanction", "words.sanction.undone", "undone")
    yield wording.clause("replay", f"words.replay.{chosen['replay']}", "replay", is_silent=is_free)
    if not is_free:
        after = "still_closed" if chosen["sanction"] == "until_called" else "still_open"
        yield wording.clause("sanction", f"words.sanction.{after}", "still_open")
    wrong_number = f"words.wrong_number.{chosen['wrong_number']}"
    yield wording.clause("wrong_number", wrong_number, "wrong_number", is_silent=is_free)


def _has_one_road_at_most(wording: Wording) -> bool:
    """Checks whether the king is too slow for roads to two corners at once."""
    tree = wording.tree
    return tree.ends.goal == "corner" and tree.movement.range.king == 1 and wording.rules.size > 3


def match(wording: Wording) -> Iterator[Clause]:
    """Iterates over the clauses about the match: legs, tie-break, drawing of sides."""
    if wording.match is None:
        return
    if wording.match.get("legs") == 2:
        yield wording.clause("match", "words.match.legs.two", "legs")
        yield wording.clause("match", "words.match.points", "points")
        tie_break = wording.match["tie_break"]
        yield wording.clause("match", f"words.match.tie_break.{tie_break}", "tie_break")
        if tie_break == "captures":
            yield wording.clause("match", "words.match.tie_break.level", "level")
    else:
        yield wording.clause("match", "words.match.legs.one", "legs")
    lot = bool(wording.match.get("lot", False))
    how = "no" if not lot else "agreed" if wording.has_part("match", "agreed") else "yes"
    yield wording.clause("match", f"words.match.lot.{how}", "lot", is_silent=not lot)
