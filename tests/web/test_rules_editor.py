"""The rules editor: questions, text, trial games, export and import."""

import re
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from hnefi import variant
from hnefi.variants.custom import derive
from hnefi.variants.files import parse_variant
from hnefi.variants.links import format_link
from tests.samples import deep
from tests.timeouts import wait_until
from tests.web.accessibility import violations
from tests.web.conftest import Visitors
from tests.web.game_page import box_of, downloaded, opened, overflows, unfold_all
from tests.web.online import make

HERE = "/en/rules/new?variant=brandub-breyer"

SHOWS_ITS_CHOICE = """(list) => {
    const bare = list.cloneNode();
    bare.style = "width: auto; display: inline-block";
    bare.append(new Option("Brandub (Le Globe Joueur)"));
    list.after(bare);
    const width = bare.offsetWidth;
    bare.remove();
    return width <= list.offsetWidth;
}"""


def unfold(page: Page, group: str) -> None:
    summary = page.locator(f"[data-group={group}] > summary")
    if not page.locator(f"[data-group={group}]").evaluate("(group) => group.open"):
        summary.click()


def rule(page: Page, leaf: str) -> Locator:
    return page.locator(f"[data-rule={leaf}]")


def marked(page: Page) -> Locator:
    return page.locator(".rules-text mark")


def square(page: Page, name: str) -> Locator:
    return page.locator(f"[data-side] tafl-board [data-square={name}]")


def disarm(page: Page) -> None:
    unfold(page, "captures")
    rule(page, "king_armed").get_by_label("Takes no part in captures").check()
    expect(rule(page, "king_armed").locator("[data-sentence]")).to_contain_text("takes no part in captures")


def test_the_text_follows_each_change_and_marks_new_clauses(visit: Visitors) -> None:
    page = opened(visit, HERE)
    # The board is on the first screen.
    for width, height in ((390, 844), (1366, 768)):
        page.set_viewport_size({"width": width, "height": height})
        box = box_of(page.locator("[data-side] tafl-board"))
        tabs = page.locator(".page-tabs").bounding_box()
        assert box["y"] + box["height"] <= (tabs or {"y": height})["y"]
    # Beside the questions, so are the tools and the buttons to play; the wheel moves the page, not the board.
    for part in (page.locator(".tools").first, page.locator(".play-links")):
        expect(part).to_be_in_viewport(ratio=1)
    tools, links = (box_of(page.locator(part)) for part in (".board-tools", ".play-links"))
    assert tools["y"] + tools["height"] <= links["y"]
    assert page.locator("[data-side]").evaluate("(side) => side.scrollHeight === side.clientHeight")
    assert page.get_by_label("Start from").evaluate(SHOWS_ITS_CHOICE)
    expect(marked(page)).to_have_count(0)
    expect(page.locator(".rules-text")).to_contain_text("These are the rules of Brandub")
    disarm(page)
    expect(marked(page)).to_have_text([re.compile("The king takes no part in captures.")])
    expect(page.locator("[data-announcement]")).to_have_text("The king takes no part in captures.")
    expect(page.locator("[data-group=captures] [data-count]")).to_have_text("1 changed")
    expect(page.locator(".rules-text")).to_contain_text("Closest to Brandub")
    expect(page).to_have_url(re.compile(r"rule\.king_armed=none$"))
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(marked(page)).to_have_count(0)
    expect(rule(page, "king_armed").get_by_label("Captures and helps to capture")).to_be_checked()
    page.get_by_label("Name", exact=True).fill("Mild Brandub")
    expect(page.get_by_role("heading", name="Rules: Mild Brandub")).to_be_visible()
    expect(page).to_have_url(re.compile("name=Mild"))
    page.reload()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Mild Brandub")


