"""The tree of rules: its typed form is the core's, and each fault has a code, facts and a message."""

import json
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
import write_rule_tree

from hnefi import Rules, Variant, VariantError, all_variants, match_rules, variant
from hnefi.errors import Fault, FaultyInput
from hnefi.formats.game_types import parse_game_types
from hnefi.i18n import explain
from hnefi.server.config_file import parse_config
from hnefi.text_faults import parse_toml
from hnefi.variants.files import format_variant, parse_variant
from hnefi.variants.schema import schema, value_at
from tests.worked import variant_tree

Change = Callable[[dict[str, Any]], object]


def first_fault(change: Change) -> Fault:
    tree = variant_tree("brandub-globe")
    change(tree)
    with pytest.raises(VariantError) as refused:
        Rules(json.dumps(tree))
    return refused.value.faults[0]


NO_THRONE = {"key": "board.throne", "value": "none"}
NO_CORNERS = {"key": "board.corners", "value": "none"}
CASES: list[tuple[Change, str, dict[str, str], str]] = [
    (
        lambda tree: tree["board"].update(throne="none"),
        "needs_throne",
        NO_THRONE,
        "movement.throne_stop: board.throne = none, expected board.throne = centre",
    ),
    (
        lambda tree: tree["board"].update(corners="none"),
        "needs_corners",
        NO_CORNERS,
        "movement.corner_stop: board.corners = none, expected board.corners = 1x1 | 2x2",
    ),
    (
        lambda tree: tree["movement"].update(corner_stop=[]),
        "king_kept_out",
        {"key": "ends.goal", "value": "corner"},
        "movement.corner_stop: ends.goal = corner, expected king",
    ),
    (
        lambda tree: tree["hostility"].update(camp_hostile=["king"]),
        "needs_camps",
        {"key": "board.camps", "value": "[]"},
        "hostility.camp_hostile: board.camps = [], expected board.camps = [[…]]",
    ),
    (
        lambda tree: tree.update(special={"occupied_camps": "hostile"}),
        "needs_hostile_camps",
        {"key": "hostility.camp_hostile", "value": "[]"},
        "special.occupied_camps: hostility.camp_hostile, expected attackers",
    ),
    (
        lambda tree: tree["board"].update(camps=[["b1"], ["h8"]]),
        "camp_off_board",
        {"square": "h8", "size": "7"},
        "board.camps.1: h8, expected board.size = 7",
    ),
    (
        lambda tree: tree["board"].update(camps=[["b1", "d4"]]),
        "camp_taken",
        {"square": "d4"},
        "board.camps.0: d4, expected ≠ throne, corners, camps",
    ),
    (
        lambda tree: tree["ends"].update(repetition={"count": 1, "result": "draw"}),
        "repetition_count",
        {"count": "1", "result": "draw"},
        (
            "ends.repetition: count = 1, result = draw, expected count = 0, result = none"
            " | count = 2…, result = draw | draw_in_a_row | defenders_lose | mover_loses"
        ),
    ),
    (
        lambda tree: tree["board"].update(start="7/7/7/1t1T3/7/7/7"),
        "king_count",
        {"count": "0"},
        "board.start: K × 0, expected K × 1",
    ),
    (
        lambda tree: tree["board"].update(start="K6/7/7/1t1T3/7/7/7"),
        "king_on_goal",
        {"square": "a7"},
        "board.start: Ka7, expected K: ≠ ends.goal",
    ),
    (
        lambda tree: (
            tree["board"].update(start="7/7/7/3KT2/7/7/7"),
            tree["ends"].update(attackers_captured="defenders_win"),
        ),
        "no_attackers",
        {},
        "board.start: t × 0, expected t × 1…",
    ),
    (
        lambda tree: (
            tree["board"].update(start="7/7/7/3Kt2/7/7/7"),
            tree["ends"].update(guards_captured="attackers_win"),
        ),
        "no_defenders",
        {},
        "board.start: T × 0, expected T × 1…",
    ),
    (
        lambda tree: tree["board"].update(start="7/7/7/3K3/7/7/3x3"),
        "start_text",
        {
            "part": "letter",
            "row": "7",
            "found": "x",
            "expected": "t | c | n | r | T | C | N | R | K | . | 1…19",
        },
        "board.start: letter 7: x, expected t | c | n | r | T | C | N | R | K | . | 1…19",
    ),
    (
        lambda tree: tree["board"].update(start="5/5/2K2/5/5"),
        "start_size",
        {"rows": "5", "size": "7"},
        "board.start: rows: 5, expected rows: 7",
    ),
    (
        lambda tree: tree["board"].update(start="5/5"),
        "start_text",
        {"part": "rows", "row": "", "found": "2", "expected": "5 | 7 | 9 | 11 | 13 | 15 | 17 | 19"},
        "board.start: rows: 2, expected 5 | 7 | 9 | 11 | 13 | 15 | 17 | 19",
    ),
    (
        lambda tree: (
            tree["board"].update(start="7/7/7/3K3/7/7/7"),
            tree["ends"].update(attackers_captured="none", guards_captured="none", no_move="loses"),
        ),
        "stuck_side",
        {"side": "attackers"},
        "board.start: attackers: 0, expected 1…",
    ),
    (
        lambda tree: tree.update(first="nobody"),
        "wrong_value",
        {"found": "nobody", "expected": "attackers | defenders"},
        "first: nobody, expected attackers | defenders",
    ),
]


