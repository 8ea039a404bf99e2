"""`hnefi rules`: prints the rules of a variant as text, and their sources."""

import shutil
from dataclasses import replace
from html import escape
from typing import Any

import click

from hnefi import words
from hnefi.cli.commands import command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.naming import SwitchText, json_option, switches_option, variant_argument
from hnefi.cli.output import colour_depth, needs_ascii, print_json, print_text
from hnefi.cli.rule_examples import example_facts, show_example
from hnefi.cli.texts import language, translate
from hnefi.cli.values import Choice
from hnefi.examples import example
from hnefi.variants.model import Variant
from hnefi.words.origins import origins_of

_EXAMPLES = (
    ("rules brandub-globe", "text"),
    ("rules tablut-kouvia --why", "why"),
    ("rules ard-ri-globe --lang fr --format html", "html"),
    ("rules brandub-globe --switch quiet_limit=40", "switch"),
    ("rules copenhagen-11 --example shieldwall", "example"),
    ("rules copenhagen-11 --example king_capture.elsewhere=custodial", "other"),
)
_WIDEST = 96

_STYLE = (
    "body{max-width:62ch;margin:2rem auto;padding:0 1rem;line-height:1.5;font-family:system-ui,sans-serif}"
    ".figures{display:flex;flex-wrap:wrap;gap:1.5rem}figure{margin:0}"
    "sup a{text-decoration:none;padding:0 .1em}.marks{list-style:none;padding:0}"
)


@command("rules", _EXAMPLES)
@variant_argument()
@option("--why", is_flag=True)
@option(
    "--format",
    "form",
    type=Choice(("text", "markdown", "html")),
    default="text",
    metavar="format",
    help="format",
)
@option("--no-pictures", is_flag=True)
@option("--example", "wanted", type=SwitchText(), metavar="rule_or_switch", help="rule_example")
@switches_option
@json_option
def rules(
    variant: Variant,
    why: bool,
    form: str,
    no_pictures: bool,
    wanted: str | None,
    as_json: bool,
) -> None:
    """Prints the rules of a variant as text."""
    if wanted is not None:
        if why or form != "text":
            raise bad_usage("together", first="--example", second="--why" if why else f"--format {form}")
        _show_example(variant, wanted, as_json=as_json)
        return
    if why and form != "text" and not as_json:
        raise bad_usage("together", first="--why", second=f"--format {form}")
    if as_json:
        print_json(_answer(variant, with_origins=why))
    elif why:
        click.echo(words.why_text(variant, words.why(variant, language()), language(), width=text_width()))
    elif form == "text":
        print_text(rules_as_text(variant, pictures=not no_pictures))
        if variant.why:
            click.echo(translate("cli.rules.sources_hint", command=f"hnefi rules {variant.id} --why"))
    elif form == "markdown":
        click.echo(words.to_markdown(words.rules(variant, language())), nl=False)
    else:
        click.echo(_page(words.rules(variant, language())), nl=False)


def _show_example(variant: Variant, wanted: str, *, as_json: bool) -> None:
    """Prints the example of a rule, with its value or with a given one."""
    leaf, equals, value = (part.strip() for part in wanted.partition("="))
    shown = example(variant, leaf, value if equals else None)
    if as_json:
        print_json({"variant": variant.id, "example": shown and example_facts(shown)})
    elif shown is None:
        click.echo(translate("cli.example.none"))
    else:
        show_example(shown)


def rules_as_text(variant: Variant, *, pictures: bool = True, only_rules: bool = False) -> str:
    """Formats the rules for this terminal; `only_rules` leaves out advice, history and other facts."""
    text = words.rules(variant, language())
    return words.to_text(
        replace(text, sections=text.rules_sections) if only_rules else text,
        width=text_width(),
        pictures=pictures,
        colour=colour_depth(),
        ascii_only=needs_ascii(),
    )


def text_width() -> int:
    """Returns the line width for this terminal."""
    return max(40, min(shutil.get_terminal_size().columns, _WIDEST))


def _page(rules: words.RulesText) -> str:
    """Formats the rules as a complete HTML page."""
    head = f'<meta charset="utf-8">\n<title>{escape(rules.title)}</title>\n<style>{_STYLE}</style>'
    body = words.to_html(rules)
    html = f'<html lang="{rules.lang}">\n<head>\n{head}\n</head>\n<body>\n{body}</body>\n</html>'
    return f"<!doctype html>\n{html}\n"


def _answer(variant: Variant, *, with_origins: bool) -> dict[str, Any]:
    told = words.rules(variant, language())
    answer: dict[str, Any] = {
        "variant": variant.id,
        "language": told.lang,
        "switches": dict(variant.switches),
        "rules_hash": variant.rules.hash,
        "title": told.title,
        "facts": list(told.facts),
        "sections": [
            {
                "id": section.id,
                "heading": section.heading,
                "is_rules": section.is_rules,
                "clauses": [
                    {
                        "id": section.passage_id(clause),
                        "leaves": list(clause.leaves),
                        "text": clause.text,
                        "silent": clause.is_silent,
                        "mark": clause.mark,
                    }
                    for clause in section.clauses
                ],
            }
            for section in told.sections
        ],
    }
    if with_origins:
        answer["origins"] = [_origin(origin) for origin in origins_of(variant, told)]
    return answer


def _origin(origin: words.RuleOrigin) -> dict[str, Any]:
    return {
        "leaf": origin.leaf,
        "title": origin.title,
        "sentences": list(origin.sentences),
        "changed": origin.is_changed,
        "sources": [
            {
                "clause": source.clause,
                "mark": source.mark,
                "where": source.where,
                "says": source.quotation,
                "ruling": source.ruling,
                "doubt": source.doubt,
                "switches": list(source.switches),
            }
            for source in origin.sources
        ],
    }
