"""The clauses that exported and derived variants keep, and those that go with a changed rule."""

from dataclasses import replace

import pytest

from hnefi import Variant, parse_variant, variant, words
from hnefi.variants.built_in import booklet_ids, built_in_ids
from hnefi.variants.clauses import without_clauses
from hnefi.variants.custom import derive
from hnefi.variants.files import format_variant
from hnefi.variants.links import format_link, parse_link
from hnefi.variants.schema import schema
from tests.samples import sampled


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
