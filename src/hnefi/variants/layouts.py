"""Start positions of the variants, by board size, for rules on another board."""

from collections.abc import Mapping
from dataclasses import dataclass

from hnefi.variants.finding import all_variants
from hnefi.variants.model import Variant

SIZES = (5, 7, 9, 11, 13, 15, 17, 19)


@dataclass(frozen=True, slots=True)
class Layout:
    """A start position.

    Attributes:
        rows: Its rows from the top, as in a position text.
    """

    rows: str
    variants: tuple[Variant, ...]


def layouts(size: int) -> tuple[Layout, ...]:
    """Returns the start positions of a board size, the most frequent first.

    >>> [one.id for one in layouts(15)[0].variants]
    ['hist-hnefatafl-15', 'sea-battle-15', 'walker-15']
    """
    found: dict[str, list[Variant]] = {}
    for one in all_variants():
        if one.rules.size == size:
            found.setdefault(str(one.rules.start).split()[0], []).append(one)
    known = [Layout(rows, tuple(members)) for rows, members in found.items()]
    return tuple(sorted(known, key=lambda layout: (-len(layout.variants), layout.variants[0].id)))


def usual_layout(size: int) -> str:
    """Returns the most frequent start position of a board size; a small cross where no variant has it.

    >>> usual_layout(17)
    '8t8/17/17/17/17/17/17/8T8/t6TKT6t/8T8/17/17/17/17/17/17/8t8'
    """
    known = layouts(size)
    return known[0].rows if known else _cross(size)


def king_alone(size: int) -> str:
    """Returns the rows of a board with only the king, in the middle.

    >>> king_alone(5)
    '5/5/2K2/5/5'
    """
    middle = size // 2
    rows = [str(size)] * size
    rows[middle] = f"{middle}K{middle}"
    return "/".join(rows)


def _cross(size: int) -> str:
    """Returns a small cross: defenders around the king, an attacker in the middle of each edge."""
    middle = size // 2
    rows = [str(size)] * size
    rows[0] = rows[-1] = f"{middle}t{middle}"
    if size == SIZES[0]:
        # Corner blocks leave no room for more.
        rows[middle] = "1TKT1"
        return "/".join(rows)
    rows[middle - 1] = rows[middle + 1] = f"{middle}T{middle}"
    rows[middle] = f"t{middle - 2}TKT{middle - 2}t"
    return "/".join(rows)


def with_layout(base: Variant, changes: Mapping[str, str]) -> dict[str, str]:
    """Adds a start position to switches that change the size of the board and have no start of that size.

    >>> from hnefi import variant
    >>> with_layout(variant("brandub-globe"), {"size": "5"})
    {'size': '5', 'start': '2t2/5/1TKT1/5/2t2'}
    """
    size = changes.get("size", "").strip()
    start = changes.get("start") or base.tree.board.start
    rows = start.split()[0].split("/") if "/" in start else start.strip().splitlines()
    if size not in map(str, SIZES) or len(rows) == int(size):
        return dict(changes)
    return {**changes, "start": usual_layout(int(size))}
