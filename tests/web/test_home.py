"""The home page: the guided first game by mouse, touch and keyboard, and the ways from there."""

import re

import pytest
from playwright.sync_api import Page, expect

from hnefi.server.pages.home.guided_game import guided_facts
from tests.samples import deep
from tests.web.accessibility import violations
from tests.web.conftest import Visitors
from tests.web.game_page import announcement, box_of, moves, opened, play, resign, until, wait_for_board
from tests.web.online import make, on_board

pytestmark = pytest.mark.usefixtures("quick")

STEPS = guided_facts("en")["steps"]
WAY = ("c3", "e1", "g1")


def cell(page: Page, square: str) -> None:
    page.locator(f".cells [data-square={square}]").click()


def wait_for_step(page: Page, place: int) -> None:
    """Waits until a step is shown; the last is the end."""
    expect(page.locator("[data-pegs] .done")).to_have_count(place)


def go_through(page: Page) -> None:
    for place, square in enumerate(WAY, 1):
        cell(page, square)
        wait_for_step(page, place)


def men(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[data-man]')].map((one) => "
        "[one.dataset.man, one.dataset.piece]))"
    )
    return found


def test_three_moves_win_the_guided_game_for_which_little_is_loaded(visit: Visitors) -> None:
    page = visit("/")
    names = page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    assert not [name for name in names if ".wasm" in name]
    scripts = [name for name in names if name.endswith(".js")]
    assert len(scripts) == 1, scripts
    page.locator(".cells [data-square=e3]").drag_to(page.locator(".cells [data-square=b3]"))
    wait_for_step(page, 1)
    assert men(page)["b3"] == "defender"
    page.reload()
    assert men(page)["f1"] == "attacker"
    go_through(page)
    assert men(page)["g1"] == "king"
    assert "f1" not in men(page)
    expect(page.locator("[data-say]")).to_contain_text("You’ve won")
    assert violations(page) == []
    page.get_by_role("link", name="Play a full game").click()
    # The page adds the game to its address as soon as it runs, also before this line is reached.
    page.wait_for_url("**/computer?variant=brandub-globe&side=defenders&level=1*")
    wait_for_board(page)
    expect(page.locator(".near-player")).to_contain_text("You")
    # The computer has the attackers and begins.
    for count in (3, 1, 3):
        if count == 1:
            page.get_by_role("button", name="Undo").click()
        else:
            expect(moves(page)).to_have_count(1)
            origin, targets = next(iter(on_board(page)["legal"].items()))
            play(page, f"{origin}-{targets[0]['to']}")
        expect(moves(page)).to_have_count(count)
    resign(page)
    expect(announcement(page)).to_contain_text("The king’s side resigns. The attackers win.")


@pytest.mark.deep
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_square_answers_at_every_step(visit: Visitors, lang: str) -> None:
    page = visit(f"/{lang}/")
    squares = [f"{file}{rank}" for file in "abcdefg" for rank in range(1, 8)]
    for place, step in enumerate(STEPS):
        before = men(page)
        hint = page.locator("[data-hint]").inner_text()
        for square in squares:
            if square in step["moves"]:
                continue
            cell(page, square)
            answer = page.locator("[data-hint]").inner_text()
            assert answer
            assert answer != hint
        assert men(page) == before
        cell(page, WAY[place])
        wait_for_step(page, place + 1)


@pytest.mark.deep
def test_the_first_click_on_each_marked_square_moves(visit: Visitors) -> None:
    for square, captured in STEPS[0]["moves"].items():
        page = visit("/en/")
        cell(page, square)
        wait_for_step(page, 1)
        assert men(page)[square] == "defender"
        assert not {*captured} & {*men(page)}
        page.close()


