"""Makes the fonts of printed pages (`src/hnefi/paper/fonts`) from the variable fonts of two npm packages.

    npm install --prefix FOLDER @fontsource-variable/{commissioner,source-sans-3}@5.3.0
    python tools/make_fonts.py FOLDER

Each font is one static TrueType file: the scripts of the packages, instantiated and merged. The arrows and
the narrow space that the packages lack are added. These are modified fonts, so the families have new names.
"""

import shutil
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from fontTools.merge import Merger, Options
from fontTools.misc.transform import Identity
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

TARGET = Path(__file__).parents[1] / "src" / "hnefi" / "paper" / "fonts"
SCRIPTS = ("latin", "latin-ext", "greek", "cyrillic")
CUT: dict[str, float] = {"wght": 700, "slnt": 0, "FLAR": 100, "VOLM": 60}

# The file, its family, its package, the pattern of the source, its axes, its weight, whether it is italic.
FONTS: tuple[tuple[str, str, str, str, dict[str, float], int, bool], ...] = (
    ("cut.ttf", "Hnefi Cut", "commissioner", "full-normal", CUT, 700, False),
    ("text.ttf", "Hnefi Text", "source-sans-3", "wght-normal", {"wght": 400}, 400, False),
    ("text-bold.ttf", "Hnefi Text", "source-sans-3", "wght-normal", {"wght": 650}, 700, False),
    ("text-italic.ttf", "Hnefi Text", "source-sans-3", "wght-italic", {"wght": 400}, 400, True),
)
KEPT_TABLES = {
    "GlyphOrder", "head", "hhea", "maxp", "OS/2", "hmtx", "cmap", "loca", "glyf", "name", "post", "prep",
    "gasp", "GDEF", "GPOS", "GSUB",
}  # fmt: skip
# An arrow, the arrow that it is made of, and the quarter turns between them.
ARROWS = (("→", "↑", -1), ("←", "↑", 1), ("↑", "→", 1), ("↓", "→", -1))
NARROW_SPACE = 0x202F
STYLES = {(400, False): "Regular", (700, False): "Bold", (400, True): "Italic"}


def main(arguments: list[str]) -> None:
    """Writes the fonts, their letters and their licences."""
    if len(arguments) != 1:
        sys.exit("usage: make_fonts.py FOLDER")
    packages = Path(arguments[0]) / "node_modules" / "@fontsource-variable"
    TARGET.mkdir(parents=True, exist_ok=True)
    known = set(range(0x110000))
    for file, family, package, pattern, axes, weight, italic in FONTS:
        sources = [packages / package / "files" / f"{package}-{script}-{pattern}.woff2" for script in SCRIPTS]
        font = _merged([_static(source, axes) for source in sources])
        add_narrow_space(font)
        if package == "source-sans-3":
            add_arrows(font)
            known &= set(font.getBestCmap())
        rename(font, family, weight, italic)
        font.save(TARGET / file)
        print(f"{file}: {(TARGET / file).stat().st_size // 1024} KB, {len(font.getBestCmap())} letters")
    letters = "".join(chr(code) for code in sorted(known) if chr(code).isprintable() or chr(code).isspace())
    (TARGET / "letters.txt").write_text(letters, encoding="utf-8", newline="")
    for package in ("commissioner", "source-sans-3"):
        shutil.copyfile(packages / package / "LICENSE", TARGET / f"OFL-{package}.txt")


def _static(source: Path, axes: dict[str, float]) -> BytesIO:
    """Returns a variable font at one point of its axes, as a TrueType file."""
    font = instantiateVariableFont(TTFont(source), axes, inplace=True)
    font.flavor = None
    for tag in set(font.keys()) - KEPT_TABLES:
        del font[tag]
    target = BytesIO()
    font.save(target)
    target.seek(0)
    return target


def _merged(parts: list[BytesIO]) -> TTFont:
    return Merger(options=Options(drop_tables=["prep", "gasp"])).merge(parts)


def add_narrow_space(font: TTFont) -> None:
    """Adds the narrow no-break space of French punctuation, two thirds of a space."""
    if NARROW_SPACE in font.getBestCmap():
        return
    advance, _ = font["hmtx"][font.getBestCmap()[ord(" ")]]
    _add_glyph(font, "uni202F", NARROW_SPACE, TTGlyphPen(None).glyph(), round(advance * 2 / 3))


def add_arrows(font: TTFont) -> None:
    """Adds the missing ones of the four arrows, turned from one that the font has."""
    have = font.getBestCmap()
    for arrow, origin, turns in ARROWS:
        if ord(arrow) not in have and ord(origin) in have:
            _add_turned(font, f"arrow{ord(arrow):04X}", ord(arrow), have[ord(origin)], turns)


def _add_turned(font: TTFont, name: str, code: int, origin: str, turns: int) -> None:
    """Adds a glyph turned about the centre of another; its advance is that of the other's height."""
    glyphs = font.getGlyphSet()
    shape = font["glyf"][origin]
    middle_x, middle_y = (shape.xMin + shape.xMax) / 2, (shape.yMin + shape.yMax) / 2
    length = shape.yMax - shape.yMin
    advance = round(length + 120)
    pen = TTGlyphPen(None)
    turn = Identity.translate(advance / 2, middle_y).rotate(turns * 1.5707963267948966)
    recorded = DecomposingRecordingPen(glyphs)
    glyphs[origin].draw(recorded)
    recorded.replay(TransformPen(pen, turn.translate(-middle_x, -middle_y)))
    _add_glyph(font, name, code, pen.glyph(), advance)


def _add_glyph(font: TTFont, name: str, code: int, glyph: Any, advance: int) -> None:
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"][name] = glyph
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (advance, getattr(glyph, "xMin", 0))
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[code] = name


def rename(font: TTFont, family: str, weight: int, italic: bool) -> None:
    """Sets the names and the weight of a static font; copyright and licence stay."""
    style = STYLES[weight, italic] if family != "Hnefi Cut" else "Bold"
    names = {1: family, 2: style, 4: f"{family} {style}", 6: f"{family}-{style}".replace(" ", "")}
    table = font["name"]
    table.names = [name for name in table.names if name.nameID in (0, 5, 13, 14)]
    for number, value in names.items():
        table.setName(value, number, 3, 1, 0x409)
    font["OS/2"].usWeightClass = weight
    font["OS/2"].fsSelection = (1 if italic else 0) | (0x20 if weight == 700 else 0) or 0x40
    font["head"].macStyle = (1 if weight == 700 else 0) | (2 if italic else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
