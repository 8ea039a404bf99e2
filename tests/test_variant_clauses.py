"""The clauses and texts of variant files: common ones, those that copies keep, both languages."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from hnefi import Variant, VariantError, parse_variant, variant, words
from hnefi.errors import Fault
from hnefi.variants.built_in import booklet_ids, built_in_ids, built_in_variant
from hnefi.variants.clauses import without_clauses
from hnefi.variants.custom import derive
from hnefi.variants.files import format_variant
from hnefi.variants.links import format_link, parse_link
from hnefi.variants.schema import schema
from tests.samples import sampled
from tests.test_i18n import FRENCH_FAULTS
from tests.variant_files import IDS, VARIANTS, load

COMMON = tomllib.loads((VARIANTS.parent / "common_clauses.toml").read_text(encoding="utf-8"))


def sentences(one: Variant, lang: str) -> list[tuple[str, tuple[tuple[words.Clause, ...], ...]]]:
    """The rules as text with their marks and sources."""
    told = words.rules(one, lang, pictures=False)
    return [(section.heading, section.marked_paragraphs) for section in told.rules_sections]


@pytest.mark.parametrize("variant_id", sampled(built_in_ids()))
def test_every_variant_is_written_and_read_again(variant_id: str) -> None:
    one = variant(variant_id)
    read = parse_variant(format_variant(one))
    assert read.rules == one.rules
    assert (read.id, read.revision, read.match["legs"]) == (one.id, one.revision, one.match["legs"])
    assert read.about == {key: value for key, value in one.about.items() if value or value is False}
    assert sentences(read, "fr") == sentences(one, "fr")
    assert sentences(parse_link(format_link(one)), "en") == sentences(without_clauses(one), "en")


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_a_copy_under_another_name_says_the_same_of_the_rules(variant_id: str) -> None:
    one = variant(variant_id)
    names = {"en": "My tafl", "fr": "Mon tafl"}
    renamed = format_variant(replace(one, id="my-tafl", about={**one.about, "names": names}))
    for lang, name in names.items():
        for copied in (parse_variant(renamed), derive(one, "my-tafl", names, {})):
            assert words.rules(copied, lang).title.endswith(name)
            assert sentences(copied, lang) == sentences(one, lang)


@pytest.mark.parametrize(
    ("variant_id", "rule", "before", "after", "gone"),
    [
        ("brandub-globe", "goal", '"corner"', '"edge"', "A prince in a refuge does not win the game."),
        ("tablut-geoludie", "guards_captured", '"none"', '"attackers_win"', "the king plays on alone."),
        (
            "gwezboell-globe",
            "throne_pass",
            '["attackers", "defenders", "king"]',
            "[]",
            "Every piece may cross",
        ),
        ("brandub-globe", "sanction", '"replay"', '"none"', "the escape does not count"),
        ("tablut-geoludie", "legs", "2", "1", "the players swap sides"),
    ],
)
def test_clauses_of_a_rule_go_when_a_copy_changes_it(
    variant_id: str, rule: str, before: str, after: str, gone: str
) -> None:
    one = variant(variant_id)
    written = format_variant(one)
    assert f"\n{rule} = {before}\n" in written
    changed = parse_variant(written.replace(f"\n{rule} = {before}\n", f"\n{rule} = {after}\n"))
    told = words.rules(changed, "en", pictures=False).rules_sections
    assert gone in str(sentences(one, "en"))
    assert gone not in str(sentences(changed, "en"))
    if rule in schema():
        switches = {rule: after.strip('"[]') or "none"}
        by_switch = words.rules(one.with_switches(switches), "en", pictures=False).rules_sections
        assert [part.paragraphs for part in told] == [part.paragraphs for part in by_switch]
        assert sentences(derive(one, "mine", {"en": "Mine"}, switches), "en") == sentences(changed, "en")
    assert sentences(parse_variant(format_variant(changed)), "en") == sentences(changed, "en")


MAGPIE = (VARIANTS / "magpie-7.toml").read_text(encoding="utf-8")


def faults_of(text: str) -> tuple[Fault, ...]:
    with pytest.raises(VariantError) as refused:
        parse_variant(text)
    return refused.value.faults


def test_every_common_clause_is_used() -> None:
    used: set[tuple[str, str]] = set()
    for variant_id in IDS:
        text = (VARIANTS / f"{variant_id}.toml").read_text(encoding="utf-8")
        for table in tomllib.loads(text).get("common_clauses", []):
            used |= {(status, leaf) for status in table.keys() - {"source"} for leaf in table[status]}
    assert {leaf for status, leaf in used if status in ("text", "silent")} == COMMON["statements"].keys()
    for status in ("absent", "implied"):
        assert {leaf for found, leaf in used if found == status} == COMMON[status].keys()


def test_a_common_clause_has_the_words_of_its_status_and_of_the_value_of_its_rule() -> None:
    magpie, statements = built_in_variant("magpie-7"), COMMON["statements"]
    expected = {
        "edge_hostile_king": {"mark": "text", "says": statements["edge_hostile_king"]["true"]},
        "camps": {"mark": "usage", "says": COMMON["absent"]["camps"]},
        "camp_hostile": {"mark": "other_clause", "says": COMMON["implied"]["camp_hostile"]},
    }
    for leaf, value in (
        ("throne_stop", "king"),
        ("throne_hostile", "always,empty,empty"),
        ("repetition", "3,draw"),
        ("attackers_captured", "defenders_win"),
    ):
        says = {"says": COMMON["silent"]["says"], **COMMON["silent"].get(leaf, {})}
        expected[leaf] = {"mark": "usage", "ruling": statements[leaf][value], **says}
    assert {leaf: magpie.why[leaf] for leaf in expected} == {
        leaf: [{"source": "magpie-rules", **clause}] for leaf, clause in expected.items()
    }
    assert magpie.why["size"][0]["says"]["en"] == "The board has 7 by 7 squares."
    assert magpie.match["why"][0]["says"] == COMMON["absent"]["match"]
    assert magpie.fixed[0]["parts"] == COMMON["parts"]["fixed"]
    # Before the clause that is about this file alone.
    assert [clause["mark"] for clause in built_in_variant("walker-15").why["start"]] == [
        "text",
        "doubtful",
    ]


@pytest.mark.parametrize(
    ("tables", "path"),
    [
        ('common_clauses = "text"', "common_clauses"),
        ('[[common_clauses]]\ntext = ["first"]', "common_clauses[0].source"),
        ('[[common_clauses]]\nsource = "rules"\ntext = ["first"]', "common_clauses[0].source"),
        ('[[common_clauses]]\nsource = "magpie-rules"\nsays = ["first"]', "common_clauses[0].says"),
        (
            '[[common_clauses]]\nsource = "magpie-rules"\ntext = ["first", "second"]',
            "common_clauses[0].text[1]",
        ),
        ('[[common_clauses]]\nsource = "magpie-rules"\nsilent = [[1]]', "common_clauses[0].silent[0]"),
        ('[[common_clauses]]\nsource = "magpie-rules"\nabsent = "first"', "common_clauses[0].absent[0]"),
    ],
)
def test_bad_common_clauses_are_refused_with_their_place(tables: str, path: str) -> None:
    begin, end = MAGPIE.index("[[common_clauses]]"), MAGPIE.index("[[why.")
    rest = MAGPIE[:begin] + MAGPIE[end:]
    changed = f"{tables}\n{rest}" if tables.startswith("common") else f"{rest}\n{tables}\n"
    assert [fault.path for fault in faults_of(changed)] == [path]


def test_a_rule_without_a_common_statement_is_named_with_its_value() -> None:
    (fault,) = faults_of(MAGPIE.replace('no_move = "loses"', 'no_move = "pass"'))
    assert fault.found == "no_move=pass"
    assert "no_move=loses" in fault.expected


def test_malformed_sources_are_no_documents() -> None:
    faults = faults_of(MAGPIE.replace("[[about.sources]]", "[about.sources]"))
    assert [fault.path for fault in faults] == ["about.sources", "common_clauses[0].source"]


def strings(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from strings(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from strings(inner, f"{path}[{number}]")


def pairs(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Returns every table that holds a language."""
    if isinstance(value, dict):
        if value.keys() & {"en", "fr"}:
            yield path, value
            return
        for key, inner in value.items():
            yield from pairs(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from pairs(inner, f"{path}[{number}]")


FRENCH = {**FRENCH_FAULTS, "a doubled space": re.compile(r"[ \u00a0\u202f]{2}")}


def french_faults(text: str) -> list[str]:
    """Finds what breaks French typography in one text."""
    return [what for what, fault in FRENCH.items() if fault.search(text)]


@pytest.mark.parametrize("variant_id", IDS)
def test_both_languages_are_there(variant_id: str) -> None:
    found = list(pairs(load(variant_id)))
    assert len(found) > 40
    for path, pair in found:
        assert pair.keys() == {"en", "fr"}, path
        for language in ("en", "fr"):
            texts = list(strings(pair[language]))
            assert texts, f"{path}.{language}"
            assert all(text.strip() for _, text in texts), f"{path}.{language} is empty"


@pytest.mark.parametrize("variant_id", IDS)
def test_texts_are_set_as_their_language_is_set(variant_id: str) -> None:
    texts = [text for _, pair in pairs(load(variant_id)) for _, text in strings(pair["fr"])]
    assert {text: french_faults(text) for text in texts if french_faults(text)} == {}
    texts = [text for _, pair in pairs(load(variant_id)) for _, text in strings(pair["en"])]
    assert [text for text in texts if re.search(r"['\"«»]|  ", text)] == []


@pytest.mark.parametrize("variant_id", IDS)
def test_texts_for_readers_name_no_file_commit_or_id_and_keep_sizes_on_one_line(variant_id: str) -> None:
    internal = re.compile(r"docs/|\.md\b|\bcommit [0-9a-f]{7}|\bR\d+\b|\b(?:" + "|".join(IDS) + r")\b")
    texts = [text for _, pair in pairs(load(variant_id)) for _, text in strings(pair)]
    assert not [text for text in texts if internal.search(text)]
    assert not [text for text in texts if re.search(r"\d ×|× \d", text)]


@pytest.mark.parametrize("variant_id", IDS)
def test_a_word_and_its_meaning_have_one_colon(variant_id: str) -> None:
    for term in load(variant_id)["about"].get("terms", ()):
        assert not any(":" in means for means in term["means"].values()), term["word"]


@pytest.mark.parametrize("variant_id", booklet_ids())
def test_what_is_said_of_a_source_fits_a_booklet_of_any_publisher(variant_id: str) -> None:
    """A maker’s booklet prints it: "we" would be the maker."""
    notes = [text for source in load(variant_id)["about"]["sources"] for _, text in strings(source)]
    assert not [text for text in notes if re.search(r"(?i)\b(we|us|ours?|nous|notre|n[ôo]tres?)\b", text)]
