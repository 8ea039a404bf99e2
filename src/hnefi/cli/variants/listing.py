"""`hnefi variants list` and `identify`: lists variants, filtered or by similarity to one, or to rules."""

from collections.abc import Iterable, Iterator, Sequence

import click

from hnefi.cli.commands import argument, command, option
from hnefi.cli.naming import SwitchText, VariantName, json_option, read_variant, switch_option, switched
from hnefi.cli.output import print_json, print_table
from hnefi.cli.texts import decimal, language, translate, translate_plural
from hnefi.cli.values import Choice, Text, WholeNumbers, Words
from hnefi.pieces import Piece, Side
from hnefi.variants.custom import custom_variants
from hnefi.variants.finding import all_variants, find_variants
from hnefi.variants.model import STATUSES, Variant
from hnefi.variants.similarity import RuleDifference, Similarity, match_rules, variants_where
from hnefi.variants.switches import parse_switches

_EXAMPLES = (
    ("variants list tablut", "variants words"),
    ("variants --size 7-9,13", "variants sizes"),
    ("variants --size 9 --where king_armed=none --where goal=edge", "variants where"),
    ("variants --like copenhagen-11", "variants like"),
    ("variants --json", "variants json"),
)
_IDENTIFY = (
    ("variants identify 'dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/'", "variants identify"),
    ("variants identify 'dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/' --json", "variants like"),
)
_NEAREST = 8


@command("list", _EXAMPLES, group="variants")
@argument("words", key="words", type=Text(), nargs=-1)
@option("--size", type=WholeNumbers(5, 19), help="variants_size")
@option("--family", type=Words(), metavar="words", help="variants_family")
@option("--region", type=Words(), metavar="words", help="variants_region")
@option("--status", type=Choice(STATUSES), metavar="status", help="variants_status")
@option("--where", multiple=True, type=SwitchText())
@option("--like", type=VariantName())
@switch_option
@json_option
def listing(
    words: tuple[str, ...],
    size: frozenset[int] | None,
    family: str | None,
    region: str | None,
    status: str | None,
    where: tuple[str, ...],
    like: Variant | None,
    switches: tuple[str, ...],
    as_json: bool,
) -> None:
    """Lists the variants."""
    wanted = " ".join(words)
    found: tuple[Variant, ...] = find_variants(wanted) if wanted else all_variants()
    found = tuple(
        one
        for one in found
        if _contains(one, "family", family)
        and _contains(one, "region", region)
        and status in (None, one.about.get("status"))
    )
    found = variants_where(parse_switches(where), found, sizes=size)
    if like is not None:
        is_narrowed = len(found) < len(all_variants())
        others = [one for one in found if one.id != like.id]
        show_nearest(switched(like, switches), others, is_narrowed=is_narrowed, as_json=as_json)
    elif as_json:
        print_json({"variants": [facts_of(one) for one in found]})
    elif found:
        _print(found)
    else:
        click.echo(
            translate("cli.variants.none", words=wanted) if wanted else translate("cli.variants.no_such"),
            err=True,
        )
    if not as_json and (faulty := len(custom_variants().faults)):
        click.echo(translate_plural("cli.variants.faulty", faulty), err=True)


@command("identify", _IDENTIFY, group="variants")
@argument("rules", key="rules_string", type=Text(), nargs=-1, required=True)
@json_option
def identify(rules: tuple[str, ...], as_json: bool) -> None:
    """Prints which variant has given rules, and the most similar variants."""
    given = read_variant(" ".join(rules))
    if not as_json:
        nearest = match_rules(given.rules)[0]
        name = nearest.variant.name(language())
        click.echo(
            translate("cli.variants.identified.none")
            if nearest.distance > 0
            else translate("cli.variants.identified", id=nearest.variant.id, name=name)
        )
    show_nearest(given, all_variants(), is_narrowed=False, as_json=as_json)


def _contains(one: Variant, fact: str, wanted: str | None) -> bool:
    """Checks whether a fact of a variant contains a text, in any language."""
    return wanted is None or any(
        wanted.casefold() in value.casefold() for value in one.about.get(fact, {}).values()
    )


