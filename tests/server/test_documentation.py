"""The built documentation at `/docs`: pages with their scripts, and nothing outside the folder."""

import base64
import hashlib
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hnefi.server.app import create_app
from tests.server.conftest import OWN, settings_in
from tests.server.test_serve import hnefi_process

DOCS = "/docs"
PAGE = "<script>one()</script><script src=two.js></script><script>\nthree()\n</script>"


@pytest.fixture
def server(tmp_path: Path) -> TestClient:
    site = tmp_path / "site"
    (site / "guide").mkdir(parents=True)
    (site / "index.html").write_text("<h1>Hnefi</h1>", "utf-8")
    (site / "guide" / "play.html").write_text(PAGE, "utf-8")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    return TestClient(create_app(settings_in(tmp_path / "data", docs=site)), base_url=OWN)


def test_the_documentation_is_served_at_docs(server: TestClient) -> None:
    assert "<h1>Hnefi</h1>" in server.get(DOCS).text
    assert server.get(f"{DOCS}/guide/play.html").text == PAGE
    assert server.get(f"{DOCS}/guide/none.html").status_code == 404
    assert server.get(f"{DOCS}/%2e%2e/secret.txt").status_code == 404


def test_every_page_links_to_the_documentation_that_is_served(server: TestClient, tmp_path: Path) -> None:
    assert 'href="/docs/"' in server.get("/en/rules").text
    assert 'href="/docs/" hreflang="en"' in server.get("/fr/rules").text
    with TestClient(create_app(settings_in(tmp_path / "other")), base_url=OWN) as without:
        assert "/docs/" not in without.get("/en/rules").text


def test_only_the_inline_scripts_of_a_page_run(server: TestClient) -> None:
    policy = server.get(f"{DOCS}/guide/play.html").headers["content-security-policy"]
    scripts = policy.split("script-src ")[1].split(";")[0].split()
    digests = [
        base64.b64encode(hashlib.sha256(text).digest()).decode() for text in (b"one()", b"\nthree()\n")
    ]
    assert sorted(scripts) == sorted(["'self'", *(f"'sha256-{digest}'" for digest in digests)])


def test_without_the_option_there_is_no_documentation(tmp_path: Path) -> None:
    with TestClient(create_app(settings_in(tmp_path)), base_url=OWN) as server:
        assert server.get(f"{DOCS}/").status_code == 404


def test_a_folder_without_a_site_is_refused(tmp_path: Path) -> None:
    run = hnefi_process("serve", "--port", 0, "--docs", tmp_path, "--data", tmp_path / "data")
    assert run.returncode == 2
    assert "index.html" in run.stderr
