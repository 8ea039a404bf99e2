"""The bundles of pages that browsers keep for use offline."""

import datetime as dt
import gzip
import json
import re

import pytest
from starlette.testclient import TestClient

from hnefi.puzzles import daily_puzzle, puzzles
from hnefi.server.pages.all_pages import PAGES
from hnefi.server.pages.lessons.content import lesson_counts
from hnefi.server.pages.offline.bundles import bundle_names, kept_pages, site_addresses
from hnefi.server.pages.page import PageRequest
from hnefi.variants.finding import variant_ids
from tests.samples import deep

# What a phone gets in the background, in one language, as it is sent.
MOST_PER_LANGUAGE_B = 1_300_000
MOST_PER_BUNDLE_B = 200_000


# One of each kind: all take six seconds of processor.
SOME_BUNDLES = ("site", "lessons", "new-3", "rules-1", "puzzles-1")


def test_every_page_that_is_kept_and_depends_on_the_day_is_kept_with_one() -> None:
    day = dt.date(2026, 3, 1)
    kept = {page.name for page in PAGES if page.kept_query(day).get("day") == "2026-03-01"}
    assert kept == {page.name for page in PAGES if page.is_daily and page.is_static} != set()
    assert {page.name for page in PAGES if "written" in page.kept_query(day)} == {"puzzles", "puzzle"}


def test_every_page_is_in_a_bundle() -> None:
    request = PageRequest("kept", "fr", "/fr/kept")
    kept = [address for name in bundle_names() for address in kept_pages(request, name)]
    paths = [
        *site_addresses(),
        *(f"/rules/{one}" for one in variant_ids()),
        *(f"/new?variant={one}" for one in variant_ids()),
        *(f"/lessons/{one}" for one in lesson_counts()),
        *(f"/puzzles/{one.id}" for one in puzzles()),
    ]
    assert sorted(kept) == sorted(f"/fr{path}" for path in paths)


@pytest.mark.parametrize("names", [SOME_BUNDLES, *deep(bundle_names())])
@pytest.mark.parametrize("lang", ["fr", *deep("en")])
def test_the_bundles_have_pages_as_they_are_in_few_bytes(
    browser: TestClient, lang: str, names: tuple[str, ...]
) -> None:
    """One visitor gets them all in a row without being refused."""
    kept: dict[str, str] = {}
    sizes = []
    for name in names:
        answer = browser.get(f"/{lang}/kept/{name}", headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        sizes.append(int(answer.headers["content-length"]))
        lines, found = (answer.json()[key] for key in ("lines", "pages"))
        assert set(found) == set(kept_pages(PageRequest("kept", lang, f"/{lang}/kept"), name))
        kept |= {address: "\n".join(lines[line] for line in page) for address, page in found.items()}
        assert "'unsafe-inline'" not in answer.headers["content-security-policy"]
    assert max(sizes) <= MOST_PER_BUNDLE_B
    assert sum(sizes) <= MOST_PER_LANGUAGE_B
    rules = [one for one in kept if re.fullmatch(f"/{lang}/rules/[^/]+", one) and not one.endswith("/new")]
    assert rules
    for one in rules:
        assert f'"{one}/booklet.pdf"' in kept[one]
    for path in ("/", "/new?variant=fetlar-11", "/rules/alea-evangelii-19"):
        assert kept[f"/{lang}{path}"] == browser.get(f"/{lang}{path}").text
    # Without the server they name the puzzle of each day by themselves.
    today = dt.datetime.now(dt.UTC).date()
    easiest = next(one for one in kept if one.startswith(f"/{lang}/puzzles/"))
    for address in (f"/{lang}/puzzles", easiest):
        found = re.search(r'id="days">(.*?)</script>', kept[address])
        assert found
        days = json.loads(found[1])
        ahead = (today - dt.date.fromisoformat(days["first"])).days + 10
        assert days["puzzles"][ahead] == daily_puzzle(today + dt.timedelta(days=10)).id
    # The state of the page of no game in particular is that of any.
    shown = browser.get(f"/{lang}/game/abcdefgh").text.replace("abcdefgh", "any")
    assert kept[f"/{lang}/game/any"] == shown


def test_the_facts_of_all_variants_are_one_file_and_an_unknown_bundle_is_not_found(
    browser: TestClient,
) -> None:
    facts = browser.get("/en/facts").json()
    assert set(facts) == set(variant_ids())
    assert facts["fetlar-11"] == browser.get("/en/facts?variant=fetlar-11").json()
    assert browser.get("/en/kept/secrets").status_code == 404


def test_the_worker_names_what_it_keeps(browser: TestClient) -> None:
    script = browser.get("/sw.js").text
    kept = json.loads(script.partition(";\n")[0].removeprefix("self.KEPT = "))
    assert tuple(kept["bundles"]) == bundle_names()
    files = [*kept["files"], *kept["last"]]
    assert not any("alone" in file for file in files)
    # Scripts name what they load, so that a page is shown only with all of it.
    (game,) = [file for file in files if re.search("/computer-.*js$", file)]
    assert any("/shared-" in file for file in kept["needs"][game])
    assert {one for needed in kept["needs"].values() for one in needed} <= set(files)
    # The engine comes after all that pages need to show themselves.
    assert "engine" in kept["last"][0]
    assert sum(len(gzip.compress(browser.get(file).content)) for file in files) <= 1_160_000
