"""HTML pages of the server: routes, languages, headers, assets, texts."""

import base64
import hashlib
import html
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from hnefi.i18n import has_text, languages
from hnefi.puzzles import puzzle_variants
from hnefi.server.assets import Assets
from hnefi.server.game_facts import heading_of
from hnefi.server.games.retention import EXPIRY
from hnefi.server.pages.lessons.content import lesson_counts
from hnefi.server.pages.rules.content import rules_page
from hnefi.server.pages.variant_families import family_key
from hnefi.variants.finding import all_variants, variant, variant_ids
from hnefi.words.nouns import nouns_of
from tests.samples import OTHERS, TEXTS, deep
from tests.server.conftest import browser_of

LANGUAGES = languages()
ADDRESSES = [
    *("/", "/table", "/computer", "/new", "/people", "/games", "/offline", "/rules", "/lessons", "/puzzles"),
    *("/key", "/about", "/help", "/glossary", "/licence", "/analysis", "/rules/new", "/class", "/compare"),
    *(f"/rules/{variant_id}" for variant_id in variant_ids()),
    *(f"/lessons/{variant_id}" for variant_id in lesson_counts()),
    *(f"/puzzles/{variant_id}-1" for variant_id in puzzle_variants()),
]
PAGES = [f"/{lang}{address}" for lang in LANGUAGES for address in ADDRESSES]
# Of the games one of each kind, and every other page.
SOME = [page for page in PAGES if page.count("/") == 2 or "globe" in page or "berserk-11" in page]


def kind_of(page: str) -> str:
    """Returns the language and the kind of a page, and whether it is one of those for `make check-deep`."""
    return page.rpartition("/")[0] + ("/" if page in SOME else "/ others")


# Of each language and kind together: a test for each page costs more than what it does.
KINDS = [*dict.fromkeys(map(kind_of, SOME)), *deep(*sorted({*map(kind_of, PAGES)} - {*map(kind_of, SOME)}))]


def of_kind(kind: str) -> list[str]:
    """Returns the addresses of the pages of a kind."""
    return [page for page in PAGES if kind_of(page) == kind]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    # All pages are requested from one address in less than a minute.
    with browser_of(tmp_path_factory.mktemp("data"), reading_ms_per_second=1_000_000) as client:
        yield client


@pytest.fixture
def browser(server: TestClient) -> TestClient:
    """A browser that comes for the first time."""
    server.cookies.clear()
    return server


@pytest.fixture(scope="module")
def read(server: TestClient) -> Callable[[str], Response]:
    """Requests a page once for all tests that look at the same answer."""
    return cache(server.get)


@pytest.mark.parametrize(
    ("asked", "kept", "given"),
    [
        ("fr-CH, en;q=0.5", None, "fr"),
        ("de, en;q=0.3, fr;q=0.2", None, "en"),
        ("de", None, "en"),
        ("en", "fr", "fr"),
        ("fr", "tlh", "fr"),
        ("fr;q=rubbish, en;q=0.1", None, "en"),
    ],
)
def test_paths_without_a_language_redirect_to_the_users_language(
    browser: TestClient, asked: str, kept: str | None, given: str
) -> None:
    if kept:
        browser.cookies.set("hnefi_lang", kept)
    answer = browser.get("/?a=1", headers={"Accept-Language": asked})
    assert (answer.status_code, answer.headers["location"]) == (302, f"/{given}/?a=1")
    assert "Accept-Language" in answer.headers["vary"]


def test_the_language_of_the_last_page_is_kept(browser: TestClient) -> None:
    browser.get("/fr/", headers={"Accept-Language": "en"})
    assert browser.get("/", headers={"Accept-Language": "en"}).headers["location"] == "/fr/"