def facts_of(one: Variant) -> dict[str, object]:
    """Returns the facts of a variant for JSON."""
    start = one.rules.start
    pieces = [piece.soldier for piece in start.pieces.values()]
    return {
        "id": one.id,
        "revision": one.revision,
        "names": dict(one.about.get("names", {})),
        "also": list(one.about.get("also", [])),
        "elsewhere": {program: list(names) for program, names in one.about.get("elsewhere", {}).items()},
        "family": dict(one.about.get("family", {})),
        "region": dict(one.about.get("region", {})),
        "status": one.about.get("status"),
        "size": one.rules.size,
        "attackers": pieces.count(Piece.ATTACKER),
        "defenders": pieces.count(Piece.DEFENDER),
        "first": start.turn.value,
        "goal": one.tree.ends.goal,
        "quiet_limit": one.tree.ends.quiet_limit,
        "calls": one.calls is not None,
        "legs": one.match["legs"],
        "start": str(start),
        "rules_hash": one.rules.hash,
    }


def _print(found: Sequence[Variant]) -> None:
    """Prints a table of variants by family, small boards first."""
    columns = ("id", "name", "board", "pieces", "first", "goal", "draw")
    families: dict[str, list[Variant]] = {}
    for one in sorted(found, key=lambda one: (one.rules.size, _family(one), one.id)):
        families.setdefault(_family(one), []).append(one)
    rows = [_row(one) for members in families.values() for one in members]
    print_table(columns, rows, key="cli.variants.head.", numbers=(2, 3, 6), folds=1)


def _family(one: Variant) -> str:
    family = one.about.get("family", {})
    return str(family.get(language()) or family.get("en") or one.name(language()))


def _row(one: Variant) -> list[str]:
    facts = facts_of(one)
    first = Side(str(facts["first"]))
    quiet = facts["quiet_limit"]
    return [
        one.id,
        one.name(language()),
        f"{one.rules.size}×{one.rules.size}",
        f"{facts['attackers']}–{len(one.rules.start.pieces) - int(str(facts['attackers']))}",
        translate(f"side.{first.value}"),
        translate(f"cli.variants.goal.{facts['goal']}"),
        str(quiet) if quiet else "–",
    ]


def show_nearest(to: Variant, found: Iterable[Variant], *, is_narrowed: bool, as_json: bool) -> None:
    """Prints variants by similarity to one: all of a filtered list, else the nearest few."""
    matches = match_rules(to.rules, found)[: None if is_narrowed else _NEAREST]
    if as_json:
        print_json({"like": to.id, "variants": [_similarity_facts(one) for one in matches]})
        return
    rows = [[one.variant.id, decimal(one.distance), _differing(one)] for one in matches]
    print_table(("id", "distance", "differs"), rows, key="cli.variants.head.", numbers=(1,), folds=2)


def _differing(one: Similarity) -> str:
    """Formats the differences of a variant, one rule a line."""
    lines = [line for each in one.differences for line in _difference_lines(each)]
    return "\n".join(lines) or translate("cli.variants.same")


def _difference_lines(one: RuleDifference) -> Iterator[str]:
    """Iterates over lines with the name of a rule and its other value; one for each entry of a map."""
    from hnefi.words.values import entry_words, rule_title, value_words

    wanted, value = one.values
    title = rule_title(one.leaf, language())
    parts = {title: value}
    if isinstance(value, dict) and one.leaf != "repetition" and len(set(value.values())) > 1:
        named = {key: entry_words(one.leaf, key, language()) for key in value}
        differing = [key for key in value if value[key] != wanted.get(key)]
        parts = {f"{title} ({named[key][:1].lower()}{named[key][1:]})": value[key] for key in differing}
    for part, each in parts.items():
        yield translate("words.value.entry", entry=part, value=value_words(one.leaf, each, language()))


def _similarity_facts(one: Similarity) -> dict[str, object]:
    return {
        "id": one.variant.id,
        "distance": round(one.distance, 3),
        "differences": [
            {"leaf": each.leaf, "path": f"rules.{each.path}", "values": list(each.values)}
            for each in one.differences
        ],
    }
