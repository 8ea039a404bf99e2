"""`hnefi diff`: compares the rules of two variants."""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import click

from hnefi import words
from hnefi.cli.commands import command, option
from hnefi.cli.naming import SwitchText, json_option, switch_option, switched, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.rules import text_width
from hnefi.cli.texts import language, translate, translate_plural
from hnefi.variants.model import Variant
from hnefi.variants.schema import schema
from hnefi.variants.similarity import rule_differences
from hnefi.variants.switches import CALL_SWITCHES, format_value
from hnefi.words.values import rule_title

_EXAMPLES = (
    ("diff brandub-globe brandub-breyer", "plain"),
    ("diff tablut-geoludie tablut-geoludie-slow --json", "json"),
    ("diff brandub-globe brandub-globe --other-switch quiet_limit=40", "switch"),
)
# The keys of [calls] and [match] without their clauses.
_CALLS = ("sides", *CALL_SWITCHES, "king_in_danger", "words")
_MATCH = ("legs", "tie_break", "lot")


@dataclass(frozen=True, slots=True)
class Difference:
    """One rule in which two variants differ: its values, and what they mean in words."""

    leaf: str
    path: str
    values: tuple[object, object]
    sentences: tuple[str, str]

    @property
    def title(self) -> str:
        """The title of the rule."""
        return rule_title(self.leaf, language())


@command("diff", _EXAMPLES)
@variant_argument()
@variant_argument(name="other", key="other")
@switch_option
@option("--other-switch", "other_switches", multiple=True, type=SwitchText(), help="other_switch")
@json_option
def diff(
    variant: Variant,
    other: Variant,
    switches: tuple[str, ...],
    other_switches: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compares the rules of two variants."""
    pair = switched(variant, switches), switched(other, other_switches)
    found = list(differences(*pair))
    if as_json:
        print_json(_answer(pair, found))
        return
    shown = [_shown(one) for one in pair]
    if not found:
        click.echo(translate("cli.diff.none", first=shown[0], second=shown[1]))
        return
    for one in found:
        key = f" ({one.leaf})" if one.leaf in schema() else ""
        click.echo(f"{one.title}{key}")
        for name, value, sentence in zip(shown, one.values, one.sentences, strict=True):
            _print_value(one.leaf, name, value, sentence)
        click.echo()
    click.echo(translate_plural("cli.diff.count", len(found)))


def differences(first: Variant, second: Variant) -> Iterator[Difference]:
    """Iterates over the rules in which two variants differ, in schema order; then calls and match."""
    texts = tuple(words.rules(one, language(), pictures=False) for one in (first, second))
    for one in rule_differences(first.tree, second.tree):
        yield Difference(one.leaf, f"rules.{one.path}", one.values, _sentences(texts, one.leaf))
    calls = _part(first.calls, _CALLS), _part(second.calls, _CALLS)
    if calls[0] != calls[1]:
        sentences = _sentences(texts, "calls", *CALL_SWITCHES)
        yield Difference("calls", "calls", calls, sentences)
    matches = _part(first.match, _MATCH), _part(second.match, _MATCH)
    if matches[0] != matches[1]:
        yield Difference("match", "match", matches, _sentences(texts, "match"))


def _part(section: Mapping[str, Any] | None, keys: tuple[str, ...]) -> dict[str, Any] | None:
    return None if section is None else {key: section[key] for key in keys if key in section}


def _sentences(texts: tuple[words.RulesText, ...], *leaves: str) -> tuple[str, str]:
    first, second = (
        " ".join(
            dict.fromkeys(
                clause.text
                for leaf in leaves
                for clause in one.clauses_about(leaf)
                # A silent clause about a dependent rule adds nothing.
                if leaf == leaves[0] or not clause.is_silent
            )
        )
        for one in texts
    )
    return first, second


def _shown(one: Variant) -> str:
    """Returns the id of a variant with its switches."""
    switches = ", ".join(f"{key}={value}" for key, value in one.switches.items())
    return f"{one.id} ({switches})" if switches else one.id


def _print_value(leaf: str, name: str, value: object, sentence: str) -> None:
    """Prints the value of a rule, as a switch and in words."""
    text = sentence or translate("cli.diff.nothing")
    first = format_value(leaf, value) if leaf in schema() else text
    width = text_width()
    line = translate("cli.diff.value", variant=name, value=first)
    click.echo(textwrap.fill(line, width, initial_indent="  ", subsequent_indent="      "))
    if first != text:
        click.echo(textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    "))


def _answer(pair: tuple[Variant, Variant], found: list[Difference]) -> dict[str, object]:
    first, second = pair
    return {
        "variants": [first.id, second.id],
        "switches": [dict(first.switches), dict(second.switches)],
        "same_rules": first.rules == second.rules,
        "differences": [
            {
                "leaf": one.leaf,
                "path": one.path,
                "title": one.title,
                "values": list(one.values),
                "words": list(one.sentences),
            }
            for one in found
        ],
    }
