"""OpenTafl rules strings: parsing, semantics, writing, gaps."""

import contextlib
import json
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hnefi import Position, Variant, all_variants, variant
from hnefi._core import Rules, Setup
from hnefi.errors import SetupError, VariantError
from hnefi.formats import explain_gap
from hnefi.formats.gaps import Gap
from hnefi.formats.opentafl import (
    RulesText,
    diagram_of,
    format_rules_text,
    parse_rules_text,
    position_of,
    read_position,
    rules_text_of,
    setup_of,
    tree_of,
    variant_rules_text,
)
from hnefi.formats.opentafl.position import PIECE_LETTERS
from hnefi.formats.opentafl.rules_text import ALL
from hnefi.i18n import explain
from hnefi.pieces import Side
from hnefi.variants.schema import schema
from tests.opentafl_rules import BUILT_IN, COUNTED
from tests.rules_text import with_values
from tests.test_words import VALUES

EXPRESSIBLE = [name for name in BUILT_IN if name != "berserk"]
BOARD = "start:/2t2/5/t1K1t/5/2t2/"


def rules_of(text: str, *, follow_specification: bool = False) -> Rules:
    tree, _ = tree_of(parse_rules_text(text), follow_specification=follow_specification)
    return Rules(json.dumps(tree))


def codes(gaps: tuple[Gap, ...]) -> list[str]:
    for gap in gaps:
        for lang in ("en", "fr"):
            assert "{" not in explain_gap(gap, lang)
    return [gap.code.removeprefix("rules.") for gap in gaps]


def leaf(text: str, name: str, *, follow_specification: bool = False) -> object:
    tree, _ = tree_of(parse_rules_text(text), follow_specification=follow_specification)
    section, _, key = str(schema()[name]["path"]).rpartition(".")
    return tree[section][key] if section else tree[key]


# --- The fourteen of OpenTafl ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_string_is_written_as_it_was_read(name: str) -> None:
    read = parse_rules_text(BUILT_IN[name])
    written = format_rules_text(read)
    assert parse_rules_text(written) == read
    assert format_rules_text(parse_rules_text(written)) == written
    tokens = set(BUILT_IN[name].replace(",-1, ", ",-1 ").split()) - {"atkf:y"}
    spelt = {"".join(sorted(token.rstrip(","))) for token in written.split()}
    assert {"".join(sorted(token.rstrip(","))) for token in tokens} - spelt <= {"".join(sorted("tfr:d"))}


@pytest.mark.parametrize("name", EXPRESSIBLE)
def test_a_string_comes_back_through_our_rules(name: str) -> None:
    rules = rules_of(BUILT_IN[name])
    text, gaps = rules_text_of(rules)
    assert codes(gaps) == []
    assert rules_of(format_rules_text(text)) == rules


@pytest.mark.parametrize("name", COUNTED)
def test_a_string_means_the_moves_that_the_program_counts(name: str) -> None:
    position = Position(rules_of(BUILT_IN[name]))
    assert tuple(position.perft(depth) for depth in (1, 2)) == COUNTED[name]


def test_berserk_is_parsed_and_its_gaps_are_reported() -> None:
    rules = parse_rules_text(BUILT_IN["berserk"])
    tree, gaps = tree_of(rules)
    assert codes(gaps) == ["mover_wins_repetition"]
    assert tree["special"]["jumps"] == {"king": "restricted", "commanders": "over", "knights": "capture"}
    written, _ = rules_text_of(Rules(json.dumps(tree)))
    assert rules_of(format_rules_text(written)) == Rules(json.dumps(tree))


def test_only_the_relaxed_shieldwall_loses_something() -> None:
    reported = {name: codes(tree_of(parse_rules_text(BUILT_IN[name]))[1]) for name in EXPRESSIBLE}
    assert {name: found for name, found in reported.items() if found} == {
        "copenhagen-relaxed": ["unflanked_shieldwall"]
    }


# --- Every variant of ours ------------------------------------------------------------------------------


# The literal readings of Breyer's text.
SWITCHED = variant("brandub-breyer").with_switches(
    {"blocked_groups": "groups_and_rows", "repetition": "3,draw_in_a_row"}
)


@pytest.mark.parametrize("follow_specification", [False, True])
@pytest.mark.parametrize("one", [*all_variants(), SWITCHED], ids=lambda one: one.id)
def test_a_variant_comes_back_or_the_report_names_the_keys(one: Variant, follow_specification: bool) -> None:
    text, gaps = variant_rules_text(one, follow_specification=follow_specification)
    line = format_rules_text(text)
    assert "\n" not in line
    check_gaps(one.rules, line, gaps, follow_specification=follow_specification)


@pytest.mark.parametrize("follow_specification", [False, True])
@pytest.mark.parametrize("name", VALUES)
def test_every_value_of_a_rule_comes_back_or_the_report_names_it(
    name: str, follow_specification: bool
) -> None:
    for values in VALUES[name]:
        rules = Rules(json.dumps(with_values(**values)))
        text, gaps = rules_text_of(rules, follow_specification=follow_specification)
        check_gaps(rules, format_rules_text(text), gaps, follow_specification=follow_specification)


