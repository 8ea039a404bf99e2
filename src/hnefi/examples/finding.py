"""Finding the example of a rule, for any rules and any value."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from hnefi._core import Rules, format_move
from hnefi.errors import VariantError
from hnefi.examples.ground import Ground
from hnefi.examples.judging import Found, best_of, game_of, kinds_that_stop, move_of, pictured
from hnefi.examples.model import Example
from hnefi.examples.others import SILENT, other_values
from hnefi.examples.trials import Trial, trials
from hnefi.rule_tree import RuleTree
from hnefi.variants.conflicts import resolve
from hnefi.variants.model import Variant
from hnefi.variants.schema import schema, value_at
from hnefi.variants.similarity import rule_differences
from hnefi.variants.switches import find_leaf, format_value

__all__ = ["example"]

_KEPT = 512


def example(made: Variant, leaf: str, value: str | None = None) -> Example | None:
    """Finds a small position and a move in which the value of a rule makes a difference.

    It is compared with another value of the same rule. The result is the same each time; it is kept.

    Args:
        made: The rules, of which all others stay as they are; what cannot stay becomes neutral.
        leaf: The rule, or one entry of it (`throne_hostile.king`): then only that entry differs.
        value: What the rule is taken to be, written as a switch; what it is if None.

    Returns:
        The example; None where no single move shows the rule: size, start, who begins, and values that make
        no difference beside the other rules.

    Raises:
        VariantError: If there is no such rule, the value cannot be read, or it contradicts other rules.

    >>> from hnefi import variant
    >>> shown = example(variant("brandub-globe"), "king_armed", "hammer")
    >>> shown.value, shown.other, [square.name for square in shown.effect.captures]
    ('hammer', 'both', [])
    >>> [square.name for square in shown.otherwise.captures]
    ['d3']
    """
    name, entry = find_leaf(leaf)
    base = made if value is None else _changed(made, f"{name}.{entry}" if entry else name, value)
    if name in SILENT:
        return None
    return _found(base, made, name, entry)


@lru_cache(maxsize=_KEPT)
def _found(base: Variant, made: Variant, leaf: str, entry: str | None) -> Example | None:
    """Returns the clearest example of all other values; a clear one of an earlier value comes first."""
    value = value_at(base.tree, leaf)
    best: tuple[int, Found, str, Rules] | None = None
    for other in other_values(leaf, value, base.rules.size, entry):
        try:
            against = _changed(made, leaf, other)
        except VariantError:
            continue
        found = _difference(base, against, leaf)
        if found is None:
            continue
        cost = found.cost + (len(rule_differences(base.tree, against.tree)) > 1)
        if best is None or cost < best[0]:
            best = cost, found, other, against.rules
        if cost == 0:
            break
    if best is None:
        return None
    _, found, other, other_rules = best
    return _example(found, leaf, format_value(leaf, value), other, (base.rules, other_rules))


def _changed(made: Variant, leaf: str, value: str) -> Variant:
    """Returns the rules with one rule otherwise, and with what follows from that."""
    switches = {leaf: value}
    if switches == {"goal": "corner"} and not made.rules.corners:
        switches["corners"] = "1x1"
    return resolve(made, switches).variant


def _difference(base: Variant, against: Variant, leaf: str) -> Found | None:
    """Returns the clearest difference between two rule sets."""
    pair, trees = (base.rules, against.rules), (base.tree, against.tree)
    ground = Ground(pair, tuple(map(kinds_that_stop, trees)), has_ranks=all(map(_knows_ranks, trees)))
    section = str(schema()[leaf]["path"]).rpartition(".")[0]
    limits = {tree.ends.quiet_limit for tree in trees if leaf == "quiet_limit"} - {0}
    counts = {tree.ends.repetition.count for tree in trees if leaf == "repetition"} - {0}
    tried = trials(ground, section, sorted(limits), sorted(counts))
    return best_of(ground, section, chain(_pictures(pair), tried))


def _pictures(pair: tuple[Rules, Rules]) -> Iterator[Trial]:
    for rules in pair:
        yield from pictured(rules)


def _knows_ranks(tree: RuleTree) -> bool:
    """Checks whether rules have ranks, by their start or by what is said of them."""
    start = tree.board.start
    return (
        any(letter in start for letter in "cCnNrR")
        or tree.special.commander_pair != "none"
        or tree.special.knights_taken != "by_two"
    )


def _example(found: Found, leaf: str, value: str, other: str, pair: tuple[Rules, Rules]) -> Example:
    game = game_of(pair[0], found.trial)
    assert game is not None
    return Example(
        leaf=leaf,
        value=value,
        other=other,
        rules=pair[0],
        other_rules=pair[1],
        position=str(game.position.setup),
        move=format_move(move_of(found.trial)),
        effect=found.effects[0],
        otherwise=found.effects[1],
        begins=str(game.start),
        history=tuple(format_move(ply.move) for ply in game.plies),
    )