@pytest.mark.parametrize(
    "sent", ["empty", "iframe", "serviceworker", "document none", "document same-site", "document cross-site"]
)
def test_only_a_page_that_the_user_chose_sets_the_language_cookie(browser: TestClient, sent: str) -> None:
    dest, _, site = sent.partition(" ")
    browser.get("/en/", headers={"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "same-origin"})
    browser.get("/fr/", headers={"Sec-Fetch-Dest": dest, "Sec-Fetch-Site": site or "same-origin"})
    assert browser.get("/").headers["location"] == "/en/"


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_in_its_language_and_leads_to_the_others(
    read: Callable[[str], Response], kind: str
) -> None:
    lang = kind.split("/")[1]
    for address in of_kind(kind):
        answer = read(address)
        assert answer.status_code == 200
        assert f'<html lang="{lang}">' in answer.text, address
        for other in LANGUAGES:
            switch = f'href="/{other}{address[3:]}" hreflang="{other}"'
            assert (switch in answer.text) == (other != lang), address
        # A key that was not replaced by its text.
        assert not re.findall(r">\s*(?:page|web|words|cli)\.[a-z_.]+\s*<", answer.text), address


KIND = re.compile(r"[a-z0-9-]*-?\d+|" + "|".join(sorted(variant_ids(), key=len, reverse=True)))


@pytest.fixture(scope="module")
def found() -> set[str]:
    """The addresses that were answered: most pages name the same."""
    return set()


@pytest.mark.parametrize("address", [*SOME, *deep(*(page for page in PAGES if page not in SOME))])
def test_a_page_names_only_what_is_there(
    browser: TestClient, read: Callable[[str], Response], found: set[str], address: str
) -> None:
    page = read(address).text
    named = set(re.findall(r'(?:href|src)="([^"#]*)', page)) - {""}
    assert {name for name in named if name.startswith("/static/")}
    assert [name for name in named if not name.startswith("/")] == []
    # Printed forms take half a second each: tests/server/test_prints.py asks for them. Of many that differ
    # in a number or the name of a game three are enough.
    kinds: dict[str, list[str]] = {}
    for name in sorted(name for name in named if not name.endswith(".pdf")):
        kinds.setdefault(KIND.sub("*", name), []).append(name)
    for name in {name for names in kinds.values() for name in names[:3]} - found:
        assert browser.get(name).status_code == 200, name
        found.add(name)


@pytest.mark.parametrize("address", PAGES[:8])
def test_a_link_to_a_page_is_shown_elsewhere_with_name_and_picture(browser: TestClient, address: str) -> None:
    page = browser.get(address).text
    properties = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page))
    assert properties["title"] == re.findall(r"<title>(.*)</title>", page)[0]
    assert properties["description"]
    assert browser.get(properties["image"]).headers["content-type"] == "image/png"


def test_pages_state_how_long_games_are_kept(browser: TestClient) -> None:
    for address in ("/en/games", "/fr/games"):
        kept = re.findall(r'<p class="wrap note">(.*)</p>', browser.get(address).text)[0]
        assert [int(days) for days in re.findall(r"(\d+)\s(?:days|jours)", kept)] == [
            EXPIRY[status] for status in ("playing", "over", "waiting")
        ]


def test_not_found_page_is_translated(browser: TestClient) -> None:
    answer = browser.get("/fr/nowhere")
    assert answer.status_code == 404
    assert "Page introuvable" in answer.text
    assert browser.get("/static/nowhere.css").text == "not found"
    assert browser.get("/api/nowhere").json() == {
        "code": "unknown_path",
        "message": "Il n’y a rien à l’adresse /api/nowhere.",
        "facts": {"method": "GET", "path": "/api/nowhere"},
    }
    refused = browser.delete("/api/games", headers={"Origin": "http://testserver"})
    assert (refused.status_code, refused.json()["code"], refused.headers["allow"]) == (
        405,
        "wrong_method",
        "POST",
    )
    browser.cookies.clear()
    assert "Page not found" in browser.get("/tlh/", headers={"Accept-Language": "en"}).text


