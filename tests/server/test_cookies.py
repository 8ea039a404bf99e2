"""Cookies: only ours are read, once a request, from a bounded header, and never by `http.cookies`."""

import http.cookies
import re
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from hnefi.server.http import cookies
from hnefi.server.http.cookies import cookies_of
from hnefi.server.http.visitors import cookie_of, visitor_of
from hnefi.server.secrets import hash_of

SECRET = "Ab-_" * 10 + "xyz"
HOSTILE = 'hnefi="' + '\\"' * 15_000 + '"'


def scope_of(*lines: str, scheme: str = "http") -> dict[str, Any]:
    headers = [(b"host", b"localhost"), *((b"cookie", line.encode()) for line in lines)]
    return {"type": "http", "scheme": scheme, "headers": headers}


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of bytes of each search."""
    lengths, find = list[int](), cookies._OWN.findall

    def findall(text: bytes) -> list[Any]:
        lengths.append(len(text))
        return find(text)

    monkeypatch.setattr(cookies, "_OWN", SimpleNamespace(findall=findall))
    return lengths


NONE = [
    *("", f"xhnefi={SECRET}", f"x-hnefi={SECRET}", f"hnefi2={SECRET}", f"hnefi-key={SECRET}"),
    *(f"__Host-hnefi={SECRET}", f"a=hnefi={SECRET}", f'hnefi="{SECRET}', f"hnefi={SECRET} more"),
    *(f"hnefi={SECRET}%20", f"hnefi ={SECRET}", f"Hnefi={SECRET}"),
]


@pytest.mark.parametrize(
    ("lines", "secret"),
    [
        *(([line], "") for line in NONE),
        ([f"hnefi={SECRET}"], SECRET),
        ([f'hnefi="{SECRET}"'], SECRET),
        ([f"theme=dark; hnefi={SECRET}; other=1"], SECRET),
        ([f"theme=dark;hnefi={SECRET};other"], SECRET),
        ([f"a=b; \t hnefi={SECRET} \t"], SECRET),
        (["theme=dark", f"hnefi={SECRET}"], SECRET),
        ([f"hnefi=old; hnefi={SECRET}"], SECRET),
    ],
)
def test_the_cookie_is_found_among_others_and_in_no_other_form(lines: list[str], secret: str) -> None:
    scope = scope_of(*lines)
    assert (cookie_of(scope, "hnefi"), visitor_of(scope)) == (secret, hash_of(secret) if secret else None)


def test_over_tls_only_the_cookie_that_is_bound_to_the_host_counts() -> None:
    both = f"hnefi=false; __Host-hnefi={SECRET}; __Host-hnefi-key=abc"
    assert cookie_of(scope_of(both, scheme="https"), "hnefi") == SECRET
    assert cookie_of(scope_of(both, scheme="wss"), "hnefi-key") == "abc"
    assert cookie_of(scope_of(both), "hnefi") == "false"


def test_all_cookies_of_a_request_are_read_once(searches: list[int]) -> None:
    scope = scope_of(f"hnefi={SECRET}; hnefi-key=abc; hnefi_lang=fr")
    assert [cookie_of(scope, name) for name in ("hnefi", "hnefi-key", "hnefi_lang", "none")] == [
        *(SECRET, "abc", "fr", "")
    ]
    assert len(searches) == 1


@pytest.mark.parametrize("count", [1, 5])
def test_cookies_of_more_than_8_kib_together_are_not_read(searches: list[int], count: int) -> None:
    filler = ["other=" + "a" * (9_000 // count)] * count
    assert cookies_of(scope_of(f"hnefi={SECRET}", *filler)) == {}
    assert searches == []
    filler = ["other=" + "a" * (8_000 // count)] * count
    assert cookies_of(scope_of(f"hnefi={SECRET}", *filler)) == {"hnefi": SECRET}
    assert max(searches) <= 8 * 1024


def test_the_pattern_reads_every_part_of_a_header_once() -> None:
    """Checks the form that makes it linear: runs that exclude what follows them, no repeated group."""
    pattern = cookies._OWN.pattern.decode()
    runs = re.findall(r"(\[[^\]]+\])[*+]", pattern)
    assert runs == ["[ \\t]", "[a-z_-]", "[A-Za-z0-9_-]", "[ \\t]"]
    assert not re.search(r"\)[*+{]", pattern)


@pytest.mark.parametrize("path", ["/api/games", "/", "/en/", "/api/ready"])
def test_a_hostile_cookie_is_answered_without_the_parser_of_python(
    server: TestClient, monkeypatch: pytest.MonkeyPatch, searches: list[int], path: str
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("http.cookies reads a header")

    monkeypatch.setattr(http.cookies, "_unquote", fail)
    monkeypatch.setattr(http.cookies.BaseCookie, "load", fail)
    for cookie, longest in ((HOSTILE, 0), (HOSTILE[:4_000], 8 * 1024)):
        answer = server.get(path, headers={"Cookie": cookie}, follow_redirects=False)
        assert answer.status_code in (200, 302)
        assert max(searches, default=0) <= longest