def check_gaps(rules: Rules, line: str, gaps: tuple[Gap, ...], *, follow_specification: bool) -> None:
    """Checks that gaps name every key whose value the rules of a string do not have."""
    back = rules_of(line, follow_specification=follow_specification)
    before, after = json.loads(rules.to_json()), json.loads(back.to_json())
    different = {
        name
        for name, entry in schema().items()
        if _leaf(before, str(entry["path"])) != _leaf(after, str(entry["path"]))
    }
    named = {gap.facts.get("key", gap.code.removeprefix("rules.")) for gap in gaps}
    assert different <= named | ({"camps"} if "touching_camps" in named else set())
    assert (back == rules) == (not different)
    codes(gaps)


def _leaf(tree: dict[str, dict[str, object]], path: str) -> object:
    section, _, key = path.rpartition(".")
    found = tree[section][key] if section else tree[key]
    return Setup(_with_turn(found)) if key == "start" else found


def _with_turn(rows: object) -> str:
    text = str(rows)
    drawn = text if "/" in text else "/".join(row.replace(" ", "") for row in text.strip().splitlines())
    return f"{drawn.replace('.', '1')} a" if "." in drawn else f"{drawn} a"


# --- Where program and specification differ -------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "program", "specification"),
    [
        ("d", (3, "draw"), (3, "draw")),
        ("w", (3, "mover_loses"), (3, "draw")),
        ("l", (3, "draw"), (3, "mover_loses")),
        ("i", (3, "draw"), (0, "none")),
    ],
)
def test_repetition_is_turned_round(
    value: str, program: tuple[int, str], specification: tuple[int, str]
) -> None:
    text = f"dim:5 esc:e tfr:{value} {BOARD}"
    for follow, (count, result) in ((False, program), (True, specification)):
        assert leaf(text, "repetition", follow_specification=follow) == {"count": count, "result": result}
    reported = [
        codes(tree_of(parse_rules_text(text), follow_specification=follow)[1]) for follow in (False, True)
    ]
    assert reported == [
        ["mover_wins_repetition"] if value == "l" else [],
        ["mover_wins_repetition"] if value == "w" else [],
    ]


def test_two_speeds_are_ignored_by_the_program() -> None:
    text = f"dim:5 esc:e spd:2,3 {BOARD}"
    assert leaf(text, "range") == {"attackers": 0, "defenders": 0, "king": 0}
    assert leaf(text, "range", follow_specification=True) == {"attackers": 2, "defenders": 3, "king": 3}
    assert codes(tree_of(parse_rules_text(text))[1]) == ["two_speeds"]


@pytest.mark.parametrize(("numbers", "king"), [(8, 7), (10, 8), (12, 9)])
def test_speeds_by_kind_are_in_the_order_of_the_kinds(numbers: int, king: int) -> None:
    speeds = ["-1"] * numbers
    speeds[0], speeds[numbers // 2], speeds[king] = "4", "3", "1"
    text = f"dim:5 esc:e spd:{','.join(speeds)} {BOARD}"
    assert leaf(text, "range") == {"attackers": 4, "defenders": 3, "king": 1}


def test_corre_counts_in_opentafl_only_with_cenre() -> None:
    alone = f"dim:5 corre: {BOARD}"
    assert leaf(alone, "corner_stop") == ["king"]
    assert leaf(alone, "corner_stop", follow_specification=True) == []
    beside = f"dim:5 cenre: {BOARD}"
    assert leaf(beside, "corner_stop") == []
    assert leaf(beside, "corner_stop", follow_specification=True) == ["king"]
    assert leaf(beside, "throne_pass") == leaf(beside, "throne_stop") == []


def test_closed_forts_are_camps() -> None:
    forts = "afor:c5,c1,b1,d1,a3,e3"
    closed = f"dim:5 esc:e cor: {forts} cenre:{''.join(sorted(ALL))} aforre: {BOARD}"
    assert leaf(closed, "camps") == [["c5"], ["b1", "c1", "d1"], ["a3"], ["e3"]]
    assert leaf(closed, "camp_hostile") == ["defenders", "king"]
    opened = f"dim:5 esc:e cor: {forts} aforre: {BOARD}"
    assert leaf(opened, "camps") == []
    assert codes(tree_of(parse_rules_text(opened))[1]) == ["open_forts"]
    assert leaf(opened, "camps", follow_specification=True) != []


@pytest.mark.parametrize(
    ("tokens", "code"),
    [
        ("cor:e5, cen:b2", "squares"),
        ("dfor:b2,", "defender_forts"),
        ("ber:m", "berserk"),
        ("spd:0", "speed"),
        ("cenh:T cenhe:", "occupied_throne_only"),
        ("sw:w swf:n", "unflanked_shieldwall"),
        ("cen: linc:y", "linnaean_without_throne"),
        ("zzz:1", "unknown_key"),
        ("afor:a2, cenre: aforre: afors:", "closed_forts"),
    ],
)
def test_rules_without_hnefi_equivalent_are_gaps(tokens: str, code: str) -> None:
    _, gaps = tree_of(parse_rules_text(f"dim:5 {tokens} {BOARD}"))
    assert code in codes(gaps)


# --- Texts that are none --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", "dim"),
        (f"dim:0 {BOARD}", "dim"),
        (f"dim:x {BOARD}", "dim"),
        ("dim:5 esc:e", "start"),
        ("dim:5 start:/5/5/", "start"),
        ("dim:5 start:/5/5/2K3/5/5/", "start, 3"),
        ("dim:5 start:/5/5/2Q2/5/5/", "start, 3"),
        (f"dim:5 esc:x {BOARD}", "esc"),
        (f"dim:5 surf:maybe {BOARD}", "surf"),
        (f"dim:5 cor:a9 {BOARD}", "cor"),
        (f"dim:5 corh:xyz {BOARD}", "corh"),
        (f"dim:5 spd:1,2,3 {BOARD}", "spd"),
        (f"dim:5 esc:e esc:c {BOARD}", "esc"),
        (f"dim:5 nonsense {BOARD}", "nonsense"),
    ],
)
def test_faults_have_a_place(text: str, path: str) -> None:
    with pytest.raises(VariantError) as refused:
        parse_rules_text(text)
    assert path in [fault.path for fault in refused.value.faults]
    assert "{" not in explain(refused.value, "fr")


