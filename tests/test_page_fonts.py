"""The font files of the pages: their letters, their sizes, and the fallback in their height."""

import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from hnefi.i18n import texts

ROOT = Path(__file__).parents[1]
FONTS = ROOT / "web" / "src" / "fonts"
STYLES = (ROOT / "web" / "src" / "styles" / "fonts.css").read_text(encoding="utf-8")
FACES = [
    dict(re.findall(r"([a-z-]+): ([^;]+);", face))
    for face in re.findall(r"@font-face \{(.*?)\}", STYLES, re.DOTALL)
]
LETTERS = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789«»’“”–—…×\u00a0\u202f"
    "ÀÂÆÇÈÉÊËÎÏÔŒÙÛÜàâæçèéêëîïôœùûüÿÞÐÁÓÖØþðáóöø"
)
OTHER_LETTERS = "ǪǫŠšČčŊŋĐđĀāĒēĪīŌōŪūŽž"


def letters_of(name: str) -> set[str]:
    return {chr(code) for code in TTFont(FONTS / f"{name}.woff2").getBestCmap()}


def in_range(letter: str, face: dict[str, str]) -> bool:
    ends = [part.strip(" U+").split("-") for part in face["unicode-range"].split(",")]
    return any(int(end[0], 16) <= ord(letter) <= int(end[-1], 16) for end in ends)


@pytest.mark.parametrize("family", ["cut", "text"])
def test_a_family_has_the_letters_of_all_texts(family: str) -> None:
    own, other = letters_of(family), letters_of(f"{family}-ext")
    assert set(LETTERS) <= own
    assert set(OTHER_LETTERS) <= other
    shown = {
        letter
        for lang in ("en", "fr")
        for entry in texts(("web.", "page.", "words."), lang).values()
        for letter in "".join(entry)
    }
    shown -= {"\n", *(letter for letter in shown if not letter.isalnum())}
    assert shown <= own | other


@pytest.mark.parametrize("family", ["cut", "text"])
def test_browsers_load_the_file_that_has_a_letter(family: str) -> None:
    for name, letters in ((family, LETTERS), (f"{family}-ext", OTHER_LETTERS)):
        (face,) = [face for face in FACES if f"/{name}.woff2" in face["src"]]
        assert [letter for letter in letters if not in_range(letter, face)] == []
        others = [
            face for face in FACES if f"/{family}" in face["src"] and f"/{name}.woff2" not in face["src"]
        ]
        assert [letter for letter in letters if any(in_range(letter, other) for other in others)] == []
        assert face["font-display"] == "swap"


def test_the_files_that_every_page_loads_are_small() -> None:
    assert sum((FONTS / f"{name}.woff2").stat().st_size for name in ("cut", "text")) <= 37_000


def test_the_digits_of_a_family_can_have_one_width() -> None:
    cut, text = TTFont(FONTS / "cut.woff2"), TTFont(FONTS / "text.woff2")
    (lookup,) = cut["GSUB"].table.LookupList.Lookup
    tabular = lookup.SubTable[0].mapping
    assert len({cut["hmtx"][tabular[cut.getBestCmap()[ord(digit)]]][0] for digit in "0123456789"}) == 1
    assert len({text["hmtx"][text.getBestCmap()[ord(digit)]][0] for digit in "0123456789"}) == 1


@pytest.mark.parametrize(("family", "file"), [("Hnefi Cut", "cut"), ("Hnefi Text", "text")])
def test_the_fallback_has_the_height_of_its_family(family: str, file: str) -> None:
    """Checks the height of a line of the fallback, which must not move the page when the font arrives."""
    font = TTFont(FONTS / f"{file}.woff2")
    faces = [face for face in FACES if face["font-family"] == f'"{family} fallback"']
    assert faces
    for face in faces:
        scale = float(face["size-adjust"].strip("%")) / 100
        for key, value in (
            ("ascent-override", font["hhea"].ascent),
            ("descent-override", -font["hhea"].descent),
        ):
            assert float(face[key].strip("%")) * scale == pytest.approx(
                value / font["head"].unitsPerEm * 100, abs=0.5
            )
        assert face["line-gap-override"] == "0%"


def test_the_licence_lies_beside_the_fonts() -> None:
    for name in ("commissioner", "source-sans-3"):
        assert "SIL OPEN FONT LICENSE" in (FONTS / f"OFL-{name}.txt").read_text(encoding="utf-8").upper()
