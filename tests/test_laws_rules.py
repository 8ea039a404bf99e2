"""Laws of rule trees, their identity, and switches."""

import hashlib
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hnefi import HnefiError, Rules, VariantError, variant
from hnefi.variants.schema import neutral_section, schema
from hnefi.variants.switches import apply_switches, parse_switches
from tests.reference.random_rules import random_tree
from tests.samples import examples
from tests.strategies import SEEDS, trees

KINDS = ("attackers", "defenders", "king")
# The entries of maps, in the order in which a switch has them.
ENTRIES = (
    *("attackers", "commanders", "defenders", "king", "knights"),
    *("on_throne", "beside_throne", "elsewhere", "count", "result"),
)
Tree = dict[str, Any]

laws = examples(20)


def leaf_of(tree: Tree, path: str) -> tuple[Tree, str]:
    """Returns the section of a leaf, and its name."""
    section, _, name = path.rpartition(".")
    return (tree[section] if section else tree), name


def complete(tree: Tree) -> Tree:
    """Returns the same rules with every key, those of the optional section included."""
    written: Tree = json.loads(Rules(json.dumps(tree)).to_json())
    return written


# --- Identity -------------------------------------------------------------------------------------------


def canonical(rules: Rules) -> str:
    """Returns the canonical form, computed from the complete tree and the neutral values."""
    tree = json.loads(rules.to_json())
    for parameter in schema().values():
        section, name = leaf_of(tree, parameter["path"])
        if "keys" in parameter:
            entries = section[name]
            kept = {key: value for key, value in entries.items() if value != parameter["neutral"][key]}
            section[name] = kept
            if not kept:
                del section[name]
        elif section[name] == parameter["neutral"]:
            del section[name]
    tree = {key: value for key, value in tree.items() if value != {}}
    return json.dumps(tree, sort_keys=True, separators=(",", ":"))


@given(trees())
@laws
def test_the_hash_is_that_of_the_tree_without_its_neutral_values(tree: Tree) -> None:
    rules = Rules(json.dumps(tree))
    assert rules.canonical_json() == canonical(rules)
    assert rules.hash == hashlib.sha256(canonical(rules).encode()).hexdigest()


def shuffled(value: object, rng: random.Random) -> object:
    """Returns the same tree, its keys in another order."""
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: shuffled(value[key], rng) for key in keys}
    return value


def redrawn(rows: str, rng: random.Random) -> str:
    """The same start position, drawn."""
    lines = []
    for row in rows.split("/"):
        drawn = row
        for number in range(19, 0, -1):
            drawn = drawn.replace(str(number), "." * number)
        lines.append(rng.choice(["", " ", "  "]).join(drawn))
    return rng.choice(["\n", "/", "\n\n"]).join(lines) + rng.choice(["", "\n"])


@given(trees(), SEEDS)
@laws
def test_the_hash_does_not_depend_on_how_the_tree_is_written(tree: Tree, seed: int) -> None:
    rng = random.Random(seed)
    rules = Rules(json.dumps(tree))
    board, movement = tree["board"], tree["movement"]
    board["start"] = redrawn(str(rules.start).split()[0], rng)
    for camp in board["camps"]:
        rng.shuffle(camp)
    rng.shuffle(board["camps"])
    for kinds in (movement["throne_stop"], movement["corner_stop"], tree["hostility"]["camp_hostile"]):
        rng.shuffle(kinds)
    again = Rules(json.dumps(shuffled(tree, rng), indent=rng.choice([None, 1])))
    assert again.hash == rules.hash
    assert again == rules
    assert again.to_json() == rules.to_json()


@given(trees(), SEEDS)
@laws
def test_other_rules_have_another_hash(tree: Tree, seed: int) -> None:
    rules = Rules(json.dumps(tree))
    other = random_tree(random.Random(seed), rules.size)
    for parameter in schema().values():
        trial = json.loads(rules.to_json())
        section, name = leaf_of(trial, parameter["path"])
        old, new = section[name], json.loads(Rules(json.dumps(other)).to_json())
        section[name] = leaf_of(new, parameter["path"])[0][name]
        try:
            changed = Rules(json.dumps(trial))
        except VariantError:
            continue
        assert (changed.hash == rules.hash) == (section[name] == old)


