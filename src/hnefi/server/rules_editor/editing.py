"""Applies an edit to rules and describes the result: in words, with its faults and with what follows."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any

from hnefi import words
from hnefi._core import Rules
from hnefi.errors import FOUND_AND_EXPECTED, Fault, VariantError
from hnefi.formats import Gap, explain_gap
from hnefi.formats.opentafl import format_rules_text, variant_rules_text
from hnefi.i18n import explain, plural, text
from hnefi.rule_tree import RuleTree
from hnefi.server.game_facts import game_facts
from hnefi.server.messages.rules import (
    AnswersRequest,
    AnswersResponse,
    AnswerView,
    ClauseView,
    RuleFault,
    RuleFollow,
    RulesRequest,
    RulesSection,
    RulesView,
    RuleView,
    SimilarVariant,
    shape_of,
)
from hnefi.variants.conflicts import Resolution, resolve
from hnefi.variants.custom import custom_id, derive
from hnefi.variants.files import format_variant
from hnefi.variants.finding import variant
from hnefi.variants.layouts import SIZES, with_layout
from hnefi.variants.links import format_query
from hnefi.variants.model import Variant
from hnefi.variants.schema import TreeDict, neutral_section, schema, value_at
from hnefi.variants.similarity import match_rules, rule_differences
from hnefi.variants.switches import CALL_SWITCHES, apply_switches, bad_switch, format_value
from hnefi.words.nouns import capitalised
from hnefi.words.values import answer_words, rule_title, value_words

# Rules that have an effect only on a board with the squares they name.
_NEEDS: Mapping[str, Callable[[Rules], bool]] = {
    **dict.fromkeys(
        ("throne_stop", "throne_pass", "throne_hostile", "linnaean"), lambda rules: rules.throne is not None
    ),
    **dict.fromkeys(("corner_stop", "corner_hostile"), lambda rules: bool(rules.corners)),
    **dict.fromkeys(("camp_hostile", "occupied_camps"), lambda rules: bool(rules.camps)),
}
# The texts of the faults that the editor explains in words of its own.
_FAULT_TEXTS = {
    "needs_throne": "throne",
    "zones_need_throne": "throne",
    "needs_corners": "corners",
    "needs_camps": "camps",
    "king_kept_out": "king_kept_out",
    "needs_hostile_camps": "camps_harmless",
    "camp_off_board": "camp_off",
    "camp_taken": "camp_taken",
    "king_count": "kings",
    "king_on_goal": "king_at_goal",
    "no_attackers": "no_attackers",
    "no_defenders": "no_defenders",
    "stuck_side": "stuck_{side}",
}

NOT_TOLD = dict[str, Any](follows=[], sections=[], gaps=[], like=None, file_name="", toml="", opentafl="")
"""The parts of a view that only valid rules in words have."""

# The gaps of OpenTafl's rules strings about one rule: its key is their code, or a fact of `no_key`.
_RULE_GAPS = ("no_key", "repetition", "king_capture", "linnaean", "corner_hostile", "quiet_limit")


def rules_view(request: RulesRequest, lang: str) -> RulesView:
    """Applies the switches of a request, resolves conflicts, and describes the rules or their faults.

    Raises:
        VariantError: If there is no such variant. Faults of the rules are returned, not raised.
    """
    base = variant(request.variant)
    try:
        changed = resolve(base, request.switches, None if request.changed is None else {request.changed})
    except VariantError as error:
        return _refused_view(base, with_layout(base, request.switches), error, lang)
    return _view(base, changed, request.name, lang)


def has_answers(leaf: str) -> bool:
    """Checks whether the values of a rule, or of a switch of the calls, can be explained one by one."""
    return next(_answers(leaf, ""), None) is not None


def answers_view(request: AnswersRequest, lang: str) -> AnswersResponse:
    """Describes what the rules would be with each value of a rule, or why that value is impossible.

    Raises:
        VariantError: If there is no such variant or rule, or the rules of the request have faults.
    """
    base, leaf = variant(request.variant), request.leaf
    if leaf not in (known := (*schema(), *CALL_SWITCHES)):
        raise bad_switch(leaf, leaf, " | ".join(known), part="name")
    current = _values(base.with_switches(request.switches).tree, None).get(leaf, "")
    others = {key: one for key, one in request.switches.items() if key.partition(".")[0] != leaf}
    answers = [
        AnswerView(
            words=answer_words(leaf, value, lang), text=_meaning(base, {**others, leaf: switch}, leaf, lang)
        )
        for value, switch in _answers(leaf, current)
    ]
    return AnswersResponse(answers=answers)


def _answers(leaf: str, current: str) -> Iterator[tuple[str, str]]:
    """Iterates over the values of a rule, each with a switch that sets every entry to it."""
    parameter = schema().get(leaf, {"kind": "choice", "values": CALL_SWITCHES.get(leaf, ())})
    if leaf == "repetition":
        count = current.partition(",")[0]
        if count in ("", "0"):
            count = "3"
        for value in parameter["keys"]["result"]["values"]:
            yield value, "0,none" if value == "none" else f"{count},{value}"
    elif parameter["kind"] == "map" and "choice" in {one["kind"] for one in parameter["keys"].values()}:
        entries = parameter["keys"]
        for value in next(iter(entries.values()))["values"]:
            yield value, ",".join([value] * len(entries))
    elif parameter["kind"] in ("choice", "flag"):
        for value in parameter.get("values", ("true", "false")):
            yield value, value


def _meaning(base: Variant, switches: Mapping[str, str], leaf: str, lang: str) -> str:
    try:
        changed = resolve(base, switches, {leaf})
    except VariantError as error:
        return " ".join(fault.message for fault in _faults(error, lang))
    return _sentence(_told(changed.variant, lang), leaf)


def _values(tree: RuleTree | TreeDict, calls: Mapping[str, Any] | None) -> dict[str, str]:
    """Returns the value of every rule as in a switch."""
    values = {leaf: format_value(leaf, value_at(tree, leaf)) for leaf in schema()}
    return values | {key: str(calls[key]) for key in CALL_SWITCHES if calls is not None}


def _view(base: Variant, changed: Resolution, name: str, lang: str) -> RulesView:
    edited = changed.variant
    rules_text, known = _told(edited, lang), _sentences(base.id, lang)
    values, base_values = _values(edited.tree, edited.calls), _values(base.tree, base.calls)
    toml, file_name = _file(base, edited, name, lang)
    opentafl, gaps = variant_rules_text(edited)
    return RulesView(
        ok=True,
        faults=[],
        follows=[RuleFollow(leaf=leaf, message=_follow(rules_text, leaf, lang)) for leaf in changed.follows],
        values=values,
        switches=dict(edited.switches),
        start=edited.tree.board.start,
        shape=shape_of(edited.rules),
        rules={
            leaf: RuleView(
                value=value,
                text=_sentence(rules_text, leaf),
                differs=value != base_values[leaf],
                applies=leaf not in _NEEDS or _NEEDS[leaf](edited.rules),
            )
            for leaf, value in values.items()
        },
        sections=list(_sections(rules_text, known)),
        facts=game_facts(edited, lang, rules_text),
        like=_most_similar(edited, lang),
        query=format_query(base.id, edited.switches),
        file_name=file_name,
        toml=toml,
        opentafl=format_rules_text(opentafl),
        gaps=[gap_words(gap, edited.tree, lang) for gap in gaps],
    )


def gap_words(gap: Gap, tree: RuleTree, lang: str) -> str:
    """Returns a gap in words: the rule, its value, and what the format says instead.

    `explain_gap` names keys and values as they are in files.
    """
    code = gap.code.removeprefix("rules.")
    if code not in _RULE_GAPS:
        words = explain_gap(gap, lang)
        return f"{capitalised(words)}."
    leaf = gap.facts["key"] if code == "no_key" else code
    title, value = rule_title(leaf, lang), value_words(leaf, value_at(tree, leaf), lang)
    if "instead" not in gap.facts:
        return text("page.editor.gap.lost", lang, title=title, value=value)
    instead = _instead(leaf, gap.facts["instead"], lang)
    return text("page.editor.gap.instead", lang, title=title, value=value, instead=instead)


def _instead(leaf: str, value: str, lang: str) -> str:
    if leaf == "repetition":
        # A result alone is that of the third repetition.
        count, _, result = value.rpartition(", ")
        return value_words(leaf, {"count": int(count or 3), "result": result}, lang)
    if leaf == "jumps":
        words = answer_words(leaf, value, lang)
        return words[:1].lower() + words[1:]
    parsed: Any = int(value) if value.isdecimal() else value
    return value_words(leaf, parsed, lang)


def _told(edited: Variant, lang: str) -> words.RulesText:
    return words.rules(edited, lang, pictures=False, explains_names=True)


@lru_cache(maxsize=64)
def _sentences(variant_id: str, lang: str) -> frozenset[str]:
    """Returns the sentences of the rules of a variant without switches."""
    told = _told(variant(variant_id), lang)
    return frozenset(clause.text for section in told.rules_sections for clause in section.clauses)


def _follow(rules_text: words.RulesText, leaf: str, lang: str) -> str:
    return text("page.editor.follows", lang, title=rule_title(leaf, lang), text=_sentence(rules_text, leaf))


def _sentence(rules_text: words.RulesText, leaf: str) -> str:
    clauses = rules_text.clauses_about(leaf)
    if not clauses and leaf in CALL_SWITCHES:
        clauses = rules_text.clauses_about("calls")
    return " ".join(dict.fromkeys(clause.text for clause in clauses))


def _sections(rules_text: words.RulesText, known: Collection[str]) -> Iterator[RulesSection]:
    """Iterates over the sections; of their silent clauses only those that are new."""
    for section in rules_text.rules_sections:
        clauses = [one for one in section.clauses if not one.is_silent or one.text not in known]
        if clauses:
            views = [
                ClauseView(text=one.text, leaves=list(one.leaves), differs=one.text not in known)
                for one in clauses
            ]
            yield RulesSection(id=section.id, heading=section.heading, is_list=section.is_list, clauses=views)


def _most_similar(edited: Variant, lang: str) -> SimilarVariant:
    """Returns the variant that the rules are nearest to."""
    nearest = match_rules(edited.rules)[0]
    name = nearest.variant.name(lang)
    message = text("page.editor.like.same", lang, name=name)
    if nearest.distance > 0:
        titles = [rule_title(one.leaf, lang) for one in rule_differences(edited.tree, nearest.variant.tree)]
        message = plural("page.editor.like.near", len(titles), lang, name=name, titles=" · ".join(titles))
    return SimilarVariant(variant=nearest.variant.id, name=name, message=message)


def _file(base: Variant, edited: Variant, name: str, lang: str) -> tuple[str, str]:
    """Returns the text of the variant file of the rules, and its name."""
    title = " ".join(name.split()) or text("page.editor.name.usual", lang, name=base.name(lang))
    file_id = custom_id(title)
    return format_variant(derive(base, file_id, {lang: title}, edited.switches)), f"{file_id}.toml"


def _refused_view(base: Variant, switches: Mapping[str, str], error: VariantError, lang: str) -> RulesView:
    """Returns the faults of rules, with the requested values and the special squares of the board."""
    tree = _parsable_tree(base, switches)
    if tree["board"]["size"] not in SIZES:
        tree["board"]["size"] = base.rules.size
    if "start" not in switches:
        # In a file it may be a diagram.
        tree["board"]["start"] = base.tree.board.start
    return RulesView(
        ok=False,
        faults=list(_faults(error, lang)),
        values=_values(tree, base.calls),
        switches=dict(switches),
        start=tree["board"]["start"],
        shape=shape_of(_empty_rules(tree)),
        rules={},
        facts=None,
        query=format_query(base.id, switches),
        **NOT_TOLD,
    )


def _parsable_tree(base: Variant, switches: Mapping[str, str]) -> TreeDict:
    """Returns a rule tree with all switches that can be parsed, without a check for contradictions."""
    tree = apply_switches(base.tree_dict, {})[0]
    for key, value in switches.items():
        try:
            changed = apply_switches(tree, {key: value})[0] if key not in CALL_SWITCHES else tree
        except VariantError:
            continue
        tree = changed
    return tree


def _empty_rules(tree: TreeDict) -> Rules:
    """Returns rules with only the special squares of a tree; without its camps if they are not valid."""
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


def _faults(error: VariantError, lang: str) -> Iterator[RuleFault]:
    """Iterates over the faults of an error, each with its rule and in words."""
    if not error.faults:
        leaf = error.parameters.get("switch", "").partition(".")[0]
        yield RuleFault(leaf=leaf or None, code=error.code, message=explain(error, lang))
    for fault in error.faults:
        leaf = next((part for part in fault.path.split(".") if part in schema()), "")
        yield RuleFault(leaf=leaf or None, code=fault.code, message=_fault_text(fault, lang))


def fault_texts() -> dict[str, object]:
    """Returns how faults are told, for web/src/pages/editor/local_view.ts."""
    return {"texts": _FAULT_TEXTS, "found": FOUND_AND_EXPECTED}


def _fault_text(fault: Fault, lang: str) -> str:
    facts = {"path": fault.path, "found": fault.found, "expected": fault.expected}
    name = _FAULT_TEXTS.get(fault.kind)
    if name is None:
        return text(f"fault.{fault.code}", lang, **facts)
    key = f"page.editor.fault.{name.format(**fault.facts)}"
    return text(key, lang, **facts, n=fault.facts.get("count", ""), square=fault.facts.get("square", ""))
