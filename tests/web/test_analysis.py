"""The analysis page: positions, moves and variations, records."""

import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from hnefi import parse_records, variant
from tests.web.accessibility import violations
from tests.web.conftest import Visitors
from tests.web.game_page import box_of, downloaded, opened, play, wait_for_board
from tests.web.online import on_board

HERE = "/en/analysis?variant=brandub-globe"
PANEL = "[role=tabpanel]:not([hidden])"
RECORD = (
    '[Variant "brandub-globe"]\n[Rules "'
    + variant("brandub-globe").rules.hash
    + '"]\n[Event "Spring fair"]\n\n'
    "{Begin.} 1. d2-c2 {!} {A quiet move.} (1. d6-e6 {?!} 2. d5-c5) 2. d5-c5 *\n"
)


def part(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()


def tree(page: Page) -> Locator:
    return page.locator(".move-tree .line button")


def current(page: Page) -> Locator:
    return page.locator(".move-tree [aria-current]")


def square(page: Page, name: str) -> Locator:
    return page.locator(f"tafl-board [data-square={name}]")


def leave_fields(page: Page) -> None:
    page.evaluate("document.activeElement.blur()")


def read(page: Page, text: str) -> None:
    part(page, "Import, export")
    page.get_by_label("Paste a game record here").fill(text)
    page.get_by_role("button", name="Import", exact=True).click()


def test_every_fault_of_a_position_is_shown_and_fixed(visit: Visitors) -> None:
    page = opened(visit, HERE)
    part(page, "Set up")
    page.get_by_role("button", name="Empty board").click()
    faults = page.locator(".faults li")
    expect(faults).to_have_count(1)
    expect(faults).to_contain_text("The king is captured")
    done = page.get_by_role("button", name="Analyse this position")
    expect(done).to_be_disabled()
    page.get_by_role("radio", name="places the king").check()
    square(page, "d3").click()
    page.get_by_role("radio", name="places an attacker").check()
    square(page, "a1").click()
    square(page, "g4").click()
    expect(faults).to_have_text("a1 is a corner: the attackers may not stop there.")
    expect(page.locator("tafl-board .glow")).to_have_count(1)
    page.get_by_role("radio", name="clears it").check()
    square(page, "a1").click()
    expect(page.locator(".faults")).to_have_text("You can play a game from here.")
    expect(page.locator("tafl-board .glow")).to_have_count(0)
    page.get_by_role("radio", name="King’s side").check()
    expect(page.get_by_label("Position as text")).to_have_value("7/7/7/6t/3K3/7/7 d 0")
    done.click()
    play(page, "d3-d1")
    expect(tree(page)).to_have_text(["1. K d3–d1"])
    expect(page).to_have_url(re.compile(r"position=7%2F7%2F7%2F6t%2F3K3%2F7%2F7\+d\+0#d3-d1$"))


@pytest.mark.deep
def test_a_position_is_set_up_with_the_keyboard_moved_by_hand_and_played(visit: Visitors) -> None:
    page = opened(visit, HERE)
    part(page, "Set up")
    page.get_by_role("radio", name="places an attacker").check()
    page.locator("tafl-board").evaluate("(board) => board.focusSquare('a7')")
    for key in ("ArrowDown", "Enter", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    text = page.get_by_label("Position as text")
    expect(text).to_have_value("3t3/t2t3/t2T3/ttTKTtt/3T3/3t3/3t3 a 0")
    expect(page.locator(".faults")).to_contain_text("There are 10 attackers; the game starts with 8.")
    page.keyboard.press("Enter")
    expect(text).to_have_value("3t3/t2t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0")
    page.get_by_role("radio", name="moves a piece", exact=True).check()
    square(page, "a6").click()
    square(page, "b6").click()
    expect(text).to_have_value("3t3/1t1t3/3T3/ttTKTtt/3T3/3t3/3t3 a 0")
    actions = page.locator(".position-actions")
    text.fill("7/7/7/6t/3K3/7/7 d 0")
    text.blur()
    invite = actions.get_by_role("link", name="Play a friend")
    expect(invite).to_have_attribute("href", re.compile(r"3K3%2F7%2F7\+d"))
    page.get_by_role("button", name="Empty board").click()
    expect(actions).to_have_count(0)
    text.fill("7/7/7/6t/3K3/7/7 d 0")
    text.blur()
    actions.get_by_role("link", name="Two on this device").click()
    play(page, "d3-d1")


@pytest.mark.deep
def test_a_text_and_an_address_that_are_no_position_are_explained(visit: Visitors) -> None:
    page = opened(visit, "/fr/analysis?variant=brandub-globe", locale="fr-FR")
    part(page, "Placer")
    text = page.get_by_label("Position sous forme de texte")
    for typed, fault in (("7/7/7", "3"), ("7/7/7/3X3/7/7/7", "«\u00a0X\u00a0»"), ("9/9/9/9/9/9/9/9/9", "9")):
        text.fill(typed)
        page.keyboard.press("Enter")
        expect(page.locator(".position-text .fault")).to_contain_text(fault)
    page.goto(f"{HERE}&position=7/7/7/KK5/7/7/7 d")
    expect(page.locator(".state")).to_contain_text("2 kings")


def test_lines_are_tried_and_gone_through_with_the_keyboard(visit: Visitors) -> None:
    page = opened(visit, HERE)
    play(page, "d2-c2", "d5-c5")
    leave_fields(page)
    page.keyboard.press("Home")
    expect(current(page)).to_have_text("Start")
    play(page, "d6-e6", "d5-c5")
    expect(tree(page)).to_have_text(["1. d2–c2", "1. d6–e6", "2. d5–c5", "2. d5–c5"])
    leave_fields(page)
    for key, there in (
        ("ArrowLeft", "1. d6–e6"),
        ("ArrowUp", "1. d2–c2"),
        ("ArrowDown", "1. d6–e6"),
        ("End", "2. d5–c5"),
        ("ArrowLeft", "1. d6–e6"),
    ):
        page.keyboard.press(key)
        expect(current(page)).to_have_text(there)
    expect(page).to_have_url(re.compile("#d6-e6$"))
    # A link to what is shown replays the moves that led there.
    part(page, "Game")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    page.get_by_role("button", name="Copy link").click()
    link = page.locator(".position-actions [role=status]")
    expect(link).to_have_text(re.compile(r"[?&]replay=&against=#d6-e6$"))
    part(page, "Moves")
    page.get_by_role("button", name="Make main line").click()
    expect(tree(page)).to_have_text(["1. d6–e6", "1. d2–c2", "2. d5–c5", "2. d5–c5"])
    page.get_by_role("button", name="dubious move").click()
    page.get_by_label("Comment on this move").fill("Too early.")
    expect(current(page)).to_contain_text("?!")
    page.reload()
    wait_for_board(page)
    expect(current(page)).to_contain_text("d6–e6?!")
    expect(page.locator(".move-tree .move-comment")).to_have_text("Too early.")
    page.get_by_role("button", name="Delete from here").click()
    expect(tree(page)).to_have_text(["1. d2–c2", "2. d5–c5"])
    expect(current(page)).to_have_text("Start")
    expect(page.locator(".state")).to_have_text("Deleted. Attackers to move.")
    undo = page.get_by_role("button", name="Undo deletion")
    undo.click()
    expect(current(page)).to_contain_text("d6–e6?!")
    expect(undo).to_have_count(0)
    # Once the moves are changed, the earlier ones are not brought back over the change.
    page.get_by_role("button", name="Delete from here").click()
    expect(undo).to_be_visible()
    play(page, "d6-c6")
    expect(tree(page)).to_have_count(3)
    expect(undo).to_have_count(0)


@pytest.mark.deep
def test_keys_links_and_the_other_language_lead_through_a_study(visit: Visitors) -> None:
    page = opened(visit, f"{HERE}#d2-c2.d5-c5")
    # The tree keeps the focus while the arrows go through it.
    current(page).focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".move-tree :focus")).to_have_text("1. d2–c2")
    assert page.locator(".move-tree button[tabindex='0']").count() == 1
    page.keyboard.press("ArrowRight")
    page.get_by_role("tab", name="Moves").focus()
    for name in ("Set up", "Import, export", "Game", "Moves"):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name=name)).to_be_focused()
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
    page.get_by_role("banner").get_by_role("link", name="Français").click()
    page.wait_for_url("**/fr/analysis?*")
    wait_for_board(page)
    expect(current(page)).to_have_text("2. d5–c5")
    # A link to other moves of the same position is followed, one to a part of the page is not.
    page.goto(f"{HERE}#d2-c2")
    expect(current(page)).to_have_text("1. d2–c2")
    page.goto(f"{HERE}#d6-e6")
    expect(current(page)).to_have_text("1. d6–e6")
    expect(tree(page)).to_have_count(3)
    page.goto(f"{HERE}#main")
    page.keyboard.press("f")
    expect(page.locator("tafl-board[flip]")).to_be_attached()


