"""The built-in variant files: whole, bilingual, every rule with its clause."""

import re
import tomllib

import pytest

from hnefi.rule_tree import Repetition
from hnefi.variants.built_in import booklet_ids, built_in_variant
from hnefi.variants.schema import completed
from hnefi.variants.similarity import rule_differences
from hnefi.variants.switches import CALL_SWITCHES, parse_switches
from tests.variant_files import IDS, ROOT, entries, load

PROGRAMS = {
    *("aagenielsen", "aisling-1198", "brainking", "dragonheelslair", "hnefatafl-org", "hnefatafl-rs"),
    *("ludii", "opentafl", "playtafl", "playtaflonline", "tablut-competition"),
}
CLAUSE_COUNTS = {"A": 24, "B": 28, "C": 22, "D": 21, "E": 27, "F": 15}
CLAUSES = {f"{letter}{n}" for letter, count in CLAUSE_COUNTS.items() for n in range(1, count + 1)}
CLAUSES |= {"E17a", "E17b"}
LETTERS = {
    "ard-ri-globe": "A",
    "brandub-breyer": "C",
    "brandub-globe": "B",
    "gwezboell-globe": "E",
    "tablut-geoludie": "D",
    "tablut-geoludie-slow": "D",
    "tablut-kouvia": "F",
}
# The rule sets of the booklets, whose clauses have numbers; the others name the source of every rule.
SEVEN = tuple(LETTERS)
# Attackers, defenders, size, and the games that have them; the starts are symmetric and have the king in
# the centre.
SHAPES = {
    (8, 4, 7): (
        "ard-ri-39-7 brandub-breyer brandub-globe brandub-kouvia-7 brandub-walker-7 brandubh1-7 brandubh2-7 "
        "hist-ardri-7 hist-brandubh-7 magpie-7 magpie-cross-7 old-magpie-7"
    ),
    (16, 8, 7): "ard-ri-common-7 ard-ri-globe",
    (16, 8, 9): (
        "ashton-tablut-9 berkeley-tablut-9 bologna-tablut-9 brainking-tablut-9 foteviken-tablut-9 "
        "gwezboell-globe gwezboell-icem-9 hist-tablut-9 imperial-contest-9 linnaean-tablut-9 "
        "sea-battle-2526-9 sea-battle-9 skalk-9 smith-tablut-9 tablut-geoludie tablut-geoludie-slow "
        "tablut-kouvia"
    ),
    (24, 12, 11): (
        "berserk-11 copenhagen-11 copenhagen-bell-11 fetlar-11 fetlar-panel-2013 hist-hnefatafl-11 "
        "hist-lewis-11 old-hnefatafl-11 sea-battle-11 sea-battle-204577-11 sea-battle-cross-11 "
        "simple-tafl-11 skalk-11 tawlbwrdd-bell-11 tawlbwrdd-lewis-11 tawlbwrdd-t-11 tyr-11 viking-game-11"
    ),
    (32, 16, 13): "large-hnefatafl-13 parlett-13 sea-battle-parlett-13 tyr-13",
    (40, 20, 15): "hist-hnefatafl-15 sea-battle-15 tyr-15 walker-15",
    (48, 24, 19): "alea-berserk-19 alea-evangelii-19",
}
PIECES = {name: shape for shape, names in SHAPES.items() for name in names.split()}


def test_the_files_are_there() -> None:
    assert set(SEVEN) < set(IDS)
    assert set(IDS) == set(PIECES)
    assert booklet_ids() == SEVEN


