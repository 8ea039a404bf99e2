"""The built documentation at `/docs`: pages with their scripts, and nothing outside the folder."""

import base64
import hashlib
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.server.conftest import client_of

DOCS = "/docs"
PAGE = "<script>one()</script><script src=two.js></script><script>\nthree()\n</script>"


@pytest.fixture
def documented(tmp_path: Path) -> TestClient:
    """A server with a documentation, beside which there is a secret."""
    site = tmp_path / "site"
    (site / "guide").mkdir(parents=True)
    (site / "index.html").write_text("<h1>Hnefi</h1>", "utf-8")
    (site / "guide" / "play.html").write_text(PAGE, "utf-8")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    return client_of(tmp_path / "data", docs=site)


def test_the_documentation_is_served_at_docs(documented: TestClient) -> None:
    assert "<h1>Hnefi</h1>" in documented.get("/docs").text
    assert documented.get(f"{DOCS}/guide/play.html").text == PAGE
    assert documented.get(f"{DOCS}/guide/none.html").status_code == 404
    assert documented.get("/docs/%2e%2e/secret.txt").status_code == 404


def test_every_page_links_to_the_documentation_if_it_is_served(
    documented: TestClient, server: TestClient
) -> None:
    assert 'href="/docs/"' in documented.get("/en/rules").text
    assert 'href="/docs/" hreflang="en"' in documented.get("/fr/rules").text
    assert "/docs/" not in server.get("/en/rules").text
    assert server.get("/docs/").status_code == 404


def test_only_the_inline_scripts_of_a_page_run(documented: TestClient) -> None:
    policy = documented.get(f"{DOCS}/guide/play.html").headers["content-security-policy"]
    scripts = policy.split("script-src ")[1].split(";")[0].split()
    digests = [base64.b64encode(hashlib.sha256(text).digest()) for text in (b"one()", b"\nthree()\n")]
    assert sorted(scripts) == sorted(["'self'", *(f"'sha256-{digest.decode()}'" for digest in digests)])
