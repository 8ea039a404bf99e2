"""The colours of boards and wooden pieces: driftwood for light pages, slate for dark ones, print for paper.

The theme `page` leaves them to the surrounding page.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any

__all__ = ["THEMES", "Theme", "theme_named"]


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one board and of wooden pieces.

    No colour carries meaning alone: each is combined with a shape.

    Attributes:
        is_line_art: Whether boards are black lines and areas on white, without grain and transparency.
    """

    field: str
    frame: str
    cut: str
    lip: str
    hole: str
    ink: str
    grain: str
    mark: str
    chip_dark: str
    chip_light: str
    nick: str
    danger: str
    road: str
    drawn: str
    shadow: float
    shade: str = "#000"
    attacker_edge: str = "#0d0b0a"
    attacker_rim: str = "#8a7a6b"
    tar: str = "#2a2421"
    tar_low: str = "#171311"
    tar_high: str = "#54483f"
    bone: str = "#efe6d2"
    bone_low: str = "#c9ba9b"
    bone_high: str = "#fcf8ee"
    bone_edge: str = "#33291c"
    weld: str = "#e3b53f"
    gem: str = "#33291c"
    is_line_art: bool = False


_DRIFTWOOD = Theme(
    field="#bfb6a2",
    frame="#a69c87",
    cut="#6b6250",
    lip="#dbd4c3",
    hole="#4a4335",
    ink="#2e291f",
    grain="#8d8470",
    mark="#12384c",
    chip_dark="#756b56",
    chip_light="#e2dccc",
    nick="#6b6250",
    danger="#8a1f1f",
    road="#2e291f",
    drawn="#693a73",
    shadow=0.22,
)

_SLATE = Theme(
    field="#5d6e71",
    frame="#35464a",
    cut="#37474b",
    lip="#7f9093",
    hole="#26343a",
    ink="#dce5e2",
    grain="#4c5c60",
    mark="#d6f0ff",
    chip_dark="#35454a",
    chip_light="#8fa1a3",
    nick="#7f9093",
    danger="#ffd0c8",
    road="#ffffff",
    drawn="#ead2f0",
    shadow=0.22,
    attacker_edge="#0b0909",
    attacker_rim="#a99785",
)

_PRINT = Theme(
    field="#ffffff",
    frame="#ffffff",
    cut="#111111",
    lip="#ffffff",
    hole="#111111",
    ink="#111111",
    grain="#ffffff",
    mark="#111111",
    chip_dark="#111111",
    chip_light="#ffffff",
    nick="#111111",
    danger="#111111",
    road="#111111",
    drawn="#555555",
    shadow=0.0,
    attacker_edge="#111111",
    attacker_rim="#ffffff",
    tar="#111111",
    tar_low="#111111",
    tar_high="#111111",
    bone="#ffffff",
    bone_low="#ffffff",
    bone_high="#ffffff",
    bone_edge="#111111",
    weld="#111111",
    gem="#ffffff",
    is_line_art=True,
)


def _by_page(plain: Theme) -> Theme:
    """Returns a theme whose colours are custom properties of the page, such as `--b-field`."""
    given = {name: value for name, value in asdict(plain).items() if isinstance(value, str)}
    colours: dict[str, Any] = {name: f"var({_PROPERTIES[name]}, {value})" for name, value in given.items()}
    return replace(plain, **colours)


_PROPERTIES = {
    "field": "--b-field",
    "frame": "--b-frame",
    "cut": "--b-cut",
    "lip": "--b-lip",
    "hole": "--b-hole",
    "ink": "--b-ink",
    "grain": "--b-grain",
    "mark": "--b-mark",
    "chip_dark": "--b-chip-dark",
    "chip_light": "--b-chip-light",
    "nick": "--b-nick",
    "danger": "--b-danger",
    "road": "--b-road",
    "drawn": "--b-drawn",
    "shade": "--b-shade",
    "attacker_edge": "--pa-edge",
    "attacker_rim": "--pa-rim",
    "tar": "--pa",
    "tar_low": "--pa-low",
    "tar_high": "--pa-high",
    "bone": "--pd",
    "bone_low": "--pd-low",
    "bone_high": "--pd-high",
    "bone_edge": "--pd-edge",
    "weld": "--pk",
    "gem": "--pd-edge",
}

THEMES = {"driftwood": _DRIFTWOOD, "slate": _SLATE, "print": _PRINT, "page": _by_page(_DRIFTWOOD)}


def theme_named(name: str) -> Theme:
    """Returns a theme by its name.

    Raises:
        ValueError: If the name is unknown.
    """
    try:
        return THEMES[name]
    except KeyError:
        raise ValueError(f"theme: {name!r}, expected one of {', '.join(THEMES)}") from None