@pytest.mark.deep
def test_the_attackers_answer_after_more_than_half_a_second(visit: Visitors) -> None:
    """Holds the clock of the page, whose pauses are as long as ever."""
    visit.script = ""
    page = visit("/en/")
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    cell(page, WAY[0])
    page.clock.run_for(590)
    assert "g5" in men(page)
    cell(page, "a1")
    expect(page.locator("[data-hint]")).to_contain_text("attackers are answering")
    page.clock.run_for(210)
    assert "e5" in men(page)
    assert "g5" not in men(page)


def test_the_guided_game_is_played_with_the_keyboard(visit: Visitors) -> None:
    page = visit("/en/")
    expect(page.locator("[data-say]")).to_contain_text("Slide the lit piece on e3")
    # What a screen reader says.
    names = {
        "e3": "e3, defender, selected",
        "c3": "c3, empty, can move here",
        "d4": "d4, empty, throne",
        "f1": "f1, attacker",
    }
    for square, name in names.items():
        expect(page.locator(f".cells [data-square={square}]")).to_have_accessible_name(name)
    page.locator(".cells [data-square=e3]").focus()
    for keys, place in ((["ArrowLeft"] * 2, 1), (["ArrowDown"] * 3, 2), (["ArrowRight"] * 2, 3)):
        for key in keys:
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        wait_for_step(page, place)
        reply = STEPS[place - 1]["reply"]
        told = f"The attackers answer {'–'.join(reply)}." if reply else ""
        expect(page.locator("[aria-live] .unseen")).to_have_text(told)
        if place == 1:
            target = page.locator(".cells [data-square=e1]")
            expect(target).to_have_accessible_name("e1, empty, can move here, capturing f1")
    expect(page.get_by_role("link", name="Play a full game")).to_be_visible()


@pytest.mark.parametrize("lang", ["fr", *deep("en")])
def test_headline_marked_squares_and_the_main_button_are_in_sight(visit: Visitors, lang: str) -> None:
    """The windows of 683 by 384 and 640 by 360 are those of small laptops at a zoom of 200 %."""
    page = visit(f"/{lang}/")
    for width, height in ((1366, 650), (683, 384), (640, 360), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OUT_OF_SIGHT) == []
        heading = box_of(page.get_by_role("heading", level=1))
        assert 0 <= heading["y"] <= heading["y"] + heading["height"] <= height
    # On phones the main button is above the tabs; with more height also those for two people.
    for name in ("computer", "full"):
        if name == "full":
            go_through(page)
        expect(page.locator(f"[data-{name}]")).to_be_visible()
        for width, height, last in ((360, 740, f"[data-{name}]"), (390, 844, ".people")):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("scrollY") == 0
            buttons, tabs = (box_of(page.locator(part)) for part in (last, ".page-tabs"))
            assert buttons["y"] + buttons["height"] <= tabs["y"], last


# The light comes from the left: a shadow falls a little over the right side of its square.
OUT_OF_SIGHT = """() => {
    const box = (one) => one.getBoundingClientRect();
    const cell = (square) => document.querySelector(`.cells [data-square=${square}]`);
    const isUnder = (one, { x, y, width, height }) =>
        document.elementFromPoint(x + width / 2, y + height / 2) !== one;
    const isBeside = (cell, man) => !(cell.left < man.left && man.right < cell.right + cell.width / 8
        && cell.top - 2 < man.top && man.bottom < cell.bottom + 2);
    const men = [...document.querySelectorAll("[data-man]")];
    return [
        ...["a3", "e3", "g3", "e1"].filter((square) => isUnder(cell(square), box(cell(square)))),
        ...men.filter((man) => isBeside(box(cell(man.dataset.man)), box(man.querySelector("use"))))
            .map((man) => man.dataset.man),
        ...(men.length > 0 ? [] : ["no piece"]),
    ];
}"""


