"""The variant files as data, read with tomllib alone: complete, bilingual, every rule with its clause."""

import copy
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hnefi.variants.built_in import booklet_ids

ROOT = Path(__file__).resolve().parents[1]
VARIANTS = ROOT / "src" / "hnefi" / "variants" / "data"
IDS = tuple(sorted(path.stem for path in VARIANTS.glob("*.toml")))
KINDS = {"attackers", "defenders", "king"}
WHEN = {"never", "empty", "always"}
CLOSED = {"custodial", "four_sides", "never"}
JUMPS = {"none", "restricted", "over", "anyone", "capture"}
# Every leaf of the rules, where it stands, and its closed values: a set, a map of sets, or None (free).
LEAVES: dict[str, tuple[str, Any]] = {
    "first": ("", {"attackers", "defenders"}),
    "size": ("board", None),
    "start": ("board", None),
    "throne": ("board", {"none", "centre"}),
    "corners": ("board", {"none", "1x1", "2x2"}),
    "camps": ("board", None),
    "range": ("movement", dict.fromkeys(KINDS, int)),
    "throne_stop": ("movement", list),
    "throne_pass": ("movement", list),
    "corner_stop": ("movement", list),
    "throne_hostile": ("hostility", dict.fromkeys(KINDS, WHEN)),
    "corner_hostile": ("hostility", dict.fromkeys(KINDS, WHEN)),
    "edge_hostile_king": ("hostility", bool),
    "camp_hostile": ("hostility", list),
    "king_armed": ("capture", {"both", "hammer", "anvil", "none"}),
    "king_capture": ("capture", {"on_throne": CLOSED, "beside_throne": CLOSED, "elsewhere": CLOSED}),
    "linnaean": ("capture", {"none", "guard", "guard_and_king"}),
    "blocked_groups": (
        "capture",
        {"none", "king_and_one", "king_and_one_surrounded", "groups", "groups_and_rows"},
    ),
    "shieldwall": ("capture", {"none", "pieces", "with_corner"}),
    "goal": ("ends", {"corner", "edge"}),
    "king_captured": ("ends", {"attackers_win", "draw"}),
    "guards_captured": ("ends", {"none", "attackers_win"}),
    "attackers_captured": ("ends", {"none", "defenders_win"}),
    "tuichi": ("ends", {"none", "defenders_win"}),
    "enclosure": ("ends", {"none", "attackers_win"}),
    "exit_fort": ("ends", {"none", "defenders_win"}),
    "no_move": ("ends", {"loses", "draw", "pass"}),
    "repetition": (
        "ends",
        {"count": int, "result": {"none", "draw", "draw_in_a_row", "defenders_lose", "mover_loses"}},
    ),
    "quiet_limit": ("ends", int),
    "berserk": ("special", {"none", "may", "must"}),
    "jumps": ("special", dict.fromkeys(("king", "commanders", "knights"), JUMPS)),
    "commander_pair": ("special", {"none", "open", "everywhere"}),
    "knights_taken": ("special", {"by_two", "by_three"}),
    "occupied_camps": ("special", {"harmless", "hostile"}),
}
# What stands in the section that files may leave out, where they do.
SPECIAL: dict[str, Any] = {
    "berserk": "none",
    "jumps": dict.fromkeys(("king", "commanders", "knights"), "none"),
    "commander_pair": "none",
    "knights_taken": "by_two",
    "occupied_camps": "harmless",
}
# The order of the entries of a map where they are given together.
ENTRIES = {
    leaf: sorted(values) if leaf != "king_capture" else ["on_throne", "beside_throne", "elsewhere"]
    for leaf, (_, values) in LEAVES.items()
    if isinstance(values, dict)
}
CALL_SWITCHES = {
    "sanction": {"none", "replay", "until_called"},
    "replay": {"same_piece", "any_piece"},
    "wrong_number": {"call", "forgotten"},
}
# The protocol of variants without calls.
NO_CALLS = {"sanction": "none", "replay": "same_piece", "wrong_number": "call"}
PROGRAMS = {
    "aagenielsen",
    "aisling-1198",
    "brainking",
    "dragonheelslair",
    "hnefatafl-org",
    "hnefatafl-rs",
    "ludii",
    "opentafl",
    "playtafl",
    "playtaflonline",
    "tablut-competition",
}
# What a text may say that tafl games share.
TRAITS = {
    *("common", "kings_table", "sizes", "sizes_same_rules", "marked_squares"),
    *("unequal", "originality", "enclosing", "central_piece", "reconstructed"),
}
MARKS = {"text", "other_clause", "usage", "doubtful"}
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
# Attackers, defenders, size; the starts are symmetric and have the king in the centre.
PIECES = {
    "ard-ri-globe": (16, 8, 7),
    "brandub-breyer": (8, 4, 7),
    "brandub-globe": (8, 4, 7),
    "gwezboell-globe": (16, 8, 9),
    "tablut-geoludie": (16, 8, 9),
    "tablut-geoludie-slow": (16, 8, 9),
    "tablut-kouvia": (16, 8, 9),
    "alea-evangelii-19": (48, 24, 19),
    "ard-ri-common-7": (16, 8, 7),
    "ashton-tablut-9": (16, 8, 9),
    "berkeley-tablut-9": (16, 8, 9),
    "berserk-11": (24, 12, 11),
    "bologna-tablut-9": (16, 8, 9),
    "brainking-tablut-9": (16, 8, 9),
    "brandub-kouvia-7": (8, 4, 7),
    "brandub-walker-7": (8, 4, 7),
    "brandubh1-7": (8, 4, 7),
    "copenhagen-11": (24, 12, 11),
    "fetlar-11": (24, 12, 11),
    "fetlar-panel-2013": (24, 12, 11),
    "foteviken-tablut-9": (16, 8, 9),
    "gwezboell-icem-9": (16, 8, 9),
    "hist-ardri-7": (8, 4, 7),
    "hist-brandubh-7": (8, 4, 7),
    "hist-hnefatafl-11": (24, 12, 11),
    "hist-lewis-11": (24, 12, 11),
    "hist-tablut-9": (16, 8, 9),
    "imperial-contest-9": (16, 8, 9),
    "large-hnefatafl-13": (32, 16, 13),
    "linnaean-tablut-9": (16, 8, 9),
    "magpie-7": (8, 4, 7),
    "parlett-13": (32, 16, 13),
    "sea-battle-11": (24, 12, 11),
    "sea-battle-9": (16, 8, 9),
    "sea-battle-parlett-13": (32, 16, 13),
    "simple-tafl-11": (24, 12, 11),
    "smith-tablut-9": (16, 8, 9),
    "tawlbwrdd-bell-11": (24, 12, 11),
    "tawlbwrdd-lewis-11": (24, 12, 11),
    "tawlbwrdd-t-11": (24, 12, 11),
    "viking-game-11": (24, 12, 11),
    "walker-15": (40, 20, 15),
    # Found from recorded games (docs/measurements/recorded-games.md).
    "ard-ri-39-7": (8, 4, 7),
    "brandubh2-7": (8, 4, 7),
    "copenhagen-bell-11": (24, 12, 11),
    "hist-hnefatafl-15": (40, 20, 15),
    "magpie-cross-7": (8, 4, 7),
    "old-hnefatafl-11": (24, 12, 11),
    "old-magpie-7": (8, 4, 7),
    "sea-battle-15": (40, 20, 15),
    "sea-battle-204577-11": (24, 12, 11),
    "sea-battle-2526-9": (16, 8, 9),
    "sea-battle-cross-11": (24, 12, 11),
    "tyr-11": (24, 12, 11),
    "tyr-13": (32, 16, 13),
    "tyr-15": (40, 20, 15),
    "alea-berserk-19": (48, 24, 19),
    "skalk-11": (24, 12, 11),
    "skalk-9": (16, 8, 9),
}


