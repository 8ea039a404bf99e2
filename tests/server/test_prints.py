"""Printed forms of games: PDF by HTTP, rendered once in a process of their own, charged as pages are."""

from pathlib import Path

import pypdfium2
import pytest
from starlette.testclient import TestClient

from hnefi.paper import SHEETS
from hnefi.server.http.rendered import RenderedPage
from hnefi.server.pages import prints
from hnefi.server.pages.prints import print_names
from hnefi.variants.finding import variant
from hnefi.variants.page_addresses import page_path
from hnefi.workers.worker import AsyncWorker
from tests.samples import deep
from tests.server.conftest import browser_of, client_of

pytestmark = pytest.mark.usefixtures("first_arrangement")
BOOKLET = "/fr/rules/tablut-kouvia/booklet.pdf"


def test_the_server_knows_the_names_of_all_sheets() -> None:
    assert set(print_names()) == {"booklet", "booklet-fold", *SHEETS, "puzzles"}


@pytest.mark.parametrize("form", print_names())
@pytest.mark.parametrize("lang", [*deep("en"), "fr"])
def test_every_form_is_a_pdf_in_the_language_of_its_page(browser: TestClient, form: str, lang: str) -> None:
    page = browser.get(f"/{lang}/rules/brandub-globe").text
    address = f"/{lang}/rules/brandub-globe/{form}.pdf"
    assert f'href="{address}" type="application/pdf"' in page
    answer = browser.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-language"] == lang
    assert answer.headers["content-disposition"] == f'inline; filename="brandub-globe-{form}-{lang}.pdf"'
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert len(answer.content) < 1_000_000
    document = pypdfium2.PdfDocument(answer.content)
    text = "".join(page.get_textpage().get_text_range() for page in document)
    assert ({"en": "attackers", "fr": "attaquants"}[lang] in text) or form != "booklet"
    assert document[0].get_width() > document[0].get_height() or form != "booklet-fold"
    known = browser.get(address, headers={"If-None-Match": answer.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")


def test_the_address_in_qr_codes_opens_the_page_of_the_game(browser: TestClient) -> None:
    for game in (variant("brandub-globe"), variant("fetlar-11").with_switches({"king_armed": "none"})):
        found = browser.get(page_path(game, "fr"), follow_redirects=True)
        assert found.status_code == 200
        assert game.name("fr") in found.text


def test_puzzles_are_offered_where_there_are_some(browser: TestClient) -> None:
    for game, query in (("fetlar-11", ""), ("brandub-globe", "?rule.goal=edge")):
        assert "puzzles.pdf" not in browser.get(f"/en/rules/{game}{query}").text
        assert browser.get(f"/en/rules/{game}/puzzles.pdf{query}").status_code == 404


def test_changed_rules_are_read_and_printed_under_their_name(browser: TestClient) -> None:
    path, changes = "/en/rules/brandub-globe", "name=Winter&rule.goal=edge"
    page = browser.get(f"{path}?{changes}").text
    assert "<h1>Winter <span>After Brandub (Le Globe Joueur)</span></h1>" in page
    assert "<li>The brannán reaches any square on the edge: the princes win.</li>" in page
    address = f"{path}/booklet.pdf?{changes}"
    assert f'href="{address.replace("&", "&amp;")}"' in page
    named = browser.get(address).headers["content-disposition"]
    assert named == 'inline; filename="winter-booklet-en.pdf"'
    for query, title in ((changes, "Winter"), ("rule.goal=edge", "Changed rules")):
        cover = pypdfium2.PdfDocument(browser.get(f"{path}/booklet.pdf?{query}").content)[0]
        assert title in cover.get_textpage().get_text_range()
        assert "edge" in cover.get_textpage().get_text_range()
    assert "Règles modifiées" in browser.get("/fr/rules/brandub-globe?rule.goal=edge").text
    for form in ("", "/booklet.pdf"):
        assert browser.get(f"{path}{form}?rule.goal=edgy").status_code == 404


@pytest.mark.parametrize(
    ("lang", "heading"), [("en", "This can’t be shown"), ("fr", "Impossible à afficher")]
)
def test_a_name_that_the_fonts_lack_is_told(browser: TestClient, lang: str, heading: str) -> None:
    changes = {"name": "Hnefi ★", "rule.goal": "edge"}
    answer = browser.get(f"/{lang}/rules/brandub-globe/board.pdf", params=changes)
    assert answer.status_code == 422
    assert f"<h1>{heading}</h1>" in answer.text
    assert "★ (U+2605)" in answer.text


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/rules/tablut-kouvia/booklet.pdf", 302, BOOKLET),
        ("/fr/rules/tablut-kouvia/nothing.pdf", 404, None),
        ("/fr/rules/nothing/booklet.pdf", 404, None),
        ("/fr/rules/tablut-kouvia/../booklet.pdf", 404, None),
    ],
)
def test_forms_are_found_in_the_users_language_if_they_exist(
    browser: TestClient, path: str, status: int, location: str | None
) -> None:
    browser.cookies.clear()  # a page that was seen keeps its language
    answer = browser.get(path, headers={"Accept-Language": "fr"})
    assert (answer.status_code, answer.headers.get("location")) == (status, location)


def test_a_form_is_rendered_once_and_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[object] = []

    async def run(worker: AsyncWorker, job: object) -> RenderedPage:
        jobs.append(job)
        worker.cost_ms = 6_000.0
        return RenderedPage(b"%PDF-1.7", False, "application/pdf", 200, 'W/"a"')

    monkeypatch.setattr(AsyncWorker, "run", run)
    with browser_of(tmp_path) as client:
        assert [client.get(BOOKLET).content for _ in range(2)] == [b"%PDF-1.7"] * 2
        assert len(jobs) == 1
        client.get(BOOKLET.replace("/fr/", "/en/"))
        refused = client.get(BOOKLET.replace("kouvia", "geoludie"))
        assert (refused.status_code, len(jobs)) == (429, 2)
        assert int(refused.headers["retry-after"]) >= 1


def test_nothing_is_offered_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prints, "find_spec", lambda _: None)
    with client_of(tmp_path) as client:
        page = client.get("/fr/rules/tablut-kouvia")
        assert (page.status_code, ".pdf" in page.text) == (200, False)
        assert client.get(BOOKLET).status_code == 404
