"""Facts that several languages state, such as colours: they are the same everywhere."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from hnefi.diagram.playable import BOARDS, SETS
from hnefi.diagram.theme import PICTURE_THEMES, THEMES
from hnefi.engine.levels import USUAL_LEVEL
from hnefi.i18n import text
from hnefi.server.api import pictures
from hnefi.server.pages.icons import SIZES, icon
from tests.test_contrast import tokens
from tests.test_i18n import LANGUAGES

WEB = Path(__file__).parents[1] / "web" / "src"
# The names in Python of colours that the board calls otherwise.
PYTHON_NAMES = {
    "chip": "chip_dark",
    "chip-lit": "chip_light",
    "bad": "danger",
    "dark-edge": "attacker_edge",
    "dark-rim": "attacker_rim",
}


def read(path: str) -> str:
    return (WEB / path).read_text(encoding="utf-8")


# The boards of browsers that pictures have, too.
PICTURED = {"wood": "driftwood", "fire": "firelight", "stone": "slate"}


@pytest.mark.parametrize(("board", "theme"), PICTURED.items())
def test_the_board_in_browsers_has_the_colours_of_pictures(board: str, theme: str) -> None:
    style = read("board/style.ts")
    (names,) = re.findall(r'^const NAMES = "([^"]+)"', style, re.MULTILINE)
    (colours,) = re.findall(rf'^  {board}:\s+"([^"]+)"', style, re.MULTILINE)
    for name, colour in zip(names.split(), colours.split(), strict=True):
        assert full(colour) == getattr(THEMES[theme], PYTHON_NAMES.get(name, name)), name


def test_pages_have_the_colours_of_pictures() -> None:
    shown = {name: pair for name, pair in tokens().items() if name.startswith(("b-", "pa-"))}
    fallback = re.compile(r"var\(--([a-z-]+), (#\w+)\)")
    shared = 0
    for field in THEMES["page"].__slots__:
        by_page = fallback.fullmatch(str(getattr(THEMES["page"], field)))
        if by_page and by_page[1] in shown:
            plain = tuple(getattr(THEMES[theme], field) for theme in ("driftwood", "firelight"))
            assert shown[by_page[1]] == plain, field
            shared += 1
    assert shared == len(shown) - len({"pa-edge-beside"})


def test_the_icon_has_the_colours_of_pages() -> None:
    cloth, mark, gold = (tokens()[name][0].lower() for name in ("cloth", "on-cloth", "weld"))
    assert {cloth, mark, gold} <= set(re.findall(r"#\w+", icon("icon.svg").decode()))
    for size in SIZES:
        picture = Image.open(BytesIO(icon(f"icon-{size}.png")))
        assert (picture.size, picture.mode) == ((size, size), "RGB")
        middle = picture.tobytes()[3 * size * (size // 2) :]
        places = (3 * round(x * size) for x in (0, 0.155, 0.5))
        assert [f"#{middle[place : place + 3].hex()}" for place in places] == [cloth, mark, gold]


def test_the_boards_and_pieces_to_choose_from_are_the_same_everywhere() -> None:
    dialog, style = read("game/settings_dialog.tsx"), read("board/style.ts")
    assert listed(dialog, "BOARDS") == BOARDS
    assert listed(read("board/pieces.ts"), "PIECE_SETS") == SETS
    assert {"auto", *re.findall(r"^:host\(\[board=(\w+)\]\)\{\$\{colours", style, re.MULTILINE)} == set(
        BOARDS
    )
    reference = WEB.parents[1].joinpath("docs", "reference", "board.md").read_text(encoding="utf-8")
    for kind, names in (("board", BOARDS), ("pieces", SETS)):
        assert f"| `{kind}` | {', '.join(f'`{name}`' for name in names)} |" in reference
        assert all(text(f"web.{kind}.{name}", lang) for name in names for lang in LANGUAGES)


def listed(source: str, name: str) -> tuple[str, ...]:
    """Returns the words of a constant list in TypeScript."""
    (found,) = re.findall(rf"^(?:export )?const {name} = \[([^\]]+)\] as const;", source, re.MULTILINE)
    return tuple(re.findall(r'"(\w+)"', found))


def test_the_themes_of_pictures_are_the_same_everywhere() -> None:
    assert set(PICTURE_THEMES) == {*PICTURED.values(), "print"}
    server = (Path(pictures.__file__)).read_text(encoding="utf-8")
    (names,) = re.findall(r"theme: Literal\[(.+)\] =", server)
    assert tuple(re.findall(r'"(\w+)"', names)) == PICTURE_THEMES
    for lang in LANGUAGES:
        assert tuple(re.findall(r"`(\w+)`", text("cli.option.theme", lang))) == PICTURE_THEMES


def test_pages_offer_the_same_level_first() -> None:
    assert f"export const DEFAULT_LEVEL = {USUAL_LEVEL};" in read("new_game.ts")


def full(colour: str) -> str:
    """Returns a colour with six digits: `#fff` is `#ffffff`."""
    return f"#{''.join(2 * digit for digit in colour[1:])}" if len(colour) == 4 else colour


def test_the_kinds_of_captures_are_listed_alike() -> None:
    root = WEB.parents[1]
    paths = ("crates/rules/src/explain.rs", "crates/python/src/position.rs", "src/hnefi/_core.pyi")
    texts = [(root / path).read_text(encoding="utf-8") for path in paths]
    listed = [re.search(r"`custodial`.*?`jump`", text, re.DOTALL) for text in texts]
    documented = [set(re.findall(r"`(\w+)`", found[0])) for found in listed if found]
    (typed,) = re.findall(r"readonly how: ([^;]+);", read("rules.ts"))
    created = set(re.findall(r'(?:capture\(|how: )"(\w+)"', texts[0]))
    assert documented == [created] * len(paths)
    assert set(re.findall(r'"(\w+)"', typed)) == created
