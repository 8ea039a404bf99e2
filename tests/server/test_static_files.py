"""Static files in the encodings that browsers accept, and the built documentation at `/docs`."""

import base64
import gzip
import hashlib
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hnefi.server.assets import Assets
from tests.pages import MANIFEST, STATIC
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


NAME = str(MANIFEST["files"]["engine.wasm"])
CONTENT = (STATIC / NAME).read_bytes()
BROTLI = (STATIC / f"{NAME}.br").read_bytes()


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(Assets.load())


def raw(client: TestClient, accepted: str) -> tuple[str | None, bytes]:
    with client.stream("GET", f"/{NAME}", headers={"Accept-Encoding": accepted}) as answer:
        assert answer.headers["content-type"] == "application/wasm"
        assert answer.headers["vary"] == "Accept-Encoding"
        return answer.headers.get("content-encoding"), b"".join(answer.iter_raw())


def test_the_smallest_accepted_encoding_is_sent_and_has_no_address_of_its_own(client: TestClient) -> None:
    assert raw(client, "gzip, deflate, br, zstd") == ("br", BROTLI)
    encoding, body = raw(client, "gzip;q=1.0, deflate")
    assert encoding == "gzip"
    assert gzip.decompress(body) == CONTENT
    assert raw(client, "identity") == (None, CONTENT)
    assert raw(client, "vibrant") == (None, CONTENT)
    assert raw(client, "br; q=0.0, gzip;q=0.5")[0] == "gzip"
    assert raw(client, "br;q=0,GZIP;Q=0") == (None, CONTENT)
    assert client.get(f"/{NAME}.br").status_code == 404
    assert not any(url.endswith(".br") for url in Assets.load().all_urls())
