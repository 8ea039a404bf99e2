"""Arranges a booklet: tries sizes of type and pictures until its pages are well filled."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hnefi.paper.typesetting import Document, query

# The sizes of the type, in steps of 0.25 pt below 10 pt, the best first.
_TIGHTNESS = (0, 1, -1, 2, 3, 4)
# The size of all pictures if a page is half empty otherwise, and other sizes of those of a section.
_SMALLER, _SIZES = 0.85, (0.92, 1.0, 0.78, 1.15)
_MOST_PADDING = 2
_Trial = tuple[int, int, float, int, dict[str, Any]]
# How far down pages should be filled, the least of any but the last one, and the same for the last one.
_WELL_FILLED, _HALF_EMPTY, _LAST_FILLED, _LAST_EMPTY = 0.75, 0.68, 0.5, 0.3


def arranged(document: Document) -> Document:
    """Returns a booklet with the type size that leaves the least room empty.

    If with each of them a page is half empty, the last one nearly empty, or a picture on the page after its
    paragraph, all pictures are tried smaller, then those of one section after the other; then the same, with
    long paragraphs that may begin on the page before their pictures. A booklet to fold is padded before its
    last page to a multiple of four pages.
    """
    best = _best(document)
    if best[1]:
        best = min(best, _best(replace(document, data={**document.data, "loose": True})), key=_room)
    return replace(document, data={**document.data, **best[-1]})


def spare_pages(document: Document, count: int, *, has_games: bool) -> list[str]:
    """Returns what stands on so many pages that fill the sheets.

    First comes the table of games, unless it is on the rest of another page; the others are the board to play
    on, if its squares are large enough, and lines for notes.
    """
    wanted = ["games"] * (not has_games) + ["board"] * (document.data["board"] is not None)
    return sorted([*wanted, *["notes"] * count][:count])


def _best(document: Document) -> _Trial:
    """Returns the best arrangement."""
    folds = document.data["folds"]
    sections = document.data["sections"]
    names = [each["id"] for each in sections if any(part["pictures"] for part in each["blocks"])] + ["game"]

    def tried(step: int, of_full: Mapping[str, float]) -> _Trial:
        """Tries an arrangement: first by its pages if it is to be folded, then by its room."""
        change: dict[str, Any] = {"tightness": step, "of_full": of_full, "loose": document.data["loose"]}
        layout = query(replace(document, data={**document.data, **change}), "layout")
        filled, marks = fills(layout), layout["marks"]
        spare = -(len(filled) + 2) % 4 if folds else 0
        change["pages"] = len(filled) + 2 + spare
        change["has_room"] = layout["has_room"]
        change["spare"] = spare_pages(document, spare, has_games=layout["has_room"])
        bad = sum(fill < _HALF_EMPTY for fill in filled[:-1]) + (filled[-1] < _LAST_EMPTY)
        # Worse is a picture that does not come right after its paragraph.
        bad += 2 * sum(below and page != last[0] for last, (page, _, below) in itertools.pairwise(marks))
        rank = _TIGHTNESS.index(step)
        empty = round(_empty_room(filled) + 0.01 * rank, 4)
        # Worse than larger type are three pages without rules; pages to fold are a multiple of four.
        pages = change["pages"] + (spare > _MOST_PADDING) if folds else 0
        return pages, bad, empty, rank, change

    # The smallest type has the fewest pages.
    least = tried(_TIGHTNESS[-1], {})[0] if folds else 0
    best = trial = tried(_TIGHTNESS[0], {})
    for rank, step in enumerate(_TIGHTNESS[1:], start=1):
        if not best[1] and best[0] <= least and best[2] <= 0.01 * rank:
            return best  # nothing that follows is better
        best = min(best, tried(step, {}), key=_room)
    if best[1]:
        smaller = dict.fromkeys(names, _SMALLER)
        trial = min((tried(step, smaller) for step in _TIGHTNESS), key=_room)
        best = min(best, trial, key=_room)
    for name, size in itertools.product(names, _SIZES):
        if not best[1]:
            break
        change = trial[-1]
        trial = min(trial, tried(change["tightness"], {**change["of_full"], name: size}), key=_room)
        best = min(best, trial, key=_room)
    return best


def _room(trial: _Trial) -> tuple[int, int, float, int]:
    """Returns that by which arrangements are compared; the least is the best."""
    return trial[:-1]


def _empty_room(filled: Sequence[float]) -> float:
    """Returns how much room is left empty, large gaps the most; the last page may be shorter.

    >>> _empty_room([0.9, 0.8, 0.6]), _empty_room([0.9, 0.5, 0.9])
    (0.0, 0.0625)
    """
    wanted = [_WELL_FILLED] * (len(filled) - 1) + [_LAST_FILLED]
    return sum(max(0.0, want - fill) ** 2 for want, fill in zip(wanted, filled, strict=True))


def fills(layout: Mapping[str, Any]) -> list[float]:
    """Returns how far down each page is filled, from the second to the last before the back cover."""
    found = {page: fill for page, fill, _ in sorted(layout["marks"])}
    return [found.get(page, 0.0) for page in range(2, max(found) + 1)]
