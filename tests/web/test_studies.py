"""Studies of the analysis page: one for each game, kept with what the user wrote in them."""

import re

from playwright.sync_api import Page, expect

from hnefi.record import Record, parse_records
from tests.web.conftest import Visitors
from tests.web.game_page import downloaded, moves, opened, play, resign, wait_for_board
from tests.web.test_analysis import current, part, read, tree

RECORD = '[Variant "brandub-globe"]\n[Attackers "Ann"]\n[Defenders "Ben"]\n\n1. d6-e6 {Read.} 2. d5-c5 *\n'
NEVER = "window.setTimeout = () => 0"
EARLIER = "Back to the earlier moves"


def analysed(page: Page, address: str, *played: str) -> str:
    """Plays a game, resigns, and analyses it; returns the address of its study."""
    page.goto(f"/en/{address}")
    wait_for_board(page)
    play(page, *played)
    if address.startswith("computer"):
        expect(moves(page)).to_have_count(2)
    resign(page)
    page.get_by_role("button", name="Review").click()
    page.get_by_role("link", name="Analyse").click()
    wait_for_board(page)
    return page.url


def exported(page: Page) -> Record:
    """Returns the record that the tab for records writes."""
    part(page, "Import, export")
    (record,) = parse_records(downloaded(page, "Download").path().read_text("utf-8"))
    part(page, "Moves")
    return record


def test_two_games_are_two_studies_and_each_keeps_its_comments(visit: Visitors) -> None:
    page = visit("/en/games")
    # An imported record is a study of its own, too.
    page.goto("/en/analysis?variant=brandub-globe")
    read(page, RECORD)
    expect(tree(page)).to_have_count(2)
    first = analysed(page, "table?variant=brandub-globe", "d2-c2")
    expect(tree(page)).to_have_text(["1. d2–c2"])
    page.get_by_label("Comment on this move").fill("Too early.")
    second = analysed(page, "table?variant=brandub-globe", "d6-c6")
    assert first != second
    expect(tree(page)).to_have_text(["1. d6–c6"])
    assert exported(page).header("Attackers") is None
    # The study that was left is one click away, until this one is changed.
    page.get_by_role("link", name=EARLIER).click()
    expect(page.locator(".move-tree .move-comment")).to_have_text("Too early.")
    page.goto("/en/analysis?variant=tablut-kouvia")
    wait_for_board(page)
    expect(page.get_by_role("link", name=EARLIER)).to_be_visible()
    play(page, "a4-b4")
    expect(page.get_by_role("link", name=EARLIER)).to_have_count(0)
    # Afterwards it is in the list.
    part(page, "Game")
    page.get_by_role("link", name="Brandub (Le Globe Joueur) · d2–c2").click()
    expect(tree(page)).to_have_text(["1. d2–c2"])
    expect(page.locator(".move-tree .move-comment")).to_have_text("Too early.")
    # The same address finds the same study, in the other language as well.
    page.get_by_role("banner").get_by_role("link", name="Français").click()
    page.wait_for_url("**/fr/analysis?*")
    wait_for_board(page)
    expect(page.locator(".move-tree .move-comment")).to_have_text("Too early.")


def test_the_record_of_an_analysed_game_names_players_date_and_end(visit: Visitors) -> None:
    page = visit("/en/games")
    address = analysed(page, "computer?variant=brandub-globe&level=2&side=attackers", "d6-c6")
    expect(page.locator(".state")).to_contain_text("The attackers resign.")
    for _ in range(2):
        record = exported(page)
        assert record.header("Attackers") is None
        assert record.header("Defenders") == "Hnefi (2)"
        assert (record.header("Result"), record.header("Reason")) == ("defenders", "resignation")
        assert record.header("Date")
        # A study that is found again knows how its game ended, wherever one stands in it.
        tree(page).first.click()
        expect(current(page)).to_contain_text("d6–c6")
        expect(page.locator(".state")).to_have_text("King’s side to move.")
        page.goto(address)
        page.reload()
        wait_for_board(page)


def test_a_position_that_is_set_up_is_another_study(visit: Visitors) -> None:
    page = opened(visit, "/en/analysis?variant=brandub-globe")
    play(page, "d2-c2")
    expect(page).to_have_url(re.compile("#d2-c2$"))
    # From now on the moves come into the address too late.
    page.evaluate(NEVER)
    part(page, "Set up")
    note = page.locator(".setup .note")
    expect(note).to_have_text(f"A new analysis begins. “{EARLIER}” returns to this one.")
    # Also where it begins from the same position.
    page.get_by_role("button", name="Start position").click()
    page.get_by_role("button", name="Analyse this position").click()
    expect(tree(page)).to_have_count(0)
    play(page, "d6-c6")
    part(page, "Game")
    # The link is followed, although the moves that it names were the last ones in the address.
    page.get_by_role("link", name="Brandub (Le Globe Joueur) · d2–c2").click()
    expect(tree(page)).to_have_text(["1. d2–c2"])
