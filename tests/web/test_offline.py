"""Without a connection: what a browser keeps after one visit, and what can be done with it."""

import datetime as dt
import re

import pytest
from playwright.sync_api import Page, expect

from hnefi.puzzles import daily_puzzle, puzzles
from hnefi.record import parse_records
from tests.timeouts import wait_until
from tests.web.conftest import Visitors
from tests.web.game_page import announcement, downloaded, keep_all, moves, play, resign, wait_for_board
from tests.web.online import make
from tests.web.test_analysis import part, read, tree
from tests.web.test_puzzles import solve
from tests.web.test_rules_editor import rule, unfold

NEVER_OPENED = "sea-battle-204577-11"
# Those with pages that the first test opens are new-4 and rules-4.
OTHER_BUNDLES = re.compile(r"/kept/(?!site$|new-4$|rules-4$)")
# A corner is one move away.
NEARLY_WON = "7/7/t6/3K3/t6/7/t6 d 0"


def test_a_game_is_played_without_a_connection_after_one_visit(visit: Visitors) -> None:
    page = visit("/en/help", service_workers="allow")
    # What else is kept, tests/server/test_kept.py checks: it takes the server seven seconds.
    page.context.route(OTHER_BUNDLES, lambda route: route.fulfill(json={"lines": [], "pages": {}}))
    _keep_the_rest(page)
    page.context.set_offline(True)
    page.goto("/en/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("A Viking board game")
    _game_against_the_computer(page)
    page.goto("/en/people")
    expect(page.get_by_role("heading", level=1)).to_have_text("You’re offline")
    page.goto(f"/en/rules/{NEVER_OPENED}/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Sea battle")


@pytest.mark.deep
def test_what_is_not_kept_is_said_without_a_connection(visit: Visitors) -> None:
    page = visit("/en/help", service_workers="allow")
    _ready_and_lost_early(page, "en", "Ready offline")
    # So did home and the page that was opened first.
    page.goto("/en/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("A Viking board game")
    page.goto("/en/help")
    expect(page.locator("[data-kept]")).to_be_visible()
    # Another language has the words of the first page if no bundle came.
    page.evaluate(_FORGET, "/kept/")
    page.goto("/fr/rules")
    expect(page.get_by_role("heading", level=1)).to_have_text("Only the English pages are on this device")
    page.context.set_offline(False)
    page.goto("/en/help")
    _keep_the_rest(page)
    page.context.set_offline(True)
    # An address without a language, and a language in which nothing is kept.
    page.goto("/en/game/abcdefgh")
    expect(page.get_by_role("heading", level=1)).to_have_text("Can’t reach the server.")
    expect(announcement(page)).to_have_count(0)
    page.goto("/")
    expect(page).to_have_url(re.compile("/en/$"))
    page.goto("/fr/rules?q=tablut&sort=size")
    expect(page.get_by_role("heading", level=1)).to_have_text("Only the English pages are on this device")
    same = page.get_by_role("link", name="Open this page in English")
    expect(same).to_have_attribute("href", "/en/rules?q=tablut&sort=size")
    page.goto(f"/en/rules/{NEVER_OPENED}/booklet.pdf")
    expect(page.get_by_role("heading", level=1)).to_have_text("Printed pages need a connection")
    _what_is_missing(page)


@pytest.mark.deep
def test_french_pages_say_when_all_is_there_for_use_offline(visit: Visitors) -> None:
    _ready_and_lost_early(visit("/fr/", service_workers="allow"), "fr", "Prêt hors connexion")


@pytest.mark.deep
def test_positions_lessons_puzzles_analysis_and_own_rules_work_without_a_connection(visit: Visitors) -> None:
    page = keeping(visit)
    page.context.set_offline(True)
    page.goto(f"/en/new?variant=brandub-globe&level=1&side=defenders&position={NEARLY_WON}")
    expect(page.get_by_text("The game starts from the position")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    play(page, "d4-d7")
    expect(moves(page)).to_have_count(2)
    _lesson_puzzle_and_rules(page)
    _analysis(page)
    _own_rules(page)


def _ready_and_lost_early(page: Page, lang: str, words: str) -> None:
    """Keeps all, which every page says then; and loses it but for what came first, and the connection."""
    ready = page.get_by_role("status").filter(has_text=words)
    expect(ready).to_have_count(0)
    keep_all(page)
    expect(ready).to_be_visible()
    page.goto(f"/{lang}/rules")
    expect(page.locator("[data-ready]")).to_contain_text(words)
    # It is announced once.
    expect(ready).to_have_count(0)
    # Games against the computer came before most of it.
    page.context.set_offline(True)
    page.evaluate(_KEEP_FIRST)
    page.goto(f"/{lang}/computer?variant=brandub-globe")
    wait_for_board(page)


def keeping(visit: Visitors) -> Page:
    """Returns a page of a browser that keeps everything."""
    page = visit("/en/help", service_workers="allow")
    _keep_the_rest(page)
    return page


def _keep_the_rest(page: Page) -> None:
    page.get_by_role("button", name="Download the rest").click()
    keep_all(page)
    expect(page.locator("[data-kept]")).to_have_text(
        re.compile(r"^Available offline in English: everything is on this device \(\d+(\.\d)?.MB\)\.$")
    )


_FORGET = """async (part) => {
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const one of await cache.keys()) if (one.url.includes(part)) await cache.delete(one);
    }
}"""


# The cache lists what it has in the order in which it came.
_KEEP_FIRST = """async () => {
    const cache = await caches.open((await caches.keys())[0]);
    for (const one of (await cache.keys()).slice(100)) await cache.delete(one);
}"""


# The browser's own cache answers without a connection: what is forgotten comes back a second after a page.
_KEEP_NO_MORE = """const post = ServiceWorker.prototype.postMessage;
ServiceWorker.prototype.postMessage = function (message, ports) {
    if (message !== "keep") post.call(this, message, ports);
};"""


def _what_is_missing(page: Page) -> None:
    """Opens pages as if the connection had been lost before the engine and the bundle of the lessons came."""
    page.add_init_script(_KEEP_NO_MORE)
    page.reload()
    for forgotten in ("/static/engine-", "/en/kept/lessons"):
        page.evaluate(_FORGET, forgotten)
    heading = page.get_by_role("heading", level=1)
    for path in ("/en/computer?variant=brandub-globe", "/en/analysis", "/en/lessons/brandub-globe"):
        page.goto(path)
        expect(heading).to_have_text("Not everything is on this device yet")
        expect(page.get_by_text("“Download the rest” on the Help page gets it at once")).to_be_visible()
    kept = page.locator(".kept-here")
    expect(kept.get_by_role("link", name="Puzzles")).to_be_visible()
    expect(kept.get_by_role("link", name="Against the computer")).to_be_hidden()
    kept.get_by_role("link", name="Help").click()
    expect(page.locator("[data-kept]")).to_contain_text("Not everything is on this device yet: 2 of")


@pytest.mark.deep
@pytest.mark.parametrize("path", ["/en/", "/en/rules/brandub-globe", "/en/lessons"])
def test_home_and_the_first_page_are_there_when_the_connection_is_lost_early(
    visit: Visitors, path: str
) -> None:
    page = visit(path, service_workers="allow")
    titles = {path: page.title(), "/en/": page.request.get("/en/").text().split("title>")[1][:-2]}
    keep_all(page)
    page.evaluate(_KEEP_FIRST)
    page.context.set_offline(True)
    for address, title in titles.items():
        page.goto(address)
        expect(page).to_have_title(title)


def _game_against_the_computer(page: Page) -> None:
    """Plays on a page that was never opened, from its form to the review."""
    page.goto("/en/new?variant=hist-tablut-9&level=1&side=attackers")
    expect(page.locator(".chosen b")).to_have_text("Tablut · Lamb, level 1")
    page.get_by_role("button", name="Start").click()
    play(page, "e8-d8")
    expect(moves(page)).to_have_count(2)
    page.reload()
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("tafl-board [class*=arrow]").first).to_be_attached()
    resign(page)
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".review")).to_be_visible()


