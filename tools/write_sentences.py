"""Writes docs/explanation/sentences.md: where the product tells each sentence of the five texts."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hnefi import variant, words

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "docs" / "explanation" / "sentences.toml"
TARGET = SOURCE.with_suffix(".md")

_HEAD = """\
# The sentences of the five texts

The seven booklet variants come from five French texts. This page lists every sentence of these texts, in a
few words of our own, and beside it the passage of the rules that tells it, in English and in French. The
numbers are those of the clauses in the variant files (`hnefi rules VARIANT --why`), followed by the number of
the sentence in its clause. Numbers with a 0 stand for sentences besides the rules: history, material, advice.

A passage has an id: its section, and the rule key with its part, or the name of a fact
(`hnefi rules VARIANT --json` lists them). `heading` is the title with the facts below it. The data is in
`sentences.toml`; `tests/test_sentences.py` holds that each clause has an entry, and that each passage exists
and has the numbers, names and places of its sentence in both languages.
"""


def texts() -> list[dict[str, Any]]:
    """Reads the texts with their sentences."""
    read: list[dict[str, Any]] = tomllib.loads(SOURCE.read_text(encoding="utf-8"))["texts"]
    return read


def text() -> str:
    """Returns the page."""
    return "\n".join([_HEAD, *(line for one in texts() for line in _lines(one))]).rstrip() + "\n"


def _lines(one: Mapping[str, Any]) -> Iterator[str]:
    """Iterates over the lines of one text: its heading and its table."""
    yield f"## {one['title']}\n"
    names = " and ".join(f"`{name}`" for name in one["variants"])
    yield f"Played as {names}.\n"
    yield "| | in our words | what the rules say | ce que dit la règle |"
    yield "|---|---|---|---|"
    told_by = {
        name: [words.rules(variant(name), lang, pictures=False) for lang in ("en", "fr")]
        for name in one["variants"]
    }
    for sentence in one["sentences"]:
        only = f" (`{sentence['of']}`)" if "of" in sentence else ""
        told = [_told(sentence, rules) for rules in told_by[sentence.get("of", one["variants"][0])]]
        yield f"| {sentence['n']} | {sentence['says']}{only} | {' | '.join(told)} |"
    yield ""


def _told(sentence: Mapping[str, Any], rules: words.RulesText) -> str:
    """Returns the passages of a sentence, each with its id."""
    if "left_out" in sentence:
        return f"left out: {sentence['left_out']}"
    return " ".join(f"{rules.passage(name)} <small>`{name}`</small>" for name in sentence["told"])


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
