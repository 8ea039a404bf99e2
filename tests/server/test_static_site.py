"""`hnefi site build`: a site of static files whose links all resolve, and a folder that it does not spoil."""

import datetime as dt
import json
import re
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from hnefi.puzzles import daily_puzzle, puzzles
from hnefi.server.site import SiteFolderError
from tests.cli_runs import answer, refusal, run
from tests.static_sites import DAY, VARIANTS, built_site

ROOT = "http://host/"
_LINK = re.compile(r'\s(?:href|src|action|data-here|data-new|data-computer)="([^"]*)"')
_NEEDED = re.compile(r'\sdata-needs="([^"]*)"')
_ASSET = re.compile(r"[\w-]+-[0-9A-Z]{8}\.(?:js|css|wasm|woff2)")
_SENT_BY_SERVERS = "engine_worker"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory.mktemp("hosts") / "school" / "tafl")


def pages(site: Path) -> dict[str, str]:
    return {path.relative_to(site).as_posix(): path.read_text("utf-8") for path in site.rglob("*.html")}


def links(html: str) -> list[str]:
    needed = [address for found in _NEEDED.findall(html) for address in found.split(" ")]
    return [link.replace("&amp;", "&") for link in (*_LINK.findall(html), *needed)]


def file_at(site: Path, page: str, link: str) -> Path | None:
    """Returns the file to which a link leads; None for links to other sites, and for data."""
    address = urlsplit(urljoin(f"{ROOT}{page}", link))
    if address.scheme != "http" or address.netloc != "host":
        return None
    path = site / unquote(address.path).removeprefix("/")
    return path / "index.html" if address.path.endswith("/") else path


def test_every_link_of_every_page_leads_to_a_file(site: Path) -> None:
    dead = {
        (page, link)
        for page, html in pages(site).items()
        for link in links(html)
        if (target := file_at(site, page, link)) is not None and not target.is_file()
    }
    assert dead == set()


def test_links_to_parts_of_pages_lead_to_parts_that_exist(site: Path) -> None:
    of_page = pages(site)
    for page, html in of_page.items():
        for link in links(html):
            target = file_at(site, page, link)
            part = urlsplit(link).fragment
            if not part or target is None or "?" in link or target.suffix != ".html":
                continue
            found = of_page[target.relative_to(site).as_posix()]
            assert f'id="{part}"' in found, (page, link)


def test_no_address_begins_at_the_host_or_needs_a_server(site: Path) -> None:
    for page, html in pages(site).items():
        for link in links(html):
            assert not link.startswith("/"), (page, link)
            assert not re.search(r"/(?:api|ws|people|class|seat|key|embed|game|facts)(?:/|\?|$)", link), (
                page,
                link,
            )


def test_scripts_and_styles_find_the_files_that_they_load(site: Path) -> None:
    there = {path.name for path in (site / "static").iterdir()}
    named = {
        name
        for path in (site / "static").iterdir()
        if path.suffix in (".js", ".css")
        for name in _ASSET.findall(path.read_text("utf-8"))
    }
    assert named <= there
    assert any(name.startswith("engine-") for name in there)
    assert any(name.startswith(_SENT_BY_SERVERS) for name in there)
    assert not any(name.startswith(("people", "embed", "seat")) for name in there)


def test_scripts_of_the_site_make_addresses_of_pages_in_one_place() -> None:
    sources = Path(__file__).parents[2] / "web" / "src"
    at_server = r"entries/(embed|game|people|seat|class|class_room)\.tsx?|classes/.*|class_of_game\.ts"
    written = {
        path.relative_to(sources).as_posix(): line.strip()
        for path in sources.rglob("*.ts*")
        for line in path.read_text("utf-8").splitlines()
        if "`/${LANGUAGE}/" in line
    }
    # A game at the server, and what the server says about rules.
    allowed = re.compile(rf"(?:addresses|new_game|variants)\.ts|{at_server}")
    assert {name: line for name, line in written.items() if not allowed.fullmatch(name)} == {}


def test_both_languages_have_the_same_pages(site: Path) -> None:
    found = pages(site)
    english = {page.removeprefix("en/") for page in found if page.startswith("en/")}
    french = {page.removeprefix("fr/") for page in found if page.startswith("fr/")}
    assert english == french
    assert {"index.html", "computer/index.html", "rules/gwezboell-globe/index.html"} <= english
    assert "rules/copenhagen-11/index.html" not in english


def test_pages_name_only_the_games_of_the_site(site: Path) -> None:
    for page in ("en/index.html", "en/rules/index.html", "en/new/index.html", "en/puzzles/index.html"):
        html = (site / page).read_text("utf-8")
        named = set(
            re.findall(r'(?:variant=|name="variant" value="|data-id="|data-game=")([a-z0-9-]+)', html)
        )
        assert named, page
        assert named <= set(VARIANTS), page


def test_every_puzzle_of_its_games_is_in_the_site(site: Path) -> None:
    for puzzle in puzzles():
        assert (site / "fr" / "puzzles" / puzzle.id / "index.html").is_file() == (puzzle.variant in VARIANTS)


def test_the_puzzles_of_the_days_are_in_the_pages(site: Path) -> None:
    (script,) = (site / "static").glob("days-*.js")
    _, _, rest = script.read_text("utf-8").partition("textContent=")
    text, _ = json.JSONDecoder().raw_decode(rest)
    days = json.loads(text)
    assert days["first"] == DAY.isoformat()
    for later in (0, 6, 100, 363):
        day = DAY + dt.timedelta(days=later)
        assert days["puzzles"][later] == daily_puzzle(day, VARIANTS).id
    assert script.name in (site / "en" / "puzzles" / "index.html").read_text("utf-8")