def test_too_few_rows_are_counted() -> None:
    with pytest.raises(VariantError, match=r"start: 2 rows; expected: 7$"):
        parse_rules_text("dim:7 start:/3t3/3t3/")
    with pytest.raises(SetupError, match="The position has 2 rows; expected: 7"):
        read_position("/3t3/3t3/", size=7)


def test_all_faults_are_reported_at_once() -> None:
    with pytest.raises(VariantError) as refused:
        parse_rules_text("dim:5 esc:x surf:q ks:z start:/5/")
    assert {fault.path for fault in refused.value.faults} == {"esc", "surf", "ks", "start"}


@given(st.text(max_size=200))
def test_any_text_is_rules_or_faults(text: str) -> None:
    for candidate in (text, f"dim:5 {text} {BOARD}"):
        with contextlib.suppress(VariantError):
            tree_of(parse_rules_text(candidate))


# --- Round trips of made-up rules -----------------------------------------------------------------------

_kinds = st.frozensets(st.sampled_from(PIECE_LETTERS))
_flags = st.booleans()
_values = {
    "esc": st.sampled_from("ce"),
    "tfr": st.sampled_from("idwl"),
    "ka": st.sampled_from("yahn"),
    "ks": st.sampled_from("scmw"),
    "kj": st.sampled_from("nrjc"),
    "sw": st.sampled_from("nws"),
    "ber": st.sampled_from("ncm"),
    "spd": st.sampled_from([(-1,), (3,), (2, 4), tuple(range(8)), tuple(range(12))]),
    "cor": st.sampled_from([None, (), ("a1",), ("a1", "a5", "e1", "e5")]),
    "cen": st.sampled_from([None, (), ("c3",), ("b2",)]),
    "afor": st.sampled_from([(), ("b1", "c1"), ("a2", "a4")]),
    "name": st.sampled_from(["", "My game", "Brandub"]),
}
_made = st.fixed_dictionaries(
    {},
    optional={
        **_values,
        **dict.fromkeys(("surf", "atkf", "swf", "efe", "linc"), _flags),
        **{one.name: _kinds for one in fields(RulesText) if "Kinds" in str(one.type)},
    },
)


@given(_made)
def test_made_up_rules_come_back(values: dict[str, object]) -> None:
    start = read_position("/2t2/5/t1K1t/5/2t2/")
    made = replace(RulesText(5, start), **values)  # type: ignore[arg-type]
    assert parse_rules_text(format_rules_text(made)) == made
    for follow in (False, True):
        tree, gaps = tree_of(made, follow_specification=follow)
        codes(gaps)
        try:
            rules = Rules(json.dumps(tree))
        except VariantError:
            continue
        text, lost = rules_text_of(rules, follow_specification=follow)
        back = rules_of(format_rules_text(text), follow_specification=follow)
        assert back == rules or lost


# --- Positions ------------------------------------------------------------------------------------------

_rows = st.integers(1, 19).flatmap(
    lambda size: st.lists(
        st.text(alphabet=f"....{PIECE_LETTERS}", min_size=size, max_size=size), min_size=size, max_size=size
    )
)


@given(_rows)
def test_positions_come_back(rows: list[str]) -> None:
    diagram = tuple(rows)
    text = position_of(diagram)
    assert read_position(text) == read_position(text.strip("/")) == diagram
    assert read_position(text, inverted=True) == diagram[::-1]


def test_rank_1_comes_first() -> None:
    setup = setup_of(read_position("/3t1/5/1T3/2K2/5/"), Side.DEFENDERS)
    assert str(setup) == "5/2K2/1T3/5/3t1 d 0"
    assert position_of(diagram_of(setup)) == "/3t1/5/1T3/2K2/5/"