def test_a_friend_is_invited_to_the_chosen_game_and_side(visit: Visitors) -> None:
    page = visit("/en/")
    page.get_by_role("link", name="Play a friend").click()
    expect(page.get_by_role("radio", name="A friend, by link")).to_be_checked()
    page.get_by_role("radio", name="Random").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/game/*")
    expect(page.get_by_label("Link for your friend", exact=True)).to_be_visible()
    expect(page.locator(".player .role")).to_have_text(["Random side", "Random side"])
    # Whoever has never given a name may do so now, and friends read who invites them.
    page.get_by_label("Your name").fill("Ana")
    expect(page.get_by_role("region", name="Attackers")).to_contain_text("Ana")
    expect(page.get_by_label("Your name")).to_have_value("Ana")


@pytest.mark.deep
def test_boards_lead_to_the_form_of_a_new_game_and_an_invitation_that_is_refused_says_why(
    visit: Visitors,
) -> None:
    page = visit("/fr/")
    page.get_by_role("link", name=re.compile("Hnefatafl")).click()
    page.wait_for_url("**/fr/new?variant=copenhagen-11")
    page.goto("/en/")
    page.get_by_role("link", name="Play a friend").click()
    refusal = '{"code": "too_many_requests", "message": "Too many new games."}'
    page.route("**/api/games", lambda route: route.fulfill(status=429, body=refusal))
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_have_text("Too many new games.")
    visit.faults = [fault for fault in visit.faults if "429" not in fault]


@pytest.mark.deep
def test_a_saved_game_is_offered_again(visit: Visitors) -> None:
    page = opened(visit, "/en/table?variant=brandub-globe&rule.king_armed=none")
    page.locator("tafl-board").evaluate("(board) => board.play('d6-c6')")
    until(page, lambda: page.evaluate("localStorage.getItem('hnefi.tables') !== null"), "the game is saved")
    page.goto("/en/")
    expect(page.get_by_role("heading", name="Pick up where you left off")).to_be_visible()
    expect(page.locator("[data-coach]")).to_be_hidden()
    facts = re.compile("Brandub .*, changed rules · 1 move · King’s side to move")
    expect(page.locator("[data-resume-game]")).to_have_text(facts)
    expect(page.locator(".cells")).to_be_hidden()
    square, corner = (page.locator(f"tafl-board [data-square={name}]") for name in ("c6", "a1"))
    expect(square).to_have_accessible_name(re.compile("c6, attacker"))
    expect(corner).to_have_accessible_name(re.compile("corner"))
    gold = page.locator(".main:is(.button, button):visible")
    expect(gold).to_have_text("Continue")
    assert violations(page) == []
    page.get_by_role("button", name="Play the guided game").click()
    expect(page.locator("tafl-board")).to_have_count(0)
    expect(page.locator("[data-coach]")).to_be_visible()
    expect(gold).to_have_text("Play the computer")
    cell(page, WAY[0])
    wait_for_step(page, 1)
    page.goto("/en/")
    # The board leads to the game, as the button does.
    square.click()
    page.wait_for_url("**/table#*")
    wait_for_board(page)
    assert page.locator("tafl-board").evaluate("(board) => board.state.position").startswith("3t3/2t4")


def test_a_game_that_waits_for_the_visitor_is_shown_from_his_side(visit: Visitors) -> None:
    page = visit("/en/")
    # Whoever has won the guided game is offered a whole one, which is not the main thing then.
    page.evaluate("localStorage.setItem('hnefi.guided', 'won')")
    game = make(page, variant="brandub-globe", opponent="computer", side="defenders")
    until(page, lambda: on_board(page)["turn"] == "defenders", "the computer plays")
    position = on_board(page)["position"].split(" ")[0]
    page.goto("/en/")
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(page.locator("[data-resume-game]")).to_contain_text("level")
    expect(page.locator(".main:is(.button, button):visible")).to_have_text("Continue")
    assert on_board(page)["position"].startswith(position)
    expect(page.locator("tafl-board")).to_have_attribute("flip", "")
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url(f"**/game/{game}")