@pytest.mark.deep
@pytest.mark.parametrize("script", [True, False])
def test_groups_are_unfolded_where_rules_are_changed_and_by_links(visit: Visitors, script: bool) -> None:
    page = visit(f"{HERE}&rule.king_armed=none", java_script_enabled=script)
    expect(page.locator("[data-group=captures] [data-count]")).to_have_text("1 changed")
    expect(rule(page, "king_armed").get_by_label("Takes no part in captures")).to_be_visible()
    expect(rule(page, "quiet_limit")).to_be_hidden()
    page.goto(f"{HERE}&rule.start=7/7/7/7/7/7/3t3")
    page.locator("[data-group=board] > summary").click()
    expect(rule(page, "start")).to_be_hidden()
    page.get_by_role("link", name="There must be exactly one king; there are 0.").click()
    expect(rule(page, "start")).to_be_in_viewport()


@pytest.mark.deep
def test_dependent_changes_are_shown_and_undone_together(visit: Visitors) -> None:
    page = opened(visit, "/en/rules/new?variant=fetlar-11")
    rule(page, "throne").get_by_label("No throne").check()
    expect(rule(page, "throne").locator(".follows").first).to_contain_text("Stopping on the throne")
    unfold(page, "moves")
    expect(rule(page, "throne_stop").get_by_label("King")).to_be_disabled()
    expect(rule(page, "throne_stop").locator("[data-sentence]")).to_contain_text("Nothing to choose")
    rule(page, "throne").get_by_label("In the middle of the board").check()
    expect(rule(page, "throne_stop").get_by_label("King")).to_be_enabled()
    expect(rule(page, "throne_stop").get_by_label("King")).to_be_checked()
    expect(rule(page, "throne_stop").get_by_label("Attackers")).not_to_be_checked()
    expect(marked(page)).to_have_count(0)


def test_a_contradiction_is_shown_at_its_rule_and_keeps_the_choice(visit: Visitors) -> None:
    page = opened(visit, HERE)
    rule(page, "corners").get_by_label("Ordinary squares").check()
    expect(rule(page, "corners").locator(".follows").last).to_contain_text("Where the king wins")
    expect(rule(page, "goal").get_by_label("Anywhere on the edge")).to_be_checked()
    rule(page, "goal").get_by_label("In a corner").check()
    expect(rule(page, "goal").locator("[data-faults] li")).to_have_text(
        "This needs special corners, and the board has none."
    )
    expect(rule(page, "goal").get_by_label("In a corner")).to_be_checked()
    expect(page.locator(".editor-state")).to_contain_text("These rules cannot be played yet:")
    expect(page.get_by_role("button", name="Play the computer")).to_be_disabled()
    expect(page.locator(".rules-text")).to_contain_text("the last version that worked")
    rule(page, "corners").get_by_label("One square each").check()
    expect(rule(page, "goal").locator("[data-faults] li")).to_have_count(0)
    expect(page.get_by_role("link", name="Play the computer")).to_be_visible()


@pytest.mark.deep
def test_the_board_is_set_up_by_hand_and_by_keys(visit: Visitors) -> None:
    page = opened(visit, HERE)
    sentence = rule(page, "start").locator("[data-sentence]")
    # A moved piece makes no new ones, though more squares mirror its target.
    square(page, "d6").click()
    square(page, "c6").click()
    for name in ("c6", "f5", "e2", "b3"):
        expect(square(page, name)).to_have_accessible_name(re.compile("attacker"))
    expect(sentence).to_contain_text("8 attackers")
    page.get_by_role("button", name="Undo").click()
    expect(square(page, "d6")).to_have_accessible_name(re.compile("attacker"))
    page.get_by_role("radio", name="places an attacker").check()
    square(page, "b2").click()
    expect(sentence).to_contain_text("12 attackers")
    for name in ("b2", "f2", "b6", "f6"):
        expect(square(page, name)).to_have_accessible_name(re.compile("attacker"))
    page.get_by_label("Mirror on all four sides").uncheck()
    page.get_by_role("radio", name="clears it").check()
    page.locator("[data-side] tafl-board").evaluate("(board) => board.focusSquare('b2')")
    page.keyboard.press("Enter")
    expect(sentence).to_contain_text("11 attackers")
    page.get_by_role("radio", name="clears it").check()
    square(page, "d4").click()
    expect(rule(page, "start").locator("[data-faults] li")).to_have_text(
        "There must be exactly one king; there are 0."
    )
    page.get_by_role("radio", name="places the king").check()
    square(page, "d4").click()
    expect(rule(page, "start").locator("[data-faults] li")).to_have_count(0)
    page.get_by_role("radio", name="marks a camp").check()
    square(page, "a3").click()
    expect(rule(page, "camps").locator("[data-sentence]")).to_contain_text("a3")
    page.get_by_label("Start positions of other games").select_option("The king alone")
    expect(page.locator(".editor-state")).to_contain_text("These rules cannot be played yet:")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(sentence).to_contain_text("11 attackers")


