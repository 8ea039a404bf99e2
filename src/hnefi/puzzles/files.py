"""Reads the puzzles of the package, one file for each variant, and files of collected puzzles."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from hnefi._core import Move, Setup
from hnefi.errors import HnefiError, checked_choice
from hnefi.puzzles.checking import PuzzleError, stored_fault
from hnefi.puzzles.model import DIFFICULTIES, THEMES, Node, Puzzle, Reply
from hnefi.variants.finding import variant as known_variant
from hnefi.variants.model import Variant

PUZZLE_KEYS = ("position", "theme", "moves", "tempting", "tree")
"""The keys that make a puzzle of a line of a file, besides the variant."""

_FOLDER = Path(__file__).parent / "data"


@cache
def puzzle_variants() -> tuple[str, ...]:
    """Returns the ids of the variants that have puzzles."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.jsonl")))


def has_puzzles(variant: Variant) -> bool:
    """Checks whether there are puzzles of a variant; under changed rules their solutions are not proved."""
    return variant.id in puzzle_variants() and not variant.switches


def puzzles(variant: Variant | str | None = None, theme: str | None = None) -> tuple[Puzzle, ...]:
    """Returns the puzzles, by variant, theme and difficulty, the easiest first.

    Args:
        variant: A variant, or its id or name; all if None.
        theme: One of `THEMES`; all if None.

    Raises:
        VariantError: `unknown_variant`.
        ValueError: If the theme is unknown.

    >>> len(puzzles())
    564
    """
    wanted = None if variant is None else known_variant(variant).id
    if theme is not None:
        checked_choice("theme", theme, THEMES)
    return tuple(
        one for one in _by_id().values() if wanted in (None, one.variant) and theme in (None, one.theme)
    )


def puzzle(puzzle_id: str) -> Puzzle:
    """Returns a puzzle by its id.

    Raises:
        ValueError: If there is none.

    >>> puzzle("brandub-globe-1").variant
    'brandub-globe'
    """
    if puzzle_id not in _by_id():
        raise ValueError(f"puzzle: {puzzle_id!r}, expected an id such as {next(iter(_by_id()))!r}")
    return _by_id()[puzzle_id]


def collected_puzzles(path: Path) -> tuple[Puzzle, ...]:
    """Returns the puzzles of a file of `hnefi lab puzzles`, as `collected_lines` does."""
    return tuple(one for _, one in collected_lines(path))


def collected_lines(path: Path) -> Iterator[tuple[int, Puzzle]]:
    """Iterates over the puzzles of a file of `hnefi lab puzzles`, each with its line, from 1.

    The ids begin with `own-`, so that none is that of a puzzle of the package; those of each variant have
    numbers from 1. The stored answers are checked, not whether another move wins too.

    Raises:
        OSError: If it cannot be read.
        PuzzleError: `bad_puzzle`, for the first line that lacks a key or claims a win that is none.
        ValueError, TypeError: If it is another file.
    """
    numbers = Counter[str]()
    for line, one in enumerate(map(json.loads, path.read_text(encoding="utf-8").splitlines()), start=1):
        check_keys(path, line, one)
        if "position" not in one:
            continue
        variant_id = one["variant"]
        numbers[variant_id] += 1
        try:
            found = record_puzzle(one, numbers[variant_id])
            fault = stored_fault(found)
        except HnefiError as error:
            raise PuzzleError.of_line(path, line, "unsound", why=error) from error
        except (ValueError, LookupError, TypeError, AttributeError):
            raise PuzzleError.of_line(path, line, "shape") from None
        if fault is not None:
            raise PuzzleError.of_line(path, line, **fault)
        yield line, found


def record_puzzle(record: dict[str, Any], number: int) -> Puzzle:
    """Returns the puzzle of a line of a file, with its number among those of the variant."""
    found = _puzzle(record["variant"], number, *(record[name] for name in PUZZLE_KEYS))
    return replace(found, id=f"own-{found.id}")


def check_keys(path: Path, line: int, one: Any) -> None:
    """Raises an error if a line lacks a key of a puzzle, or of a game without one.

    Raises:
        PuzzleError: `bad_puzzle`, with the first missing key.
        TypeError: If the line is something else.
    """
    if not isinstance(one, dict):
        raise TypeError(one)
    is_game = "seed" in one and not any(name in one for name in PUZZLE_KEYS)
    for name in ("variant", *(() if is_game else PUZZLE_KEYS)):
        if name not in one:
            raise PuzzleError.of_line(path, line, "key", key=name)


@cache
def _by_id() -> dict[str, Puzzle]:
    found = [one for variant_id in puzzle_variants() for one in _read(variant_id)]
    found.sort(key=_order)
    return {one.id: one for one in found}


def _order(one: Puzzle) -> tuple[object, ...]:
    number = int(one.id.rpartition("-")[2])
    return (one.variant, THEMES.index(one.theme), DIFFICULTIES.index(one.difficulty), one.moves, number)


def _read(variant_id: str) -> list[Puzzle]:
    """Reads a file: on each line a number, the position, theme, moves, tempting moves, and the answers."""
    lines = (_FOLDER / f"{variant_id}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_puzzle(variant_id, *json.loads(line)) for line in lines]


def _puzzle(
    variant_id: str, number: int, position: str, theme: str, moves: int, tempting: int, node: Sequence[Any]
) -> Puzzle:
    return Puzzle(f"{variant_id}-{number}", variant_id, theme, moves, Setup(position), tempting, _node(node))


def _node(entry: Sequence[Any]) -> Node:
    right, wrong = entry
    return Node(
        {Move(move): _reply(reply) for move, reply in right.items()},
        tuple((Move(reply), frozenset(map(Move, moves))) for reply, *moves in wrong),
    )


def _reply(entry: Sequence[Any] | None) -> Reply | None:
    if entry is None:
        return None
    move, moves, node = entry
    return Reply(Move(move), moves, None if node is None else _node(node))
