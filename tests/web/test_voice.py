"""What screen readers are told of a game besides the moves, and where the keyboard is after a change."""

import re

from playwright.sync_api import Page, expect

from tests.web.conftest import Visitors
from tests.web.game_page import moves, opened, play, resign, walk
from tests.web.online import invited
from tests.web.test_ending import ESCAPE, TRAP

HEAR = """(board) => {
    const status = board.shadowRoot.querySelector('[role=status]');
    window.heard = [];
    new MutationObserver(() => window.heard.push(status.textContent)).observe(status, {childList: true});
}"""

# Counts the frames in which the focus is nowhere.
WATCH_FOCUS = """() => {
    window.lost = 0;
    const look = () => {
        if (document.activeElement === document.body) window.lost += 1;
        requestAnimationFrame(look);
    };
    look();
}"""


def hear(page: Page) -> None:
    """Notes from now on what the board tells."""
    page.locator("tafl-board").evaluate(HEAR)


def told(page: Page) -> list[str]:
    """Returns what it told since the last call."""
    heard: list[str] = page.evaluate("window.heard.splice(0)")
    return heard


def expect_voice(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator("tafl-board [role=status]")).to_have_text(text)


def test_a_move_taken_back_is_told_as_such(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe")
    play(page, "d2-c2", "d5-c5")
    expect_voice(page, "Defender, d5 to c5.")
    hear(page)
    page.get_by_role("button", name="Undo").click()
    expect_voice(page, "1 move was taken back. After d2 to c2. King’s side to move.")
    page.get_by_role("button", name="Undo").click()
    expect_voice(page, "1 move was taken back. Start. Attackers to move.")
    assert all("Attacker," not in text and "Defender," not in text for text in told(page))


def test_an_earlier_position_is_told_and_shown_as_such(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe")
    play(page, "d2-c2", "d5-c5")
    back = page.get_by_role("button", name="Previous move")
    back.click()
    past = "This is an earlier position; “Go to the last move” leads back to the game."
    expect_voice(page, f"After d2 to c2. {past}")
    hear(page)
    expect(page.locator(".now")).to_have_text(past)
    # The button keeps the focus where there is nothing before.
    back.focus()
    page.keyboard.press("Enter")
    expect_voice(page, "Start.")
    # A step forward is no move that is played.
    page.get_by_role("button", name="Next move").press("Enter")
    expect_voice(page, "After d2 to c2.")
    back.press("Enter")
    expect_voice(page, "Start.")
    assert told(page) == ["Start.", "After d2 to c2.", "Start."]
    expect(back).to_be_disabled()
    expect(back).to_be_focused()
    # A piece that is taken up there says why nothing happens.
    page.locator("tafl-board [data-square=d2]").press("Enter")
    expect(page.locator(".fault")).to_have_text(past)
    page.get_by_role("button", name="Go to the last move").press("Enter")
    expect_voice(page, "Back in the game. After d5 to c5. Attackers to move.")
    expect(page.locator(".now")).to_contain_text("Attackers to move.")
    expect(page.locator(".fault")).to_have_count(0)


def test_danger_to_the_king_and_a_new_game_are_told(visit: Visitors) -> None:
    page = opened(visit, f"/en{TRAP}")
    expect_voice(page, "The king could be captured next.")
    hear(page)
    play(page, "f1-f2")
    expect_voice(page, "The king can be captured now.")
    assert told(page)[0] == "Defender, f1 to f2."
    play(page, "a5-d5")
    # The keyboard is at the end of the game, not nowhere.
    page.keyboard.press("Tab")
    page.locator("#ending").focus()
    page.get_by_role("button", name="Rematch").press("Enter")
    expect_voice(page, "A new game begins. King’s side to move. The king could be captured next.")
    expect(page.locator("tafl-board [data-square]:focus")).to_have_count(1)


def test_the_end_takes_the_focus_of_a_button_that_is_gone(visit: Visitors) -> None:
    page = opened(visit, f"/en{ESCAPE}")
    page.get_by_role("button", name="Resign").press("Enter")
    page.get_by_role("button", name="Resign").press("Enter")
    expect(page.get_by_role("heading", name="The king’s side won")).to_be_focused()
    expect_voice(page, "The king’s side won. The attackers resign. The king’s side wins.")
    # The button of the next game was not pressed.
    page.get_by_role("button", name="Rematch").press("Enter")
    expect(page.get_by_role("button", name="Resign")).to_be_visible()
    expect(page.locator("tafl-board [data-square]:focus")).to_have_count(1)


def test_the_focus_is_never_nowhere(visit: Visitors) -> None:
    maker, friend = invited(visit)
    play(maker, "d6-c6")
    play(friend, "d5-c5")
    expect(moves(maker)).to_have_count(2)
    maker.get_by_role("button", name="Undo").focus()
    maker.evaluate(WATCH_FOCUS)
    maker.keyboard.press("Enter")
    expect(friend.locator(".notice")).to_contain_text("asks to undo")
    expect(maker.get_by_role("button", name="Undo")).to_be_disabled()
    expect(maker.get_by_role("button", name="Undo")).to_be_focused()
    friend.get_by_role("button", name="Decline").focus()
    friend.evaluate(WATCH_FOCUS)
    friend.keyboard.press("Enter")
    expect(maker.locator(".notice")).to_contain_text("the move stands")
    for _ in range(2):
        maker.get_by_role("button", name="Resign").press("Enter")
    for page in (maker, friend):
        expect(page.locator(".ending")).to_be_visible()
    expect(maker.locator("#ending")).to_be_focused()
    expect(friend.locator("#ending")).to_be_focused()
    maker.get_by_role("button", name="Rematch").press("Enter")
    expect(maker.get_by_role("button", name="Rematch offered")).to_be_focused()
    assert [page.evaluate("window.lost") for page in (maker, friend)] == [0, 0]


def test_a_friend_who_comes_and_an_offer_are_told(visit: Visitors) -> None:
    maker, friend = invited(visit)
    expect_voice(maker, "Your opponent has joined: the game begins. You play the attackers. Your move.")
    # The friend, whose button to accept is gone, is at the heading.
    expect_voice(friend, "You play the king’s side. Attackers to move.")
    expect(friend.get_by_role("heading", level=1)).to_be_focused()
    hear(friend)
    play(maker, "d6-c6")
    expect_voice(friend, "Your move.")
    assert told(friend) == ["Attacker, d6 to c6.", "Your move."]
    undo = maker.get_by_role("button", name="Undo")
    undo.focus()
    friend.get_by_role("button", name="Draw").press("Enter")
    friend.get_by_role("button", name="Yes").press("Enter")
    expect_voice(maker, "Your opponent offers a draw.")
    # Enter would not accept what came under the finger.
    expect(maker.get_by_role("button", name="Accept draw")).not_to_be_focused()
    maker.get_by_role("button", name="Play on").press("Enter")
    expect_voice(friend, "Draw declined.")
    expect_voice(maker, "Declined.")


def test_the_way_to_the_review_is_told(visit: Visitors) -> None:
    page = opened(visit, f"/en{TRAP}")
    play(page, "f1-f2", "a5-d5")
    expect_voice(page, "The attackers won on move 2. The king is captured. The attackers win.")
    page.get_by_role("button", name="Review").press("Enter")
    expect_voice(page, "Review.")
    expect(page.locator("tafl-board [data-square]:focus")).to_have_count(1)


def test_players_of_a_rematch_are_told_their_sides(visit: Visitors) -> None:
    maker, friend = invited(visit)
    play(maker, "d6-c6")
    play(friend, "d5-c5")
    resign(maker)
    maker.get_by_role("button", name="Rematch").click()
    friend.get_by_role("button", name="Accept rematch").click()
    expect_voice(maker, "You play the king’s side. Attackers to move.")
    expect_voice(friend, "You play the attackers. Your move.")
    for page in (maker, friend):
        expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_the_answer_of_the_computer_and_the_turn_are_told(visit: Visitors) -> None:
    page = opened(visit, "/fr/computer?variant=brandub-globe&side=attackers&level=1", locale="fr-FR")
    expect_voice(page, "Vous jouez les attaquants. À vous de jouer.")
    play(page, "d2-c2")
    expect(moves(page)).to_have_count(2)
    expect(page.locator("tafl-board [role=status]")).to_contain_text("À vous de jouer.")
    for _ in range(2):
        page.get_by_role("button", name="Abandonner").click()
    page.get_by_role("button", name="Annuler le coup").press("Enter")
    # What the king's side threatens depends on the computer's move.
    expect_voice(page, re.compile("^La partie continue. À vous de jouer."))


def test_a_connection_that_is_back_is_told_and_what_was_told_before_is_not(visit: Visitors) -> None:
    maker, friend = invited(visit)
    play(maker, "d6-c6")
    expect_voice(friend, "Your move.")
    maker.get_by_role("button", name="Draw").press("Enter")
    maker.get_by_role("button", name="Yes").press("Enter")
    expect_voice(friend, "Your opponent offers a draw.")
    hear(friend)
    friend.context.set_offline(True)
    expect_voice(friend, "Connection lost; reconnecting…")
    friend.context.set_offline(False)
    expect_voice(friend, "Connected again.")
    assert told(friend) == ["Connection lost; reconnecting…", "Connected again."]


def test_a_refused_move_and_the_piece_that_is_put_back_are_told_each_time(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe")
    hear(page)
    page.locator("tafl-board [data-square=d4]").focus()
    for _ in range(2):
        walk(page, "d2", "d4")
    # The second Enter puts it back.
    walk(page, "d2", "d2")
    taken_up = "Attacker d2 picked up. Squares to move to: 6."
    refused = "The way is blocked by a defender on d3. Piece put back."
    assert told(page) == [taken_up, refused, taken_up, refused, taken_up, "Piece put back."]


def test_steps_in_an_analysis_are_not_told_as_moves(visit: Visitors) -> None:
    page = opened(visit, "/en/analysis?variant=brandub-globe")
    play(page, "d2-c2", "d5-c5")
    expect_voice(page, "Attackers to move.")
    hear(page)
    steps = {
        "Previous move": "After d2 to c2. King’s side to move.",
        "Next move": "After d5 to c5. Attackers to move.",
        "Go to the start": "Start.",
    }
    for step, text in steps.items():
        page.get_by_role("button", name=step).click()
        expect_voice(page, text)
    play(page, "d2-e2")
    expect_voice(page, "King’s side to move.")
    # One voice tells everything, and each thing once.
    assert told(page) == [*steps.values(), "Attacker, d2 to e2.", "King’s side to move."]
    expect(page.locator(".analysis-side .state")).to_have_text("King’s side to move.")
    expect(page.get_by_role("status")).to_have_count(1)


def test_steps_that_capture_the_engine_and_the_setting_up_are_told(visit: Visitors) -> None:
    page = opened(visit, "/en/analysis?variant=brandub-globe&position=7/t6/3T3/2tKt2/3t3/7/5T1 d")
    play(page, "f1-f4")
    page.get_by_role("button", name="Previous move").click()
    page.get_by_role("button", name="Next move").click()
    expect_voice(page, "After f1 to f4, capturing e4. Attackers to move.")
    page.get_by_role("button", name="Start engine").press("Enter")
    expect(page.locator("tafl-board [role=status]")).to_contain_text("Best move: ")
    # The button of a line goes with the position: the keyboard is at the board then.
    page.locator(".line-moves button").first.press("Enter")
    expect(page.locator("tafl-board [data-square]:focus")).to_have_count(1)
    page.get_by_role("tab", name="Set up").click()
    page.get_by_role("radio", name="places an attacker").check()
    for text in ("b2, attacker", "b2, empty"):
        page.locator("tafl-board [data-square=b2]").press("Enter")
        expect_voice(page, text)
    page.get_by_label("Position as text").fill("rubbish")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("rows")