def _lesson_puzzle_and_rules(page: Page) -> None:
    page.goto("/en/lessons")
    page.get_by_role("link", name="Ard-ri (Le Globe Joueur)").click()
    wait_for_board(page)
    tomorrow = dt.datetime.now(dt.UTC) + dt.timedelta(days=1)
    page.clock.set_fixed_time(tomorrow)
    page.goto("/en/puzzles")
    daily = daily_puzzle(tomorrow.date())
    expect(page.get_by_role("link", name="Solve it")).to_have_attribute("href", f"/en/puzzles/{daily.id}")
    expect(page.locator(".puzzle-today .board svg")).to_have_count(1)
    page.get_by_role("link", name="Solve it").click()
    expect(page.locator(".puzzle-side .note").first).to_contain_text(f"{tomorrow:%A}’s puzzle")
    solve(page, daily)
    expect(page.locator(".streak")).to_contain_text("Streak 1")
    page.goto("/en/puzzles")
    one = puzzles("copenhagen-11")[-1]
    link = page.locator(f"[data-puzzle={one.id}]")
    page.locator("details.puzzle-level").filter(has=link).locator("summary").click()
    link.click()
    solve(page, one)
    expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()
    page.goto(f"/en/rules/{NEVER_OPENED}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Sea battle")


