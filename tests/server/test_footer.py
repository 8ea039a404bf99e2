"""The pages that the footer leads to, the imprint of the operator, and lists of all games."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hnefi.variants.finding import all_variants
from tests.server.conftest import client_of

IMPRINT = "Tafl club\n1 Harbour Street\n\nclub@tafl.example <&>"


@pytest.mark.parametrize(("lang", "ready"), [("en", "Ready offline"), ("fr", "Prêt hors connexion")])
def test_the_footer_has_links_to_pages_and_their_sections_and_the_words_for_use_offline(
    tmp_path: Path, lang: str, ready: str
) -> None:
    with client_of(tmp_path, imprint=IMPRINT) as server:
        _, _, foot = server.get(f"/{lang}/about").text.partition('<footer class="foot">')
        assert f'<p data-ready="{ready}' in foot
        links = re.findall(r'href="([^"]+)"', foot.partition("</footer>")[0])
        assert len(links) == 10
        for link in links:
            address, _, section = link.partition("#")
            page = server.get(address)
            assert page.status_code == 200, link
            assert not section or f'id="{section}"' in page.text


def test_the_imprint_is_shown_if_there_is_one(tmp_path: Path, server: TestClient) -> None:
    with client_of(tmp_path, imprint=IMPRINT) as with_imprint:
        page = with_imprint.get("/fr/imprint").text
    assert "<p>Tafl club\n1 Harbour Street</p>" in page
    assert "<p>club@tafl.example &lt;&amp;&gt;</p>" in page
    assert server.get("/fr/imprint").status_code == 404
    assert "/imprint" not in server.get("/fr/about").text


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_glossary_is_in_alphabetical_order(server: TestClient, lang: str) -> None:
    terms = re.findall(r"<dt[^>]*>([^<]+)</dt>", server.get(f"/{lang}/glossary").text)
    assert len(terms) == 12
    assert terms == sorted(terms, key=str.casefold)


def test_the_glossary_has_the_words_of_the_sources(server: TestClient) -> None:
    page = server.get("/fr/glossary").text
    assert "les règles disent aussi\xa0: brannán, empereur." in page
    assert "angles, citadelles, forteresses, refuges." in page


@pytest.mark.parametrize("path", ["/fr/people", "/fr/class"])
def test_a_list_of_games_is_grouped_by_size(server: TestClient, path: str) -> None:
    groups = re.findall(
        r'<optgroup label="(\d+)\s×\s\1[^"]*">(.*?)</optgroup>', server.get(path).text, re.DOTALL
    )
    sizes = {one.id: one.rules.size for one in all_variants()}
    assert [int(size) for size, _ in groups] == sorted(set(sizes.values()))
    games = [
        (int(size), game) for size, group in groups for game in re.findall(r'<option value="([^"]+)"', group)
    ]
    assert len(games) > 50
    assert all(sizes[game] == size for size, game in games)
