"""Games on the pages: at one device, against the computer, with a friend, by keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from hnefi import variant
from tests.web.conftest import Visitors
from tests.web.game_page import (
    TWICE,
    announcement,
    box_of,
    moves,
    opened,
    play,
    reach,
    resign,
    wait_for_board,
    walk,
)

START = str(variant("brandub-globe").rules.start)
# The king is one move from an open rank; the attackers have one soldier who can close it.
BEFORE_RAICHI = "9/9/9/9/9/t8/9/3K5/8t d 0"


def test_a_game_at_one_device_is_gone_through_kept_and_taken_back(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe")
    play(page, "d2-c2", "d5-c5")
    page.locator("body").click(position={"x": 5, "y": 5})
    current = page.locator(".moves [aria-current]")
    page.keyboard.press("ArrowLeft")
    expect(current).to_have_text("d2–c2")
    page.keyboard.press("Home")
    expect(current).to_have_count(0)
    # The list is one stop of the Tab key; the arrows go through it.
    stop = page.locator(".moves [tabindex='0']")
    expect(stop).to_have_text("d2–c2")
    stop.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(current).to_have_text("d5–c5")
    expect(current).to_be_focused()
    expect(stop).to_have_count(1)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.moves')") is None
    page.keyboard.press("Home")
    page.keyboard.press("End")
    expect(current).to_have_text("d5–c5")
    play(page, "d6-c6")
    expect(moves(page)).to_have_text(["d2–c2", "d5–c5", re.compile("d6–c6")])
    # Keys that come before the page is drawn all count.
    page.evaluate("""async () => {
        for (const _ of [1, 2]) {
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
            // Rendered, but no frame is painted.
            for (let turn = 0; turn < 10; turn++) await null;
        }
    }""")
    expect(current).to_have_text("d2–c2")
    page.reload()
    expect(moves(page)).to_have_count(3)
    page.get_by_role("button", name="Undo").click()
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("group", name="Attackers resign?")).to_be_visible()
    page.get_by_role("button", name="Keep playing").click()
    resign(page)
    expect(announcement(page)).to_contain_text("The attackers resign. The king’s side wins.")


def test_a_question_mark_shows_the_keys_and_a_wrong_tap_gets_one_line(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe")
    keys = page.get_by_text("Home and End go to the first and last")
    for place in ("body", "tafl-board [data-square=d4]"):
        page.locator(place).click(position={"x": 5, "y": 5})
        page.keyboard.press("?")
        expect(keys).to_be_visible()
        page.keyboard.press("Escape")
        expect(keys).to_be_hidden()
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(keys).to_be_hidden()
    page.keyboard.press("Escape")
    line = page.locator(".fault")
    for square, words in (
        ("b2", "Choose one of your pieces first, then the square for it."),
        ("d4", "It’s the attackers’ turn."),
    ):
        page.locator(f"tafl-board [data-square={square}]").click()
        expect(line).to_have_text(words)
    page.locator("tafl-board [data-square=d2]").click()
    expect(line).to_have_count(0)
    play(page, "d2-c2")
    page.locator("tafl-board [data-square=d4]").click()
    expect(line).to_have_text("This piece can’t move now. Choose another one.")
    page.get_by_role("button", name="Previous move").click()
    expect(line).to_have_count(0)


def test_a_game_is_played_with_the_keyboard_alone(visit: Visitors) -> None:
    page = visit("/en/new?opponent=here")
    reach(page, page.get_by_role("button", name="Start"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/table*")
    wait_for_board(page)
    reach(page, page.locator("tafl-board [data-square]"))
    walk(page, "d2", "a2")
    expect(moves(page)).to_have_text(["d2–a2"])
    expect(page.locator("tafl-board [role=status]")).to_contain_text("a2")


def test_a_match_of_two_legs_swaps_the_sides(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe&legs=2")
    top, near = page.locator(".top-player"), page.locator(".near-player")
    expect(near).to_contain_text("Player 1")
    expect(page.locator(".score")).to_contain_text("Game 1 of 2. Player 1: 0, Player 2: 0.")
    resign(page)
    # A double click begins the leg once.
    page.get_by_role("button", name="Next game").evaluate(TWICE)
    expect(near).to_contain_text("Player 2")
    expect(top).to_contain_text("Player 1")
    expect(page.locator(".score")).to_contain_text("Game 2 of 2. Player 1: 0, Player 2: 1.")
    page.get_by_role("button", name="Draw").click()
    page.get_by_role("button", name="Yes").click()
    expect(announcement(page)).to_contain_text("Player 2 wins the match (Player 1: ½, Player 2: 1½).")
    # No piece of one side stands above a draw.
    expect(page.locator(".ending h2")).to_contain_text("draw")
    expect(page.locator(".ending > .piece")).to_have_count(0)


@pytest.mark.deep
def test_the_legs_of_the_text_are_the_default(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=tablut-geoludie")
    expect(page.locator(".score")).to_contain_text("Game 1 of 2.")
    page.goto("/en/table?variant=tablut-geoludie&legs=1")
    wait_for_board(page)
    expect(page.locator(".score")).to_have_count(0)
    page.goto("/en/new?variant=tablut-geoludie&opponent=here")
    expect(page.locator("[name=legs][value='2']")).to_be_checked()
    page.goto(f"/en/new?variant=tablut-geoludie&opponent=here&position={ONE_CAPTURE}")
    expect(page.locator("[name=legs][value='1']")).to_be_checked()


# The attackers can capture one soldier at once.
ONE_CAPTURE = "9/2tT2t2/9/9/4K4/9/9/9/t7T a 0"


@pytest.mark.deep
@pytest.mark.parametrize(
    ("variant", "verdict"),
    [
        ("tablut-geoludie", "Player 1: 1, Player 2: 1. Player 1 has captured more and wins the match."),
        ("linnaean-tablut-9", "The match is drawn (Player 1: 1, Player 2: 1)."),
    ],
)
def test_captures_break_a_tie_only_if_the_variant_defines_it(
    visit: Visitors, variant: str, verdict: str
) -> None:
    page = opened(visit, f"/en/table?variant={variant}&legs=2&position={ONE_CAPTURE}")
    play(page, "g8-e8")
    expect(moves(page)).to_have_count(1)
    resign(page)
    page.get_by_role("button", name="Next game").click()
    expect(page.locator(".score")).to_contain_text("Game 2 of 2. Player 1: 1, Player 2: 0.")
    play(page, "a1-a2")
    expect(moves(page)).to_have_count(1)
    resign(page)
    expect(announcement(page)).to_contain_text(verdict)


def test_the_rules_that_are_changed_are_those_that_are_played(visit: Visitors) -> None:
    # The number is told from half of the limit on.
    page = visit(f"/en/new?opponent=here&position={START.removesuffix('0')}16")
    page.get_by_text("More options").click()
    page.get_by_text("Rules the sources leave unclear").click()
    page.locator("[name='rule.quiet_limit'][value='40']").check()
    page.get_by_role("button", name="Start").click()
    wait_for_board(page)
    there = ("d6-c6", "d5-c5", "c6-d6", "c5-d5")
    play(page, *there[:3])
    expect(page.locator(".counters")).not_to_contain_text("draw at 40")
    play(page, there[3])
    expect(page.locator(".counters")).to_contain_text("draw at 40")


def test_a_picture_of_the_rules_can_be_played_in_place(visit: Visitors) -> None:
    page = visit("/en/rules/brandub-globe")
    figure = page.locator(".figures figure").filter(has_text="the prince on c6 is captured").first
    figure.get_by_role("link").click()
    expect(figure.locator("tafl-board .cell.mine").first).to_be_attached()
    assert figure.locator("tafl-board").evaluate("(board) => board.play('e5-e6') || board.play('d5-d6')")
    expect(figure.get_by_role("link")).to_have_text("Again")
    figure.get_by_role("link").click()
    expect(figure.get_by_role("link")).to_have_text("Try it")


@pytest.mark.deep
def test_roads_are_shown_only_in_the_pictures_that_are_about_them(visit: Visitors) -> None:
    page = visit("/en/rules/gwezboell-globe")
    figures = page.locator(".figures figure")
    shown = []
    for figure in figures.all():
        figure.get_by_role("link").click()
        expect(figure.locator("tafl-board .cell.mine").first).to_be_attached()
        if figure.locator("tafl-board .step").count() > 0:
            shown.append(figure.locator("figcaption").inner_text())
    assert len(shown) == 2
    assert "road" in shown[0]
    assert "road" in shown[1]


@pytest.mark.deep
def test_a_match_with_the_computer_continues_to_its_second_leg(visit: Visitors) -> None:
    page = visit("/en/new?opponent=computer&side=attackers&legs=2&level=1&engine=server")
    page.get_by_role("button", name="Start").click()
    play(page, "d2-c2")
    expect(moves(page)).to_have_count(2)
    resign(page)
    page.get_by_role("button", name="Next game").click()
    expect(page.locator(".score")).to_contain_text("Game 2 of 2. You: 0, Lamb, level 1: 1.")
    expect(moves(page)).to_have_count(1)
    expect(page.locator(".near-player")).to_contain_text("King’s side")


@pytest.mark.deep
def test_a_position_whose_game_is_over_is_not_offered_for_playing(visit: Visitors) -> None:
    over = "K6/7/7/7/7/7/t6 a 0"
    page = visit(f"/en/new?variant=brandub-globe&position={over}&rule.quiet_limit=40")
    expect(page.locator(".over")).to_contain_text(
        "The game is already over in this position. The king has escaped."
    )
    expect(page.get_by_role("button", name="Start")).to_be_disabled()
    page.get_by_role("link", name="Analyse this position").click()
    expect(page.locator(".state")).to_contain_text("The king has escaped.")
    assert "rule.quiet_limit=40" in page.url
    page.go_back()
    page.get_by_role("link", name="Start from the beginning").click()
    expect(page.get_by_role("button", name="Start")).to_be_enabled()
    assert "position" not in page.url


@pytest.mark.deep
def test_a_rule_from_a_link_is_shown_kept_and_reset(visit: Visitors) -> None:
    # The count is shown from half of the limit.
    counted = BEFORE_RAICHI.removesuffix("0") + "10"
    page = visit(f"/fr/new?variant=gwezboell-globe&opponent=here&rule.quiet_limit=18&position={counted}")
    linked = page.get_by_role("group", name="Règles modifiées")
    expect(linked).to_contain_text("Dix-huit coups")
    page.get_by_role("button", name="Commencer").click()
    expect(page.locator("p.quiet")).to_contain_text("10 (nulle à 18)")
    page.go_back()
    linked.get_by_role("checkbox").uncheck()
    page.get_by_role("button", name="Commencer").click()
    expect(page.locator("p.quiet")).to_contain_text("10 (nulle à 20)")
    page.goto("/fr/new")
    expect(linked).to_have_count(0)


@pytest.mark.deep
def test_a_page_that_is_not_there_leads_on(visit: Visitors) -> None:
    page = visit("/fr/offline", viewport={"width": 360, "height": 640}, locale="fr-FR")
    page.get_by_role("link", name="À deux sur cet écran").click()
    wait_for_board(page)
    page.goto("/fr/offline")
    page.locator(".kept-here").get_by_role("link", name="Jeux").click()
    expect(page).to_have_url(re.compile("/fr/rules$"))


def test_moves_can_be_typed(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe", viewport={"width": 360, "height": 640})
    field = page.locator("tafl-board input")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Type moves in a field").check()
    page.get_by_role("button", name="Keyboard and gestures").click()
    keys = page.get_by_role("dialog", name="Keyboard and gestures")
    expect(keys).to_contain_text("Delete clears them")
    expect(keys.get_by_label("Type moves in a field")).to_have_count(0)
    keys.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    field.fill("d2-c2")
    field.press("Enter")
    expect(moves(page)).to_have_text(["d2–c2"])
    # What cannot be played is told, on the page and to screen readers.
    spoken = page.locator("tafl-board .announcer")
    for typed, why in {"d3-e5": "straight", "a4-a3": "It’s the king’s side’s turn.", "e2": ""}.items():
        field.fill(typed)
        field.press("Enter")
        if why:
            expect(page.locator(".fault")).to_contain_text(why)
            expect(spoken).to_contain_text(why)
    expect(page.get_by_role("alert")).to_have_text("Two squares make a move: d2-c2.")
    field.fill("d")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.reload()
    expect(field).to_be_visible()
    back = box_of(page.get_by_role("button", name="Previous move"))
    assert back["y"] + back["height"] <= 640