@pytest.mark.parametrize("size", deep(5, 9, 13, 17, 19))
def test_a_board_of_another_size_is_played_on(visit: Visitors, size: int) -> None:
    page = opened(visit, HERE)
    width = box_of(page.locator("[data-side] tafl-board"))["width"]
    rule(page, "size").locator("select").select_option(str(size))
    expect(page.locator("[data-side] tafl-board [role=grid]")).to_have_attribute(
        "aria-label", re.compile(str(size))
    )
    expect(rule(page, "size").locator(".follows").first).to_contain_text("Start position")
    # A board of many squares is larger, and distances that it has not are not offered.
    assert (box_of(page.locator("[data-side] tafl-board"))["width"] > width) == (size >= 13)
    expect(page.locator("[name='rule.range.king'] option:not([hidden])")).to_have_count(size - 1)
    page.get_by_text("Try it", exact=True).click()
    expect(page.locator(".trial-state")).to_have_text("Attackers to move.")
    shown = page.locator("[data-side] tafl-board").evaluate("(board) => board.state.legal")
    origin = min(shown)
    move = f"{origin}-{shown[origin][0]['to']}"
    assert page.locator("[data-side] tafl-board").evaluate("(board, text) => board.play(text)", move)
    expect(page.locator(".trial-state")).to_have_text("King’s side to move.")
    page.get_by_role("button", name="Undo move").click()
    expect(page.locator(".trial-state")).to_have_text("Attackers to move.")


@pytest.mark.deep
def test_choices_are_explained_before_they_are_selected(visit: Visitors) -> None:
    page = opened(visit, HERE)
    unfold(page, "captures")
    question = rule(page, "king_armed")
    question.get_by_role("button", name="What the options mean: The king’s part in captures").focus()
    page.keyboard.press("Enter")
    meanings = question.get_by_role("status").locator(".meanings > div")
    expect(meanings).to_have_count(4)
    expect(meanings.last).to_have_text("Takes no part in capturesThe king takes no part in captures.")
    expect(question.locator("[data-sentence]")).to_have_text("The king takes part in captures like a prince.")
    # Beside other rules the answers to another question mean something else.
    capture = rule(page, "shieldwall")
    capture.get_by_role("button", name=re.compile("What the options mean")).click()
    expect(capture.locator(".meanings")).to_contain_text("may close the other end")
    expect(meanings).to_have_count(0)
    page.get_by_label("Start from").select_option("gwezboell-globe")
    unfold(page, "calls")
    rule(page, "replay").get_by_role("button", name=re.compile("What the options mean")).click()
    expect(rule(page, "replay").locator(".meanings")).to_contain_text("The attackers may then make any move.")