@pytest.mark.parametrize("kind", [*KINDS, "/"])
def test_every_answer_forbids_what_is_not_ours(read: Callable[[str], Response], kind: str) -> None:
    others = ("/", "/fr/nowhere", "/api/nowhere", "/api/games", "/api/openapi.json", "/static/no.js")
    for address in of_kind(kind) or others:
        headers = read(address).headers
        policy = headers["content-security-policy"]
        assert "'unsafe-inline'" not in policy
        assert "'unsafe-eval'" not in policy
        for rule in ("default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
            assert rule in policy, address
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("kind", KINDS)
def test_only_inline_scripts_with_a_known_digest_run(read: Callable[[str], Response], kind: str) -> None:
    for address in of_kind(kind):
        answer = read(address)
        found = re.findall(
            r"<(?:script|style)(?![^>]*(?:src=|application/json))[^>]*>([^<]*(?:<(?!/)[^<]*)*)</", answer.text
        )
        assert len(found) == 2, address
        for script in found:
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in answer.headers["content-security-policy"], address
        assert not re.search(r"<[^>]+\s(?:style|on[a-z]+)=", answer.text), address


def test_assets_are_kept_for_good_under_a_name_with_a_hash(browser: TestClient) -> None:
    address = Assets.load().url("site.css")
    assert re.fullmatch(r"/static/site-[0-9a-zA-Z]{8,}\.css", address)
    answer = browser.get(address, headers={"Accept-Encoding": "gzip"})
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-type"].startswith("text/css")
    assert browser.get(address, headers={"Accept-Encoding": "identity"}).text == answer.text
    assert browser.post(address).status_code == 405


@pytest.mark.parametrize("path", ["../app.py", "..%2fapp.py", "/etc/passwd", "manifest.json", ""])
def test_assets_are_only_those_of_the_manifest(browser: TestClient, path: str) -> None:
    assert browser.get(f"/static/{path}").status_code == 404


MOST_FONT_B = 37_000


@pytest.mark.parametrize("address", [f"/{lang}{path}" for lang in LANGUAGES for path in ADDRESSES[:10]])
def test_every_page_loads_two_small_fonts_at_once(browser: TestClient, address: str) -> None:
    page = browser.get(address)
    assert "font-src 'self'" in page.headers["content-security-policy"]
    fonts = re.findall(
        r'<link rel="preload" href="([^"]+)" as="font" type="font/woff2" crossorigin>', page.text
    )
    assert fonts == [Assets.load().url(name) for name in ("cut.woff2", "text.woff2")]
    answers = [browser.get(font) for font in fonts]
    assert sum(len(answer.content) for answer in answers) <= MOST_FONT_B
    for answer in answers:
        assert answer.headers["content-type"] == "font/woff2"
        assert "immutable" in answer.headers["cache-control"]
        assert "content-encoding" not in answer.headers


def test_fonts_are_cached_for_use_offline(browser: TestClient) -> None:
    worker = browser.get("/sw.js").text
    for name in ("cut", "text", "cut-ext", "text-ext"):
        assert Assets.load().url(f"{name}.woff2") in worker


@pytest.mark.parametrize("path", ["computer", "table", "analysis", "game/any"])
def test_pages_of_games_load_the_rules_beside_their_scripts(browser: TestClient, path: str) -> None:
    rules = Assets.load().url("rules.wasm")
    page = browser.get(f"/en/{path}").text
    assert f'<link rel="preload" href="{rules}" as="fetch" crossorigin>' in page


PLAYING = ("hotseat.js", "game.js", "embed.js")
MOST_SCRIPT_B = 67_000
MOST_AT_ONCE = 20


@pytest.mark.parametrize("entry", PLAYING)
def test_a_page_to_play_on_needs_little_script(browser: TestClient, entry: str) -> None:
    """The scripts that a page may load, at once or when they are needed, as they are sent."""
    waiting, loaded = [Assets.load().url(entry)], dict[str, int]()
    while waiting:
        address = waiting.pop()
        if address not in loaded:
            answer = browser.get(address, headers={"Accept-Encoding": "gzip"})
            loaded[address] = int(answer.headers["content-length"])
            found = re.findall(r'(?:from|import)\s*\(?"\./([^"]+\.js)"', answer.text)
            waiting += [f"/static/{name}" for name in found]
    assert 2 <= len(Assets.load().module_urls(entry)) <= MOST_AT_ONCE
    assert sum(loaded.values()) <= MOST_SCRIPT_B, loaded


def test_a_board_on_another_page_loads_no_texts_of_ours(browser: TestClient) -> None:
    """Scripts may load what others need, to make fewer requests, but not what does something at once."""
    assert not any("notice-texts" in browser.get(url).text for url in Assets.load().module_urls("board.js"))
    assert any("notice-texts" in browser.get(url).text for url in Assets.load().module_urls("game.js"))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_lessons_of_a_variant_are_reached_from_its_places(
    read: Callable[[str], Response], lang: str
) -> None:
    lessons, catalogue = read(f"/{lang}/lessons").text, read(f"/{lang}/rules").text
    for variant_id in lesson_counts():
        link = f'href="/{lang}/lessons/{variant_id}"'
        assert link in lessons
        assert link in catalogue
        assert link in read(f"/{lang}/rules/{variant_id}").text


MOST_HOME_SCRIPT_B = 3_000


def test_the_home_page_names_every_script_of_a_whole_game_and_the_engine_last(browser: TestClient) -> None:
    assets = Assets.load()
    needed = re.findall(r'data-needs="([^"]*)"', browser.get("/en/").text)[0].split(" ")
    assert needed[-1] == assets.url("engine.wasm")
    page = browser.get("/en/computer?variant=brandub-globe&side=defenders&level=1").text
    (script,) = re.findall(r'<script type="module" src="([^"]*computer[^"]*)"', page)
    imported = re.findall(r'(?:from|import)\s*"\./([^"]+)"', browser.get(script).text)
    assert imported
    assert {script, *(f"/static/{name}" for name in imported)} <= set(needed)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_first_move_on_the_home_page_needs_little(browser: TestClient, lang: str) -> None:
    """The script is one file that imports nothing at once; the page has the board."""
    gzipped = {"Accept-Encoding": "gzip"}
    script = browser.get(Assets.load().url("home.js"), headers=gzipped)
    assert not re.findall(r'import\s*[{"]', script.text)
    assert int(script.headers["content-length"]) <= MOST_HOME_SCRIPT_B
    assert int(browser.get(f"/{lang}/", headers=gzipped).headers["content-length"]) <= 16_000


def test_a_position_that_the_rules_refuse_begins_no_game(browser: TestClient) -> None:
    answer = browser.get("/fr/new?variant=brandub-globe&position=7/7/7/7/7/7/9 a 0")
    assert answer.status_code == 400
    assert "position" in answer.text


AIMS = {
    "en": {
        "king": "Their aim is to capture {the_king}.",
        "guards": "Their aim is to capture {all_defenders}.",
        "defenders": "Their aim is to help {the_king} out.",
        "corner": "He wins in {a_corner}.",
        "edge": "He wins at the edge.",
    },
    "fr": {
        "king": "Leur but est de prendre {the_king}.",
        "guards": "Leur but est de prendre {all_defenders}.",
        "defenders": "Leur but est d’aider {the_king} à sortir.",
        "corner": "Il gagne dans {a_corner}.",
        "edge": "Il gagne au bord du plateau.",
    },
}


@pytest.mark.parametrize("names", [(*TEXTS, *OTHERS), *deep(variant_ids())], ids=["some", "all"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_page_gives_each_side_its_aim_whichever_begins(
    read: Callable[[str], Response], lang: str, names: tuple[str, ...]
) -> None:
    for variant_id in names:
        page = read(f"/{lang}/rules/{variant_id}").text
        kinds = html.unescape(page.partition('class="stack kinds"')[2].partition("</ul>")[0])
        lines = re.findall(r"</b> (.*?)</span>", kinds)
        ends, nouns = variant(variant_id).tree.ends, nouns_of(variant(variant_id).about, lang)
        aim_of_attackers = "king" if ends.king_captured == "attackers_win" else "guards"
        aims = [AIMS[lang][aim].format(**nouns) for aim in (aim_of_attackers, "defenders", ends.goal)]
        assert lines == aims, variant_id
        # Pieces with a rank are counted by themselves.
        standing = Counter(variant(variant_id).rules.start.pieces.values()).values()
        assert sorted(["1", *re.findall(r"<b>(\d+) ", kinds)]) == sorted(map(str, standing)), variant_id


@pytest.mark.parametrize("names", [(*TEXTS, *OTHERS), *deep(variant_ids())], ids=["some", "all"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_game_is_named_once_in_titles_and_headings(
    read: Callable[[str], Response], lang: str, names: tuple[str, ...]
) -> None:
    families = Counter(family_key(one) for one in all_variants())
    for one in all_variants():
        name, author = heading_of(one, lang)
        heading = f"{name} {author}".casefold()
        assert len(re.findall(rf"\b{re.escape(name.casefold())}\b", heading)) == 1, heading
        if one.id in names:
            page = html.unescape(read(f"/{lang}/rules/{one.id}").text)
            assert page.partition("<h1>")[2].startswith(name), one.id
            assert one.name(lang) in page.partition("<title>")[2].partition("</title>")[0], one.id
        if families[family_key(one)] > 1:
            assert has_text(f"page.rules.others.{family_key(one)}", lang), one.id


def test_the_list_of_other_versions_has_the_french_article() -> None:
    assert rules_page("ard-ri-globe", "fr")["others"] == "Autres versions de l’ard-ri"
    assert rules_page("magpie-7", "fr")["others"] == "Autres versions de la pie"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_of_a_kind_of_their_own_have_descriptions_of_their_own(server: TestClient, lang: str) -> None:
    found = [
        re.search('<meta name="description" content="([^"]*)"', server.get(f"/{lang}{address}").text)
        for address in ("/", "/rules", "/nowhere", "/people", "/analysis")
    ]
    assert len({match and match[1] for match in found}) == len(found)
