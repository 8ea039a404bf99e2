"""`<tafl-board>`: moves by mouse, touch and keyboard, and texts for screen readers."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.board.board_page import CAPTURE, START, announcer, cell, centre, drag, on_board, position
from tests.pages import context_of, open_board

# --- Hands ----------------------------------------------------------------------------------------------


def test_a_piece_is_dragged_and_lands_where_it_may(page: Page, address: str) -> None:
    open_board(page, address, START)
    drag(page, "d7", "f7")
    expect(cell(page, "f7")).to_have_accessible_name("f7, attacker")
    assert position(page).startswith("5t1/3t3/")


def test_another_src_replaces_the_game_of_a_board(page: Page, address: str) -> None:
    open_board(page, address, START)
    cell(page, "d7").click()
    cell(page, "c7").click()
    counting = "b.shown = 0; b.addEventListener('tafl-game', () => b.shown++);"
    on_board(page, f"{{ {counting} b.setAttribute('src', b.getAttribute('src')); }}")
    expect(cell(page, "d7")).to_have_accessible_name("d7, attacker")
    drag(page, "d7", "f7")
    expect(cell(page, "f7")).to_have_accessible_name("f7, attacker")
    # The new game began, and its move was played, each once.
    assert on_board(page, "b.shown") == 2


def test_a_piece_dropped_wrongly_goes_back(page: Page, address: str) -> None:
    open_board(page, address, START)
    refused = on_board(
        page, "{ b.received = []; b.addEventListener('tafl-refused', e => b.received.push(e.detail)); }"
    )
    before = position(page)
    drag(page, "d7", "e5")
    assert position(page) == before
    assert on_board(page, "b.received") == [{"from": "d7", "to": "e5"}]
    assert on_board(page, "b.selected") is None
    assert refused is None


def test_two_taps_move_and_a_third_takes_another_piece(page: Page, address: str) -> None:
    open_board(page, address, START)
    cell(page, "d7").click()
    assert on_board(page, "b.selected") == "d7"
    cell(page, "d6").click()
    assert on_board(page, "b.selected") == "d6"
    cell(page, "b6").click()
    expect(cell(page, "b6")).to_have_accessible_name("b6, attacker")


def test_a_finger_taps_and_drags(browser: Browser, address: str) -> None:
    context = context_of(browser, viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    page = context.new_page()
    open_board(page, address, START)
    cell(page, "d7").tap()
    cell(page, "c7").tap()
    expect(cell(page, "c7")).to_have_accessible_name("c7, attacker")
    fingers = context.new_cdp_session(page)
    (x, y), (to_x, to_y) = centre(page, "d5"), centre(page, "f5")
    for kind, at in (("touchStart", (x, y)), ("touchMove", (x + 12, y)), ("touchMove", (to_x, to_y))):
        points = [{"x": at[0], "y": at[1]}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    # The piece is larger, and above the finger, where it can be seen.
    carried = page.locator("tafl-board svg > g:last-child > .piece")
    expect(carried).to_have_attribute("transform", re.compile(r"scale\(1\.3\)"))
    box = carried.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] / 2 < to_y - 10
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(cell(page, "f5")).to_have_accessible_name("f5, defender")
    context.close()


def test_a_finger_that_nearly_hits_is_understood(page: Page, address: str) -> None:
    open_board(page, address, START)
    cell(page, "d7").click()
    x, y = centre(page, "f7")
    box = cell(page, "f7").bounding_box()
    assert box is not None
    # Below the square: f6 is no square for this piece.
    page.mouse.click(x, y + 0.6 * box["height"])
    expect(cell(page, "f7")).to_have_accessible_name("f7, attacker")


@pytest.mark.parametrize("text", ["e7-e5", "e7e5", " E7 E5", "e7xe5", "e7-e5xd5", "Te7×e5"])
def test_a_typed_move_may_have_any_usual_form(page: Page, address: str, text: str) -> None:
    open_board(page, address, CAPTURE)
    assert on_board(page, "b.play(a[0])", text)
    expect(cell(page, "e5")).to_have_accessible_name("e5, attacker")
    assert not on_board(page, "b.play('e5-')")


def test_only_the_own_side_can_be_taken_up(page: Page, address: str) -> None:
    open_board(page, address, f"{START}&movable=attackers")
    on_board(page, "b.play('d7-f7')")
    cell(page, "d5").click()
    assert on_board(page, "b.selected") is None


def test_arrows_and_circles_are_drawn_with_the_right_button(page: Page, address: str) -> None:
    open_board(page, address, START)
    drag(page, "b2", "b5", "right")
    cell(page, "f2").click(button="right")
    drawn = {"arrows": [{"from": "b2", "to": "b5"}], "circles": ["f2"]}
    assert on_board(page, "b.drawn") == drawn
    expect(page.locator("tafl-board .arrow.drawn")).to_have_count(1)
    # The same again takes it away; a tap on nothing wipes away the rest.
    drag(page, "b2", "b5", "right")
    assert on_board(page, "b.drawn") == {"arrows": [], "circles": ["f2"]}
    cell(page, "b2").click()
    assert on_board(page, "b.drawn") == {"arrows": [], "circles": []}


def test_arrows_and_circles_are_drawn_with_a_finger_that_is_held_down(browser: Browser, address: str) -> None:
    context = context_of(browser, viewport={"width": 360, "height": 640}, has_touch=True)
    page = context.new_page()
    page.clock.install()
    open_board(page, address)
    # Time goes on when it is told to: how long a finger is held does not depend on how busy the machine is.
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 2)
    touch = context.new_cdp_session(page)

    def finger(kind: str, square: str | None) -> None:
        box = square and cell(page, square).bounding_box()
        points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}] if box else []
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    for start, hold_ms, end in (("b2", 700, "b5"), ("f2", 700, "f2"), ("d2", 1200, "d6")):
        finger("Start", start)
        page.clock.run_for(hold_ms)
        finger("Move", end)
        finger("End", None)
    drawn = {"arrows": [{"from": "b2", "to": "b5"}, {"from": "d2", "to": "d6"}], "circles": ["f2"]}
    assert on_board(page, "b.drawn") == drawn
    assert on_board(page, "b.selected") is None
    # A slow tap on a piece still takes it up, and a finger that moves at once draws nothing.
    finger("Start", "d2")
    page.clock.run_for(600)
    finger("End", None)
    assert on_board(page, "b.selected") == "d2"
    finger("Start", "d2")
    finger("Move", "c2")
    page.clock.run_for(1200)
    finger("End", None)
    assert on_board(page, "b.drawn") == drawn
    assert position(page).endswith(" d 1")
    context.close()


def test_arrows_and_circles_are_drawn_with_the_keyboard(page: Page, address: str) -> None:
    open_board(page, address)
    on_board(page, "b.focusSquare('b2')")
    page.keyboard.press("a")
    expect(announcer(page)).to_have_text("Arrow from b2: go to where it ends and press a again.")
    page.keyboard.press("ArrowUp")
    expect(page.locator("tafl-board .arrow.drawn")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("a")
    expect(announcer(page)).to_have_text("Arrow from b2 to b4.")
    page.keyboard.press("c")
    expect(announcer(page)).to_have_text("Circle on b4.")
    assert on_board(page, "b.drawn") == {"arrows": [{"from": "b2", "to": "b4"}], "circles": ["b4"]}
    page.keyboard.press("c")
    expect(announcer(page)).to_have_text("Cleared.")
    page.keyboard.press("a")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowUp")
    assert on_board(page, "b.drawn") == {"arrows": [{"from": "b2", "to": "b4"}], "circles": []}
    expect(page.locator("tafl-board .arrow.drawn")).to_have_count(1)
    page.keyboard.press("Delete")
    assert on_board(page, "b.drawn") == {"arrows": [], "circles": []}


def test_movable_is_a_property_and_an_attribute(page: Page, address: str) -> None:
    open_board(page, address)
    assert on_board(page, "b.movable") == "both"
    on_board(page, "(b.movable = 'defenders')")
    assert page.locator("tafl-board").get_attribute("movable") == "defenders"
    expect(page.locator("tafl-board .cell.mine")).to_have_count(0)
    on_board(page, "b.setAttribute('movable', 'attackers')")
    assert on_board(page, "b.movable") == "attackers"
    expect(page.locator("tafl-board .cell.mine")).to_have_count(8)


# --- Keyboard and screen reader ---------------------------------------------------------------------------


def test_a_move_is_made_from_the_keyboard_alone(page: Page, address: str) -> None:
    open_board(page, address, START)
    page.keyboard.press("Tab")
    expect(cell(page, "d4")).to_be_focused()
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(cell(page, "d7")).to_have_attribute("aria-selected", "true")
    expect(announcer(page)).to_have_text("Attacker d7 picked up. Squares to move to: 4.")
    expect(cell(page, "f7")).to_have_accessible_name("f7, empty, can move here")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(announcer(page)).to_have_text("Attacker, d7 to f7.")
    expect(cell(page, "f7")).to_be_focused()
    assert page.locator("tafl-board [tabindex='0']").count() == 1


def test_escape_puts_the_piece_back(page: Page, address: str) -> None:
    open_board(page, address, START)
    on_board(page, "b.focusSquare('d7')")
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    assert on_board(page, "b.selected") is None
    expect(announcer(page)).to_have_text("Piece put back.")


def test_the_ends_of_rank_and_file_are_reached_at_once(page: Page, address: str) -> None:
    open_board(page, address, f"{START}&flip")
    page.keyboard.press("Tab")
    for key, square in (
        ("Home", "g4"),
        ("PageUp", "g1"),
        ("End", "a1"),
        ("PageDown", "a7"),
        ("ArrowDown", "a7"),
    ):
        page.keyboard.press(key)
        expect(cell(page, square)).to_be_focused()


def test_captures_are_announced(page: Page, address: str) -> None:
    open_board(page, address, CAPTURE)
    on_board(page, "b.focusSquare('e7')")
    page.keyboard.press("Enter")
    expect(cell(page, "e5")).to_have_accessible_name("e5, empty, can move here, capturing d5")
    on_board(page, "b.play('e7-e5')")
    expect(announcer(page)).to_have_text("Attacker, e7 to e5, captures d5.")
    expect(cell(page, "d5")).to_have_accessible_name("d5, empty")


def test_squares_are_named_with_what_they_are(page: Page, address: str) -> None:
    open_board(page, address, f"{START}&lang=fr")
    expect(page.locator("tafl-board [role=grid]")).to_have_accessible_name("Plateau de 7 cases sur 7")
    expect(cell(page, "d4")).to_have_accessible_name("d4, roi, trône")
    expect(cell(page, "a1")).to_have_accessible_name("a1, vide, coin")
    assert page.get_by_role("row").count() == 7
    assert page.get_by_role("gridcell").count() == 49


def test_typed_moves_are_played(page: Page, address: str) -> None:
    open_board(page, address, f"{START}&input")
    field = page.get_by_label("Move")
    field.fill("d7-e5")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("D7f7")
    field.press("Enter")
    expect(field).to_have_value("")
    expect(cell(page, "f7")).to_have_accessible_name("f7, attacker")


def test_special_squares_are_explained_on_focus_and_hover(page: Page, address: str) -> None:
    open_board(page, address, START)
    note = page.get_by_role("tooltip")
    page.keyboard.press("Tab")
    expect(note).to_contain_text("Hostile to the attackers, the defenders and the king while empty.")
    place = note.bounding_box()
    beside = [cell(page, square).bounding_box() for square in ("c4", "e4", "d3", "d5")]
    assert place is not None
    for box in beside:
        assert box is not None
        below, right = box["y"] + box["height"], box["x"] + box["width"]
        is_above = below <= place["y"] or place["y"] + place["height"] <= box["y"]
        assert is_above or right <= place["x"] or place["x"] + place["width"] <= box["x"]
    page.keyboard.press("ArrowUp")
    expect(note).to_be_hidden()
    cell(page, "a1").hover()
    expect(note).to_contain_text("The king wins here.")
    expect(cell(page, "a1")).to_have_accessible_description(re.compile("^Corner"))
    page.locator("tafl-board").evaluate("board => board.show(board.state)")
    expect(note).to_be_hidden()


# --- Plans and confirmation -------------------------------------------------------------------------------


def test_a_move_waits_until_it_is_confirmed(page: Page, address: str) -> None:
    open_board(page, address, f"{START}&confirm")
    before = position(page)
    drag(page, "d7", "f7")
    assert on_board(page, "b.pending") == {"from": "d7", "to": "f7"}
    assert position(page) == before
    cell(page, "b2").click()
    assert on_board(page, "b.pending") is None
    # News about the same position, such as an offer, leaves it; the end of the game does not.
    drag(page, "d7", "f7")
    on_board(page, "b.state = {...b.state}")
    assert on_board(page, "b.pending") == {"from": "d7", "to": "f7"}
    on_board(page, "b.state = {...b.state, turn: null, legal: {}}")
    assert on_board(page, "b.pending") is None
    open_board(page, address, f"{START}&confirm")
    drag(page, "d7", "f7")
    cell(page, "f7").click()
    expect(cell(page, "f7")).to_have_accessible_name("f7, attacker")


def test_a_planned_move_is_made_when_its_turn_comes(page: Page, address: str) -> None:
    open_board(page, address, f"{START}&premove&movable=defenders")
    drag(page, "d5", "f5")
    assert on_board(page, "b.planned") == {"from": "d5", "to": "f5"}
    expect(page.locator("tafl-board .arrow.planned")).to_have_count(1)
    on_board(page, "b.dispatchEvent(new CustomEvent('tafl-move', {detail: {from: 'd7', to: 'c7'}}))")
    expect(cell(page, "f5")).to_have_accessible_name("f5, defender")
    assert on_board(page, "b.planned") is None


def test_a_plan_that_became_impossible_is_given_up(page: Page, address: str) -> None:
    open_board(page, address, f"{START}&premove&movable=defenders")
    drag(page, "d5", "f5")
    on_board(page, "b.dispatchEvent(new CustomEvent('tafl-move', {detail: {from: 'f4', to: 'f5'}}))")
    assert on_board(page, "b.planned") is None
    expect(cell(page, "d5")).to_have_accessible_name("d5, defender")


def test_a_cancelled_move_goes_back(page: Page, address: str) -> None:
    open_board(page, address, START)
    on_board(page, "b.parentElement.addEventListener('tafl-move', e => e.preventDefault(), true)")
    on_board(page, "b.parentElement.addEventListener('tafl-move', e => e.stopPropagation(), true)")
    before = position(page)
    drag(page, "d7", "f7")
    assert position(page) == before
    expect(page.locator("tafl-board .waiting")).to_have_count(0)


def test_an_editor_puts_pieces_anywhere_and_off_the_board(page: Page, address: str) -> None:
    open_board(page, address, f"{START}&edit")
    on_board(page, "{ b.received = []; b.addEventListener('tafl-edit', e => b.received.push(e.detail)); }")
    drag(page, "d7", "b2")
    page.mouse.move(*centre(page, "d5"))
    page.mouse.down()
    page.mouse.move(5, 5, steps=3)
    page.mouse.up()
    assert on_board(page, "b.received") == [{"from": "d7", "to": "b2"}, {"from": "d5", "to": None}]