@pytest.mark.parametrize("variant_id", IDS)
def test_the_drawn_start_has_the_right_pieces(variant_id: str) -> None:
    attackers, defenders, size = PIECES[variant_id]
    one = built_in_variant(variant_id)
    assert one.id == variant_id
    board = one.tree_dict["board"]
    rows = ["".join(row.split()) for row in board["start"].strip().splitlines()]
    assert board["size"] == size
    assert [len(row) for row in rows] == [size] * size
    # Pieces with a rank are counted as soldiers, and as such they stand symmetrically.
    rows = [re.sub("[cnr]", "t", re.sub("[CNR]", "T", row)) for row in rows]
    drawn = "".join(rows)
    assert (drawn.count("t"), drawn.count("T"), drawn.count("K")) == (attackers, defenders, 1)
    assert set(drawn) == set(".tTK")
    assert rows[size // 2][size // 2] == "K"
    assert rows == rows[::-1]
    assert rows == ["".join(column) for column in zip(*rows, strict=True)]
    if "material" in one.about:
        material = {item["piece"]: item["count"] for item in one.about["material"]}
        assert material == {"board": 1, "attacker": attackers, "defender": defenders, "king": 1}


@pytest.mark.parametrize("variant_id", IDS)
def test_every_entry_is_well_formed(variant_id: str) -> None:
    file = load(variant_id)
    documents = {source["document"] for source in file["about"]["sources"]}
    required, optional = {"mark", "says"}, {"ruling", "doubt", "switch", "parts"}
    required |= {"clause", "where"} if variant_id in SEVEN else {"source"}
    for place, entry in entries(file):
        assert required <= entry.keys() <= required | optional, place
        if variant_id in SEVEN:
            assert entry["clause"] in CLAUSES, f"{place}: {entry['clause']}"
            assert entry["clause"][0] == LETTERS[variant_id], f"{place}: {entry['clause']} is of another text"
        else:
            assert entry["source"] in documents, f"{place}: {entry['source']}"
        assert entry["mark"] != "doubtful" or {"ruling", "doubt"} <= entry.keys(), f"{place}: without ruling"


@pytest.mark.parametrize("variant_id", SEVEN)
def test_every_clause_of_the_text_is_used(variant_id: str) -> None:
    letter = LETTERS[variant_id]
    used = {entry["clause"] for _, entry in entries(load(variant_id))}
    assert {clause for clause in CLAUSES if clause[0] == letter} - used == set()


def test_every_doubt_of_the_study_is_cited() -> None:
    doubts = {entry["doubt"] for name in SEVEN for _, entry in entries(load(name)) if "doubt" in entry}
    assert doubts == set(range(1, 33)) | {121, 126}


@pytest.mark.parametrize("variant_id", sorted(set(IDS) - set(SEVEN)))
def test_rules_without_a_source_are_marked_as_usage(variant_id: str) -> None:
    """A rule that no source mentions is marked as usage, and cites a ruling."""
    for place, entry in entries(load(variant_id)):
        silent = entry["says"]["en"] == "The source does not say."
        assert not silent or (entry["mark"] == "usage" and "ruling" in entry), place


def test_no_variant_of_the_world_is_without_a_doubt() -> None:
    for variant_id in sorted(set(IDS) - set(SEVEN)):
        assert [entry for _, entry in entries(load(variant_id)) if entry["mark"] == "doubtful"], variant_id


@pytest.mark.parametrize("variant_id", IDS)
def test_every_switch_changes_a_rule(variant_id: str) -> None:
    one = built_in_variant(variant_id)
    for place, entry in entries(load(variant_id)):
        for switch in entry.get("switch", []):
            assert one.with_switches(parse_switches([switch])).switches, f"{switch} changes nothing"
            leaf = re.split("[.=]", switch)[0]
            places = {"calls.why"} if leaf in CALL_SWITCHES else {"fixed", f"why.{leaf}"}
            assert place in places, f"{place}: {switch}"


@pytest.mark.parametrize("variant_id", IDS)
def test_the_facts_are_complete(variant_id: str) -> None:
    about = load(variant_id)["about"]
    required = {"names", "also", "family", "region", "status", "status_note", "history", "sources"}
    if variant_id in SEVEN:
        required |= {"players", "categories", "words", "material", "strategy", "language", "terms"}
    assert required <= about.keys()
    assert set(about.get("elsewhere", {})) <= PROGRAMS
    assert all(names and all(names) for names in about.get("elsewhere", {}).values())
    nouns = {"attacker", "defender", "soldier", "king", "throne", "corner"}
    assert about.get("words", dict.fromkeys(nouns)).keys() == nouns
    assert len(about.get("corner_names", ["", "", "", ""])) == 4
    assert set(about.get("unsaid", ())) <= {"region", "also", *about["also"]}
    assert all(term.keys() == {"word", "means"} for term in about.get("terms", ()))
    assert about.get("is_individual", True)
    documents = [source["document"] for source in about["sources"]]
    assert len(set(documents)) == len(documents) >= 1
    for source in about["sources"]:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", source["document"])
        assert {"title", "publisher", "document", "kind", "part", "note"} <= source.keys()


def test_both_games_of_one_booklet_have_the_same_facts() -> None:
    """The rules of Géoludie with the option have a file of their own."""
    usual, slow = (dict(load(name)["about"]) for name in ("tablut-geoludie", "tablut-geoludie-slow"))
    differing = {key for key in usual.keys() | slow.keys() if usual.get(key) != slow.get(key)}
    told = {"history", "strategy", "claims", "claimed", "terms", "names_note"}
    assert differing == {"names", "sources", *told}


@pytest.mark.parametrize("variant_id", IDS)
def test_calls_and_match_are_complete(variant_id: str) -> None:
    file = load(variant_id)
    match = file["match"]
    assert (match["legs"], match["tie_break"]) in {(1, "none"), (2, "captures")}
    assert match["why"]
    if "calls" in file:
        calls = file["calls"]
        assert calls["why"]
        assert calls["sides"] in (["defenders"], ["attackers", "defenders"])
        assert calls["king_in_danger"] == ("attackers" in calls["sides"])
        words = {"one_exit", "two_exits"} | ({"king_in_danger"} if calls["king_in_danger"] else set())
        assert calls["words"].keys() == words
        # The words of the source stand beside their translations.
        assert ("language" in calls) == any(word["en"] != word["fr"] for word in calls["words"].values())


def test_sanctions_of_calls_follow_the_booklets() -> None:
    calls = {name: load(name).get("calls", {}).get("sanction") for name in SEVEN}
    assert calls == {
        "ard-ri-globe": None,
        "brandub-breyer": None,
        "brandub-globe": "replay",
        "gwezboell-globe": "replay",
        "tablut-geoludie": "none",
        "tablut-geoludie-slow": "none",
        "tablut-kouvia": "none",
    }


@pytest.mark.parametrize("variant_id", SEVEN)
def test_ends_that_a_booklet_does_not_name_have_switches(variant_id: str) -> None:
    """Repetition, the loss of a blocked side, the capture of all attackers: R9 to R11."""
    tree, why = built_in_variant(variant_id).tree, built_in_variant(variant_id).why
    ends = {"attackers_captured": "none", "repetition": Repetition(0, "none"), "no_move": None}
    for leaf, neutral in ends.items():
        if getattr(tree.ends, leaf) != neutral and any(entry["mark"] != "text" for entry in why[leaf]):
            assert [switch for entry in why[leaf] for switch in entry.get("switch", ())], leaf


def test_a_wrong_number_is_no_call_where_the_booklet_asks_for_the_number() -> None:
    calls = {name: load(name)["calls"]["wrong_number"] for name in IDS if "calls" in load(name)}
    assert [name for name, worth in calls.items() if worth == "forgotten"] == ["brandub-globe"]


def test_the_slow_option_differs_in_king_alone() -> None:
    plain, slow = (built_in_variant(name).tree for name in ("tablut-geoludie", "tablut-geoludie-slow"))
    assert {one.leaf for one in rule_differences(plain, slow)} == {"range", "king_armed"}
    assert slow.movement.range.to_dict() == {"attackers": 0, "defenders": 0, "king": 1}
    assert slow.capture.king_armed == "both"


def test_the_guide_shows_a_real_file() -> None:
    guide = (ROOT / "docs" / "reference" / "variant-files.md").read_text(encoding="utf-8")
    blocks = [
        tomllib.loads(block) for block in re.findall(r"^```toml\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    ]
    shown = [completed(block["rules"]) for block in blocks if "rules" in block]
    assert shown == [built_in_variant("brandub-globe").tree_dict]
    assert {key for block in blocks for key in block} >= {"id", "rules", "calls", "match", "why"}
