"""Changes of rules: conflicts between rules, and what follows from a changed rule for the others."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hnefi.errors import Fault, VariantError
from hnefi.variants.finding import variant as find_variant
from hnefi.variants.layouts import with_layout
from hnefi.variants.model import Variant
from hnefi.variants.schema import TreeDict, schema
from hnefi.variants.switches import CALL_SWITCHES, apply_switches, format_value


@dataclass(frozen=True, slots=True)
class Resolution:
    """Rules after a change, without conflicts.

    Attributes:
        variant: The changed variant.
        switches: The switches that make it: the changes, and those that follow from them.
        follows: The switches among them that were not asked for.
    """

    variant: Variant
    switches: Mapping[str, str]
    follows: Mapping[str, str]


def resolve(
    base: Variant | str, changes: Mapping[str, str], pinned: Collection[str] | None = None
) -> Resolution:
    """Changes the rules of a variant and resolves the conflicts that follow.

    Rules that contradict the change become neutral: those about squares that no longer exist, for example. A
    board of another size gets the start position that most variants have on it, unless one is given.

    Args:
        base: The variant to change, or its id or name.
        changes: The changed rules, as switches.
        pinned: Rule keys that must not change in consequence; all keys of `changes` if None.

    Raises:
        VariantError: `bad_switch` if a change cannot be read, `bad_rules` if a conflict remains.

    >>> resolve("brandub-breyer", {"corners": "none"}).follows["goal"]
    'edge'
    """
    base = find_variant(base)
    switches = with_layout(base, changes)
    kept = {*(_leaf(key) for key in changes)} if pinned is None else {*pinned}
    while True:
        try:
            variant = base.with_switches(switches)
        except VariantError as error:
            faults = [fault for fault in error.faults if _leaf(fault.path) not in kept and _can_yield(fault)]
            if not faults:
                raise
            of_rules = {key: value for key, value in switches.items() if key not in CALL_SWITCHES}
            tree = apply_switches(base.tree_dict, of_rules)[0]
            leaves = {_leaf(fault.path) for fault in faults}
            yielding = {leaf: _yielding_value(tree, leaf, faults) for leaf in schema() if leaf in leaves}
            switches = {
                key: value for key, value in switches.items() if _leaf(key) not in yielding
            } | yielding
            # Each rule yields at most once, so this ends.
            kept |= {*yielding}
            continue
        follows = {key: value for key, value in switches.items() if changes.get(key) != value}
        return Resolution(variant, switches, follows)


def _leaf(path: str) -> str:
    """Returns the rule key of a path or switch: `camps` for `board.camps.0`."""
    return next((part for part in path.split(".") if part in schema()), path)


def _can_yield(fault: Fault) -> bool:
    """Checks whether a rule may change: it contradicts others, or names squares off the board."""
    is_contradiction = fault.code == "contradiction" or fault.kind == "camp_off_board"
    return is_contradiction and _leaf(fault.path) in schema()


def _yielding_value(tree: TreeDict, leaf: str, faults: Iterable[Fault]) -> str:
    """Returns what remains of a rule that contradicts others, as the value of a switch."""
    own_faults = [fault for fault in faults if _leaf(fault.path) == leaf]
    if leaf == "goal":
        return "edge"
    if leaf == "camps":
        gone = {fault.facts["square"] for fault in own_faults if fault.kind == "camp_taken"}
        is_off = any(fault.kind == "camp_off_board" for fault in own_faults)
        camps = (
            [] if is_off else [[one for one in camp if one not in gone] for camp in tree["board"]["camps"]]
        )
        return format_value("camps", [camp for camp in camps if camp])
    if leaf == "corner_stop" and any(fault.kind == "king_kept_out" for fault in own_faults):
        return format_value(leaf, [*(kind for kind in tree["movement"][leaf] if kind != "king"), "king"])
    return _neutral(tree, leaf)


def _neutral(tree: TreeDict, leaf: str) -> str:
    """Returns the neutral value of a rule; the king's capture takes its value `elsewhere`."""
    neutral = schema()[leaf]["neutral"]
    if isinstance(neutral, dict) and None in neutral.values():
        neutral = dict.fromkeys(neutral, tree["capture"]["king_capture"]["elsewhere"])
    return format_value(leaf, neutral)
