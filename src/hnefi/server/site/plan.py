"""The pages of a site: which ones there are for its variants and languages, and in which file each is."""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hnefi.lessons import lessons
from hnefi.puzzles import puzzles
from hnefi.server.pages.all_pages import PAGE_BY_NAME, PAGES
from hnefi.server.pages.home.guided_game import VARIANT
from hnefi.server.pages.page import PageRequest
from hnefi.server.site.addresses import address_of, file_of

if TYPE_CHECKING:
    from hnefi.paper import Imprint


@dataclass(frozen=True, slots=True)
class SitePlan:
    """What a site has.

    Attributes:
        languages: Its languages; the first is shown to visitors who prefer another.
        day: The day on which it is written.
        address: The address of its folder, without the last slash; empty if it is unknown.
        imprint: Who hands it out; None for nobody in particular.
        idle: The seconds after which a kiosk that nobody touches returns to its start; 0 for other sites.
    """

    variants: tuple[str, ...]
    languages: tuple[str, ...]
    day: dt.date
    address: str = ""
    imprint: "Imprint | None" = None
    idle: int = 0

    @property
    def facts(self) -> dict[str, object]:
        """What the list of the files of the site says about it."""
        return {"variants": self.variants, "languages": self.languages, "kiosk": self.idle > 0}

    def loses(self, before: Mapping[str, Any]) -> bool:
        """Checks whether the site of these facts, if any, is of the other kind or has pages that go."""
        if not (has := pages_of(before)):
            return False
        return bool(before.get("kiosk")) != (self.idle > 0) or not {*has} <= {*self.variants, *self.languages}

    @property
    def logo(self) -> str:
        """The file of the logo of who hands it out; empty without one."""
        from hnefi.paper.imprints import logo_type

        return f"issuer.{logo_type(self.imprint.logo)}" if self.imprint and self.imprint.logo else ""

    @property
    def issuer(self) -> tuple[str, str, str]:
        """What its pages say about who hands it out: name, legal line and the path of the logo."""
        if self.imprint is None:
            return "", "", ""
        return self.imprint.publisher, self.imprint.text, self.logo and f"/{self.logo}"


def pages_of(facts: Mapping[str, Any]) -> list[str]:
    """Returns what the site of these facts has pages of: its variants, then its languages."""
    lists = (facts.get(part) for part in ("variants", "languages"))
    return [one for found in lists if isinstance(found, list) for one in found]


def plain_request(plan: SitePlan, name: str, lang: str) -> PageRequest:
    """Returns the request of a page of the site alone, which a server does not have."""
    return PageRequest(name, lang, "/", has_server=False, languages=plan.languages, issuer=plan.issuer)


def with_first_variant(variants: tuple[str, ...]) -> tuple[str, ...]:
    """Adds the variant of the guided game if it is missing: the one of pages that are asked for none."""
    return variants if VARIANT in variants else (VARIANT, *variants)


def site_pages(plan: SitePlan) -> Iterator[tuple[str, PageRequest]]:
    """Iterates over the pages of a site, each with its file."""
    for lang in plan.languages:
        for page in PAGES:
            if page.is_static:
                yield _page(plan, page.name, lang)
        for variant_id in plan.variants:
            yield _page(plan, "rules", lang, variant=variant_id)
            if lessons(variant_id):
                yield _page(plan, "lessons", lang, variant=variant_id)
            # The questions of a new game, which the script of `new` loads into the page of the same folder.
            _, questions = _page(plan, "new", lang, query={"variant": variant_id})
            yield f"{lang}/new/{variant_id}.html", questions
        for puzzle in puzzles():
            if puzzle.variant in plan.variants:
                yield _page(plan, "puzzle", lang, puzzle=puzzle.id)


def _page(
    plan: SitePlan, name: str, lang: str, *, query: dict[str, str] | None = None, **parameters: str
) -> tuple[str, PageRequest]:
    page = PAGE_BY_NAME[name]
    path = f"/{lang}{page.path.format(**parameters)}"
    asked = {**(query or {}), **page.kept_query(plan.day)}
    file = file_of(path)
    return file, replace(
        plain_request(plan, name, lang),
        path=path,
        parameters=tuple(parameters.items()),
        query=tuple(asked.items()),
        origin=plan.address,
        address=address_of(file, plan.address),
        variants=plan.variants,
    )
