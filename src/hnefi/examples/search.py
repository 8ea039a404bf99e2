"""Searches for the example of a rule, for any rules and any value."""

from functools import lru_cache
from itertools import chain

from hnefi._core import Rules, format_move
from hnefi.errors import VariantError
from hnefi.examples.alternatives import SILENT, other_values
from hnefi.examples.comparison import Difference, best_of, game_of, move_of, trials_from_pictures
from hnefi.examples.model import Example
from hnefi.examples.trial_board import TrialBoard
from hnefi.examples.trials import trials
from hnefi.rule_tree import RuleTree
from hnefi.variants.conflicts import resolve
from hnefi.variants.model import Variant
from hnefi.variants.schema import schema, value_at
from hnefi.variants.similarity import rule_differences
from hnefi.variants.switches import find_leaf, format_value

_CACHE_SIZE = 512


def example(made: Variant, leaf: str, value: str | None = None) -> Example | None:
    """Finds a small position and a move in which the value of a rule makes a difference.

    The value is compared with another one of the same rule, preferably with the current one. The search is
    deterministic and cached.

    Args:
        made: The rules. The other rules stay as they are; those that contradict a value become neutral.
        leaf: The rule, or one entry of it (`throne_hostile.king`); then only that entry differs.
        value: The value, as in a switch; the current one if None.

    Returns:
        The example; None if no single move shows the rule: size, start, first side, and values without effect
        beside the other rules.

    Raises:
        VariantError: If the rule is unknown, or the value is invalid or contradicts other rules.

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
    return _clearest_example(base, made, name, entry)


@lru_cache(maxsize=_CACHE_SIZE)
def _clearest_example(base: Variant, made: Variant, leaf: str, entry: str | None) -> Example | None:
    """Returns the clearest example among all other values; stops at the first with cost 0.

    The value of `made`, if it is another one, comes first. It is taken if it makes a difference and no other
    rule differs.
    """
    value, current = value_at(base.tree, leaf), value_at(made.tree, leaf)
    first = [] if current == value else [format_value(leaf, current)]
    best: tuple[int, Difference, str, Rules] | None = None
    for other in dict.fromkeys([*first, *other_values(leaf, value, base.rules.size, entry)]):
        try:
            against = _changed(made, leaf, other)
        except VariantError:
            continue
        difference = _difference(base, against, leaf)
        if difference is None:
            continue
        is_pure = len(rule_differences(base.tree, against.tree)) <= 1
        cost = difference.cost + (not is_pure)
        if best is None or cost < best[0]:
            best = cost, difference, other, against.rules
        if cost == 0 or (other in first and is_pure):
            break
    if best is None:
        return None
    _, difference, other, other_rules = best
    return _example(difference, leaf, format_value(leaf, value), other, (base.rules, other_rules))


def _changed(made: Variant, leaf: str, value: str) -> Variant:
    """Returns the rules with one value changed, and with the changes that follow from it."""
    switches = {leaf: value}
    if switches == {"goal": "corner"} and not made.rules.corners:
        switches["corners"] = "1x1"
    return resolve(made, switches).variant


def _difference(base: Variant, against: Variant, leaf: str) -> Difference | None:
    """Returns the clearest difference between two rule sets."""
    pair, trees = (base.rules, against.rules), (base.tree, against.tree)
    board = TrialBoard(pair, has_ranks=all(map(_has_ranks, trees)))
    section = str(schema()[leaf]["path"]).rpartition(".")[0]
    limits = {tree.ends.quiet_limit for tree in trees if leaf == "quiet_limit"} - {0}
    counts = {tree.ends.repetition.count for tree in trees if leaf == "repetition"} - {0}
    tried = trials(board, section, sorted(limits), sorted(counts))
    return best_of(board, section, chain(*map(trials_from_pictures, pair), tried))


def _has_ranks(tree: RuleTree) -> bool:
    """Checks whether rules have ranks, by their start position or by rules about ranks."""
    start = tree.board.start
    return (
        any(letter in start for letter in "cCnNrR")
        or tree.special.commander_pair != "none"
        or tree.special.knights_taken != "by_two"
    )


def _example(difference: Difference, leaf: str, value: str, other: str, pair: tuple[Rules, Rules]) -> Example:
    game = game_of(pair[0], difference.trial)
    assert game is not None
    return Example(
        leaf=leaf,
        value=value,
        other=other,
        rules=pair[0],
        other_rules=pair[1],
        position=str(game.position.setup),
        move=format_move(move_of(difference.trial)),
        effect=difference.effects[0],
        otherwise=difference.effects[1],
        begins=str(game.start),
        history=tuple(format_move(ply.move) for ply in game.plies),
    )
