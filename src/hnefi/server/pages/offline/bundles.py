"""Bundles of pages that browsers keep for use offline, so that a few requests get them all.

Pages of one kind differ in few lines: a bundle has every line once, and each page as a list of lines.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from hnefi.puzzles import DIFFICULTIES, puzzles
from hnefi.server.pages.all_pages import PAGE_BY_NAME, PAGES
from hnefi.server.pages.lessons.content import lesson_counts
from hnefi.server.pages.page import PageRequest
from hnefi.variants.finding import variant_ids

# No bundle takes much longer to render than a page: others wait for theirs meanwhile.
_CHOICES_PER_BUNDLE = 8
_RULES_PER_BUNDLE = 12
_PUZZLES_PER_BUNDLE = 100


def _kept(name: str, *parameters: tuple[str, str], variant: str = "") -> PageRequest:
    """Returns a page with the parameters of its path, or the variant of its query, in no language yet."""
    query = (("variant", variant),) if variant else ()
    return PageRequest(name, "", PAGE_BY_NAME[name].path.format(**dict(parameters)), parameters, query)


def _address(page: PageRequest) -> str:
    """Returns the address of a page after the language."""
    return page.path + "".join(f"?{key}={value}" for key, value in page.query)


def bundle_names() -> tuple[str, ...]:
    """Returns the names of all bundles, in the order in which browsers should get them."""
    return tuple(_bundles())


def site_addresses() -> list[str]:
    """Returns the addresses of the pages that are always there, without their language."""
    return [_address(page) for page in _bundles()["site"]]


def kept_pages(request: PageRequest, name: str) -> dict[str, PageRequest]:
    """Returns the pages of a bundle by address. Those with puzzles have the daily ones of 52 weeks from now.

    Raises:
        KeyError: If there is no bundle of this name.
    """
    today = dt.datetime.now(dt.UTC).date()
    return {
        f"/{request.lang}{_address(page)}": replace(
            request,
            name=page.name,
            path=f"/{request.lang}{page.path}",
            parameters=page.parameters,
            query=page.query + tuple(PAGE_BY_NAME[page.name].kept_query(today).items()),
        )
        for page in _bundles()[name]
    }


def bundle(pages: Mapping[str, str]) -> dict[str, object]:
    """Returns pages, their HTML by address, with every line once.

    >>> bundle({"/a": "x\\ny\\nx", "/b": "y"})
    {'lines': ['x', 'y'], 'pages': {'/a': [0, 1, 0], '/b': [1]}}
    """
    places: dict[str, int] = {}
    listed = {
        address: [places.setdefault(line, len(places)) for line in html.split("\n")]
        for address, html in pages.items()
    }
    return {"lines": list(places), "pages": listed}


@cache
def _bundles() -> dict[str, tuple[PageRequest, ...]]:
    """Returns the pages of each bundle; those of variants and puzzles are in several, each soon rendered."""
    by_difficulty = sorted(puzzles(), key=lambda one: DIFFICULTIES.index(one.difficulty))
    return {
        "site": tuple(
            _kept(page.name, *page.kept_with) for page in PAGES if page.is_static or page.kept_with
        ),
        "lessons": tuple(_kept("lessons", ("variant", one)) for one in lesson_counts()),
        **_split("new", [_kept("new", variant=one) for one in variant_ids()], _CHOICES_PER_BUNDLE),
        **_split("rules", [_kept("rules", ("variant", one)) for one in variant_ids()], _RULES_PER_BUNDLE),
        **_split(
            "puzzles",
            [_kept("puzzle", ("puzzle", one.id), ("board", "none")) for one in by_difficulty],
            _PUZZLES_PER_BUNDLE,
        ),
    }


def _split(name: str, pages: list[PageRequest], size: int) -> dict[str, tuple[PageRequest, ...]]:
    """Returns bundles of a size: `name-1`, `name-2` and so on."""
    starts = range(0, len(pages), size)
    return {
        f"{name}-{number}": tuple(pages[start : start + size]) for number, start in enumerate(starts, start=1)
    }
