"""Makes the fonts of the web pages (`web/src/fonts`) from the same npm packages as `tools/make_fonts.py`.

    npm install --prefix FOLDER @fontsource-variable/{commissioner,source-sans-3}@5.3.0
    python tools/make_page_fonts.py FOLDER

Each family is a file with the letters of English and French, which every page loads, and one with the letters
of other languages, which browsers load if a page has them (`unicode-range` in `web/src/styles/fonts.css`).
"""

import shutil
import sys
from pathlib import Path

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from make_fonts import CUT, add_arrows, add_narrow_space, rename

TARGET = Path(__file__).parents[1] / "web" / "src" / "fonts"
TEXT: dict[str, tuple[float, float]] = {"wght": (400, 700)}
BASE = (
    "".join(map(chr, range(0x20, 0x7F)))
    + "\u00a0\u202f¡«»·×°½¿–—‘’“”„•…−→←⁄"
    + "ÀÂÆÇÈÉÊËÎÏÔŒÙÛÜàâæçèéêëîïôœùûüÿÁÍÓÚÝÐÞÄÅÖØáíóúýðþäåöøñãß"
)
OTHER = "ŸǪǫĀāĒēĪīŌōŪūČčĐđŊŋŠšŦŧŽžḂḃĊċḊḋḞḟĠġṀṁṖṗṠṡṪṫŵŷŴŶĄąĆćĘęŁłŃńŚśŹźŻż"
FEATURES = ["kern", "liga", "locl", "ccmp", "mark", "mkmk", "calt", "lnum", "tnum", "pnum"]
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
DIGIT_WIDTH = 1240
"""The advance of every digit of a clock in units of the font: less than that of 0, more than all others."""


def main(arguments: list[str]) -> None:
    """Writes the fonts and their licences."""
    if len(arguments) != 1:
        sys.exit("usage: make_page_fonts.py FOLDER")
    packages = Path(arguments[0]) / "node_modules" / "@fontsource-variable"
    TARGET.mkdir(parents=True, exist_ok=True)
    for script, letters, suffix in (("latin", BASE, ""), ("latin-ext", OTHER, "-ext")):
        cut = TTFont(packages / "commissioner" / "files" / f"commissioner-{script}-full-normal.woff2")
        cut = instantiateVariableFont(cut, CUT, inplace=True)
        if not suffix:
            add_narrow_space(cut)
            add_arrows(cut)
            _add_tabular_digits(cut)
        rename(cut, "Hnefi Cut", 700, italic=False)
        _write(cut, letters, f"cut{suffix}.woff2")
        text = TTFont(packages / "source-sans-3" / "files" / f"source-sans-3-{script}-wght-normal.woff2")
        text = instantiateVariableFont(text, TEXT, inplace=True)
        _add_variable_narrow_space(text)
        rename(text, "Hnefi Text", 400, italic=False)
        _write(text, letters, f"text{suffix}.woff2")
    for package in ("commissioner", "source-sans-3"):
        shutil.copyfile(packages / package / "LICENSE", TARGET / f"OFL-{package}.txt")


def _add_tabular_digits(font: TTFont) -> None:
    """Adds digits of one width, which the font lacks, as the feature `tnum`; drops other substitutions."""
    glyphs, widths = font.getGlyphSet(), font["hmtx"]
    names = [font.getBestCmap()[ord("0") + digit] for digit in range(10)]
    font.setGlyphOrder([*font.getGlyphOrder(), *(f"{name}.tnum" for name in DIGITS)])
    for name, target in zip(names, DIGITS, strict=True):
        recorded, pen = DecomposingRecordingPen(glyphs), TTGlyphPen(None)
        glyphs[name].draw(recorded)
        recorded.replay(TransformPen(pen, (1, 0, 0, 1, (DIGIT_WIDTH - widths[name][0]) // 2, 0)))
        glyph = pen.glyph()
        glyph.recalcBounds(font["glyf"])
        font["glyf"][f"{target}.tnum"] = glyph
        widths[f"{target}.tnum"] = (DIGIT_WIDTH, glyph.xMin)
    rules = "".join(f"sub {name} by {target}.tnum;" for name, target in zip(names, DIGITS, strict=True))
    addOpenTypeFeaturesFromString(font, f"feature tnum {{ {rules} }} tnum;", tables=["GSUB"])


def _add_variable_narrow_space(font: TTFont) -> None:
    """Adds the narrow no-break space to a variable font: it has the same width in every weight."""
    variations = dict(font["gvar"].variations)
    add_narrow_space(font)
    font["gvar"].variations = {name: variations.get(name, []) for name in font.getGlyphOrder()}
    # Widths then vary as `gvar` says.
    del font["HVAR"]


def _write(font: TTFont, letters: str, file: str) -> None:
    """Writes the subset of a font with these letters."""
    options = Options(flavor="woff2", layout_features=FEATURES, drop_tables=["STAT", "MVAR", "BASE"])
    options.hinting = False
    subsetter = Subsetter(options)
    subsetter.populate(text=letters)
    subsetter.subset(font)
    font.flavor = "woff2"
    # The bytes depend on the sources alone.
    font.recalcTimestamp = False
    font.save(TARGET / file)
    print(f"{file}: {(TARGET / file).stat().st_size} bytes, {len(font.getBestCmap())} letters")


if __name__ == "__main__":
    main(sys.argv[1:])
