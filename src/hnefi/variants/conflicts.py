"""Conflicts between rules: what follows from a changed rule for the others."""

from collections.abc import Collection, Iterable, Mapping

from hnefi.errors import Fault, VariantError
from hnefi.variants.model import Variant
from hnefi.variants.schema import TreeDict, schema
from hnefi.variants.switches import CALL_SWITCHES, apply_switches, format_value

__all__ = ["reconcile"]


def reconcile(
    base: Variant, switches: Mapping[str, str], pinned: Collection[str] | None = None
) -> dict[str, str]:
    """Adds the switches that follow from others: rules about squares that no longer exist become neutral.

    Args:
        base: The variant that the switches change.
        switches: The switches.
        pinned: Rule keys that must not change; those of `switches` if None.

    Raises:
        VariantError: As `derive`, if other rules contradict each other.

    >>> from hnefi import variant
    >>> reconcile(variant("brandub-breyer"), {"corners": "none"})["goal"]
    'edge'
    """
    resolved = dict(switches)
    kept = {*(_leaf(key) for key in switches)} if pinned is None else {*pinned}
    for _ in schema():
        try:
            base.with_switches(resolved)
        except VariantError as error:
            faults = [fault for fault in error.faults if _leaf(fault.path) not in kept and _can_yield(fault)]
            if not faults:
                raise
            tree = apply_switches(base.tree_dict, _rules_only(resolved))[0]
            leaves = {_leaf(fault.path) for fault in faults}
            changes = {leaf: _yielding_value(tree, leaf, faults) for leaf in schema() if leaf in leaves}
            resolved = {key: value for key, value in resolved.items() if _leaf(key) not in changes} | changes
            # Each rule yields at most once.
            kept |= {*changes}
            continue
        break
    return resolved


def _rules_only(switches: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in switches.items() if key not in CALL_SWITCHES}


def _leaf(path: str) -> str:
    """Returns the rule that a path or a switch is about: `camps` for `board.camps.0`."""
    return next((part for part in path.split(".") if part in schema()), path)


def _can_yield(fault: Fault) -> bool:
    """Checks whether a rule may change: it contradicts others, or names squares off the board."""
    is_off = _leaf(fault.path) == "camps" and fault.expected.startswith("board.size =")
    return _leaf(fault.path) in schema() and (fault.code == "contradiction" or is_off)


def _yielding_value(tree: TreeDict, leaf: str, faults: Iterable[Fault]) -> str:
    """Returns what remains of a rule that contradicts others, as the value of a switch."""
    own_faults = [fault for fault in faults if _leaf(fault.path) == leaf]
    if leaf == "goal":
        return "edge"
    if leaf == "camps":
        gone = {fault.found for fault in own_faults if fault.code == "contradiction"}
        is_off = any(fault.code != "contradiction" for fault in own_faults)
        camps = (
            [] if is_off else [[one for one in camp if one not in gone] for camp in tree["board"]["camps"]]
        )
        return format_value("camps", [camp for camp in camps if camp])
    if leaf == "corner_stop" and any(fault.expected == "king" for fault in own_faults):
        return format_value(leaf, [*(kind for kind in tree["movement"][leaf] if kind != "king"), "king"])
    return _neutral(tree, leaf)


def _neutral(tree: TreeDict, leaf: str) -> str:
    """Returns the neutral value of a rule; the king's capture takes its value `elsewhere`."""
    neutral = schema()[leaf]["neutral"]
    if isinstance(neutral, dict) and None in neutral.values():
        neutral = dict.fromkeys(neutral, tree["capture"]["king_capture"]["elsewhere"])
    return format_value(leaf, neutral)
