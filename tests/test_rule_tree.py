"""The typed rules are those of the core, for every variant."""

import json
from dataclasses import FrozenInstanceError

import pytest
import write_rule_tree

from hnefi import Variant, all_variants, match_rules, variant
from hnefi.variants.schema import schema, value_at


def test_the_file_is_written_from_the_schema() -> None:
    kept = write_rule_tree.TARGET.read_text(encoding="utf-8")
    assert kept == write_rule_tree.text(), "run tools/write_rule_tree.py"


@pytest.mark.parametrize("one", all_variants(), ids=lambda one: one.id)
def test_the_values_are_those_of_the_core(one: Variant) -> None:
    assert one.rules.tree.to_dict() == json.loads(one.rules.to_json())
    assert one.tree == one.rules.tree
    assert hash(one.tree) == hash(one.rules.tree)


def test_every_rule_has_an_attribute() -> None:
    tree = variant("copenhagen-11").tree
    assert value_at(tree, "repetition") == {"count": 3, "result": "defenders_lose"}
    assert [value_at(tree, leaf) for leaf in schema()] == [
        value_at(tree.to_dict(), leaf) for leaf in schema()
    ]


def test_a_rule_tree_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        variant("copenhagen-11").tree.ends.goal = "edge"  # type: ignore[misc]


def test_rules_are_compared_in_every_form() -> None:
    fetlar = variant("fetlar-11")
    for rules in (fetlar.rules, fetlar.tree, fetlar.tree.to_dict()):
        assert match_rules(rules)[0].variant == fetlar