@given(trees(), st.data())
@laws
def test_a_missing_or_a_new_key_is_refused(tree: Tree, data: st.DataObject) -> None:
    tree = complete(tree)
    needed = [entry for entry in schema().values() if not str(entry["path"]).startswith("special.")]
    parameter = data.draw(st.sampled_from(needed))
    section, name = leaf_of(tree, parameter["path"])
    value = section.pop(name)
    with pytest.raises(VariantError) as refused:
        Rules(json.dumps(tree))
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [
        ("missing_key", parameter["path"])
    ]
    section[name + "_"] = value
    with pytest.raises(VariantError) as refused:
        Rules(json.dumps(tree))
    assert {fault.code for fault in refused.value.faults} == {"missing_key", "unknown_key"}


@given(trees())
@laws
def test_one_section_may_be_left_out_and_is_neutral_then(tree: Tree) -> None:
    tree = complete(tree)
    for key in tree:
        rest = {other: value for other, value in tree.items() if other != key}
        if key == "special":
            neutral = Rules(json.dumps({**rest, "special": neutral_section("special")}))
            assert Rules(json.dumps(rest)) == neutral
            assert (Rules(json.dumps(tree)) == neutral) == (tree["special"] == neutral_section("special"))
            for name, value in neutral_section("special").items():
                some = {other: entry for other, entry in tree["special"].items() if other != name}
                filled = Rules(json.dumps({**rest, "special": {**some, name: value}}))
                assert Rules(json.dumps({**rest, "special": some})) == filled
            continue
        with pytest.raises(VariantError) as refused:
            Rules(json.dumps(rest))
        assert [(fault.code, fault.path) for fault in refused.value.faults] == [("missing_key", key)]


# --- Switches -------------------------------------------------------------------------------------------


