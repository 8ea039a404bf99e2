"""`hnefi site build`: a site of static files whose links all resolve, and a folder that it does not spoil."""

import datetime as dt
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import httpx2
import pytest

from hnefi.cli.site.serving import FileHandler
from hnefi.puzzles import daily_puzzle, puzzles
from tests.cli_runs import answer, refusal, run
from tests.static_sites import DAY, VARIANTS, built_site, file_server

ROOT = "http://host/"
_LINK = re.compile(r'\s(?:href|src|action|data-here|data-new|data-computer)="([^"]*)"')
_NEEDED = re.compile(r'\sdata-needs="([^"]*)"')
_ASSET = re.compile(r"[\w-]+-[0-9A-Z]{8}\.(?:js|css|woff2|(?:book|network|wasm)\.gz)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory.mktemp("hosts") / "school" / "tafl")


@pytest.fixture(scope="module")
def of_page(site: Path) -> dict[str, str]:
    """The pages of the site, by their paths."""
    return pages(site)


def pages(site: Path) -> dict[str, str]:
    return {path.relative_to(site).as_posix(): path.read_text("utf-8") for path in site.rglob("*.html")}


def links(site: Path) -> Iterator[tuple[str, str, Path | None]]:
    """Yields each page with each of its links, and the file to which it leads; None outside the site."""
    for page, html in pages(site).items():
        needed = [address for found in _NEEDED.findall(html) for address in found.split(" ")]
        for found in (*_LINK.findall(html), *needed):
            link = found.replace("&amp;", "&")
            address = urlsplit(urljoin(f"{ROOT}{page}", link))
            if (address.scheme, address.netloc) != ("http", "host"):
                yield page, link, None
                continue
            path = site / unquote(address.path).removeprefix("/")
            yield page, link, path / "index.html" if address.path.endswith("/") else path


def test_every_link_of_every_page_leads_to_a_file_and_its_parts_and_needs_no_server(
    site: Path, of_page: dict[str, str]
) -> None:
    needs_server = re.compile(r"^/|/(?:api|ws|people|class|seat|key|embed|game|facts)(?:/|\?|$)")
    for page, link, target in links(site):
        assert not needs_server.search(link), (page, link)
        if target is None:
            continue
        assert target.is_file(), (page, link)
        part = urlsplit(link).fragment
        # Scripts make the parts of lessons, and the tabs of the page of analysis.
        is_made = "/lessons/" in link or part.startswith("tab-")
        if part and "?" not in link and target.suffix == ".html" and not is_made:
            assert f'id="{part}"' in of_page[target.relative_to(site).as_posix()], (page, link)


def test_the_puzzles_of_a_game_share_the_drawing_of_its_board(site: Path) -> None:
    linked = re.compile(r'<use href="([^"]*static/board-[^"]*)#board"/>')
    found: dict[str, set[str]] = {}
    for puzzle in puzzles():
        if puzzle.variant in VARIANTS:
            html = (site / "fr" / "puzzles" / puzzle.id / "index.html").read_text("utf-8")
            assert "var(--b-field" not in html, puzzle.id
            found.setdefault(puzzle.variant, set()).update(linked.findall(html))
    # With the king on his throne, and without him.
    assert {name: len(boards) for name, boards in found.items()} == dict.fromkeys(VARIANTS, 2)


def test_drawings_share_the_shapes_of_their_pieces(site: Path, of_page: dict[str, str]) -> None:
    shared = re.compile(r'<use id="hnefi-[0-9a-f]+-(\w+)" href="([^"]+)#\1"/>')
    for page, html in of_page.items():
        assert '<g id="hnefi-' not in html, page
        for piece, address in shared.findall(html):
            drawn = (site / page).parent.joinpath(address).read_text("utf-8")
            assert f'<g id="{piece}"><ellipse' in drawn, page
    assert len({address for _, address in shared.findall(of_page["fr/rules/brandub-globe/index.html"])}) >= 3


def test_a_puzzle_has_no_part_of_its_own_that_does_nothing_without_scripts(of_page: dict[str, str]) -> None:
    puzzle = next(html for page, html in of_page.items() if page.startswith("en/puzzles/brandub-globe-"))
    for part in ('id="theme"', "<linearGradient", "<symbol", "page-tabs", "og:title"):
        assert part not in puzzle, part
    # Other pages show their places to phones without scripts, too; the first board has a light of its own.
    assert 'class="page-tabs"' in of_page["en/rules/brandub-globe/index.html"]
    assert "<linearGradient" in of_page["en/index.html"]


def test_a_page_that_opens_alone_tells_the_aim_of_the_game_and_who_hands_it_out(
    of_page: dict[str, str], tmp_path: Path
) -> None:
    options = ("--variants", "brandub-globe", "--publisher", "Oak & Sons", "--imprint", "Leeds")
    answer("site", "build", str(tmp_path / "oak"), *options)
    for page in ("open-me.html", "open-me/en/brandub-globe.html", "en/index.html"):
        assert "<strong>Oak &amp; Sons</strong><br>Leeds" in pages(tmp_path / "oak")[page], page
    opened = of_page["open-me/en/brandub-globe.html"]
    # Lessons are in one file for a host and for a folder.
    (name,) = re.findall(r"static/lessons-[0-9a-f]+\.js", of_page["en/lessons/brandub-globe/index.html"])
    assert name in opened
    assert "<h3>Aim of the game</h3>\n<p>The princes want to get the brannán to one of the refuges." in opened


def test_a_site_or_kiosk_that_loses_pages_does_not_replace_another_without_force(tmp_path: Path) -> None:
    def build(*names: str, kiosk: bool = False, lang: str = "en") -> tuple[str, ...]:
        more = ("--kiosk",) if kiosk else ()
        return ("site", "build", str(tmp_path), "--languages", lang, "--variants", ",".join(names), *more)

    answer(*build("hist-tablut-9", kiosk=True))
    told = "holds a kiosk (hist-tablut-9, en). Choose another folder, or add --force to replace it."
    in_french = build("hist-tablut-9", kiosk=True, lang="fr")
    for command in (build("hist-tablut-9"), build("brandub-globe", kiosk=True), in_french):
        refused = refusal(*command)
        assert (refused["code"], refused["message"].endswith(told)) == ("bad_usage", True)
    answer(*build("hist-tablut-9", "brandub-globe", kiosk=True))
    answer(*build("brandub-globe"), "--force")
    assert not json.loads((tmp_path / "hnefi-site.json").read_text("utf-8"))["kiosk"]
    assert "holds a site with other pages" in refusal(*build("brandub-globe", kiosk=True))["message"]


def test_pictures_of_games_are_not_repeated_with_the_questions_of_each(of_page: dict[str, str]) -> None:
    assert of_page["en/new/index.html"].count('<svg class="tile"') == len(VARIANTS)
    assert '<svg class="tile"' not in of_page["en/new/brandub-globe.html"]


def test_scripts_and_styles_find_the_files_that_they_load(site: Path) -> None:
    files = [*(site / "static").iterdir()]
    there = {path.name for path in files}
    loading = [path.read_text("utf-8") for path in files if path.suffix in (".js", ".css")]
    assert {name for text in loading for name in _ASSET.findall(text)} <= there
    begins = ("engine-", "engine_worker", "people", "embed", "seat")
    assert {begin for begin in begins if any(name.startswith(begin) for name in there)} == {*begins[:2]}


def test_scripts_of_the_site_make_addresses_of_pages_in_one_place() -> None:
    sources = Path(__file__).parents[2] / "web" / "src"
    at_server = r"pages/(game/(embed|game|seat)\.tsx?|people/.*|classrooms/.*)|classroom_of_game\.ts"
    written = {
        path.relative_to(sources).as_posix(): line.strip()
        for path in sources.rglob("*.ts*")
        for line in path.read_text("utf-8").splitlines()
        if "`/${LANGUAGE}/" in line
    }
    # A game at the server, and what the server says about rules.
    allowed = re.compile(rf"(?:addresses|new_game|switches|variant_facts)\.ts|{at_server}")
    assert {name: line for name, line in written.items() if not allowed.fullmatch(name)} == {}


def test_both_languages_have_the_same_pages(of_page: dict[str, str]) -> None:
    english, french = ({page[3:] for page in of_page if page.startswith(f"{lang}/")} for lang in ("en", "fr"))
    assert english == french
    assert {"index.html", "computer/index.html", "rules/gwezboell-globe/index.html"} <= english
    assert "rules/copenhagen-11/index.html" not in english
    for puzzle in puzzles():
        assert (f"puzzles/{puzzle.id}/index.html" in english) == (puzzle.variant in VARIANTS)


def test_pages_name_only_the_games_of_the_site(site: Path) -> None:
    named = re.compile(r'(?:variant=|name="variant" value="|data-id="|<option value=")([a-z0-9-]+)')
    for page in ("en/index.html", "en/rules/index.html", "en/new/index.html", "en/puzzles/index.html"):
        found = set(named.findall((site / page).read_text("utf-8")))
        assert found, page
        assert found <= set(VARIANTS), page


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
    return build_french(tmp_path_factory.mktemp("french") / "site")


def build_french(folder: Path) -> Path:
    return built_site(folder, "brandub-globe", languages=("fr",), address=ADDRESS)


def test_a_site_in_one_language_has_no_links_to_another(french: Path) -> None:
    assert not (french / "en").exists()
    assert all('hreflang="en"' not in html for html in pages(french).values())
    for page, link, target in links(french):
        # The page of errors is shown at any address, so that its links begin at that of the site.
        assert target is None or page == "404.html" or target.is_file(), (page, link)


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


def test_a_site_without_an_address_has_no_previews(site: Path, of_page: dict[str, str]) -> None:
    assert not (site / "sitemap.xml").exists()
    for html in of_page.values():
        assert not re.search('og:image|og:url|rel="canonical"', html)


ADDRESSES = (
    *("school.example/tafl", "ftp://school.example/", "https://a.example/?x=1", "https://[a", "http://a b/"),
    *("https://a.example:99999/", "https://user:word@a.example/x"),
)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        *((("--address", address), address) for address in ADDRESSES),
        *(((option, value), option) for option in ("--languages", "--variants") for value in ("", ",")),
        (("--languages", "de"), "de"),
        (("--variants", "chess"), "chess"),
        (("--idle", "30"), "--kiosk"),
        (("--kiosk",), "at most 5 games"),
        (("--kiosk", "--variants", "brandub-globe", "--idle", "9"), "10"),
        (("--kiosk", "--variants", "brandub-globe", "--idle", "3601"), "3600"),
    ],
)
def test_options_that_say_nothing_usable_are_refused(
    tmp_path: Path, options: tuple[str, ...], named: str
) -> None:
    assert named in refusal("site", "build", str(tmp_path / "site"), *options)["message"]
    assert not (tmp_path / "site").exists()