ADDRESS = "https://school.example/clubs/tafl"


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site in one language that knows its address."""
    folder = tmp_path_factory.mktemp("french") / "site"
    return built_site(folder, "brandub-globe", languages=("fr",), address=ADDRESS)


def test_a_site_in_one_language_has_no_links_to_another(french: Path) -> None:
    assert not (french / "en").exists()
    of_page = pages(french)
    assert all('hreflang="en"' not in html for html in of_page.values())
    assert all(
        (target := file_at(french, page, link)) is None or target.is_file()
        for page, html in of_page.items()
        for link in links(html)
        # It is shown at any address, so that its links begin at that of the site.
        if page != "404.html"
    )


def test_pages_of_a_site_with_an_address_have_previews_and_are_listed(french: Path) -> None:
    site, address = french, ADDRESS
    rules = (site / "fr" / "rules" / "brandub-globe" / "index.html").read_text("utf-8")
    assert f'<meta property="og:image" content="{address}/icon-512.png">' in rules
    assert f'<meta property="og:url" content="{address}/fr/rules/brandub-globe/">' in rules
    assert f'<link rel="canonical" href="{address}/fr/rules/brandub-globe/">' in rules
    assert f'<base href="{address}/">' in (site / "404.html").read_text("utf-8")
    listed = re.findall("<loc>(.*?)</loc>", (site / "sitemap.xml").read_text("utf-8"))
    assert len(listed) == len(set(listed))
    assert {f"{address}/fr/", f"{address}/fr/rules/brandub-globe/"} < set(listed)
    assert all((site / one.removeprefix(f"{address}/") / "index.html").is_file() for one in listed)


def test_a_site_without_an_address_has_no_previews(site: Path) -> None:
    assert not (site / "sitemap.xml").exists()
    for html in pages(site).values():
        assert not re.search('og:image|og:url|rel="canonical"', html)


@pytest.mark.parametrize(
    "address",
    [
        "school.example/tafl",
        "ftp://school.example/",
        "https://a.example/?x=1",
        "https://[a",
        "http://a b/",
        "https://a.example:99999/",
        "https://user:word@a.example/x",
    ],
)
def test_an_address_that_is_none_is_refused(tmp_path: Path, address: str) -> None:
    assert address in refusal("site", "build", str(tmp_path / "site"), "--address", address)["message"]
    assert not (tmp_path / "site").exists()


def test_a_second_build_deletes_only_files_of_the_first_and_none_outside(tmp_path: Path) -> None:
    outside = tmp_path / "letters.txt"
    outside.write_text("dear")
    site = built_site(tmp_path / "site", "brandub-globe", languages=("en",))
    (site / "CNAME").write_text("tafl.example\n")
    old = site / "en" / "old" / "index.html"
    old.parent.mkdir()
    old.write_text("a page of an earlier version")
    listed = json.loads((site / "hnefi-site.json").read_text())
    named = [*listed["files"], "en/old/index.html", "../letters.txt", str(outside)]
    (site / "hnefi-site.json").write_text(json.dumps({**listed, "files": named}))
    built_site(site, "brandub-globe", languages=("en",))
    assert not old.parent.exists()
    assert outside.read_text() == "dear"
    assert (site / "CNAME").read_text() == "tafl.example\n"
    assert set(json.loads((site / "hnefi-site.json").read_text())["files"]) == set(listed["files"])


def test_a_folder_with_other_files_is_refused_and_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("page 1")
    with pytest.raises(SiteFolderError, match="thesis"):
        built_site(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_the_command_reports_its_files_and_refuses_other_folders(tmp_path: Path) -> None:
    folder = tmp_path / "tafl"
    reported = answer("site", "build", str(folder), "--variants", "ard-ri-globe", "--languages", "fr")
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "hnefi-site.json"]
    assert reported["variants"] == ["brandub-globe", "ard-ri-globe"]
    assert reported["languages"] == ["fr"]
    assert reported["files"] == len(files)
    assert reported["bytes"] == sum(path.stat().st_size for path in files)
    (tmp_path / "letter.txt").write_text("dear")
    assert refusal("site", "build", str(tmp_path))["code"] == "site_folder_in_use"


@pytest.mark.parametrize("option", ["--languages", "--variants"])
@pytest.mark.parametrize("named", ["", ","])
def test_a_site_of_nothing_is_refused(tmp_path: Path, option: str, named: str) -> None:
    assert option in refusal("site", "build", str(tmp_path / "site"), option, named)["message"]
    assert not (tmp_path / "site").exists()


def test_a_folder_that_cannot_be_written_is_refused_before_the_pages_are_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refusal("site", "build", str(tmp_path / "file" / "site"))["code"] == "not_a_folder"
    assert "is a file" in run("site", "serve", str(tmp_path / "file"))[2]
    assert refusal("site", "build", "/proc/site")["code"] == "cannot_write"


@pytest.mark.parametrize("option", [("--languages", "de"), ("--variants", "chess")])
def test_unknown_variants_and_languages_are_refused(tmp_path: Path, option: tuple[str, str]) -> None:
    assert option[1] in refusal("site", "build", str(tmp_path / "site"), *option)["message"]
    assert not (tmp_path / "site").exists()


def test_a_folder_without_a_site_is_not_served(tmp_path: Path) -> None:
    code, _, err = run("site", "serve", str(tmp_path))
    assert code == 2
    assert "site build" in err
