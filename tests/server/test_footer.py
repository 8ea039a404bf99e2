"""The pages that the footer leads to, and the imprint of the operator."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hnefi.server.app import create_app
from tests.server.conftest import OWN, settings_in
from tests.server.test_serve import hnefi_process

IMPRINT = "Tafl club\n1 Harbour Street\n\nclub@tafl.example <&>"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_link_of_the_footer_leads_to_a_page_and_its_section(tmp_path: Path, lang: str) -> None:
    with TestClient(create_app(settings_in(tmp_path, imprint=IMPRINT)), base_url=OWN) as server:
        foot = (
            server.get(f"/{lang}/about").text.partition('<footer class="foot">')[2].partition("</footer>")[0]
        )
        links = re.findall(r'href="([^"]+)"', foot)
        assert len(links) == 10
        for link in links:
            address, _, section = link.partition("#")
            page = server.get(address)
            assert page.status_code == 200, link
            assert not section or f'id="{section}"' in page.text


def test_the_imprint_is_shown_if_there_is_one(tmp_path: Path) -> None:
    with TestClient(create_app(settings_in(tmp_path / "one", imprint=IMPRINT)), base_url=OWN) as server:
        page = server.get("/fr/imprint").text
        assert "<p>Tafl club\n1 Harbour Street</p>" in page
        assert "<p>club@tafl.example &lt;&amp;&gt;</p>" in page
    with TestClient(create_app(settings_in(tmp_path / "none")), base_url=OWN) as without:
        assert without.get("/fr/imprint").status_code == 404
        assert "/imprint" not in without.get("/fr/about").text


def test_a_missing_file_of_the_imprint_is_named(tmp_path: Path) -> None:
    run = hnefi_process(
        "serve", "--port", 0, "--imprint", tmp_path / "imprint.txt", "--data", tmp_path / "data"
    )
    assert (run.returncode, "imprint.txt" in run.stderr) == (2, True)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_glossary_is_in_alphabetical_order(tmp_path: Path, lang: str) -> None:
    with TestClient(create_app(settings_in(tmp_path)), base_url=OWN) as server:
        terms = re.findall(r"<dt[^>]*>([^<]+)</dt>", server.get(f"/{lang}/glossary").text)
    assert len(terms) == 12
    assert terms == sorted(terms, key=str.casefold)
