"""A damaged game on the page of the visitor's games, in both languages."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from hnefi.i18n import text
from tests.pages import Contexts
from tests.server.serving import RunningServer, execute
from tests.web.accessibility import violations
from tests.web.conftest import Visitors, visiting
from tests.web.game_page import moves, overflows, play
from tests.web.online import invited, make


def damage(folder: Path, game: str, seq: int) -> None:
    """Makes an event of a game unreadable."""
    damaged = f"UPDATE event SET body = 'x' WHERE game = :game AND seq = {seq} RETURNING seq"
    assert execute(folder / "games.db", damaged, game=game) == [(seq,)]


def test_a_failure_is_told_in_the_language_of_the_page(visit: Visitors) -> None:
    visit.expected = (*visit.expected, "404 (Not Found)")
    # Neither the language of the browser counts nor that of the page before.
    page = visit("/en/")
    for lang in ("fr", "en"):
        page.goto(f"/{lang}/game/nowhere1")
        heading = text("error.unknown_game", lang).partition(". ")[0]
        expect(page.locator("h1")).to_have_text(f"{heading}.")


@pytest.mark.deep
def test_damaged_games_stand_in_the_list_and_cannot_be_opened(browser: Browser, tmp_path: Path) -> None:
    with RunningServer(tmp_path) as server, visiting(Contexts(browser), server.address) as visitors:
        maker, friend = invited(visitors)
        broken = maker.url.rpartition("/")[2].partition("#")[0]
        play(maker, "d6-c6")
        expect(moves(friend)).to_have_count(1)
        unknown = make(maker, variant="brandub-globe", opponent="computer", level="1", side="attackers")
        sound = make(maker, variant="brandub-globe", opponent="computer", level="1", side="attackers")
        for page in (maker, friend):
            page.goto("about:blank")
        server.stop()
        damage(tmp_path, broken, seq=4)
        damage(tmp_path, unknown, seq=1)
        server.start()
        for lang in ("en", "fr"):
            check_list(maker, lang, sound, unknown, broken)
            opened = Visitors(Contexts(browser), server.address)(f"/{lang}/game/{broken}")
            heading, _, rest = text("error.damaged_game", lang, game=broken).partition(". ")
            expect(opened.locator("h1")).to_have_text(f"{heading}.")
            expect(opened.locator(".lead")).to_have_text(rest)
            opened.context.close()
        friend.goto("/en/games")
        expect(friend.locator(".game-tiles li")).to_have_count(1)
        expect(friend.locator(".game-tiles .damaged")).to_contain_text(broken)


def check_list(page: Page, lang: str, sound: str, unknown: str, broken: str) -> None:
    """Checks the page of a visitor who has one game that can be played and two that are damaged."""
    page.goto(f"/{lang}/games")
    rows, links = page.locator(".game-tiles li"), page.locator(".game-tiles a")
    expect(rows).to_have_count(3)
    expect(links).to_have_count(1)
    expect(links).to_have_attribute("href", f"/{lang}/game/{sound}")
    damaged = page.locator(".game-tiles .damaged")
    for row, game in zip(damaged.all(), (unknown, broken), strict=True):
        expect(row.locator("p")).to_have_text(text("error.damaged_game", lang, game=game))
        expect(row.locator("a, button")).to_have_count(0)
    expect(damaged).to_contain_text([text("web.games.unknown", lang), "Brandub"])
    expect(damaged.locator("strong")).to_have_text([text("web.games.damaged", lang)] * 2)
    assert overflows(page, 1440, 320) == {}
    assert violations(page) == []
