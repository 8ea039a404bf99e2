"""The colours of boards and wooden pieces: driftwood by day and by firelight, slate, print for paper.

The theme `page` leaves them to the surrounding page.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one board and of wooden pieces.

    No colour carries meaning alone: each is combined with a shape.

    Attributes:
        casing: The colour around the marks of roads.
        light: The gradient of the light on the frame and the field, of the surrounding page; empty for none.
        contact: The gradient of the shadow where a piece stands; empty for none.
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
    casing: str
    drawn: str
    shadow: float
    shade: str = "#1a0f04"
    attacker_edge: str = "#0b0807"
    attacker_rim: str = "#bfa98f"
    tar: str = "#211a17"
    tar_low: str = "#120d0b"
    tar_high: str = "#5d4e43"
    bone: str = "#f6ecd7"
    bone_low: str = "#b39b72"
    bone_high: str = "#ffffff"
    bone_edge: str = "#24180d"
    weld: str = "#edbd3f"
    gem: str = "#24180d"
    light: str = ""
    contact: str = ""
    is_line_art: bool = False


_DRIFTWOOD = Theme(
    field="#99774e",
    frame="#725a3e",
    cut="#4f3d28",
    lip="#c4ae8b",
    hole="#35281a",
    ink="#fbf3e2",
    grain="#5f4a30",
    mark="#082a3c",
    chip_dark="#4f3d28",
    chip_light="#d8c5a2",
    nick="#c4ae8b",
    danger="#5c0a0a",
    road="#ffd766",
    casing="#2a1a08",
    drawn="#35104a",
    shadow=0.26,
)

_FIRELIGHT = Theme(
    field="#856c50",
    frame="#453728",
    cut="#372b1e",
    lip="#9a846a",
    hole="#221910",
    ink="#efe4cf",
    grain="#43341f",
    mark="#d9f1ff",
    chip_dark="#332719",
    chip_light="#a8927a",
    nick="#8f7a62",
    danger="#ffd0c6",
    road="#ffd766",
    casing="#2a1a08",
    drawn="#f2dcf8",
    shadow=0.26,
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
    casing="#26343a",
    drawn="#ead2f0",
    shadow=0.22,
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
    casing="#ffffff",
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
    """Returns a theme whose colours and gradients are those of the page, such as `--b-field`."""
    given = asdict(plain)
    colours: dict[str, Any] = {name: f"var({key}, {given[name]})" for name, key in _PROPERTIES.items()}
    return replace(plain, **colours, light="url(#board-light) none", contact="url(#board-contact) none")


_OF_BOARD = (
    *("field", "frame", "cut", "lip", "hole", "ink", "grain", "mark", "chip_dark", "chip_light", "nick"),
    *("danger", "road", "casing", "drawn", "shade"),
)
_PROPERTIES = {
    **{name: f"--b-{name.replace('_', '-')}" for name in _OF_BOARD},
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

THEMES = {
    "driftwood": _DRIFTWOOD,
    "firelight": _FIRELIGHT,
    "slate": _SLATE,
    "print": _PRINT,
    "page": _by_page(_DRIFTWOOD),
}

PICTURE_THEMES = tuple(name for name in THEMES if name != "page")
"""The themes of pictures that no page surrounds."""