@pytest.mark.parametrize(("change", "kind", "facts", "words"), CASES, ids=[case[1] for case in CASES])
def test_a_fault_has_its_kind_its_facts_and_its_words(
    change: Change, kind: str, facts: dict[str, str], words: str
) -> None:
    fault = first_fault(change)
    assert (fault.kind, fault.facts, str(fault)) == (kind, facts, words)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("7/7/7/3K3/7/7/8", "la rangée 7, à partir du haut, a 8 cases au lieu de 7"),
        ("7/7/7/3K3/7/7/3x3", "rangée 7, à partir du haut\u00a0: «\u00a0x\u00a0» n’est pas une pièce"),
        ("5/5/2K2/5/5", "le plateau a 5 rangées au lieu de 7"),
        ("5/5", "le plateau a 2 rangées"),
    ],
)
def test_a_wrong_row_of_the_start_is_a_sentence_in_every_language(start: str, words: str) -> None:
    fault = first_fault(lambda tree: tree["board"].update(start=start))
    sentence = explain(VariantError.of_rules([fault]), "fr")
    assert (words in sentence, "row" in sentence) == (True, False)


def test_a_faulty_start_and_unknown_keys_hide_no_contradiction() -> None:
    tree = variant_tree("brandub-globe")
    tree["board"].update(start="5/5/2K2/5/5", throne="none", camps=[["h8"]], colour="red")
    tree["ends"].update(repetition={"count": 1, "result": "draw"})
    with pytest.raises(VariantError) as refused:
        Rules(json.dumps(tree))
    found = {(fault.path, fault.kind) for fault in refused.value.faults}
    assert found >= {
        ("board.colour", "unknown_key"),
        ("ends.repetition", "repetition_count"),
        ("board.start", "start_size"),
        ("movement.throne_stop", "needs_throne"),
        ("board.camps.0", "camp_off_board"),
    }
    assert len(refused.value.faults) == len(found)


def test_a_missing_name_hides_no_other_fault_of_what_a_file_says() -> None:
    with pytest.raises(VariantError) as refused:
        parse_variant('id = "x y"\nrevision = 1\nrules = {}\n[about]\nplayers = "two"\n')
    assert [fault.path for fault in refused.value.faults[:3]] == ["id", "about.names", "about.players"]


def test_a_fault_can_be_compared_hashed_and_pickled() -> None:
    fault = first_fault(lambda tree: tree.update(first="nobody"))
    again = pickle.loads(pickle.dumps(fault))
    assert again == fault
    assert len({fault, again}) == 1


def test_a_fault_of_a_file_has_its_code_as_kind() -> None:
    assert Fault("bad_toml", "-", "x", "TOML").kind == "bad_toml"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = ", "line 1, column 5: not valid TOML; expected here: a value"),
        ("a", "line 1, column 2: not valid TOML; expected here: a key and its value"),
        ("[a", "line 1, column 3: not valid TOML; expected here: “]” after the name of the section"),
        ("a = 1 2", "line 1, column 7: not valid TOML; expected here: the end of the line"),
        (
            "a = 1\na = 2",
            "line 2, column 6: not valid TOML; expected here: a key that is not in the file yet",
        ),
        ("a = 'b", "line 1, column 7: not valid TOML; expected here: a text in quotation marks"),
        (r'a = "\q"', "line 1, column 8: not valid TOML; expected here: an escape sequence"),
        ("a = {b = 1", "line 1, column 11: not valid TOML; expected here: a comma, or the closing bracket"),
        (
            "[a]\nb" + ".a" * 20_000,
            "line 2, column 64: not valid TOML; expected here: a key with fewer parts",
        ),
        (f"a = 0x{'f' * 5000}", "-: not valid TOML; expected: a number with fewer digits"),
        ("", "rules, line 1, column 1: not valid JSON; expected here: the rest of the text"),
        ('{"a" 1}', "rules, line 1, column 6: not valid JSON; expected here: “:” after the key"),
        ('{"a": 1 2}', "rules, line 1, column 9: not valid JSON; expected here: a comma, or the closing"),
        ('{"a": 1,\n}', "rules, line 2, column 1: not valid JSON; expected here: no comma before"),
        ("{b: 1}", "rules, line 1, column 2: not valid JSON; expected here: a key in quotation marks"),
        ("{} {}", "rules, line 1, column 4: not valid JSON; expected here: the end of the text"),
        ("no", "rules, line 1, column 2: not valid JSON; expected here: a value"),
        ('["\n"]', "rules: not valid JSON; expected: a text in quotation marks, on one line"),
        ("[" * 200, "rules, line 1, column 128: not valid JSON; expected here: fewer brackets"),
    ],
)
def test_a_text_that_is_not_toml_or_json_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(VariantError) as refused:
        (parse_variant if "TOML" in words else Rules)(text)
    assert words in explain(refused.value, "en")
    in_french = explain(refused.value, "fr")
    assert "invalide\u202f; attendu" in in_french
    assert refused.value.faults[0].found not in in_french


