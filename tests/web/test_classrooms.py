"""A class in the browser: a host on a laptop and pupils on phones, from the code to the printed table."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from hnefi import variant
from tests.web.accessibility import violations
from tests.web.conftest import Visitors
from tests.web.game_page import box_of, overflows, wait_for_board

pytestmark = pytest.mark.usefixtures("quick")

PHONE = {"width": 360, "height": 740}
ABSENT = 7
MEMBER: dict[str, Any] = {
    **dict.fromkeys(("played", "won", "drawn", "points"), 0),
    "playing": True,
    "sits_out": False,
    "has_device": True,
    "open_ms": None,
}
GAME: dict[str, Any] = {
    "round": 1,
    "variant": "brandub-globe",
    "reason": None,
    "moves": 0,
    "turn": "attackers",
    "position": str(variant("brandub-globe").rules.start),
}


def create(visit: Visitors, lang: str = "en", **settings: object) -> tuple[Page, str]:
    """Creates a class; returns the page of its host, and its code as it is shown."""
    host = visit(f"/{lang}/class", **settings)
    form = host.locator("[data-create]")
    form.locator("[name=name]").fill("5B")
    form.locator("[type=submit]").click()
    code = host.locator(".class-code .code")
    expect(code).to_be_visible()
    return host, code.inner_text()


def join(visit: Visitors, code: str, name: str, **settings: object) -> Page:
    page = visit("/en/class", viewport=PHONE, **settings)
    page.get_by_label("Class code").fill(code.lower())
    page.get_by_label("Your first name").fill(name)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text(f"You are {name}.")).to_be_visible()
    return page


def paired(visit: Visitors) -> tuple[Page, str, Page, Page]:
    """Returns the page of the host of a class, its code, and the pages of Ana and Bran, who are to play."""
    host, code = create(visit)
    expect(host.locator(".lead")).to_contain_text("Nobody is here at the moment.")
    ana, bran = join(visit, code, "Ana"), join(visit, code, "Bran")
    expect(ana.get_by_text("Wait here. Your next game appears by itself.")).to_be_visible()
    expect(host.get_by_text("2 people here")).to_be_visible()
    host.get_by_role("button", name="Pair everyone").click()
    return host, code, ana, bran


def test_a_class_meets_plays_sees_its_results_and_ends(visit: Visitors) -> None:
    host, _, ana, bran = paired(visit)
    to_board = ana.get_by_role("link", name="Go to the board")
    expect(to_board).to_be_visible()
    assert violations(ana) == []
    assert overflows(ana, 320, 768, 1366) == {}
    to_board.click()
    wait_for_board(ana)
    bran.get_by_role("link", name="Go to the board").click()
    wait_for_board(bran)
    assert ana.url == bran.url
    expect(ana.get_by_role("link", name="Back to the class")).to_be_visible()
    wall = host.locator(".class-wall li")
    expect(wall).to_contain_text("to move")
    result = wall.get_by_label("Result: Ana against Bran")
    assert box_of(result)["height"] == 40
    result.select_option("defenders")
    expect(wall).to_contain_text("Bran won")
    row = host.locator(".class-standings tr").first
    expect(row).to_have_text("1Bran1")
    host.get_by_role("button", name="Same pairs, sides swapped").click()
    # Those who are still at the old board are called to the new one.
    call = bran.get_by_role("link", name="Your next game is ready")
    call.click()
    wait_for_board(bran)
    assert bran.url != ana.url
    bar = bran.locator(".class-bar")
    expect(bar).to_have_text("Back to the class")
    expect(host.get_by_text("are deleted on")).to_have_text(re.compile(r" on \d\d? \w+ \d{4} if"))
    host.once("dialog", lambda dialog: dialog.accept("5B, Tuesday"))
    host.get_by_role("button", name="Rename the class").click()
    expect(host.get_by_role("heading", level=1)).to_have_text("5B, Tuesday")
    host.on("dialog", lambda dialog: dialog.accept())
    buttons = host.locator(".class-manage button:not(.quiet)")
    expect(buttons).to_have_text(
        [
            "Rename the class",
            "Lock the class",
            "Lead it from another device",
            "End the class",
            "Delete the class",
        ]
    )
    end, delete = (box_of(buttons.nth(place)) for place in (3, 4))
    assert end["y"] + end["height"] + 24 < delete["y"]
    buttons.nth(3).click()
    expect(bar).to_have_text("The class is over: see the results")
    expect(bar).to_have_attribute("role", "status")
    assert box_of(bar)["height"] < 50


@pytest.mark.deep
def test_the_way_back_to_a_class_leads_its_host_and_its_pupils(visit: Visitors) -> None:
    host, code = create(visit)
    ana = join(visit, code, "Ana")
    for page in (host, ana):
        room = page.url
        page.goto(page.url.rpartition("/")[0])
        page.get_by_role("navigation", name="Your classes").get_by_role("link", name="5B").click()
        page.wait_for_url(room)
    expect(ana.get_by_text("You are Ana.")).to_be_visible()
    # The code does not make a player of the host.
    host.goto(host.url.rpartition("/")[0])
    host.get_by_label("Class code").fill(code)
    host.get_by_label("Your first name").fill("Mrs Hill")
    host.get_by_role("button", name="Join").click()
    expect(host.get_by_text("1 person here")).to_be_visible()
    # A class that is gone is forgotten. The browser reports the answer that it is not there.
    visit.expected = (*visit.expected, "404 (Not Found)")
    host.once("dialog", lambda dialog: dialog.accept())
    host.get_by_role("button", name="Delete the class").click()
    host.wait_for_url("**/en/class")
    expect(host.get_by_role("heading", name="Join a class")).to_be_visible()
    expect(host.get_by_role("navigation", name="Your classes")).to_be_hidden()
    ana.reload()
    expect(ana.get_by_text("Enter the code again")).to_be_visible()
    ana.goto(ana.url.rpartition("/")[0])
    expect(ana.get_by_role("heading", name="Join a class")).to_be_visible()
    expect(ana.get_by_role("navigation", name="Your classes")).to_be_hidden()


def test_a_class_page_that_could_not_reach_the_server_comes_back(visit: Visitors) -> None:
    host, _ = create(visit)
    host.route("**/api/classes/*", lambda route: route.abort("internetdisconnected"))
    host.reload()
    expect(host.get_by_role("button", name="Try again")).to_be_visible()
    host.unroute("**/api/classes/*")
    host.evaluate("dispatchEvent(new Event('online'))")
    expect(host.locator(".class-code .code")).to_be_visible()


def test_a_device_changes_hands_and_results_stay_with_their_names(visit: Visitors) -> None:
    host, code, device, bran = paired(visit)
    hand_over = device.get_by_text("Not Ana? Hand the device over")
    hand_over.click()
    expect(device.get_by_text("Ana has a game that is not over.")).to_be_visible()
    # The host watches a game without being told how to be invited.
    watch = host.context.new_page()
    watch.goto(device.get_by_role("link", name="Go to the board").evaluate("link => link.href"))
    expect(watch.get_by_text("You’re watching.", exact=True)).to_be_visible()
    # A long name leaves no room for the side beside the word that its player is away.
    watch.set_viewport_size({"width": 360, "height": 640})
    expect(watch.locator(".top-player .away")).to_be_visible()
    name, side = (box_of(watch.locator(f".top-player {part}")) for part in ("b", ".role"))
    assert name["y"] + name["height"] < side["y"] + 2
    watch.close()
    host.get_by_label("Result: Ana against Bran").first.select_option("attackers")
    # Joining under another name asks who plays.
    expect(device.get_by_text("Won against Bran")).to_be_visible()
    device.goto("/en/class")
    device.get_by_label("Class code").fill(code)
    device.get_by_label("Your first name").fill("Dag")
    device.get_by_role("button", name="Join", exact=True).click()
    expect(device.get_by_text("Ana has already joined this class on this device.")).to_be_visible()
    device.get_by_role("button", name="Join as Dag").click()
    expect(device.get_by_text("You are Dag.")).to_be_visible()
    expect(device.get_by_text("Won against Bran")).to_have_count(0)
    expect(host.locator(".class-standings tr").first).to_have_text("1Ana1")
    # Ana comes back on another device, once the host lets her.
    host.get_by_role("button", name="Let Ana join on another device").click()
    expect(host.get_by_text("the next device that joins as Ana takes this place")).to_be_visible()
    back = join(visit, code, "Ana")
    expect(back.get_by_text("Won against Bran")).to_be_visible()
    bran.get_by_text("Not Bran? Hand the device over").click()
    bran.get_by_role("button", name="Hand the device over").click()
    expect(bran.get_by_label("Your first name")).to_be_visible()
    visit.faults = [fault for fault in visit.faults if "409" not in fault]


@pytest.mark.deep
def test_the_boards_of_sixteen_pairs_are_numbered_in_sight_and_not_printed(visit: Visitors) -> None:
    host, code = create(visit, "fr", viewport={"width": 1366, "height": 768})
    address = f"/api/classes/{code.replace(' ', '').lower()}"
    view = host.request.get(address).json()
    view["members"] = [
        {**MEMBER, "number": number, "name": f"Player {number}", "here": number != ABSENT}
        for number in range(32)
    ]
    view["games"] = [
        {**GAME, "game": f"game{k}", "attackers": 2 * k, "defenders": 2 * k + 1}
        | {"names": [f"Player {2 * k}", f"Player {2 * k + 1}"], "result": "attackers" if k == 0 else None}
        for k in range(16)
    ]
    host.route(f"**{address}", lambda route: route.fulfill(json=view))
    boards = host.locator(".class-wall li")
    expect(boards).to_have_count(16)
    for width, height in ((1366, 768), (1920, 1080)):
        host.set_viewport_size({"width": width, "height": height})
        low, beside, smallest = boards.evaluate_all(
            """(all) => [Math.max(...all.map((one) => one.getBoundingClientRect().bottom)),
                document.querySelector(".class-standings").getBoundingClientRect().bottom,
                Math.min(...all.map((one) => one.querySelector(".mini-board").clientWidth))]"""
        )
        assert low <= height
        assert beside <= height
        assert smallest >= 110
    expect(boards.first).to_have_class("over")
    expect(boards.first.get_by_role("link")).to_have_accessible_name(
        "1. Player 0 contre Player 1. Player 0 a gagné"
    )
    expect(boards.nth(3).locator(".needs-host")).to_have_text("Player 7 n’est plus en ligne")
    expect(host.locator(".needs-host")).to_have_count(1)
    # On a projector, the games that are played come first, with their numbers.
    host.get_by_role("button", name="N’afficher que les plateaux").click()
    expect(boards.first).to_contain_text("2Player 2")
    expect(boards.last).to_have_class("over")
    host.get_by_role("button", name="Tout afficher").click()
    # Low once the sides can be swapped; the name of a pupil who is away stays on its line.
    view.update(name="CM2 de Mme Le Goff", rounds=1)
    for member, game in zip(view["members"], view["games"] * 2, strict=True):
        member["playing"], game["result"] = False, "draw"
    expect(host.get_by_role("button", name="Mêmes paires, camps inversés")).to_be_visible()
    for width in (1024, 1280, 1920):
        host.set_viewport_size({"width": width, "height": 800})
        assert box_of(host.locator(".class-room > header"))["height"] < 160
        assert box_of(host.locator(".away"))["height"] < 50
    view["members"][0]["name"] = "Maximilienne-Alexandrine"
    expect(host.get_by_text("Maximilienne-Alexandrine").first).to_be_visible()
    assert overflows(host, 320, 768, 1366) == {}
    assert violations(host) == []
    host.emulate_media(media="print")
    expect(host.locator(".class-results table").first).to_be_visible()
    expect(host.locator(".class-wall")).to_be_hidden()
    expect(host.locator("header.top")).to_be_hidden()


@pytest.mark.deep
def test_boards_alone_fill_the_window_and_a_deleted_class_says_so(visit: Visitors) -> None:
    host, code = create(visit, viewport={"width": 1366, "height": 768})
    expect(host.get_by_text("Needs two players who are here.")).to_be_visible()
    pupils = [join(visit, code, name) for name in ("Ana", "Bran", "Cléa", "Dag")]
    expect(host.get_by_text("4 people here")).to_be_visible()
    expect(host.get_by_text("Round robin:")).to_be_visible()
    host.get_by_role("button", name="Pair everyone").click()
    boards = host.locator(".class-wall li")
    expect(boards).to_have_count(2)
    expect(host.get_by_text("Possible once two players are free")).to_be_visible()
    expect(host.get_by_text("To pair two players yourself")).to_have_count(0)
    host.get_by_role("button", name="Show only the boards").click()
    expect(host.locator("header.top")).to_be_hidden()
    assert host.evaluate("document.documentElement.scrollHeight") <= 768
    assert box_of(host.locator(".class-wall .mini-board").first)["width"] > 300
    host.get_by_role("button", name="Show everything").click()
    host.once("dialog", lambda dialog: dialog.accept())
    host.get_by_role("button", name="Delete the class").click()
    # Each page learns it with its next request, which fails: only then are its faults known.
    for pupil in pupils:
        pupil.bring_to_front()
        expect(pupil.get_by_role("heading", level=1)).to_have_text("This class has been deleted.")
    expect(pupils[0].get_by_text("You are Ana.")).to_have_count(0)
    visit.faults = [fault for fault in visit.faults if "404" not in fault]


@pytest.mark.deep
def test_a_result_of_the_host_closes_the_boards(visit: Visitors) -> None:
    host, _, ana, bran = paired(visit)
    for page in (ana, bran):
        page.get_by_role("link", name="Go to the board").click()
        wait_for_board(page)
    result = host.locator(".class-wall").get_by_label("Result: Ana against Bran")
    result.select_option("defenders")
    expect(ana.locator(".ending")).to_contain_text("The host has set the result: the king’s side wins.")
    expect(ana.get_by_role("heading", name="You lost")).to_be_visible()
    expect(bran.get_by_role("heading", name="You won")).to_be_visible()
    expect(bran.locator(".curve")).to_have_count(0)
    result.select_option("void")
    words = "The host has set the result: this game does not count."
    expect(bran.get_by_text(words).first).to_be_visible()
    bran.get_by_role("button", name="Back to the class").click()
    expect(bran.get_by_text("Wait here.")).to_be_visible()


@pytest.mark.deep
def test_pairs_by_hand_a_lock_and_a_second_host(visit: Visitors) -> None:
    host, code = create(visit)
    join(visit, code, "Ana")
    join(visit, code, "Bran")
    host.get_by_role("button", name="Bran free").click()
    host.get_by_role("button", name="Ana free").click()
    expect(host.get_by_role("status")).to_contain_text("Bran attacks, Ana defends.")
    host.get_by_role("button", name="Start the game").click()
    expect(host.locator(".class-wall")).to_contain_text("Bran to move")
    host.get_by_role("button", name="Lock the class").click()
    late = visit("/en/class", viewport=PHONE)
    late.get_by_label("Class code").fill(code)
    late.get_by_label("Your first name").fill("Late")
    with late.expect_response(lambda response: response.status == 409):
        late.get_by_role("button", name="Join").click()
    expect(late.get_by_role("alert")).to_have_text(
        "Nobody else can join this class at the moment. Ask the person who leads it."
    )
    visit.faults = [fault for fault in visit.faults if "409" not in fault]
    # What makes another device a host is shown after a warning, and hidden again.
    asked: list[str] = []
    host.on("dialog", lambda dialog: asked.append(dialog.message))
    host.on("dialog", lambda dialog: dialog.accept())
    lead = host.get_by_role("button", name="Lead it from another device")
    lead.click()
    shown = host.locator(".class-manage .qr")
    expect(shown).to_be_visible()
    assert asked[0].endswith("leads the class: do not show it on the wall.")
    host.keyboard.press("Escape")
    expect(shown).to_have_count(0)
    lead.click()
    host.get_by_role("button", name="Hide the link").click()
    expect(shown).to_have_count(0)
    lead.click()
    link = host.get_by_role("textbox", name="Link for your other device").input_value()
    other = visit(link[link.index("/en/") :])
    expect(other.get_by_role("button", name="Unlock the class")).to_be_visible()
    assert "host=" not in other.url


@pytest.mark.deep
def test_an_unknown_code_is_asked_for_again_and_an_odd_number_is_explained(visit: Visitors) -> None:
    host, code = create(visit)
    late = visit("/en/class/tokarifa", viewport=PHONE)
    expect(late.get_by_role("heading")).to_have_text("There is no class with this code.")
    visit.faults = [fault for fault in visit.faults if "404" not in fault]
    expect(late.locator(".main")).to_have_count(1)
    late.get_by_label("Enter the code again").fill(code)
    late.get_by_role("button", name="Open the class").click()
    late.get_by_label("Your first name").fill("Late")
    late.get_by_role("button", name="Join").click()
    expect(late.get_by_text("Wait here.")).to_be_visible()
    ana, bran = join(visit, code, "Ana"), join(visit, code, "Bran")
    expect(host.get_by_text("3 people here")).to_be_visible()
    host.get_by_role("button", name="Pair everyone").click()
    expect(host.get_by_role("button", name="sits out")).to_have_count(1)
    left = host.get_by_role("button", name="sits out").locator("span").first.inner_text()
    page = {"Late": late, "Ana": ana, "Bran": bran}[left]
    expect(page.get_by_text("You sit out this round: there is an odd number of players.")).to_be_visible()


def test_a_field_says_when_it_is_full(visit: Visitors) -> None:
    page, words = visit("/fr/class", viewport=PHONE), "Pas plus de 30 caractères : la suite est coupée."
    name = page.locator("[data-join] [name=name]")
    name.press_sequentially("a" * 29)
    expect(page.get_by_text(words)).to_have_count(0)
    name.press_sequentially("bc")
    expect(name).to_have_value("a" * 29 + "b")
    expect(page.get_by_role("alert").filter(has_text=words)).to_be_visible()
    name.press("Backspace")
    expect(page.get_by_text(words)).to_have_count(0)