def test_a_kiosk_has_a_page_for_each_language_and_no_link_out_of_it(tmp_path: Path) -> None:
    kiosk = tmp_path / "kiosk"
    games = "hist-tablut-9,ard-ri-globe"
    reported = answer("site", "build", str(kiosk), "--kiosk", "--variants", games, "--idle", "90")
    assert (reported["pages"], set(reported["variants"])) == (2, set(games.split(",")))
    assert set(pages(kiosk)) == {"index.html", "fr.html"}
    # The museum says which game comes first.
    assert re.findall(r'name="variant" value="([^"]+)"', pages(kiosk)["index.html"]) == games.split(",")
    for page, link, target in links(kiosk):
        assert link.startswith("#") or (target is not None and target.is_file()), (page, link)
    for page, html in pages(kiosk).items():
        assert 'data-idle="90"' in html, page
        # The rules have their pictures, and nothing for readers of sources alone.
        assert html.count("<figcaption>") >= 20, page
        assert not re.search("<h3>(Doubtful points|Points douteux)</h3>", html), page


def test_a_second_build_deletes_only_files_of_the_first_and_none_outside(french: Path) -> None:
    site, outside = french, french.parent / "letters.txt"
    outside.write_text("dear")
    (site / "CNAME").write_text("tafl.example\n")
    old = site / "fr" / "old" / "index.html"
    old.parent.mkdir()
    old.write_text("a page of an earlier version")
    listed = json.loads((site / "hnefi-site.json").read_text())
    named = [*listed["files"], "fr/old/index.html", "../letters.txt", str(outside)]
    (site / "hnefi-site.json").write_text(json.dumps({**listed, "files": named}))
    build_french(site)
    assert not old.parent.exists()
    assert outside.read_text() == "dear"
    assert (site / "CNAME").read_text() == "tafl.example\n"
    assert set(json.loads((site / "hnefi-site.json").read_text())["files"]) == set(listed["files"])


