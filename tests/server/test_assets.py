"""Static files in the encodings that browsers accept."""

import gzip

import pytest
from starlette.testclient import TestClient

from hnefi.server.assets import Assets
from tests.pages import MANIFEST, STATIC

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


def test_the_smallest_accepted_encoding_is_sent(client: TestClient) -> None:
    assert raw(client, "gzip, deflate, br, zstd") == ("br", BROTLI)
    encoding, body = raw(client, "gzip;q=1.0, deflate")
    assert encoding == "gzip"
    assert gzip.decompress(body) == CONTENT
    assert raw(client, "identity") == (None, CONTENT)
    assert raw(client, "vibrant") == (None, CONTENT)


def test_compressed_forms_have_no_address_of_their_own(client: TestClient) -> None:
    assert client.get(f"/{NAME}.br").status_code == 404
    assert not any(url.endswith(".br") for url in Assets.load().all_urls())