COMMON = tomllib.loads((VARIANTS.parent / "common_clauses.toml").read_text(encoding="utf-8"))
STATUS_MARKS = {"text": "text", "silent": "usage", "absent": "usage", "implied": "other_clause"}


def load(variant_id: str) -> dict[str, Any]:
    """Reads a file; the clauses in common words stand where the others do, before them."""
    file: dict[str, Any] = tomllib.loads((VARIANTS / f"{variant_id}.toml").read_text(encoding="utf-8"))
    file["match"] = {"legs": 1, "tie_break": "none", "lot": False} | file.get("match", {})
    for table in reversed(file.pop("common_clauses", [])):
        assert table.keys() <= {"source", *STATUS_MARKS}
        for status in reversed(list(STATUS_MARKS)):
            for leaf in reversed(table.get(status, [])):
                place = file["match"] if leaf == "match" else file if leaf == "fixed" else file["why"]
                entry = {"source": table["source"], **common_clause(status, leaf, file)}
                place.setdefault("why" if leaf == "match" else leaf, []).insert(0, entry)
    return file


def common_clause(status: str, leaf: str, file: dict[str, Any]) -> dict[str, Any]:
    """Returns the clause of `common_clauses.toml` for a rule of this file, by the file's format alone."""
    clause: dict[str, Any] = {"mark": STATUS_MARKS[status]}
    if leaf in COMMON["parts"]:
        clause["parts"] = COMMON["parts"][leaf]
    if status in ("absent", "implied"):
        return clause | {"says": COMMON[status][leaf]}
    statement = statement_of(leaf, file["rules"])
    if status == "text":
        return clause | {"says": statement}
    silence: dict[str, Any] = COMMON["silent"]
    return clause | {"says": silence["says"], "ruling": statement, **silence.get(leaf, {})}


