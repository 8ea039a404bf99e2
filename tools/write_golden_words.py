"""Writes the approved rules texts to tests/golden/words/, to be read before they are committed.

The variants of `WHOLE` are written as they are printed. Of all others, `clauses.LANG.txt` has each sentence
of the rules that none of those shows, once, with the first variant that has it.
"""

from pathlib import Path

from hnefi import all_variants, variant, words
from hnefi.i18n import languages
from hnefi.variants.built_in import booklet_ids

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "words"
WHOLE = (
    *booklet_ids(),
    "alea-berserk-19",
    "ashton-tablut-9",
    "copenhagen-11",
    "imperial-contest-9",
)
"""The variants of the texts, and four that together show most of the other rules."""


def main() -> None:
    """Writes the files anew."""
    for path in GOLDEN.iterdir():
        path.unlink()
    for lang in languages():
        for name in WHOLE:
            (GOLDEN / f"{name}.{lang}.txt").write_text(printed(name, lang), encoding="utf-8")
        lines = [f"{name}: {text}\n" for text, name in other_clauses(lang).items()]
        (GOLDEN / f"clauses.{lang}.txt").write_text("".join(lines), encoding="utf-8")


def printed(name: str, lang: str) -> str:
    """Returns the rules of a variant as they are printed."""
    return words.to_text(words.rules(variant(name), lang)) + "\n"


def clauses(name: str, lang: str) -> list[str]:
    """Returns the sentences of the rules of a variant."""
    text = words.rules(variant(name), lang)
    return [clause.text for section in text.rules_sections for clause in section.clauses]


def other_clauses(lang: str) -> dict[str, str]:
    """Returns the sentences that no variant of `WHOLE` has, each with the first variant that has it."""
    whole = {text for name in WHOLE for text in clauses(name, lang)}
    others: dict[str, str] = {}
    for one in all_variants():
        for text in clauses(one.id, lang):
            if text not in whole:
                others.setdefault(text, one.id)
    return others


if __name__ == "__main__":
    main()
