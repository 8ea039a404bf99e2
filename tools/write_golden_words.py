"""Writes the rules of all variants in words to tests/golden/words/, to be read before they are committed."""

import sys
from pathlib import Path

from hnefi import all_variants, words
from hnefi.i18n import languages

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "words"


def main() -> int:
    """Writes one file for each variant and language."""
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for variant in all_variants():
        for lang in languages():
            told = words.to_text(words.rules(variant, lang))
            (GOLDEN / f"{variant.id}.{lang}.txt").write_text(told + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