@pytest.mark.deep
def test_an_example_is_shown_and_follows_the_rule(visit: Visitors) -> None:
    page = opened(visit, HERE, reduced_motion="no-preference")
    unfold(page, "captures")
    page.get_by_role("button", name="Show an example: The king’s part in captures").click()
    shown = rule(page, "king_armed").locator(".shown-example")
    expect(shown).to_contain_text("is captured. With")
    board = shown.locator("tafl-board")
    before = board.evaluate("(board) => board.state.position")
    wait_until(lambda: board.evaluate("(board) => board.state.position") != before, "the move of the example")
    shown.get_by_role("button", name="Stop").click()
    expect(shown.get_by_role("button", name="Again")).to_be_visible()
    rule(page, "king_armed").get_by_label("Takes no part in captures").check()
    expect(shown).to_contain_text("With “The king’s part in captures")
    expect(shown).to_contain_text("d3 is not captured. With")
    page.get_by_role("button", name="Show an example: Capturing the king").click()
    expect(rule(page, "king_armed").locator(".shown-example")).to_have_count(0)
    expect(rule(page, "king_capture").locator(".shown-example")).to_be_visible()
    # Without motion an example is a board with an arrow.
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name="Show an example: The king’s part in captures").click()
    expect(board).to_be_visible()
    assert board.evaluate("(board) => board.arrows.length") == 1
    expect(rule(page, "king_armed").get_by_role("button", name="Stop")).to_have_count(0)


@pytest.mark.deep
def test_rules_are_exported_and_imported(visit: Visitors) -> None:
    page = opened(visit, HERE)
    disarm(page)
    page.get_by_label("Name", exact=True).fill("Doux brandub")
    rule(page, "size").locator("select").select_option("9")
    toml = page.get_by_role("textbox", name="Variant file (TOML)")
    expect(toml).to_have_value(re.compile("size = 9"))
    expect(toml).to_have_value(re.compile('"Doux brandub"'))
    texts = (toml.input_value(), page.get_by_role("textbox", name="Link to this page").input_value())
    assert "/rules/new?" in texts[1]
    assert "/en/" not in texts[1]
    rules = parse_variant(texts[0]).rules
    download = downloaded(page, "Download")
    assert download.suggested_filename == "doux-brandub.toml"
    kept = tomllib.loads(download.path().read_text("utf-8"))
    assert kept["rules"]["capture"]["king_armed"] == "none"
    for text in texts:
        page.goto("/en/rules/new?variant=copenhagen-11")
        page.get_by_label("Variant file, OpenTafl rules string or link").fill(text)
        page.get_by_role("button", name="Import", exact=True).click()
        expect(page.get_by_text("Rules imported.")).to_be_visible()
        expect(page.get_by_label("Name", exact=True)).to_have_value("Doux brandub")
        expect(toml).to_have_value(re.compile("size = 9"))
        assert parse_variant(toml.input_value()).rules == rules
    string = page.get_by_role("textbox", name="OpenTafl rules string", exact=True).input_value()
    page.get_by_label("Variant file, OpenTafl rules string or link").fill(string)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Rules imported.")).to_be_visible()
    page.get_by_label("Variant file, OpenTafl rules string or link").fill("dim:7 start:/x/")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator(".rules-import .fault li").first).to_be_visible()
    # What is refused stands in the console of the browser, too.
    visit.faults = [fault for fault in visit.faults if "422" not in fault]


def test_a_file_that_is_too_large_or_empty_is_refused_before_it_is_shown(
    visit: Visitors, tmp_path: Path
) -> None:
    page = opened(visit, HERE)
    text = page.get_by_label("Variant file, OpenTafl rules string or link")
    text.fill("dim:7")
    too_long = "This text is too long: at most 60,000 characters can be read."
    for name, content, words in (
        ("large.toml", b"\n" * 10_000_000, too_long),
        ("empty.toml", b"", "This file is empty."),
    ):
        (tmp_path / name).write_bytes(content)
        page.get_by_label("Open a file").set_input_files(tmp_path / name)
        expect(page.locator(".rules-import .fault li")).to_have_text(words)
        expect(text).to_have_value("dim:7")


