"""The rules editor page: every rule as a question with its answers in words."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hnefi.examples.alternatives import SILENT
from hnefi.i18n import plural, text
from hnefi.server.messages.rules import RulesRequest, RulesView
from hnefi.server.names import LONGEST_TITLE
from hnefi.server.pages import drawings
from hnefi.server.pages.facts import site_games
from hnefi.server.pages.page import PageRequest
from hnefi.server.pages.variant_families import variant_families
from hnefi.server.rules_editor.editing import NOT_TOLD, fault_texts, has_answers, rules_view
from hnefi.variants.finding import variant
from hnefi.variants.layouts import SIZES, king_alone, layouts
from hnefi.variants.links import query_switches
from hnefi.variants.schema import RULE_GROUPS, entries_in_order, schema
from hnefi.variants.switches import CALL_SWITCHES
from hnefi.words.values import answer_words, entry_words, rule_title

_DEFAULT_BASE = "brandub-globe"
_OPEN = ("board", "squares")


@dataclass(frozen=True, slots=True)
class Field:
    """An input of a question.

    Attributes:
        name: The switch.
        label: Its label; empty if the title of the question is enough.
        kind: `one` or `many` of the answers, `list` for one of many, `number` or `text`.
        value: The current value, as a switch.
        answers: The values to choose from, with their words.
    """

    name: str
    label: str
    kind: str
    value: str
    answers: Sequence[tuple[str, str]] = ()


def editor_values(request: PageRequest) -> dict[str, object]:
    """Returns the values of the rules editor, with the rules of the query.

    In the query, rules with several kinds of pieces come several times.

    Raises:
        VariantError: If there is no such variant.
    """
    lang, parameters = request.lang, _joined(request.query)
    base = variant(parameters.get("variant") or _DEFAULT_BASE)
    name = parameters.get("name", "")[:LONGEST_TITLE]
    # No rule is newer than another: all that contradict others may change.
    view = rules_view(
        RulesRequest.model_construct(
            variant=base.id, switches=query_switches(parameters), changed="", name=name, lang=lang
        ),
        lang,
    )
    return {
        "editor": {
            "id": base.id,
            "name": name,
            "longest_name": LONGEST_TITLE,
            "bases": list(_bases(request.known, lang)),
            "groups": list(_groups(view, lang)),
            "view": view if request.has_server else _without_words(view),
        },
        "board": drawings.board(base.with_switches(view.switches), None, lang)
        if view.ok
        else drawings.start_board(base.id, lang),
        "layouts": layout_names(lang),
        "faults": fault_texts(),
        "games": site_games(request),
    }


def _bases(variants: Collection[str], lang: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Iterates over the families of the variants of a site, with ids and names."""
    for family, members in variant_families(lang):
        known = [(one.id, one.name(lang)) for one in members if one.id in variants]
        if known:
            yield family, known


def _without_words(view: RulesView) -> RulesView:
    """Returns a view as web/src/pages/editor/local_view.ts makes it after the first change."""
    rules = {leaf: rule.model_copy(update={"text": ""}) for leaf, rule in view.rules.items()}
    return view.model_copy(update={**NOT_TOLD, "rules": rules})


def _joined(query: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Joins repeated parameters: ticked kinds of pieces, after a `none` that the form always sends."""
    found: dict[str, list[str]] = {}
    for key, value in query:
        found.setdefault(key, []).append(value)
    kinds = {f"rule.{leaf}" for leaf, entry in schema().items() if entry["kind"] == "kinds"}
    return {
        key: ",".join([one for one in values if one != "none"] or ["none"]) if key in kinds else values[-1]
        for key, values in found.items()
    }


def _groups(view: RulesView, lang: str) -> Iterator[dict[str, Any]]:
    """Iterates over the groups of questions, which fold."""
    for group, leaves in RULE_GROUPS.items():
        # How many of their rules differ from those of the variant.
        changed = sum(leaf in view.rules and view.rules[leaf].differs for leaf in leaves)
        yield {
            "name": group,
            "questions": [_question(leaf, _fields(leaf, view.values[leaf], lang), lang) for leaf in leaves],
            "changed": changed,
            # Unfolded at first: where a board begins, and where something is changed.
            "is_open": changed > 0 or group in _OPEN,
        }
    calls = [
        _question(key, [_choice(key, key, values, view.values.get(key, ""), lang)], lang)
        for key, values in CALL_SWITCHES.items()
    ]
    yield {"name": "calls", "questions": calls, "changed": 0, "is_open": False}


def _question(leaf: str, fields: Iterable[Field], lang: str) -> dict[str, Any]:
    """Returns a rule to set."""
    return {
        "leaf": leaf,
        "title": rule_title(leaf, lang),
        "fields": list(fields),
        "has_examples": leaf in schema() and leaf not in SILENT,
        # Whether its answers can be explained one by one.
        "has_answers": has_answers(leaf),
        # The entries of a map, in the order in which a switch lists their values.
        "entries": entries_in_order(schema().get(leaf, {}).get("keys", {})),
    }


def _fields(leaf: str, value: str, lang: str) -> Iterator[Field]:
    entry = schema()[leaf]
    match entry["kind"]:
        case "choice":
            yield _choice(leaf, leaf, entry["values"], value, lang)
        case "flag":
            yield _choice(leaf, leaf, ("true", "false"), value, lang)
        case "kinds":
            kinds = [(one, text(f"answer.kind.{one}", lang)) for one in entry["values"]]
            yield Field(leaf, "", "many", value, kinds)
        case "map":
            values = dict(zip(entries_in_order(entry["keys"]), value.split(","), strict=True))
            for name, part in values.items():
                yield _map_field(leaf, name, entry["keys"][name], part, lang)
        case "size":
            yield Field(leaf, "", "list", value, [(str(one), f"{one}\u00a0×\u00a0{one}") for one in SIZES])
        case "integer":
            yield Field(leaf, text("page.editor.quiet", lang), "number", value)
        case "rows":
            yield Field(leaf, text("page.editor.start.rows", lang), "text", value)
        case _:
            yield Field(leaf, text("page.editor.camps.squares", lang), "text", value)


def _map_field(leaf: str, name: str, entry: Mapping[str, Any], value: str, lang: str) -> Field:
    switch = f"{leaf}.{name}"
    label = entry_words(leaf, name, lang)
    if leaf == "range":
        steps = [(str(n), plural("count.squares", n, lang)) for n in range(1, 19)]
        return Field(switch, label, "list", value, [("0", answer_words(leaf, "0", lang)), *steps])
    if entry["kind"] == "integer":
        return Field(switch, label, "number", value)
    return replace(_choice(switch, leaf, entry["values"], value, lang), label=label, kind="list")


def _choice(name: str, leaf: str, values: Sequence[str], value: str, lang: str) -> Field:
    return Field(name, "", "one", value, [(one, answer_words(leaf, one, lang)) for one in values])


def layout_names(lang: str) -> dict[str, list[dict[str, str]]]:
    """Returns the start positions to choose from, by size, for web/src/pages/editor/board.tsx."""
    return {
        str(size): [
            *(
                {"rows": one.rows, "name": ", ".join(of.name(lang) for of in one.variants[:2])}
                for one in layouts(size)
            ),
            {"rows": king_alone(size), "name": text("page.editor.layout.king", lang)},
        ]
        for size in SIZES
    }
