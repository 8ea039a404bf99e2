"""A site of static files on a plain file server, in a subfolder, and its boards without any server."""

import datetime as dt
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, ViewportSize, expect

from hnefi.puzzles import daily_puzzle
from hnefi.variants.finding import variant
from tests.pages import context_of
from tests.samples import deep
from tests.static_sites import DAY, VARIANTS, built_site, file_server
from tests.web.accessibility import violations
from tests.web.game_page import box_of


class Visit:
    """A page, and what went wrong in it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._hear)
        page.on("request", self._see)
        page.on("response", self._receive)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    def _see(self, request: Request) -> None:
        if "/api/" in request.url or not request.url.startswith((self.address, "blob:", "data:")):
            self.faults.append(f"requested {request.url}")

    def _receive(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"{response.status} {response.url}")


@contextmanager
def visiting(browser: Browser, address: str, **settings: Any) -> Iterator[Visit]:
    """Opens an empty page, in which nothing may go wrong until it is left."""
    context = context_of(browser, **settings)
    visit = Visit(context.new_page(), address)
    yield visit
    context.close()
    assert visit.faults == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds a site; returns its folder."""
    site = built_site(tmp_path_factory.mktemp("host") / "school" / "tafl")
    entrance = (site / "index.html").read_text("utf-8")
    # The entrance as it stays where scripts are off.
    (site / "entrance.html").write_text(entrance.replace("location.replace(", "void ("), "utf-8")
    return site


@pytest.fixture(scope="module")
def host(site: Path) -> Iterator[str]:
    with file_server(site.parents[1]) as host:
        yield host


@pytest.fixture
def visit(browser: Browser, host: str) -> Iterator[Visit]:
    window = {"width": 1366, "height": 768}
    with visiting(browser, f"{host}/school/tafl/", locale="fr-CH", viewport=window) as visit:
        yield visit


@pytest.mark.deep
def test_a_visitor_plays_and_learns_on_a_plain_file_server(visit: Visit) -> None:
    page = visit.page
    page.goto(visit.address)
    expect(page).to_have_url(f"{visit.address}fr/")
    page.get_by_role("link", name="English").first.click()
    expect(page).to_have_url(f"{visit.address}en/")
    expect(page.get_by_role("link", name="Play a friend")).to_have_count(0)

    # A new game: the questions of another variant, then a move and the computer's answer.
    page.get_by_role("link", name="Play the computer").click()
    page.locator("label.game", has_text="Gwezboell").click()
    expect(page.locator(".chosen b")).to_contain_text("Gwezboell")
    expect(page.locator("label.game svg.tile")).to_have_count(len(VARIANTS))
    page.get_by_role("radio", name="Attackers").check(force=True)
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile(r"/school/tafl/en/computer/"))
    board = page.locator("tafl-board")
    expect(board).to_be_visible()
    board.evaluate("board => board.play('d9-c9')")
    expect(page.locator(".moves li, .move-list li").first).to_be_visible()
    page.wait_for_function("document.querySelector('tafl-board').state.ply === 2")
    page.reload()
    page.wait_for_function("document.querySelector('tafl-board')?.state?.ply === 2")

    # The game as a link, which the analysis page opens.
    page.get_by_role("button", name="Share and save").click()
    page.goto(page.get_by_label("Link to this game", exact=True).input_value())
    expect(page).to_have_url(re.compile(r"/school/tafl/en/analysis/\?variant=gwezboell-globe"))
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("button", name="Start engine").click()
    expect(page.locator(".lines li").first).to_be_visible()

    # A lesson, a puzzle, and a picture of the rules that can be played.
    page.goto(f"{visit.address}en/lessons/")
    page.get_by_role("link", name="Gwezboell").first.click()
    expect(page.locator("tafl-board")).to_be_visible()
    page.goto(f"{visit.address}en/puzzles/")
    page.get_by_role("link", name="Solve it").click()
    expect(page.locator("tafl-board")).to_be_visible()
    expect(page.locator(".week .today")).to_have_count(1)
    page.goto(f"{visit.address}en/rules/gwezboell-globe/")
    page.locator("a[data-try]").first.click()
    expect(page.locator(".figures tafl-board").first).to_be_visible()

    _own_rules(page)

    # The games are in the list of this browser.
    page.get_by_role("link", name="Your games").click()
    expect(page.locator(".game-tiles li")).to_have_count(2)


