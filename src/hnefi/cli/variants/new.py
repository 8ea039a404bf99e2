"""`hnefi variants new`: rules of one's own, asked one after the other and told back in words."""

import sys
from collections.abc import Mapping

import click

from hnefi import words
from hnefi.cli.commands import Text, argument, command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.naming import SwitchText, VariantName, json_option
from hnefi.cli.output import colour_depth, is_terminal, needs_ascii, print_json, print_text
from hnefi.cli.rule_examples import show_example
from hnefi.cli.texts import language, say, say_error
from hnefi.diagram import text as board_text
from hnefi.errors import VariantError
from hnefi.examples import example
from hnefi.variants.conflicts import reconcile
from hnefi.variants.custom import derive, save_variant
from hnefi.variants.finding import all_variants, variant
from hnefi.variants.model import Variant
from hnefi.variants.schema import RULE_GROUPS, schema, value_at
from hnefi.variants.switches import format_value, parse_switches

__all__ = ["new"]

_EXAMPLES = (
    ("variants new", "cli.variants.new.example.asked"),
    (
        "variants new my-fetlar --from fetlar-11 --set king_armed=none --name 'My Fetlar'",
        "cli.variants.new.example.set",
    ),
)
_USUAL = "brandub-globe"
_MOST_SHOWN = 4


@command("new", _EXAMPLES, key="variants.new")
@argument("variant_id", key="new_id", type=Text(), required=False)
@option("--from", "base", type=VariantName(), metavar="cli.word.variant", help="cli.option.base_variant")
@option(
    "--set",
    "changes",
    type=SwitchText(),
    multiple=True,
    metavar="cli.word.switch",
    help="cli.option.set_rule",
)
@option("--name", type=Text(), metavar="cli.word.name", help="cli.option.variant_name")
@option("--replace", is_flag=True, help="cli.option.replace_variant")
@json_option
def new(
    variant_id: str | None,
    base: Variant | None,
    changes: tuple[str, ...],
    name: str | None,
    replace: bool,
    as_json: bool,
) -> None:
    """Makes a variant."""
    asks = variant_id is None
    if asks and (as_json or not is_terminal(sys.stdin)):
        raise bad_usage("missing", name=say("cli.word.new_id"))
    start = base or variant(_USUAL)
    switches = reconcile(start, parse_switches(changes))
    if asks:
        asking = _Asking(_asked_base() if base is None else start, switches)
        asking.run()
        start, switches = asking.base, asking.switches
        variant_id = click.prompt(say("cli.variants.new.id"))
        name = name or click.prompt(say("cli.variants.new.name"), default=variant_id)
    made = derive(start, str(variant_id).strip(), {language(): name or str(variant_id)}, switches)
    where = save_variant(made, overwrite=replace)
    if as_json:
        print_json({"id": made.id, "file": str(where), "rules_hash": made.rules.hash})
        return
    click.echo(words.to_text(words.rules(made, language())))
    click.echo(say("cli.variants.add.kept", id=made.id, path=where))
    click.echo(say("cli.variants.new.play", id=made.id))


def _asked_base() -> Variant:
    """Asks what the new game begins as, until it is a variant."""
    while True:
        try:
            return variant(click.prompt(say("cli.variants.new.base"), default=_USUAL))
        except VariantError as error:
            click.echo(say_error(error))


class _Asking:
    """Questions about every rule; each answer is tried at once, and asked again if it contradicts others."""

    def __init__(self, base: Variant, switches: Mapping[str, str]) -> None:
        self.base = base
        self.switches = dict(switches)
        self._leaves = [leaf for group in RULE_GROUPS.values() for leaf in group]

    def run(self) -> None:
        """Asks; an empty answer leaves a rule as it is, `<` goes back, `!` ends the questions."""
        click.echo(say("cli.variants.new.how"))
        at = 0
        while at < len(self._leaves):
            answer = self._ask(self._leaves[at], at + 1)
            if answer == "!":
                return
            at = max(0, at - 1) if answer == "<" else at + self._takes(self._leaves[at], answer)

    def _ask(self, leaf: str, number: int) -> str:
        made = self.base.with_switches(self.switches)
        click.echo()
        click.echo(
            say(
                "cli.variants.new.question",
                number=number,
                count=len(self._leaves),
                title=_title(leaf),
                key=leaf,
            )
        )
        if leaf in ("start", "size", "camps"):
            print_text(board_text(made.new_game(), colour=colour_depth(), ascii_only=needs_ascii()))
        for text in dict.fromkeys(
            clause.text for clause in words.rules(made, language()).clauses_about(leaf)
        ):
            click.echo(f"  {text}")
        for value in self._others(leaf, made):
            click.echo(f"  {value}")
        self._show(leaf, made)
        while True:
            answer: str = click.prompt(
                say("cli.variants.new.value"),
                default=format_value(leaf, value_at(made.tree, leaf)),
                show_default=True,
            )
            if not answer.startswith("?"):
                return answer.strip()
            if not self._show(leaf, made, answer[1:].strip() or None):
                click.echo(say("cli.example.none"))

    def _show(self, leaf: str, made: Variant, value: str | None = None) -> bool:
        """Shows what a value does, by an example; tells whether there is anything to see."""
        try:
            shown = example(made, leaf, value)
        except VariantError as error:
            click.echo(say_error(error))
            return True
        if shown is None:
            return False
        click.echo()
        show_example(shown)
        click.echo()
        return True

    def _others(self, leaf: str, made: Variant) -> list[str]:
        """Says what the other values of a rule would mean, in the words of the rules themselves."""
        values = schema()[leaf].get("values")
        if schema()[leaf]["kind"] != "choice" or not values or len(values) > _MOST_SHOWN + 1:
            return []
        told: list[str] = []
        for value in values:
            try:
                other = made.with_switches({leaf: str(value)})
            except VariantError as error:
                told.append(f"{value}: {say_error(error)}")
                continue
            clauses = words.rules(other, language()).clauses_about(leaf)
            told.append(f"{value}: {' '.join(dict.fromkeys(clause.text for clause in clauses))}")
        return told

    def _takes(self, leaf: str, answer: str) -> bool:
        """Tries an answer; tells whether it can stay."""
        changed = self.switches | {leaf: answer}
        if leaf == "size" and answer != format_value(
            leaf, value_at(self.base.with_switches(self.switches).tree, leaf)
        ):
            changed["start"] = _asked_layout(answer)
        try:
            followed = reconcile(self.base, changed)
        except VariantError as error:
            click.echo(say_error(error))
            return False
        for other in sorted(followed.keys() - changed.keys()):
            click.echo(say("cli.variants.new.follows", key=other, value=followed[other]))
        self.switches = followed
        return True


def _asked_layout(size: str) -> str:
    """Asks for a start position on a board of another size: rows, or the variant that has it."""
    known = [one.id for one in all_variants() if str(one.rules.size) == size]
    click.echo(say("cli.variants.new.layouts", ids=", ".join(known) or "–"))
    answer: str = click.prompt(say("cli.variants.new.layout"), default=known[0] if known else None)
    return variant(answer).tree.board.start if answer in known else answer


def _title(leaf: str) -> str:
    return say(f"words.leaf.{leaf}")
