"""`hnefi variants new`: creates a custom variant, from switches or by questions."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from hnefi import words
from hnefi.cli.commands import argument, command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.naming import SwitchText, VariantName, json_option
from hnefi.cli.output import colour_depth, is_terminal, needs_ascii, print_json, print_text
from hnefi.cli.rule_examples import show_example
from hnefi.cli.texts import error_text, language, translate
from hnefi.cli.values import Line, Text
from hnefi.cli.variants.custom import save
from hnefi.diagram import text as board_text
from hnefi.errors import HnefiError, VariantError
from hnefi.examples import example
from hnefi.variants.conflicts import Resolution, resolve
from hnefi.variants.custom import derive
from hnefi.variants.finding import all_variants, variant
from hnefi.variants.model import LONGEST_NAME, Variant
from hnefi.variants.schema import RULE_GROUPS, schema, value_at
from hnefi.variants.switches import format_value, parse_switches
from hnefi.words.values import rule_title

_EXAMPLES = (
    ("variants new", "asked"),
    ("variants new my-fetlar --from fetlar-11 --set king_armed=none --name 'My Fetlar'", "set"),
)
_DEFAULT_BASE = "brandub-globe"
_MAX_OTHER_VALUES = 4


@command("new", _EXAMPLES, group="variants")
@argument("variant_id", key="new_id", type=Text(), required=False)
@option("--from", "base", type=VariantName(), help="base_variant")
@option("--set", "changes", type=SwitchText(), multiple=True, help="set_rule")
@option("--name", type=Line(LONGEST_NAME), metavar="name", help="variant_name")
@option("--replace", is_flag=True, help="replace_variant")
@json_option
def new(
    variant_id: str | None,
    base: Variant | None,
    changes: tuple[str, ...],
    name: str | None,
    replace: bool,
    as_json: bool,
) -> None:
    """Creates a variant."""
    asks = variant_id is None
    if asks and (as_json or not is_terminal(sys.stdin)):
        raise bad_usage("missing", name=translate("cli.word.new_id"))
    start = base or variant(_DEFAULT_BASE)
    resolution = resolve(start, parse_switches(changes))
    if variant_id is None:
        _print_follows(resolution)
        questions = _Questions(_ask_base() if base is None else start, resolution.switches)
        questions.run()
        made, path, told = _ask_name(questions.base, questions.switches, name, overwrite=replace)
    else:
        made = derive(start, variant_id.strip(), {language(): name or variant_id}, resolution.switches)
        path, told = save(made, overwrite=replace)
    if as_json:
        print_json({"id": made.id, "file": str(path), "rules_hash": made.rules.hash})
        return
    click.echo(words.to_text(words.rules(made, language())))
    click.echo()
    if not asks:
        _print_follows(resolution)
    click.echo(told)
    click.echo(translate("cli.variants.new.play", id=made.id))


def _print_follows(resolution: Resolution) -> None:
    """Prints the rules that changed in consequence of others, one a line."""
    for key, value in sorted(resolution.follows.items()):
        click.echo(translate("cli.variants.new.follows", key=key, value=value))


def _ask_base() -> Variant:
    """Asks for the variant to begin with until there is one."""
    while True:
        try:
            return variant(click.prompt(translate("cli.variants.new.base"), default=_DEFAULT_BASE))
        except VariantError as error:
            click.echo(error_text(error))


def _ask_name(
    base: Variant, switches: Mapping[str, str], name: str | None, *, overwrite: bool
) -> tuple[Variant, Path, str]:
    """Asks for id and name until the variant can be saved: a bad one loses no answer."""
    while True:
        new_id = click.prompt(translate("cli.variants.new.id")).strip()
        new_name = name or click.prompt(translate("cli.variants.new.name"), default=new_id)
        try:
            made = derive(base, new_id, {language(): new_name}, switches)
            return made, *save(made, overwrite=overwrite)
        except HnefiError as error:
            click.echo(error_text(error))


class _Questions:
    """One question for each rule. An answer is applied at once, and asked again if it contradicts others."""

    def __init__(self, base: Variant, switches: Mapping[str, str]) -> None:
        self.base = base
        self.switches = switches
        self._made = base.with_switches(switches)
        self._leaves = [leaf for group in RULE_GROUPS.values() for leaf in group]

    def run(self) -> None:
        """Runs the questionnaire. An empty answer keeps a rule, `<` goes back, `!` ends the questions."""
        click.echo(translate("cli.variants.new.how"))
        at = 0
        while at < len(self._leaves):
            answer = self._ask(self._leaves[at], at + 1)
            if answer == "!":
                return
            at = max(0, at - 1) if answer == "<" else at + self._apply(self._leaves[at], answer)

    def _ask(self, leaf: str, number: int) -> str:
        count, title = len(self._leaves), rule_title(leaf, language())
        click.echo()
        click.echo(translate("cli.variants.new.question", number=number, count=count, title=title, key=leaf))
        if leaf in ("start", "size", "camps"):
            game = self._made.new_game()
            print_text(board_text(game, colour=colour_depth(), ascii_only=needs_ascii()))
        for line in (*_sentences(self._made, leaf), *self._other_values(leaf)):
            click.echo(f"  {line}")
        self._show_example(leaf)
        while True:
            answer: str = click.prompt(
                translate("cli.variants.new.value"), default=self._value(leaf), show_default=True
            )
            if not answer.startswith("?"):
                return answer.strip()
            if not self._show_example(leaf, answer[1:].strip() or None):
                click.echo(translate("cli.example.none"))

    def _value(self, leaf: str) -> str:
        return format_value(leaf, value_at(self._made.tree, leaf))

    def _show_example(self, leaf: str, value: str | None = None) -> bool:
        """Prints an example of a value; returns whether anything was printed."""
        try:
            found = example(self._made, leaf, value)
        except VariantError as error:
            click.echo(error_text(error))
            return True
        if found is None:
            return False
        click.echo()
        show_example(found)
        click.echo()
        return True

    def _other_values(self, leaf: str) -> Iterator[str]:
        """Iterates over the values of a rule, each with its sentences or with what forbids it."""
        values = schema()[leaf].get("values")
        if schema()[leaf]["kind"] != "choice" or not values or len(values) > _MAX_OTHER_VALUES + 1:
            return
        for value in values:
            try:
                other = self._made.with_switches({leaf: str(value)})
            except VariantError as error:
                yield f"{value}: {error_text(error)}"
                continue
            yield f"{value}: {' '.join(_sentences(other, leaf))}"

    def _apply(self, leaf: str, answer: str) -> bool:
        """Applies an answer and prints what follows from it; returns whether it is possible."""
        changes = {**self.switches, leaf: answer}
        if leaf == "size" and answer != self._value(leaf):
            changes["start"] = _ask_layout(answer)
        try:
            resolution = resolve(self.base, changes)
        except VariantError as error:
            click.echo(error_text(error))
            return False
        _print_follows(resolution)
        self._made, self.switches = resolution.variant, resolution.switches
        return True


def _sentences(made: Variant, leaf: str) -> list[str]:
    clauses = words.rules(made, language(), pictures=False).clauses_about(leaf)
    return list(dict.fromkeys(clause.text for clause in clauses))


def _ask_layout(size: str) -> str:
    """Asks for a start position on a board of another size: rows, or the variant that has it."""
    known = [one.id for one in all_variants() if str(one.rules.size) == size]
    click.echo(translate("cli.variants.new.layouts", ids=", ".join(known) or "–"))
    answer: str = click.prompt(translate("cli.variants.new.layout"), default=known[0] if known else None)
    return variant(answer).tree.board.start if answer in known else answer