def _own_rules(page: Page) -> None:
    """Changes rules: a fault that the core finds, and a game by rules without faults."""
    page.get_by_role("link", name="Change these rules").click()
    expect(page.get_by_label("Start from")).to_have_value("gwezboell-globe")
    page.get_by_role("radio", name="No throne").check()
    expect(page.locator(".editor-state .fault li").first).to_contain_text("needs a throne")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("radio", name="Anywhere on the edge").check()
    expect(page).to_have_url(re.compile(r"/en/rules/new/\?variant=gwezboell-globe&rule\.goal=edge$"))
    page.get_by_role("link", name="Two on this device").click()
    page.locator("tafl-board").evaluate("board => board.play('d9-c9')")
    page.wait_for_function("document.querySelector('tafl-board')?.state?.ply === 1")
    expect(page.locator(".goal")).to_have_text(["Get the king to the edge.", "Capture the king."])
    expect(page).to_have_title(re.compile(r"Gwezboell.*, changed rules"))
    # The game goes on in the other language.
    page.get_by_role("link", name="Français").first.click()
    expect(page.locator(".goal").first).to_have_text("Menez le roi au bord du plateau.")
    page.get_by_role("link", name="English").first.click()
    expect(page.locator(".goal").first).to_have_text("Get the king to the edge.")


@pytest.mark.deep
def test_changed_rules_of_an_address_are_in_words_and_kept_in_the_other_language_if_there_is_such_a_game(
    visit: Visit,
) -> None:
    page, query = visit.page, "opponent=computer&variant=gwezboell-globe&rule.goal=edge&rule.king_armed=none"
    page.goto(f"{visit.address}en/new/?{query}")
    expect(page.locator(".linked-rules")).to_have_text(
        [
            "Where the king wins: anywhere on the edge",
            "The king’s part in captures: takes no part in captures",
        ]
    )
    expect(page.locator(".chosen")).to_contain_text("Get the king to the edge.")
    page.get_by_role("link", name="Français").first.click()
    expect(page).to_have_url(f"{visit.address}fr/new/?{query}")
    expect(page.locator(".linked-rules").first).to_have_text(re.compile("n’importe où sur le bord$"))
    page.goto(f"{visit.address}en/rules/new/?variant=gwezboell-globe&rule.goal=edge")
    page.get_by_role("link", name="Français").first.click()
    expect(page).to_have_url(re.compile(r"/fr/rules/new/\?variant=gwezboell-globe&rule\.goal=edge$"))
    expect(page.get_by_role("radio", name="N’importe où sur le bord")).to_be_checked()
    # A game that does not exist leads to the catalogue.
    for name in ("new", "computer", "table", "analysis"):
        page.goto(f"{visit.address}en/{name}/?variant=nope")
        expect(page.get_by_role("heading", level=1)).to_have_text("There is no such game here.")
        expect(page.get_by_role("link", name="All games")).to_have_attribute("href", re.compile("rules/$"))


@pytest.mark.deep
def test_the_puzzle_of_a_later_day_has_its_name_and_picture(visit: Visit) -> None:
    page = visit.page
    page.goto(f"{visit.address}en/puzzles/")
    later = dt.datetime.combine(DAY, dt.time(12), dt.UTC) + dt.timedelta(days=8)
    page.clock.set_fixed_time(later)
    daily = daily_puzzle(later.date(), VARIANTS)
    page.goto(f"{visit.address}en/puzzles/")
    expect(page.locator(".puzzle-today .buttons a").first).to_have_attribute(
        "href", re.compile(f"{daily.id}/$")
    )
    name = variant(daily.variant).name("en")
    expect(page.locator("#today-game")).to_have_text(
        re.compile(rf"^Today’s puzzle\s· {re.escape(name)}\s· \w+$")
    )
    expect(page.locator(".puzzle-today .board svg")).to_have_count(1)
    page.get_by_role("link", name="Solve it").click()
    expect(page.locator(".puzzle-side .note").first).to_contain_text(f"{later:%A}’s puzzle")


def test_drawings_have_their_boards_where_scripts_are_off(browser: Browser, host: str, site: Path) -> None:
    puzzle = next((site / "en" / "puzzles").glob("brandub*/index.html")).relative_to(site)
    with visiting(browser, host, java_script_enabled=False) as visit:
        visit.page.goto(f"{host}/school/tafl/{puzzle.as_posix()}")
        assert box_of(visit.page.locator(".puzzle-board use[href*=board]"))["width"] > 200


def _wait_for_ply(page: Page, ply: int) -> None:
    page.wait_for_function("ply => document.querySelector('tafl-board')?.state?.ply === ply", arg=ply)


