"""The texts in the variant files: all are there in both languages, and set as each language is set."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from hnefi.variants.built_in import booklet_ids
from tests.variant_files import IDS, load


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


def french_faults(text: str) -> list[str]:
    """Finds what breaks French typography in one text."""
    rules = {
        "a straight apostrophe or quote": r"['\"]",
        "no narrow no-break space before ; ! ?": r"(?<!\u202f)[;!?]",
        "no no-break space before :": r"(?<!\u00a0):",
        "no no-break space after «": r"«(?!\u00a0)",
        "no no-break space before »": r"(?<!\u00a0)»",
        "English quotes": r"[“”]",
        "a doubled space": r"[ \u00a0\u202f]{2}",
    }
    return [what for what, pattern in rules.items() if re.search(pattern, text)]


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


@pytest.mark.parametrize(
    "text",
    ["l'or", "quoi ?", "ici :", "ici\u00a0;", "« or\u00a0»", "«\u00a0or »", "un “or”", "deux  pas", "or!"],
)
def test_bad_french_is_found(text: str) -> None:
    assert french_faults(text) != []


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
