"""Contrast of colours: WCAG's 4.5 for texts, 3 for controls, pieces and marks."""

import re
from pathlib import Path

import pytest

from hnefi.diagram.theme import PICTURE_THEMES, THEMES, Theme

TOKENS = Path(__file__).parents[1] / "web" / "src" / "styles" / "tokens.css"
TEXTS = {
    "bg": "text muted woad weld-text madder lichen orchil",
    "surface": "text muted woad weld-text madder lichen orchil",
    "raised": "text muted woad weld-text madder lichen orchil",
    "woad-tint": "text woad muted",
    "weld-tint": "text weld-text",
    "woad": "on-woad",
    "weld": "on-weld",
    "cloth": "on-cloth on-cloth-2",
    "cloth-deep": "on-cloth on-cloth-2",
    "cloth-up": "on-cloth on-cloth-2",
}
CONTROLS = {"bg": "edge woad", "surface": "edge", "raised": "edge", "cloth": "cloth-edge weld"}


def luminance(colour: str) -> float:
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def tokens() -> dict[str, tuple[str, str]]:
    text = TOKENS.read_text(encoding="utf-8")
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", text)
    same = re.findall(r"--([\w-]+): (#\w{6});", text)
    return {name: (light, dark) for name, light, dark in pairs} | {name: (one, one) for name, one in same}


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ground", "least"), [(TEXTS, 4.5), (CONTROLS, 3.0)], ids=["texts", "controls"])
def test_colours_of_pages_contrast_with_their_grounds(
    ground: dict[str, str], least: float, scheme: int
) -> None:
    colours = tokens()
    weak = [
        (name, under, round(contrast(colours[name][scheme], colours[under][scheme]), 2))
        for under, names in ground.items()
        for name in names.split()
        if contrast(colours[name][scheme], colours[under][scheme]) < least
    ]
    assert weak == []


@pytest.mark.parametrize("name", PICTURE_THEMES)
def test_pieces_and_marks_contrast_with_the_board(name: str) -> None:
    theme = THEMES[name]
    assert contrast(theme.ink, theme.frame) >= 4.5
    assert contrast(theme.road, theme.casing) >= 4.5
    assert {kind: ratio for kind, ratio in on_field(theme).items() if ratio < 3} == {}


def on_field(theme: Theme) -> dict[str, float]:
    """Returns the contrasts of pieces and marks with the field; a white piece on paper has its outline."""
    bone = theme.bone_edge if theme.is_line_art else theme.bone
    shown = {"bone": bone, "tar": theme.tar, "mark": theme.mark, "danger": theme.danger, "drawn": theme.drawn}
    return {kind: contrast(colour, theme.field) for kind, colour in shown.items()}