def statement_of(leaf: str, rules: dict[str, Any]) -> dict[str, str]:
    by_value = COMMON["statements"][leaf]
    if "*" in by_value:
        start, size = rules["board"]["start"], rules["board"]["size"]
        counts = {"attackers": start.count("t"), "defenders": start.count("T"), "size": size}
        return {lang: sentence.format(**counts) for lang, sentence in by_value["*"].items()}
    value = leaves(rules)[leaf]
    if isinstance(value, dict):
        order = ENTRIES[leaf] if leaf != "repetition" else ["count", "result"]
        value = ",".join(str(value[entry]) for entry in order)
    elif isinstance(value, list):
        value = ",".join(value) or "none"
    statement: dict[str, str] = by_value[str(value).lower() if isinstance(value, bool) else str(value)]
    return statement


def leaves(rules: dict[str, Any]) -> dict[str, Any]:
    """Flattens a rule tree: the section of each leaf is checked on the way."""
    found: dict[str, Any] = {}
    for key, value in rules.items():
        for leaf, inner in value.items() if key in {s for s, _ in LEAVES.values() if s} else [(key, value)]:
            assert leaf in LEAVES, f"{key}.{leaf} is no key"
            assert LEAVES[leaf][0] == (key if key != leaf else ""), f"{leaf} stands in {key}"
            assert leaf not in found
            found[leaf] = inner
    return copy.deepcopy(SPECIAL) | found


def fits(value: Any, allowed: Any) -> bool:
    """Tests a value of the tree against the closed values of its leaf."""
    if allowed is None:
        return True
    if isinstance(allowed, dict):
        return (
            isinstance(value, dict)
            and value.keys() == allowed.keys()
            and all(fits(value[k], allowed[k]) for k in allowed)
        )
    if isinstance(allowed, set):
        return value in allowed
    if allowed is int:
        return type(value) is int and value >= 0
    if allowed is bool:
        return type(value) is bool
    order = ["attackers", "defenders", "king"]
    return isinstance(value, list) and value == [k for k in order if k in value] and set(value) <= KINDS


def switched(leaf_values: dict[str, Any], switch: str) -> dict[str, Any]:
    """Applies one `leaf=value` or `leaf.entry=value`, and refuses what does not parse."""
    name, sep, text = switch.partition("=")
    assert sep, f"{switch}: no '='"
    leaf, dot, entry = name.partition(".")
    assert leaf in LEAVES, f"{switch}: {leaf} is no key"
    allowed = LEAVES[leaf][1]
    changed = copy.deepcopy(leaf_values)
    if dot:
        assert entry in allowed, f"{switch}: no entry {entry}"
        changed[leaf][entry] = int(text) if allowed[entry] is int else text
    elif leaf == "repetition":
        count, result = text.split(",")
        changed[leaf] = {"count": int(count), "result": result}
    elif isinstance(allowed, dict):
        parts = text.split(",")
        assert len(parts) == len(ENTRIES[leaf])
        numbers = {entry for entry, kind in allowed.items() if kind is int}
        changed[leaf] = {
            entry: int(part) if entry in numbers else part
            for entry, part in zip(ENTRIES[leaf], parts, strict=True)
        }
    elif allowed is int:
        changed[leaf] = int(text)
    elif allowed is list:
        changed[leaf] = text.split(",") if text else []
    elif leaf == "camps":
        changed[leaf] = [camp.split(",") for camp in text.split("/")]
    else:
        changed[leaf] = text
    assert fits(changed[leaf], allowed), f"{switch}: {text} is no value of {leaf}"
    return changed