def _analysis(page: Page) -> None:
    """Analyses with the engine, and takes a record through a file."""
    page.goto("/en/analysis?variant=tablut-kouvia")
    play(page, "e8-d8", "e7-d7")
    page.get_by_role("button", name="Start engine").click()
    expect(page.locator(".lines li")).to_have_count(3)
    expect(page.get_by_label("Stronger, on the server")).to_have_count(0)
    page.get_by_role("button", name="Stop").click()
    part(page, "Import, export")
    text = downloaded(page, "Download").path().read_text("utf-8")
    (record,) = parse_records(text)
    assert not record.replay().faults
    assert len(record.nodes) == 2
    page.get_by_label("Format").select_option("pgn")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("Without a connection, games can only be saved")).to_be_visible()
    page.goto("/en/analysis?variant=brandub-globe")
    wait_for_board(page)
    read(page, "1. d2-e2 d6-c6")
    expect(page.get_by_text("Without a connection, only games in")).to_be_visible()
    page.get_by_label("Paste a game record").fill(text)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(tree(page)).to_have_text(["1. e8–d8", "2. e7–d7"])


def _own_rules(page: Page) -> None:
    """Changes a rule so that it contradicts others, mends that, and plays."""
    page.goto("/en/rules/new?variant=brandub-breyer")
    wait_for_board(page)
    # In the variant's file its start position is a diagram.
    expect(page.locator("tafl-board [aria-label*=attacker]")).to_have_count(8)
    unfold(page, "squares")
    rule(page, "corners").get_by_label("Ordinary squares").check()
    expect(rule(page, "goal").locator(".fault li")).to_have_text(
        ["This needs special corners, and the board has none."]
    )
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".fault li")).to_have_count(0)
    unfold(page, "captures")
    rule(page, "king_armed").get_by_label("Takes no part in captures").check()
    expect(page).to_have_url(re.compile(r"rule\.king_armed=none$"))
    expect(page.get_by_text("The rules in words need a connection.")).to_be_visible()
    expect(page.get_by_role("heading", name="Import")).to_have_count(0)
    rule(page, "king_armed").get_by_role("button", name="Show an example").click()
    expect(page.get_by_text("Examples and explanations need a connection.")).to_be_visible()
    page.get_by_role("link", name="Two on this device").click()
    play(page, "d2-c2")
    expect(moves(page)).to_have_count(1)
    changed = page.evaluate("JSON.parse(localStorage.getItem('hnefi.tables'))[0].facts")
    # Nobody gave these rules a name: the lists say that of the variant.
    assert (changed["switches"], changed["title"]) == ({"king_armed": "none"}, None)
    expect(page).to_have_title("Brandub (Breyer), changed rules · Hnefi")
    page.goto("/en/new?variant=brandub-breyer&rule.king_armed=none")
    expect(page.locator(".linked-rules")).to_have_text(
        "The king’s part in captures: takes no part in captures"
    )
    page.goto("/en/computer?variant=nope")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such game here.")


@pytest.mark.deep
def test_a_game_at_the_server_is_shown_as_it_was_seen_and_goes_on(visit: Visitors) -> None:
    maker = keeping(visit)
    # One that this browser has not seen is shown when the connection is back.
    game = make(visit("/en/"), opponent="computer")
    maker.context.set_offline(True)
    maker.goto(f"/en/game/{game}")
    expect(maker.get_by_role("heading", level=1)).to_have_text("Can’t reach the server.")
    maker.context.set_offline(False)
    expect(maker.locator("tafl-board")).to_be_visible()
    expect(maker.locator("main.plain")).to_have_count(0)
    make(maker, opponent="friend", side="attackers", clock="5_3")
    friend = visit(maker.get_by_label("Link for your friend", exact=True).input_value())
    friend.get_by_role("button", name="Accept and play").click()
    play(maker, "d2-c2")
    expect(moves(friend)).to_have_count(1)
    maker.context.set_offline(True)
    maker.reload()
    expect(maker.locator(".notice")).to_contain_text("No connection. This is the game as you last saw it")
    expect(moves(maker)).to_have_text(["d2–c2"])
    expect(maker.locator("tafl-board .cell.mine")).to_have_count(0)
    play(friend, "d5-c5")
    maker.context.set_offline(False)
    expect(moves(maker)).to_have_text(["d2–c2", "d5–c5"])
    # A move that is made without a connection is sent when it is back.
    maker.context.set_offline(True)
    expect(maker.locator(".notice")).to_contain_text("Connection lost")
    play(maker, "d6-c6")
    expect(maker.locator(".notice")).to_contain_text("Your move is kept")
    maker.context.set_offline(False)
    expect(moves(friend)).to_have_count(3)
    # The answer to the maker may come after that to the friend.
    kept = "Object.keys(localStorage).some((key) => localStorage[key].includes('\"d6-c6\"'))"
    wait_until(lambda: bool(maker.evaluate(kept)), "the move is kept")
    maker.context.set_offline(True)
    maker.goto("/en/games")
    maker.get_by_role("link", name="Brandub (Le Globe Joueur)").click()
    expect(moves(maker)).to_have_count(3)