@pytest.mark.parametrize("parse", [parse_variant, parse_config, parse_game_types])
@pytest.mark.parametrize("key", ["a{}=1", '["a" . b{}]', "c = {{ a{} = 1 }}", 'c = """"""""\na{}=1'])
def test_keys_of_toml_have_at_most_32_parts(parse: Callable[[str], object], key: str) -> None:
    for count, is_refused in ((30, False), (20_000, True)):
        with pytest.raises(FaultyInput) as refused:
            parse(key.format(" . 'b'" * count))
        assert ("Too many parts" in str(refused.value.faults)) is is_refused


def test_texts_and_comments_of_toml_may_have_dots() -> None:
    dots = ".a" * 200
    values = (f'"{dots}"', f"'{dots}'", f'"""\n{dots}\\""""""', f"'''{dots}\n{dots}'''", f"1 # {dots}")
    for value in values:
        assert list(parse_toml(f"a = {value}")) == ["a"]


def test_what_a_file_says_of_its_game_has_the_shapes_of_the_reference() -> None:
    about = """
    names = { en = "Oak", fr = 3 }
    minutes = "25"
    is_individual = 1
    status = "good"
    colour = "red"
    categories = [{ en = "Strategy" }, "x"]
    words.king.en = 3
    words.attacker.en = { one = "wolf", sort = "grey" }
    traits = ["old"]
    material = [{ count = "2", piece = "knight" }]
    """
    own, rest = "[about]" + about, format_variant(variant("tablut-kouvia"))
    with pytest.raises(VariantError) as caught:
        parse_variant(rest[: rest.index("[about]")] + own + rest[rest.index("[rules]") :])
    assert [(fault.code, fault.path) for fault in caught.value.faults] == [
        ("wrong_value", "about.names.fr"),
        ("wrong_value", "about.minutes"),
        ("wrong_value", "about.is_individual"),
        ("wrong_value", "about.status"),
        ("unknown_key", "about.colour"),
        ("wrong_value", "about.categories[1]"),
        ("wrong_value", "about.words.king.en"),
        ("unknown_key", "about.words.attacker.en.sort"),
        ("wrong_value", "about.traits[0]"),
        ("wrong_value", "about.material[0].count"),
        ("wrong_value", "about.material[0].piece"),
    ]


def test_all_other_sections_of_a_file_have_the_shapes_of_the_reference() -> None:
    own = """
    [match]
    legs = 3
    tie_break = 3
    lot = "no"
    [calls]
    sanction = "x"
    words = 3
    sides = ["white"]
    king_in_danger = "x"
    [[why.goal]]
    clause = 1
    mark = "sure"
    says = { en = "To a corner." }
    [[why.nope]]
    [[fixed]]
    x = 1
    """
    rest = format_variant(variant("brandub-breyer"))
    text = rest.replace("revision = ", "#").replace("quiet_limit = 0", "quiet_limit = inf")
    with pytest.raises(VariantError) as caught:
        parse_variant("colour = 1\n" + text[: text.index("[match]")] + own)
    assert [(fault.code, fault.path) for fault in caught.value.faults] == [
        ("unknown_key", "colour"),
        ("missing_key", "revision"),
        ("wrong_value", "calls.sanction"),
        ("wrong_value", "calls.words"),
        ("wrong_value", "calls.sides[0]"),
        ("wrong_value", "calls.king_in_danger"),
        ("wrong_value", "match.legs"),
        ("wrong_value", "match.tie_break"),
        ("wrong_value", "match.lot"),
        ("wrong_value", "why.goal[0].clause"),
        ("wrong_value", "why.goal[0].mark"),
        ("unknown_key", "why.nope"),
        ("missing_key", "fixed[0].mark"),
        ("missing_key", "fixed[0].says"),
        ("unknown_key", "fixed[0].x"),
        ("missing_key", "calls.replay"),
        ("wrong_value", "rules.ends.quiet_limit"),
    ]
    assert not any("None" in str(fault) for fault in caught.value.faults)


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