def test_the_computer_and_its_levels_work_from_a_folder_without_a_network(alone: Visit, site: Path) -> None:
    page = alone.page
    page.goto((site / "index.html").as_uri())
    expect(page).to_have_url((site / "open-me.html").as_uri())
    page.get_by_role("link", name="Brandub").first.click()
    expect(page.get_by_role("heading", name="Moves", exact=True)).to_be_visible()
    page.get_by_role("radio", name="Attackers").check(force=True)
    page.get_by_role("radio", name="Lynx Level 6").check()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Lynx, level 6")).to_be_visible()
    page.locator("tafl-board").evaluate("board => board.play('d1-c1')")
    _wait_for_ply(page, 2)
    page.get_by_role("button", name="Hint").click()
    # Beside the board, and told by it to a screen reader.
    expect(page.get_by_text("Hint:").first).to_be_visible()
    page.get_by_role("button", name="Learn by playing").click()
    expect(page.get_by_role("heading", name="Moving")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    _wait_for_ply(page, 2)
    assert page.evaluate("localStorage.length") == 0


def test_a_browser_without_workers_offers_games_for_two_and_says_so(alone: Visit, site: Path) -> None:
    page = alone.page
    page.add_init_script("delete window.Worker")
    page.goto((site / "open-me" / "en" / "brandub-globe.html").as_uri())
    expect(page.get_by_text("doesn’t let the computer play")).to_be_visible()
    expect(page.get_by_role("radio", name="The computer")).to_be_disabled()
    page.get_by_role("button", name="Start").click()
    page.locator("tafl-board").evaluate("board => board.play('d1-c1')")
    _wait_for_ply(page, 1)
    expect(page.get_by_text("King’s side to move").first).to_be_visible()


@pytest.fixture
def alone(browser: Browser) -> Iterator[Visit]:
    with visiting(browser, "file:", locale="en-GB", offline=True) as visit:
        yield visit


@pytest.fixture(scope="module")
def kiosk(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("museum") / "kiosk"
    return (built_site(folder, "brandub-globe", "hist-tablut-9", idle=60) / "index.html").as_uri()


def _play_by_touch(page: Page, size: tuple[int, int]) -> None:
    """Begins a game for two in French, moves and reads the rules."""
    page.get_by_role("link", name="Français").tap()
    page.locator("label", has_text="Tablut").tap()
    page.locator("label", has_text="À deux sur cet écran").tap()
    page.get_by_role("button", name="Commencer").tap()
    _wait_for_ply(page, 0)
    board = box_of(page.locator("tafl-board"))
    # From d9 to c9: the frame is half a square wide.
    for file in (3, 2):
        side = board["width"] / 10
        page.touchscreen.tap(board["x"] + side * (file + 1), board["y"] + side)
    if size[0] < 400:
        # Squares are small here.
        page.get_by_role("button", name="Jouer ce coup").tap()
    _wait_for_ply(page, 1)
    page.get_by_role("button", name="Règles").tap()
    expect(page.get_by_role("heading", name="Tablut")).to_be_visible()
    page.get_by_role("button", name="Retour").tap()


@pytest.mark.parametrize("size", [(1366, 768), *deep((390, 844))], ids=["screen", "phone"])
def test_a_kiosk_is_played_by_touch_and_comes_back_to_its_start(
    browser: Browser, kiosk: str, size: tuple[int, int]
) -> None:
    viewport: ViewportSize = {"width": size[0], "height": size[1]}
    context = context_of(browser, locale="fr-FR", viewport=viewport, has_touch=True, offline=True)
    page = context.new_page()
    visit = Visit(page, "file:")
    page.clock.install()
    page.goto(kiosk)
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    assert visit.faults == []
    assert violations(page) == []
    page.evaluate("document.querySelector('[data-warning]').showModal()")
    assert violations(page) == []
    # axe asks for style sheets, which browsers refuse to scripts of files.
    visit.faults.clear()
    page.keyboard.press("Escape")
    _play_by_touch(page, size)

    # The warning counts; a touch ends it, and the game goes on.
    page.clock.pause_at(dt.datetime.fromtimestamp(page.evaluate("Date.now()") / 1000 + 2, dt.UTC))
    page.touchscreen.tap(size[0] - 5, 5)
    warning = page.get_by_role("dialog", name="Vous jouez toujours")
    page.clock.run_for(49_000)
    expect(warning).to_be_hidden()
    page.clock.run_for(2_000)
    expect(warning).to_be_visible()
    page.touchscreen.tap(5, 5)
    expect(warning).to_be_hidden()
    # On a tall screen the board is as wide as the screen.
    page.set_viewport_size({"width": 1080, "height": 1920})
    expect(page.locator("tafl-board")).to_have_js_property("clientWidth", 1080)
    page.set_viewport_size(viewport)

    # Nobody touches it: the next visitor finds the start in the main language, and nothing of this one.
    page.clock.run_for(61_000)
    expect(page.get_by_role("heading", name="Play right here")).to_be_visible()
    expect(page).to_have_url(kiosk)
    expect(page.locator("label", has_text="Brandub").get_by_role("radio")).to_be_checked()
    assert page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length") == 0
    page.clock.run_for(120_000)
    expect(page.locator("dialog[open]")).to_have_count(0)
    # Who only changes the language and goes leaves the main one, too.
    page.get_by_role("link", name="Français").tap()
    expect(page.get_by_role("button", name="Commencer")).to_be_visible()
    page.clock.run_for(61_000)
    expect(page).to_have_url(kiosk)
    context.close()
    assert visit.faults == []


def test_pages_without_navigation_are_accessible_and_begin_in_the_language_of_the_visitor(
    visit: Visit,
) -> None:
    page = visit.page
    for name in ("entrance", "404", "open-me", "open-me/fr/gwezboell-globe"):
        page.goto(f"{visit.address}{name}.html")
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        assert violations(page) == [], name
        if name in ("404", "open-me"):
            expect(page.locator("main > section").first).to_have_attribute("lang", "fr")