def entries(file: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Returns every entry that names a clause, with the place where it stands."""
    for leaf, items in file["why"].items():
        for entry in items:
            yield f"why.{leaf}", entry
    for section in ("calls", "match"):
        for entry in file.get(section, {}).get("why", []):
            yield f"{section}.why", entry
    for entry in file["fixed"]:
        yield "fixed", entry


def test_the_files_are_there() -> None:
    assert set(SEVEN) < set(IDS)
    assert set(IDS) == set(PIECES)
    assert booklet_ids() == SEVEN


@pytest.mark.parametrize("variant_id", IDS)
def test_top_level_keys_are_known(variant_id: str) -> None:
    file = load(variant_id)
    assert file["id"] == variant_id
    assert type(file["revision"]) is int
    assert file["revision"] >= 1
    assert file.keys() - {"calls"} == {"id", "revision", "about", "rules", "match", "why", "fixed"}


@pytest.mark.parametrize("variant_id", IDS)
def test_the_rules_are_complete(variant_id: str) -> None:
    found = leaves(load(variant_id)["rules"])
    assert found.keys() == LEAVES.keys()
    assert [leaf for leaf, value in found.items() if not fits(value, LEAVES[leaf][1])] == []


@pytest.mark.parametrize("variant_id", IDS)
def test_the_drawn_start_has_the_right_pieces(variant_id: str) -> None:
    attackers, defenders, size = PIECES[variant_id]
    file = load(variant_id)
    board = file["rules"]["board"]
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
    if "material" in file["about"]:
        material = {item["piece"]: item["count"] for item in file["about"]["material"]}
        assert material == {"board": 1, "attacker": attackers, "defender": defenders, "king": 1}


@pytest.mark.parametrize("variant_id", IDS)
def test_every_rule_names_its_clause(variant_id: str) -> None:
    file = load(variant_id)
    expected = LEAVES.keys() - (SPECIAL.keys() - file["rules"].get("special", {}).keys())
    assert file["why"].keys() == expected
    assert [leaf for leaf, items in file["why"].items() if not items] == []
    assert file["match"]["why"]
    assert "calls" not in file or file["calls"]["why"]


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
        assert entry["mark"] in MARKS, place
        assert entry["mark"] != "doubtful" or {"ruling", "doubt"} <= entry.keys(), f"{place}: without ruling"
        assert type(entry.get("doubt", 1)) is int, place


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
    file = load(variant_id)
    found = leaves(file["rules"])
    for place, entry in entries(file):
        for switch in entry.get("switch", []):
            if place == "calls.why":
                name, _, value = switch.partition("=")
                assert value in CALL_SWITCHES[name], switch
                assert file["calls"][name] != value, f"{switch} changes nothing"
            else:
                assert switched(found, switch) != found, f"{place}: {switch} changes nothing"
                assert place in {"fixed", f"why.{re.split('[.=]', switch)[0]}"}, f"{place}: {switch}"


@pytest.mark.parametrize("switch", ["quiet=1", "quiet_limit", "no_move=wins", "corner_hostile.K=never"])
def test_bad_switches_are_found(switch: str) -> None:
    with pytest.raises(AssertionError):
        switched(leaves(load("brandub-globe")["rules"]), switch)


@pytest.mark.parametrize("variant_id", IDS)
def test_the_facts_are_complete(variant_id: str) -> None:
    about = load(variant_id)["about"]
    required = {"names", "also", "family", "region", "status", "status_note", "history", "sources"}
    optional = {"players", "categories", "words", "material", "minutes", "ease", "strategy", "corner_names"}
    optional |= {"is_individual", "claims", "traits", "names_note", "misprints", "terms", "unsaid"}
    if variant_id in SEVEN:
        required |= {"players", "categories", "words", "material", "strategy", "traits", "terms"}
    assert required <= about.keys() <= required | optional | {"elsewhere"}
    assert about["status"] in {"observed", "reconstruction", "published", "modern", "doubtful"}
    assert set(about.get("elsewhere", {})) <= PROGRAMS
    assert all(names and all(names) for names in about.get("elsewhere", {}).values())
    nouns = {"attacker", "defender", "soldier", "king", "throne", "corner"}
    assert about.get("words", dict.fromkeys(nouns)).keys() == nouns
    assert len(about.get("corner_names", ["", "", "", ""])) == 4
    assert set(about.get("unsaid", ())) <= {"region", "also", *about["also"]}
    assert set(about.get("traits", ())) <= TRAITS
    assert all(term.keys() == {"word", "means"} for term in about.get("terms", ()))
    assert about.get("is_individual", True) is True
    documents = [source["document"] for source in about["sources"]]
    assert len(set(documents)) == len(documents) >= 1
    for source in about["sources"]:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", source["document"])
        assert source["kind"] in {"booklet", "web_page", "book", "program"}
        assert {"title", "publisher", "document", "kind", "part", "note"} <= source.keys()


def test_both_games_of_one_booklet_have_the_same_facts() -> None:
    """The rules of Géoludie with the option have a file of their own."""
    usual, slow = (dict(load(name)["about"]) for name in ("tablut-geoludie", "tablut-geoludie-slow"))
    differing = {key for key in usual.keys() | slow.keys() if usual.get(key) != slow.get(key)}
    assert differing == {"names", "history", "strategy", "claims", "sources"}


def test_names_of_variants_are_distinct() -> None:
    for language in ("en", "fr"):
        assert len({load(name)["about"]["names"][language] for name in IDS}) == len(IDS)


@pytest.mark.parametrize("variant_id", IDS)
def test_calls_and_match_are_complete(variant_id: str) -> None:
    file = load(variant_id)
    match = file["match"]
    assert match.keys() == {"legs", "tie_break", "lot", "why"}
    assert (match["legs"], match["tie_break"]) in {(1, "none"), (2, "captures")}
    assert type(match["lot"]) is bool
    if "calls" in file:
        calls = file["calls"]
        assert calls.keys() - {"language"} == {"sides", *CALL_SWITCHES, "king_in_danger", "words", "why"}
        assert calls["sides"] in (["defenders"], ["attackers", "defenders"])
        assert calls["king_in_danger"] == ("attackers" in calls["sides"])
        assert all(calls[name] in values for name, values in CALL_SWITCHES.items())
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
    rules, why = leaves(load(variant_id)["rules"]), load(variant_id)["why"]
    neutral = {"attackers_captured": "none", "repetition": {"count": 0, "result": "none"}}
    for leaf in ("attackers_captured", "no_move", "repetition"):
        if rules[leaf] == neutral.get(leaf) or all(entry["mark"] == "text" for entry in why[leaf]):
            continue
        switches = [switch for entry in why[leaf] for switch in entry.get("switch", ())]
        changed = [switched(rules, switch)[leaf] for switch in switches]
        assert changed, (variant_id, leaf)
        assert rules[leaf] not in changed, (variant_id, leaf)


def test_a_wrong_number_is_no_call_where_the_booklet_asks_for_the_number() -> None:
    calls = {name: load(name)["calls"]["wrong_number"] for name in IDS if "calls" in load(name)}
    assert [name for name, worth in calls.items() if worth == "forgotten"] == ["brandub-globe"]


def test_the_slow_option_differs_in_king_alone() -> None:
    plain, slow = (leaves(load(name)["rules"]) for name in ("tablut-geoludie", "tablut-geoludie-slow"))
    assert {leaf for leaf in LEAVES if plain[leaf] != slow[leaf]} == {"range", "king_armed"}
    assert slow["range"] == {"attackers": 0, "defenders": 0, "king": 1}
    assert slow["king_armed"] == "both"


def test_the_guide_shows_a_real_file() -> None:
    guide = (ROOT / "docs" / "reference" / "variant-files.md").read_text(encoding="utf-8")
    blocks = [
        tomllib.loads(block) for block in re.findall(r"^```toml\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    ]
    shown = [block["rules"] for block in blocks if "rules" in block]
    assert shown == [load("brandub-globe")["rules"]]
    assert {key for block in blocks for key in block} >= {"id", "rules", "calls", "match", "why"}