@pytest.mark.deep
def test_the_way_there_leads_from_rules_a_new_game_and_a_link_with_a_whole_variant(visit: Visitors) -> None:
    page = visit("/en/rules")
    page.locator("main").get_by_role("link", name="Make your own game").click()
    page.wait_for_url("**/rules/new")
    page.goto("/en/rules/fetlar-11")
    page.get_by_role("link", name="Change these rules").click()
    expect(page.get_by_label("Start from")).to_have_value("fetlar-11")
    page.goto("/en/new?variant=fetlar-11&rule.quiet_limit=40")
    page.get_by_role("link", name="Change these rules").click()
    unfold(page, "ends")
    expect(rule(page, "quiet_limit").locator("input")).to_have_value("40")
    # A link may hold a whole variant.
    mine = derive(variant("fetlar-11"), "mine", {"en": "Quiet Fetlar"}, {"quiet_limit": "40"})
    page = opened(visit, f"/en/rules/new#{format_link(mine)}")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Quiet Fetlar")
    expect(page.get_by_label("Start from")).to_have_value("fetlar-11")
    expect(page).to_have_url(re.compile(r"variant=fetlar-11&rule\.quiet_limit=40&name=Quiet\+Fetlar$"))


@pytest.mark.deep
def test_typing_a_number_is_one_undo_step_and_so_is_selecting_another_variant(visit: Visitors) -> None:
    page = opened(visit, HERE)
    unfold(page, "ends")
    limit = rule(page, "quiet_limit").locator("input")
    limit.click()
    limit.press("Control+a")
    limit.press_sequentially("123")
    expect(rule(page, "quiet_limit").locator("[data-sentence]")).to_contain_text("123")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(limit).to_have_value("0")
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
    disarm(page)
    page.get_by_label("Start from").select_option("gwezboell-globe")
    expect(page.locator("[data-side] tafl-board [role=grid]")).to_have_attribute(
        "aria-label", re.compile("9")
    )
    expect(page.locator("[data-group=calls]")).to_be_visible()
    expect(marked(page)).to_have_count(0)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_label("Start from")).to_have_value("brandub-breyer")
    expect(rule(page, "king_armed").get_by_label("Takes no part in captures")).to_be_checked()


def test_without_a_script_it_is_a_form(visit: Visitors) -> None:
    page = visit("/en/rules/new?variant=fetlar-11", java_script_enabled=False)
    unfold(page, "squares")
    page.locator("[data-rule=throne]").get_by_label("No throne").check()
    page.get_by_role("button", name="Show these rules").click()
    expect(page.locator(".editor-words mark").first).to_have_text(
        "The square in the middle is an ordinary square."
    )
    expect(page.locator(".editor-state")).to_contain_text("Also changed")
    page.locator("[data-rule=corner_stop]").get_by_label("Defenders").check()
    page.get_by_role("button", name="Show these rules").click()
    expect(page.locator("[data-rule=corner_stop] [data-sentence]")).to_contain_text("defenders and the king")
    page.get_by_role("link", name="Play this game").click()
    expect(page.locator("h1")).to_have_text("New game")


@pytest.mark.deep
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_editor_is_accessible_on_a_phone(visit: Visitors, lang: str) -> None:
    size = {"width": 360, "height": 640}
    page = opened(visit, f"/{lang}/rules/new?variant=gwezboell-globe", viewport=size)
    unfold_all(page)
    rule(page, "king_armed").locator(".help-button").last.click()
    expect(rule(page, "king_armed").locator(".shown-example")).to_be_visible()
    rule(page, "king_capture").locator(".help-button").first.click()
    expect(rule(page, "king_capture").locator(".meanings dd")).to_have_count(3)
    expect(rule(page, "king_armed").locator(".shown-example")).to_have_count(0)
    assert violations(page) == []
    assert overflows(page) == {}


@pytest.mark.deep
def test_the_whole_page_goes_by_keys(visit: Visitors) -> None:
    page = opened(visit, HERE)
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("Keys")
    page.locator("[data-group=captures] > summary").focus()
    page.keyboard.press("Enter")
    rule(page, "king_armed").get_by_label("Captures and helps to capture").focus()
    page.keyboard.press("ArrowUp")
    expect(rule(page, "king_armed").get_by_label("Takes no part in captures")).to_be_checked()
    expect(marked(page)).to_have_count(1)
    expect(rule(page, "king_armed").get_by_label("Takes no part in captures")).to_be_focused()
    make(page, variant="brandub-breyer", opponent="computer", side="attackers")
