"""Games by the rules of the rules editor: against the computer, with a friend, on other pages."""

import re

import pytest
from playwright.sync_api import Page, expect

from hnefi import parse_records, variant
from tests.samples import deep
from tests.web.conftest import Visitors
from tests.web.game_page import downloaded, opened, play, until, wait_for_board
from tests.web.online import on_board
from tests.web.test_rules_editor import HERE, disarm, rule, square, unfold


@pytest.mark.deep
def test_playing_at_once_uses_the_last_choice(visit: Visitors) -> None:
    page = opened(visit, HERE)
    page.evaluate("localStorage.setItem('hnefi.new', 'variant=ard-ri-globe&level=7&side=lot&clock=5_3')")
    unfold(page, "captures")
    answer = rule(page, "king_armed").get_by_label("Takes no part in captures")
    with page.expect_navigation():
        answer.evaluate("""(answer) => {
            answer.click();
            document.querySelector(".play-links a.main").click();
        }""")
    expect(page.locator(".linked-rules")).to_contain_text("The king takes no part in captures.")
    expect(page.get_by_role("radio", name=re.compile(r" Level 7\b"))).to_be_checked()
    expect(page.get_by_role("radio", name="Random")).to_be_checked()


def check_embedded(visit: Visitors, page: Page) -> None:
    """Checks that the code for other pages, and the frame that it makes, have the name of the rules."""
    page.get_by_role("button", name="Share and save").click()
    code = page.get_by_label("Code for your own page", exact=True).input_value()
    assert 'title="&lt;b>Unarmed"' in code
    frame = visit(code.split('src="')[1].split('"')[0])
    expect(frame.get_by_role("heading")).to_contain_text("<b>Unarmed")


def saved_record(page: Page) -> str:
    """Returns the record that the page saves, in a file with the name of the rules."""
    page.get_by_role("button", name="Share and save").click()
    saved = downloaded(page, "Game record")
    assert saved.suggested_filename.startswith("bUnarmed-")
    return saved.path().read_text("utf-8")


@pytest.mark.parametrize("engine", ["device", *deep("server")])
def test_a_game_against_the_computer_begins_by_these_rules(visit: Visitors, engine: str) -> None:
    page = opened(visit, HERE)
    disarm(page)
    page.get_by_role("radio", name="places an attacker").check()
    square(page, "b2").click()
    expect(rule(page, "start").locator("[data-sentence]")).to_contain_text("12 attackers")
    page.get_by_label("Name", exact=True).fill("<b>Unarmed")
    page.get_by_role("link", name="Play the computer").click()
    expect(page.locator(".chosen b")).to_contain_text("<b>Unarmed")
    page.get_by_role("radio", name="King’s side").check()
    if engine == "server":
        page.locator(".more > summary").click()
        page.locator("[name=engine][value=server]").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*" if engine == "server" else "**/en/computer?**")
    wait_for_board(page)
    expect(page.locator("tafl-board")).to_have_attribute("movable", "defenders")
    until(page, lambda: on_board(page)["turn"] == "defenders", "the computer plays")
    origin, targets = next(iter(on_board(page)["legal"].items()))
    play(page, f"{origin}-{targets[0]['to']}")
    until(page, lambda: page.locator(".moves button").count() >= 2, "the move is there")
    game = page.url.partition("#")[0].rpartition("/")[2]
    if engine == "server":
        text = page.request.get(f"/api/games/{game}/record").text()
        check_embedded(visit, page)
    else:
        text = saved_record(page)
    (record,) = parse_records(text)
    assert record.switches == {"king_armed": "none", "start": "3t3/1t1t1t1/3T3/ttTKTtt/3T3/1t1t1t1/3t3"}
    assert record.header("Title") == "<b>Unarmed"
    expect(page).to_have_title(re.compile("<b>Unarmed · Hnefi"))
    replay = record.replay()
    assert not replay.faults
    assert replay.called is not None
    assert replay.called.game.rules == variant("brandub-breyer").with_switches(record.switches).rules
    if engine == "server":
        for kind in ("svg", "png"):
            assert page.request.get(f"/api/games/{game}/picture.{kind}").ok
    page.goto("/fr/games")
    expect(page.locator(".game-tiles li")).to_contain_text("<b>Unarmed")


@pytest.mark.deep
def test_a_friend_is_invited_to_a_game_by_these_rules(visit: Visitors) -> None:
    page = opened(visit, f"{HERE}&rule.size=9&rule.start=4t4/9/4T4/9/t1T1K1T1t/9/4T4/9/4t4")
    page.get_by_role("link", name="Play a friend").click()
    expect(page.locator(".linked-rules")).to_contain_text("9 by 9")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*")
    link = page.get_by_label("Link for your friend", exact=True).input_value()
    friend = visit(link)
    friend.get_by_role("button", name="Accept and play").click()
    # The king's side is chosen at first: the friend has the attackers, and begins.
    wait_for_board(friend)
    expect(friend.locator("tafl-board [role=grid]")).to_have_attribute("aria-label", re.compile("9"))
    assert on_board(friend)["position"].startswith("4t4/9/4T4/9/t1T1K1T1t")
    play(friend, "a5-a6")
    expect(page.locator("tafl-board [data-square=a6]")).to_have_accessible_name(re.compile("attacker"))
    play(page, "c5-c6")
    expect(friend.locator("tafl-board [data-square=c6]")).to_have_accessible_name(
        re.compile("prince|defender")
    )
    # The secret in the address has done its work.
    for address in (page.url, friend.url):
        assert "#" not in address


@pytest.mark.deep
@pytest.mark.parametrize("name", ["Two on this device", "Analyse"])
def test_other_pages_play_by_these_rules(visit: Visitors, name: str) -> None:
    page = opened(visit, f"{HERE}&rule.size=5&rule.start=2t2/5/1TKT1/5/2t2&rule.camps=none")
    page.get_by_role("link", name=name).click()
    wait_for_board(page)
    assert on_board(page)["position"].startswith("2t2/5/1TKT1/5/2t2")


def test_own_rules_are_kept_in_the_browser(visit: Visitors) -> None:
    page = opened(visit, HERE)
    disarm(page)
    for name in ("Petit", "Petit jeu"):
        page.get_by_label("Name", exact=True).fill(name)
        page.wait_for_url(f"**name={name.replace(' ', '+')}")
        page.reload()
    page.goto(page.url.split("/en/")[0] + "/en/rules")
    page.get_by_role("link", name="Petit jeu").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Petit jeu")
    page.goto(page.url.split("/en/")[0] + HERE)
    page.get_by_text("Your rules").click()
    kept = page.locator(".own-rules li")
    expect(kept).to_have_count(1)
    expect(kept).to_contain_text("The king’s part in captures")
    kept.get_by_role("link", name="Petit jeu", exact=True).click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Petit jeu")
    expect(rule(page, "king_armed").locator("[data-sentence]")).to_contain_text("takes no part in captures")
    page.get_by_text("Your rules").click()
    page.get_by_role("button", name="Remove Petit jeu").click()
    expect(kept).to_have_count(0)
    page.locator(".own-rules").get_by_role("button", name="Undo").click()
    expect(kept).to_have_count(1)
    page.get_by_role("button", name="Remove Petit jeu").click()
    page.reload()
    expect(page.get_by_text("Your rules")).to_have_count(0)