def test_a_record_is_read_with_its_lines_and_written_again(visit: Visitors) -> None:
    page = opened(visit, HERE)
    read(page, RECORD)
    # A text without faults leads to its moves.
    expect(page.locator(".move-tree")).to_be_visible()
    part(page, "Import, export")
    download = downloaded(page, "Download")
    assert download.suggested_filename == "brandub-globe.tafl"
    (record,) = parse_records(download.path().read_text("utf-8"))
    (given,) = parse_records(RECORD)
    assert (record.nodes, record.comments) == (given.nodes, given.comments)
    assert record.header("Event") == "Spring fair"
    assert not record.replay().faults
    part(page, "Moves")
    lines = ["1. d2–c2! good move", "1. d6–e6", "2. d5–c5", "2. d5–c5"]
    expect(tree(page)).to_contain_text(lines)
    # Another game with the same first move replaces these, until that is undone.
    read(page, "1. d2-c2 d5-e5")
    expect(page.locator(".state")).to_have_text("Game imported. Attackers to move.")
    expect(tree(page)).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(tree(page)).to_contain_text(lines)
    assert on_board(page)["position"].startswith("3t3/3t3/2T4/")
    # A text of which something is lost stays beside what is lost.
    read(page, "1. d2-c2 d5-c5 $14 2. g4-g6 d3-e3 *")
    lost = page.get_by_role("list", name="Not everything in the text was kept")
    expect(lost).to_have_text("glyph left out: $14")
    part(page, "Moves")
    # In forced colours a button that does nothing is told from one that does, and the board has an edge.
    page.emulate_media(forced_colors="active")
    colour = "(button) => getComputedStyle(button).color"
    back, forward = (page.get_by_role("button", name=f"{name} move") for name in ("Previous", "Next"))
    assert back.evaluate(colour) != forward.evaluate(colour)
    edge = "(board) => getComputedStyle(board).outlineStyle"
    assert page.locator("tafl-board").evaluate(edge) == "solid"