def written(value: object) -> str:
    """Formats a value as a person would write it in a switch."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ",".join(written(value[key]) for key in ENTRIES if key in value)
    if isinstance(value, list) and value and isinstance(value[0], list):
        return "/".join(" ".join(camp) for camp in value)
    if isinstance(value, list):
        return ",".join(value)
    return str(value)


@given(trees(), SEEDS)
@laws
def test_every_leaf_can_be_switched_and_its_written_form_reads_back(tree: Tree, seed: int) -> None:
    tree, other = complete(tree), complete(random_tree(random.Random(seed)))
    for leaf, parameter in schema().items():
        (section, name), (target, _) = leaf_of(tree, parameter["path"]), leaf_of(other, parameter["path"])
        switches = switches_for(leaf, target[name])
        changed, applied = apply_switches(tree, switches)
        assert leaf_of(changed, parameter["path"])[0][name] == target[name]
        assert set(applied) == (set() if target[name] == section[name] else {leaf})
        if leaf == "start":
            continue
        again, applied_again = apply_switches(tree, applied)
        assert leaf_of(again, parameter["path"])[0][name] == target[name]
        assert applied_again == applied


def switches_for(leaf: str, value: object) -> dict[str, str]:
    """Returns switches that set a leaf: a map at once or, if it has few entries, entry by entry."""
    if isinstance(value, dict) and "king" in value and {"always", "capture"} & set(value.values()):
        return {f"{leaf}.{kind}": written(entry) for kind, entry in value.items()}
    return {leaf: written(value)}


@given(trees(), SEEDS)
@laws
def test_all_switches_at_once_make_the_other_rules(tree: Tree, seed: int) -> None:
    other = random_tree(random.Random(seed))
    full = complete(other)
    switches: dict[str, str] = {}
    for leaf, parameter in schema().items():
        section, name = leaf_of(full, parameter["path"])
        switches |= switches_for(leaf, section[name])
    texts = [f"{key}={value}" for key, value in switches.items()]
    changed, _ = apply_switches(tree, parse_switches(texts))
    assert Rules(json.dumps(changed)) == Rules(json.dumps(other))


@given(trees(), st.data())
@laws
def test_the_words_of_the_study_mean_the_same(tree: Tree, data: st.DataObject) -> None:
    key, leaf = data.draw(
        st.sampled_from(
            [
                ("throne_hostile.A", "hostility.throne_hostile.attackers"),
                ("refuge_hostile.K", "corner_hostile.king"),
                ("rules.throne_hostile.D", "throne_hostile.defenders"),
                ("hostility.refuge_hostile.D", "corner_hostile.defenders"),
            ]
        )
    )
    value = data.draw(st.sampled_from(["never", "empty", "always"]))
    assert apply_switches(tree, {key: value}) == apply_switches(tree, {leaf: value})
    letters = "".join(sorted(data.draw(st.sets(st.sampled_from("ADK"))), key="ADK".index))
    names = ",".join(kind for kind in KINDS if kind[0].upper() in letters)
    for key, leaf in (("throne_pass", "throne_pass"), ("refuge_stop", "corner_stop")):
        assert apply_switches(tree, {key: letters or "none"}) == apply_switches(tree, {leaf: names})
    hostile, _ = apply_switches(tree, {"throne_hostile": letters})
    assert hostile["hostility"]["throne_hostile"] == {
        kind: "empty" if kind[0].upper() in letters else "never" for kind in KINDS
    }


@pytest.mark.parametrize(
    ("switch", "leaf"),
    [
        ("enclosed=groups", "blocked_groups"),
        ("two_routes=defenders_win", "tuichi"),
        ("surround=attackers_win", "enclosure"),
        ("king_taken=draw", "king_captured"),
        ("guards_taken=attackers_win", "guards_captured"),
        ("attackers_taken=none", "attackers_captured"),
        ("throne_guard=none", "linnaean"),
        ("repetition=3,draw", "repetition"),
        ("king_capture.elsewhere=four", "king_capture"),
        ("refuges=corners2x2", "corners"),
    ],
)
def test_old_words_are_never_written(switch: str, leaf: str) -> None:
    changed = variant("brandub-globe").with_switches(parse_switches([switch]))
    assert list(changed.switches) == [leaf]
    again = variant("brandub-globe").with_switches(changed.switches)
    assert again == changed
    assert again.rules == changed.rules != variant("brandub-globe").rules


@pytest.mark.parametrize(
    ("switch", "written"),
    [
        ("jumps=none", "none,none,none"),
        ("jumps=over", "over,over,over"),
        ("range=1", "1,1,1"),
        ("throne_hostile=never", "never,never,never"),
        ("throne_hostile=always", "always,always,always"),
        ("refuge_hostile=never", "never,never,never"),
        ("throne_hostile=king", "never,never,empty"),
        ("king_capture=two", "custodial,custodial,custodial"),
        ("repetition=none", "0,none"),
    ],
)
def test_one_value_sets_all_entries_of_a_map(switch: str, written: str) -> None:
    berserk = variant("berserk-11")
    ((leaf, value),) = berserk.with_switches(parse_switches([switch])).switches.items()
    assert value == written
    again = berserk.with_switches({leaf: value})
    assert again == berserk.with_switches(parse_switches([switch]))


@pytest.mark.parametrize("switch", ["repetition=3", "repetition=draw", "jumps=over,none", "range=1,2"])
def test_one_word_is_not_enough_where_the_entries_differ(switch: str) -> None:
    with pytest.raises(VariantError) as refused:
        variant("berserk-11").with_switches(parse_switches([switch]))
    assert refused.value.code == "bad_switch"


def outcome_of(tree: Tree, key: str, value: str) -> str:
    """Returns the code with which a switch is refused, empty if it is not."""
    try:
        changed, _ = apply_switches(tree, {key: value})
        Rules(json.dumps(changed))
    except HnefiError as error:
        return error.code
    return ""


@given(trees(), st.sampled_from(sorted(schema())) | st.text(max_size=30), st.text(max_size=30))
@laws
def test_any_other_switch_is_refused_and_changes_nothing(tree: Tree, key: str, value: str) -> None:
    before = json.dumps(tree)
    assert outcome_of(tree, key, value) in {"", "bad_switch", "bad_rules"}
    assert json.dumps(tree) == before