def test_the_command_reports_its_files_and_leaves_a_folder_with_others_alone(tmp_path: Path) -> None:
    folder = tmp_path / "tafl"
    reported = answer("site", "build", str(folder), "--variants", "ard-ri-globe", "--languages", "fr")
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "hnefi-site.json"]
    assert reported["variants"] == ["brandub-globe", "ard-ri-globe"]
    assert reported["languages"] == ["fr"]
    assert reported["files"] == len(files)
    assert reported["bytes"] == sum(path.stat().st_size for path in files)
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("page 1")
    refused = refusal("site", "build", str(other))
    assert (refused["code"], "thesis" in refused["message"]) == ("site_folder_in_use", True)
    assert [path.name for path in other.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_address_that_leads_nowhere_has_the_page_of_the_site(site: Path, method: str) -> None:
    with file_server(site, FileHandler) as address:
        answer = httpx2.request(method, f"{address}/fr/class/")
    expected = (site / "404.html").read_text("utf-8") if method == "GET" else ""
    assert (answer.status_code, answer.text) == (404, expected)


def test_folders_that_cannot_be_written_and_those_without_a_site_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert refusal("site", "build", str(tmp_path / "file" / "site"))["code"] == "not_a_folder"
    assert refusal("site", "build", "/proc/site")["code"] == "cannot_write"
    for folder, message in ((tmp_path / "file", "is a file"), (tmp_path, "site build")):
        code, _, err = run("site", "serve", str(folder))
        assert (code, message in err) == (2, True)