def test_a_file_is_unpacked_and_refused_before_it_is_shown_if_it_is_too_large(
    visit: Visitors, tmp_path: Path
) -> None:
    page = visit("/en/games")
    page.get_by_role("link", name="Open a file").click()
    text, failure = page.get_by_label("Paste a game record here"), page.locator(".records .failure")
    text.fill("1. d2-c2 *")
    for name, content, words in (
        ("large.tafl", bytes(100_000_000), "This text is too long: at most 300,000 characters can be read."),
        ("bomb.GZ", gzip.compress(bytes(100_000_000)), "This text is too long"),
        ("cut.tafl.gz", gzip.compress(RECORD.encode())[:-9], "This file cannot be read."),
        ("empty.tafl", b"", "This file is empty."),
    ):
        (tmp_path / name).write_bytes(content)
        page.get_by_label("Open a file").set_input_files(tmp_path / name)
        expect(failure).to_contain_text(words)
        expect(text).to_have_value("1. d2-c2 *")
    (tmp_path / "fair.tafl.gz").write_bytes(gzip.compress(RECORD.encode()))
    page.get_by_label("Open a file").set_input_files(tmp_path / "fair.tafl.gz")
    expect(page.locator(".move-tree")).to_be_visible()


@pytest.mark.deep
def test_what_is_pasted_is_read_or_said_to_be_faulty(visit: Visitors) -> None:
    page = opened(visit, HERE)
    read(page, f"{RECORD}\n1. zz 2. d5-c5 (3. *\n")
    faults = page.locator(".fault-list li")
    expect(faults.first).to_contain_text("Line 7, column 4")
    assert faults.count() > 1
    expect(page.get_by_text("1 game loaded.")).to_be_visible()
    # Of many faults ten are listed.
    read(page, f"1. {'zz ' * 30}*")
    expect(page.get_by_text("and 20 more", exact=True)).to_be_visible()
    expect(faults).to_have_count(10)
    read(page, "hello world")
    expect(page.locator(".fault-list")).to_have_text("That doesn’t look like a game.")
    expect(page.get_by_text("0 games loaded.")).to_have_count(0)
    read(page, "1. d2–c2 d5–c5\n2. d6–e6 …")
    expect(page.locator(".state")).to_have_text("Game imported. King’s side to move.")
    expect(current(page)).to_have_text("3. d6–e6")
    # A game of another variant brings its board.
    several = '[Variant "gwezboell-globe"]\n[Date "1958-04-12"]\n1. e7-f7 *\n\n[Variant "tablut-kouvia"]\n*\n'
    read(page, several)
    page.get_by_role("button", name="Game 1: 12 April 1958").click()
    expect(page.locator(".beside-name")).to_contain_text("Gwezboell")
    expect(page).to_have_url(re.compile("variant=gwezboell-globe"))


