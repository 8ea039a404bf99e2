"""The common clauses of the variant files: all used, read as specified, refused with their place."""

import tomllib

import pytest

from hnefi import VariantError, parse_variant
from hnefi.variants.built_in import built_in_variant
from tests.variant_files import COMMON, IDS, STATUS_MARKS, VARIANTS, load


def test_every_common_clause_is_used() -> None:
    used: set[tuple[str, str]] = set()
    for variant_id in IDS:
        text = (VARIANTS / f"{variant_id}.toml").read_text(encoding="utf-8")
        for table in tomllib.loads(text).get("common_clauses", []):
            used |= {(status, leaf) for status in STATUS_MARKS for leaf in table.get(status, [])}
    assert {leaf for status, leaf in used if status in ("text", "silent")} == COMMON["statements"].keys()
    for status in ("absent", "implied"):
        assert {leaf for found, leaf in used if found == status} == COMMON[status].keys()


@pytest.mark.parametrize("variant_id", IDS)
def test_the_library_agrees_with_the_file(variant_id: str) -> None:
    file, read = load(variant_id), built_in_variant(variant_id)
    assert read.why == file["why"]
    assert dict(read.match) == file["match"]
    assert list(read.fixed) == file["fixed"]


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
    text = (VARIANTS / "magpie-7.toml").read_text(encoding="utf-8")
    begin, end = text.index("[[common_clauses]]"), text.index("[[why.")
    rest = text[:begin] + text[end:]
    changed = f"{tables}\n{rest}" if tables.startswith("common") else f"{rest}\n{tables}\n"
    with pytest.raises(VariantError) as refused:
        parse_variant(changed)
    assert [fault.path for fault in refused.value.faults] == [path]


def test_a_rule_without_a_common_statement_is_named_with_its_value() -> None:
    text = (
        (VARIANTS / "magpie-7.toml")
        .read_text(encoding="utf-8")
        .replace('no_move = "loses"', 'no_move = "pass"')
    )
    with pytest.raises(VariantError) as refused:
        parse_variant(text)
    (fault,) = refused.value.faults
    assert fault.found == "no_move=pass"
    assert "no_move=loses" in fault.expected


def test_malformed_sources_are_no_documents() -> None:
    text = (VARIANTS / "magpie-7.toml").read_text(encoding="utf-8")
    with pytest.raises(VariantError) as refused:
        parse_variant(text.replace("[[about.sources]]", "[about.sources]"))
    assert [fault.path for fault in refused.value.faults] == ["about.sources", "common_clauses[0].source"]
