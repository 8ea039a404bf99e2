"""Writes docs/explanation/sentences.md: where the product tells each sentence of the five texts."""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "docs" / "explanation" / "sentences.toml"
TARGET = SOURCE.with_suffix(".md")

_HEAD = """\
# The sentences of the five texts

The seven booklet variants come from five French texts. This page lists every sentence of these texts, in a
few words of our own, and where the product tells it. The numbers are those of the clauses in the variant
files (`hnefi rules VARIANT --why`), followed by the number of the sentence in its clause. Numbers with a 0
stand for sentences besides the rules: history, material, advice.

A **rule** is a key of the variant file whose entry cites the clause; its sentence is on the rules page and in
`hnefi rules`. `fixed` are rules without a key, `calls` and `match` those of announcements and matches. A
**section** is one of the rules in words (`hnefi.words.about` names those besides the rules); `heading` is the
title with the facts below it. The data is in `sentences.toml`; `tests/test_sentences.py` holds that each
clause has an entry and each place the words.
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
    yield "| sentence | in our words | told by |"
    yield "|---|---|---|"
    for sentence in one["sentences"]:
        yield f"| {sentence['n']} | {sentence['says']} | {_places(sentence)} |"
    yield ""


def _places(sentence: Mapping[str, Any]) -> str:
    """Formats the places of a sentence."""
    if "left_out" in sentence:
        return f"left out: {sentence['left_out']}"
    rules = ", ".join(f"`{rule}`" for rule in sentence.get("rules", ()))
    sections = ", ".join(sentence.get("sections", ()))
    told = [f"rule {rules}" if rules else "", f"section {sections}" if sections else ""]
    only = f" (`{sentence['of']}`)" if "of" in sentence else ""
    return "; ".join(filter(None, told)) + only


def main() -> int:
    """Writes the page."""
    TARGET.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