@pytest.mark.deep
def test_rules_are_changed_and_those_that_no_question_is_about_stay_with_their_game(visit: Visitors) -> None:
    page = opened(visit, f"{HERE}&rule.first=defenders")
    part(page, "Game")
    page.locator("[name='rule.quiet_limit'][value='40']").check()
    page.get_by_role("button", name="Switch game").click()
    page.wait_for_url("**rule.quiet_limit=40**")
    assert "rule.first=defenders" in page.url
    wait_for_board(page)
    part(page, "Game")
    page.locator(".variant-form select").select_option("tablut-kouvia")
    expect(page.locator(".rule-choices")).to_have_count(0)
    page.get_by_role("button", name="Switch game").click()
    page.wait_for_url("**variant=tablut-kouvia**")
    assert "rule." not in page.url


def test_a_game_of_ones_own_keeps_its_name(visit: Visitors) -> None:
    page = opened(visit, f"{HERE}&rule.first=defenders&name=Petit+jeu#d3-e3")
    expect(page.locator(".beside-name")).to_have_text("Petit jeu Brandub (Le Globe Joueur)")
    part(page, "Import, export")
    (record,) = parse_records(downloaded(page, "Download").path().read_text("utf-8"))
    assert record.header("Title") == "Petit jeu"


@pytest.mark.deep
def test_a_game_starts_from_a_position(visit: Visitors) -> None:
    page = visit("/en/")
    for way, there in (
        ("Play the computer", "computer"),
        ("Two on this device", "table"),
        ("Play a friend", "new"),
    ):
        page.goto(f"{HERE}#d2-c2")
        wait_for_board(page)
        part(page, "Game")
        page.get_by_role("link", name=way).click()
        page.wait_for_url(f"**/{there}*")
        if there != "new":
            wait_for_board(page)
        if there == "table":
            assert on_board(page)["position"].startswith("3t3/3t3/3T3/ttTKTtt/3T3/2t4/3t3 d")
    page.get_by_text("The game starts from the position shown.").wait_for()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*")
    expect(page.locator("tafl-board [data-square=c2]")).to_have_accessible_name(re.compile("c2, attacker"))
    page.goto("/en/new")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    expect(page.get_by_text("The game starts from the position shown.")).to_have_count(0)


@pytest.mark.deep
def test_axe_finds_nothing_in_any_part(visit: Visitors) -> None:
    page = opened(visit, HERE)
    read(page, f"{RECORD}\n1. zz 2. d5-c5 *\n")
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".fault-list li").first).to_be_visible()
    found = violations(page)
    part(page, "Set up")
    page.get_by_role("button", name="Empty board").click()
    expect(page.locator(".faults li")).to_have_count(1)
    found += violations(page, PANEL)
    part(page, "Game")
    page.locator(".rule-choices summary").click()
    assert [*found, *violations(page, PANEL)] == []
    # On a phone the moves have room too.
    page.set_viewport_size({"width": 390, "height": 844})
    part(page, "Moves")
    assert box_of(page.locator(".move-tree"))["height"] > box_of(current(page))["height"]
