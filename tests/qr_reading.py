"""Reads QR codes in pictures, by the standard alone: an independent check of the ones that Hnefi draws."""

import re
from collections.abc import Callable, Iterator, Sequence

# By level and version: the numbers of blocks and their data codewords.
_M, _Q, _H = 0b00, 0b11, 0b10
_BLOCKS = {
    _M: "1x16 1x28 1x44 2x32 2x43 4x27 4x31 2x38+2x39 3x36+2x37 4x43+1x44",
    _Q: "1x13 1x22 2x17 2x24 2x15+2x16 4x19 2x14+4x15 4x18+2x19 4x16+4x17 6x19+2x20",
    _H: "1x9 1x16 2x13 4x9 2x11+2x12 4x15 4x13+1x14 4x14+2x15 4x12+4x13 6x15+2x16",
}
_ALIGNMENT = {1: [], 2: [18], 3: [22], 4: [26], 5: [30], 6: [34], 7: [22, 38], 8: [24, 42], 9: [26, 46]}
_ALIGNMENT[10] = [28, 50]
_MASKS: Sequence[Callable[[int, int], bool]] = (
    lambda x, y: (x + y) % 2 == 0,
    lambda _, y: y % 2 == 0,
    lambda x, _: x % 3 == 0,
    lambda x, y: (x + y) % 3 == 0,
    lambda x, y: (y // 2 + x // 3) % 2 == 0,
    lambda x, y: x * y % 2 + x * y % 3 == 0,
    lambda x, y: (x * y % 2 + x * y % 3) % 2 == 0,
    lambda x, y: ((x + y) % 2 + x * y % 3) % 2 == 0,
)
_RUN = re.compile(rb"\x00+|\x01+")
_FORMAT_MASK = 0b101010000010010


def read_qr(rows: Sequence[bytes]) -> str:
    """Returns the text of the QR code in a picture, whose pixels are 1 where they are dark, else 0.

    It stands upright, level M or more, version 1 to 10.
    """
    modules = _modules(rows)
    size = len(modules)
    version = (size - 17) // 4
    places = [(8, y) for y in range(6)] + [(8, 7), (8, 8), (7, 8)] + [(x, 8) for x in range(5, -1, -1)]
    bits = sum(modules[y][x] << at for at, (x, y) in enumerate(places)) ^ _FORMAT_MASK
    mask = _MASKS[bits >> 10 & 7]
    read = [modules[y][x] ^ mask(x, y) for x, y in _places(version)]
    words = [sum(bit << 7 - at for at, bit in enumerate(read[i : i + 8])) for i in range(0, len(read) - 7, 8)]
    blocks = [part.split("x") for part in _BLOCKS[bits >> 13].split(" ")[version - 1].split("+")]
    data = _unmixed(words, [int(length) for count, length in blocks for _ in range(int(count))])
    number = int.from_bytes(data)
    rest = len(data) * 8 - 4
    assert number >> rest == 0b0100, "not in mode byte"
    rest -= 8 if version < 10 else 16
    length = number >> rest & (0xFF if version < 10 else 0xFFFF)
    return (number >> rest - 8 * length & (1 << 8 * length) - 1).to_bytes(length).decode()


def _modules(rows: Sequence[bytes]) -> list[list[int]]:
    """Returns the modules of the code, found by its three finder patterns: 1 dark, 1 light, 3, 1 and 1."""
    hits = [hit for y, row in enumerate(rows) for hit in _finders(row, y)]
    columns = {x: [*_finders(bytes(row[x] for row in rows), x)] for x in {x for x, _, _ in hits}}
    # Lines through the middle of a finder cross there.
    middles = {(x, at, unit) for x, y, unit in hits for at, _, _ in columns[x] if abs(y - at) < 0.6 * unit}
    for left, top, unit in sorted(middles):
        for right, y, _ in middles:
            if right - left < 13 * unit or abs(y - top) > unit:
                continue
            size = 7 + round((right - left) / unit)
            side = (right - left) / (size - 7)
            if size % 4 != 1 or all(
                abs(x - left) + abs(b - top - right + left) > unit for x, b, _ in middles
            ):
                continue
            places = [
                [(left + (x - 3) * side, top + (y - 3) * side) for x in range(size)] for y in range(size)
            ]
            modules = [[rows[round(y)][round(x)] for x, y in row] for row in places]
            # The timing patterns between the finders are dark and light in turn.
            if all(modules[6][at] == modules[at][6] == (at % 2 == 0) for at in range(8, size - 8)):
                return modules
    raise AssertionError("no QR code")


def _finders(line: bytes, at: int) -> Iterator[tuple[int, int, float]]:
    """Yields the middles of what looks like a finder pattern along a line, with the side of a module."""
    edges = [0, *(run.end() for run in _RUN.finditer(line))]
    for first in range(len(edges) - 5):
        if not line[edges[first]]:
            continue
        runs = [b - a for a, b in zip(edges[first : first + 5], edges[first + 1 : first + 6], strict=True)]
        unit = sum(runs) / 7
        wanted = zip(runs, (1, 1, 3, 1, 1), strict=True)
        if unit >= 2 and all(abs(run - count * unit) < 0.6 * unit for run, count in wanted):
            yield (edges[first] + edges[first + 5]) // 2, at, unit


def _places(version: int) -> Iterator[tuple[int, int]]:
    """Yields the modules of the data in their order: up and down in columns of two, from the right."""
    size = 17 + 4 * version
    for column, right in enumerate([*range(size - 1, 6, -2), 5, 3, 1]):
        for y in range(size - 1, -1, -1) if column % 2 == 0 else range(size):
            yield from ((x, y) for x in (right, right - 1) if not _is_pattern(x, y, version))


def _is_pattern(x: int, y: int, version: int) -> bool:
    size = 17 + 4 * version
    if (x < 9 and y < 9) or (x < 9 and y >= size - 8) or (x >= size - 8 and y < 9) or 6 in (x, y):
        return True
    if version >= 7 and ((x < 6 and y >= size - 11) or (y < 6 and x >= size - 11)):
        return True
    centres = [6, *_ALIGNMENT[version]]
    last = centres[-1]
    return any(
        abs(x - a) <= 2 and abs(y - b) <= 2
        for a in centres
        for b in centres
        if (a, b) not in ((6, 6), (6, last), (last, 6))
    )


def _unmixed(words: Sequence[int], lengths: Sequence[int]) -> bytes:
    """Returns the data codewords, whose blocks are interleaved; the last blocks may be longer."""
    blocks: list[list[int]] = [[] for _ in lengths]
    order = [block for at in range(max(lengths)) for block, length in enumerate(lengths) if at < length]
    for block, word in zip(order, words, strict=False):
        blocks[block].append(word)
    return bytes(word for block in blocks for word in block)
