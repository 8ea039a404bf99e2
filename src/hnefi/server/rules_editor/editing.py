"""Rules of one's own: what they are, in words, what is wrong with them, and what follows from what."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hnefi import words
from hnefi._core import Rules
from hnefi.errors import Fault, VariantError
from hnefi.formats import explain_gap
from hnefi.formats.opentafl import format_rules_text, variant_rules_text
from hnefi.i18n import explain, plural, text
from hnefi.rule_tree import RuleTree
from hnefi.server.game_facts import game_facts
from hnefi.server.messages.rules import (
    AnswersRequest,
    AnswersTold,
    AnswerView,
    ClauseView,
    LikeView,
    RuleFault,
    RuleFollow,
    RulesRequest,
    RulesSection,
    RulesView,
    RuleView,
    ShapeView,
)
from hnefi.server.rules_editor.layouts import SIZES, usual_layout
from hnefi.variants.conflicts import reconcile
from hnefi.variants.custom import custom_id, derive
from hnefi.variants.files import format_variant
from hnefi.variants.finding import variant
from hnefi.variants.links import format_query
from hnefi.variants.model import Variant
from hnefi.variants.schema import TreeDict, neutral_section, schema, value_at
from hnefi.variants.similarity import match_rules, rule_differences
from hnefi.variants.switches import CALL_SWITCHES, apply_switches, bad_switch, format_value
from hnefi.words.values import answer_words

__all__ = ["has_answers", "made_rules", "rule_title", "shape_of", "told_answers"]


def _applies(_: Rules) -> bool:
    return True


# Rules that are about nothing without what they name.
_NEEDS: Mapping[str, Callable[[Rules], bool]] = {
    **dict.fromkeys(
        ("throne_stop", "throne_pass", "throne_hostile", "linnaean"), lambda rules: rules.throne is not None
    ),
    **dict.fromkeys(("corner_stop", "corner_hostile"), lambda rules: bool(rules.corners)),
    **dict.fromkeys(("camp_hostile", "occupied_camps"), lambda rules: bool(rules.camps)),
}
# What a contradiction says stands against it, and the text that tells it to people.
_AGAINST = {
    "board.throne = none": "page.editor.fault.throne",
    "board.corners = none": "page.editor.fault.corners",
    "board.camps = []": "page.editor.fault.camps",
    "ends.goal = corner": "page.editor.fault.king_kept_out",
    "hostility.camp_hostile": "page.editor.fault.camps_harmless",
}


def made_rules(asked: RulesRequest, lang: str) -> RulesView:
    """Tells what rules of one's own are.

    Raises:
        VariantError: If there is no such variant. What is wrong with the rules is told, not raised.
    """
    base = variant(asked.variant)
    switches = _with_layout(base, asked.switches)
    try:
        settled = reconcile(base, switches, None if asked.changed is None else {asked.changed})
        found = base.with_switches(settled)
    except VariantError as error:
        return _refused(base, switches, error, lang)
    follows = [leaf for leaf, value in settled.items() if asked.switches.get(leaf) != value]
    return _told(base, found, asked.name, follows, lang)


def has_answers(leaf: str) -> bool:
    """Tells whether a rule, or a switch of the calls, has answers that a sentence explains."""
    return next(_answers(leaf, ""), None) is not None


def told_answers(asked: AnswersRequest, lang: str) -> AnswersTold:
    """Tells what the answers to the question about a rule mean: what the rules would be with each.

    An answer that cannot be chosen says what stands against it.

    Raises:
        VariantError: If there is no such variant or rule, or the rules that are asked for are not sound.
    """
    base = variant(asked.variant)
    if asked.leaf not in (known := (*schema(), *CALL_SWITCHES)):
        raise bad_switch(asked.leaf, asked.leaf, " | ".join(known), part="name")
    now = _values(base.with_switches(asked.switches).tree, None).get(asked.leaf, "")
    others = {key: one for key, one in asked.switches.items() if key.partition(".")[0] != asked.leaf}
    answers = [
        AnswerView(
            words=answer_words(asked.leaf, value, lang),
            text=_meaning(base, {**others, asked.leaf: switch}, asked.leaf, lang),
        )
        for value, switch in _answers(asked.leaf, now)
    ]
    return AnswersTold(answers=answers)


def _answers(leaf: str, now: str) -> Iterator[tuple[str, str]]:
    """Gives the values that a question offers, each with a switch that has it in every entry."""
    parameter = schema().get(leaf, {"kind": "choice", "values": CALL_SWITCHES.get(leaf, ())})
    if leaf == "repetition":
        count = now.partition(",")[0]
        some = count if count not in ("", "0") else _USUAL_COUNT
        for value in parameter["keys"]["result"]["values"]:
            yield value, "0,none" if value == "none" else f"{some},{value}"
    elif parameter["kind"] == "map" and "choice" in {one["kind"] for one in parameter["keys"].values()}:
        entries = parameter["keys"]
        for value in next(iter(entries.values()))["values"]:
            yield value, ",".join([value] * len(entries))
    elif parameter["kind"] in ("choice", "flag"):
        for value in parameter.get("values", ("true", "false")):
            yield value, value


_USUAL_COUNT = "3"


def _meaning(base: Variant, switches: Mapping[str, str], leaf: str, lang: str) -> str:
    try:
        found = base.with_switches(reconcile(base, switches, {leaf}))
    except VariantError as error:
        return " ".join(fault.message for fault in _faults(error, lang))
    return _sentence(words.rules(found, lang), leaf)


def rule_title(leaf: str, lang: str) -> str:
    """Names a rule, or a switch of the calls."""
    return text(f"words.leaf.{leaf}", lang) if leaf in schema() else text(f"page.editor.calls.{leaf}", lang)


def _with_layout(base: Variant, switches: Mapping[str, str]) -> dict[str, str]:
    """Adds a start position of the size that is asked for, where there is none of it."""
    size = switches.get("size", "").strip()
    start = switches.get("start") or base.tree_dict["board"]["start"]
    rows = start.split()[0].split("/") if "/" in start else start.strip().splitlines()
    if not (size.isdecimal() and size in map(str, SIZES)) or len(rows) == int(size):
        return dict(switches)
    return {**switches, "start": usual_layout(int(size))}


def _values(tree: RuleTree | TreeDict, calls: Mapping[str, Any] | None) -> dict[str, str]:
    """Gives every rule as a switch."""
    values = {leaf: format_value(leaf, value_at(tree, leaf)) for leaf in schema()}
    return values | {key: str(calls[key]) for key in CALL_SWITCHES if calls is not None}


def _told(base: Variant, found: Variant, title: str, follows: list[str], lang: str) -> RulesView:
    told, before = words.rules(found, lang), words.rules(base, lang)
    known = {clause.text for section in before.sections for clause in section.clauses}
    values = _values(found.tree, found.calls)
    usual = _values(base.tree, base.calls)
    toml, name = _file(base, found, title, lang)
    rules_text, gaps = variant_rules_text(found)
    return RulesView(
        ok=True,
        faults=[],
        follows=[RuleFollow(leaf=leaf, message=_follow(told, leaf, lang)) for leaf in follows],
        values=values,
        switches=dict(found.switches),
        start=found.tree.board.start,
        shape=shape_of(found.rules),
        rules={
            leaf: RuleView(
                value=value,
                text=_sentence(told, leaf),
                differs=value != usual[leaf],
                applies=_NEEDS.get(leaf, _applies)(found.rules),
            )
            for leaf, value in values.items()
        },
        sections=list(_sections(told, known)),
        facts=game_facts(found, lang),
        like=_like(found, lang),
        query=format_query(base.id, found.switches),
        file_name=name,
        toml=toml,
        opentafl=format_rules_text(rules_text),
        gaps=[explain_gap(gap, lang) for gap in gaps],
    )


def _follow(told: words.RulesText, leaf: str, lang: str) -> str:
    return text("page.editor.follows", lang, title=rule_title(leaf, lang), text=_sentence(told, leaf))


def _sentence(told: words.RulesText, leaf: str) -> str:
    about = told.clauses_about(leaf) or told.clauses_about("calls" if leaf in CALL_SWITCHES else leaf)
    return " ".join(dict.fromkeys(clause.text for clause in about))


def _sections(told: words.RulesText, known: set[str]) -> Iterator[RulesSection]:
    """Gives the sections; of what is silent only what is new."""
    for section in told.sections:
        clauses = [one for one in section.clauses if not one.is_silent or one.text not in known]
        if clauses:
            views = [
                ClauseView(text=one.text, leaves=list(one.leaves), differs=one.text not in known)
                for one in clauses
            ]
            yield RulesSection(id=section.id, heading=section.heading, is_list=section.is_list, clauses=views)


def _like(found: Variant, lang: str) -> LikeView:
    """Says which variant the rules are nearest to."""
    nearest = match_rules(found.rules)[0]
    name = nearest.variant.name(lang)
    message = text("page.editor.like.same", lang, name=name)
    if nearest.distance > 0:
        titles = [rule_title(one.leaf, lang) for one in rule_differences(found.tree, nearest.variant.tree)]
        message = plural("page.editor.like.near", len(titles), lang, name=name, titles=" · ".join(titles))
    return LikeView(variant=nearest.variant.id, name=name, message=message)


def _file(base: Variant, found: Variant, name: str, lang: str) -> tuple[str, str]:
    """Writes the rules as a file, and names it."""
    title = " ".join(name.split()) or text("page.editor.name.usual", lang, name=base.name(lang))
    file_id = custom_id(title)
    return format_variant(derive(base, file_id, {lang: title}, found.switches)), f"{file_id}.toml"


def _refused(base: Variant, switches: Mapping[str, str], error: VariantError, lang: str) -> RulesView:
    """Tells what is wrong, with the values as they were asked for and the board as far as it goes."""
    tree = _readable(base, switches)
    if tree["board"]["size"] not in SIZES:
        tree["board"]["size"] = base.rules.size
    if "start" not in switches:
        # As a position text has it, and not drawn as in the file.
        tree["board"]["start"] = str(base.rules.start).split(" ")[0]
    return RulesView(
        ok=False,
        faults=list(_faults(error, lang)),
        follows=[],
        values=_values(tree, base.calls),
        switches=dict(switches),
        start=tree["board"]["start"],
        shape=shape_of(_empty_rules(tree)),
        rules={},
        sections=[],
        facts=None,
        like=None,
        query=format_query(base.id, switches),
        file_name="",
        toml="",
        opentafl="",
        gaps=[],
    )


def _readable(base: Variant, switches: Mapping[str, str]) -> TreeDict:
    """Gives a rules tree with all switches that can be read; nobody has looked whether they go together."""
    tree = apply_switches(base.tree_dict, {})[0]
    for key, value in switches.items():
        try:
            changed = apply_switches(tree, {key: value})[0] if key not in CALL_SWITCHES else tree
        except VariantError:
            continue
        tree = changed
    return tree


def _empty_rules(tree: TreeDict) -> Rules:
    """Gives rules with the special squares of a tree, harmless otherwise; without camps that are wrong."""
    board = tree["board"]
    size = board["size"]
    middle = size // 2
    rows = [str(size)] * size
    for row, piece in ((middle - 1, "T"), (middle, "K"), (middle + 1, "t")):
        rows[row] = f"{middle}{piece}{middle}"
    start = "/".join(rows)
    everywhere = dict.fromkeys(schema()["king_capture"]["keys"], "custodial")
    for camps in (board["camps"], _NO_CAMPS):
        harmless: TreeDict = {
            "first": "attackers",
            "board": {**board, "start": start, "camps": camps},
            **{name: neutral_section(name) for name in ("movement", "hostility", "special")},
            "capture": {**neutral_section("capture"), "king_armed": "both", "king_capture": everywhere},
            "ends": {**neutral_section("ends"), "goal": "edge", "no_move": "loses"},
        }
        try:
            return Rules(json.dumps(harmless))
        except VariantError:
            continue
    raise AssertionError(board)


_NO_CAMPS: list[list[str]] = []


def shape_of(rules: Rules) -> ShapeView:
    """Gives the special squares of a board."""
    return ShapeView(
        size=rules.size,
        throne=None if rules.throne is None else str(rules.throne),
        corners=[str(one) for one in rules.corners],
        camps=[[str(one) for one in camp] for camp in rules.camps],
        goals=[str(one) for one in rules.goals],
    )


def _faults(error: VariantError, lang: str) -> Iterator[RuleFault]:
    """Tells the faults of some rules, each in a sentence beside the rule that it is about."""
    if not error.faults:
        leaf = error.parameters.get("switch", "").partition(".")[0]
        yield RuleFault(leaf=leaf or None, code=error.code, message=explain(error, lang))
    for fault in error.faults:
        leaf = next((part for part in fault.path.split(".") if part in schema()), "")
        yield RuleFault(leaf=leaf or None, code=fault.code, message=_in_words(fault, leaf, lang))


def _in_words(fault: Fault, leaf: str, lang: str) -> str:
    facts = {"path": fault.path, "found": fault.found, "expected": fault.expected}
    if fault.found in _AGAINST:
        return text(_AGAINST[fault.found], lang)
    if leaf == "camps":
        is_off = fault.expected.startswith("board.size =")
        return text("page.editor.fault.camp_off" if is_off else "page.editor.fault.camp_taken", lang, **facts)
    if leaf == "start" and fault.code == "wrong_start":
        if fault.expected == "K × 1":
            return text("page.editor.fault.kings", lang, n=fault.found.rpartition(" ")[2])
        if fault.expected.startswith("K"):
            return text("page.editor.fault.king_at_goal", lang, square=fault.found.removeprefix("K"))
        if fault.found in ("t × 0", "T × 0"):
            side = "attackers" if fault.found.startswith("t") else "defenders"
            return text(f"page.editor.fault.no_{side}", lang)
        side, _, moves = fault.found.partition(": ")
        if moves == "0":
            return text(f"page.editor.fault.stuck_{side}", lang)
    return text(f"fault.{fault.code}", lang, **facts)
