"""`hnefi variants`: the games there are, in a table."""

import click

from hnefi.cli.frame import Text, argument, command
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json, print_table
from hnefi.cli.speech import language, say
from hnefi.pieces import Piece, Side
from hnefi.variant import Variant, find_variants
from hnefi.variant import variants as all_variants

__all__ = ["facts_of", "variants"]

_EXAMPLES = (
    ("variants", "cli.variants.example.all"),
    ("variants tablut", "cli.variants.example.words"),
    ("variants --json", "cli.variants.example.json"),
)


@command("variants", _EXAMPLES)
@argument("words", key="words", type=Text(), nargs=-1)
@json_option
def variants(words: tuple[str, ...], as_json: bool) -> None:
    """Lists the variants."""
    wanted = " ".join(words)
    found = find_variants(wanted) if wanted else all_variants()
    if as_json:
        print_json({"variants": [facts_of(one) for one in found]})
    elif found:
        _print(found)
    else:
        click.echo(say("cli.variants.none", words=wanted), err=True)


def facts_of(one: Variant) -> dict[str, object]:
    """Gives what a program wants to know of a variant to choose it."""
    start = one.rules.start
    pieces = list(start.pieces.values())
    return {
        "id": one.id,
        "revision": one.revision,
        "names": dict(one.about.get("names", {})),
        "also": list(one.about.get("also", [])),
        "family": dict(one.about.get("family", {})),
        "region": dict(one.about.get("region", {})),
        "status": one.about.get("status"),
        "size": one.rules.size,
        "attackers": pieces.count(Piece.ATTACKER),
        "defenders": pieces.count(Piece.DEFENDER),
        "first": start.turn.value,
        "goal": one.tree["ends"]["goal"],
        "quiet_limit": one.tree["ends"]["quiet_limit"],
        "calls": one.calls is not None,
        "legs": one.match["legs"],
        "start": str(start),
        "rules_hash": one.rules.hash,
    }


def _print(found: tuple[Variant, ...]) -> None:
    columns = ("id", "name", "board", "pieces", "first", "goal", "draw")
    heads = [say(f"cli.variants.head.{column}") for column in columns]
    print_table(heads, [_row(one) for one in found], numbers=(2, 3, 6), folds=1)


def _row(one: Variant) -> list[str]:
    facts = facts_of(one)
    first = Side(str(facts["first"]))
    quiet = facts["quiet_limit"]
    return [
        one.id,
        one.name(language()),
        f"{one.rules.size}×{one.rules.size}",
        f"{facts['attackers']}–{len(one.rules.start.pieces) - int(str(facts['attackers']))}",
        say(f"side.{first.value}"),
        say(f"cli.variants.goal.{facts['goal']}"),
        str(quiet) if quiet else "–",
    ]
