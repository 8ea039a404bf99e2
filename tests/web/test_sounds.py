"""What is heard: a sound for each thing that happens, and none when they are off."""

from playwright.sync_api import Page, expect

from tests.web.conftest import Visitors
from tests.web.online import make
from tests.web.table import board_is_ready, play

# Each sound begins at a pitch of its own; a spy on the oscillators hears which.
PITCHES = {190: "move", 170: "capture", 392: "call", 520: "low", 130: "end"}
SPY = """
window.heard = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  window.heard.push(Math.round(this.frequency.value));
  return start.apply(this, when);
};
"""
CAPTURE = "4t2/7/2tT3/3K3/7/7/7 a 0"
BEFORE_RAICHI = "9/9/9/9/9/t8/9/3K5/8t d 0"


def listened(visit: Visitors, address: str) -> Page:
    page = visit("/en/rules")
    page.add_init_script(SPY)
    page.goto(address)
    board_is_ready(page)
    # Browsers are silent until somebody has touched the page.
    page.mouse.click(5, 5)
    return page


def heard(page: Page) -> list[str]:
    """Gives the sounds since the last time it was asked."""
    page.wait_for_timeout(300)
    pitches: list[int] = page.evaluate("window.heard.splice(0)")
    return [PITCHES[pitch] for pitch in pitches if pitch in PITCHES]


def test_moves_captures_and_the_end_sound_differently(visit: Visitors) -> None:
    page = listened(visit, f"/en/table?variant=brandub-globe&position={CAPTURE}")
    play(page, "e7-e6")
    assert heard(page) == ["move"]
    play(page, "d4-d3")
    heard(page)
    play(page, "e6-e5")
    assert heard(page) == ["capture"]
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator(".call.end")).to_be_visible()


def test_a_call_and_an_escape_are_heard(visit: Visitors) -> None:
    page = listened(visit, f"/en/table?variant=gwezboell-globe&position={BEFORE_RAICHI}")
    play(page, "d2-d1")
    assert heard(page) == ["call"]
    play(page, "a4-b4")
    heard(page)
    play(page, "d1-a1")
    assert heard(page) == ["end"]


def test_nothing_is_heard_when_sounds_are_off(visit: Visitors) -> None:
    page = listened(visit, "/en/table?variant=brandub-globe")
    page.get_by_role("button", name="Sounds").click()
    play(page, "d2-c2")
    assert heard(page) == []
    page.get_by_role("button", name="Sounds").click()
    play(page, "d5-c5")
    assert heard(page) == ["move"]


def test_little_time_is_heard_once(visit: Visitors) -> None:
    page = visit("/en/rules")
    page.clock.install()
    page.add_init_script(SPY)
    make(page, variant="brandub-globe", opponent="computer", level="1", side="attackers", clock="5_3")
    board_is_ready(page)
    page.mouse.click(5, 5)
    expect(page.locator(".near-player .clock.running")).to_be_visible()
    page.clock.fast_forward(280_000)
    assert heard(page) == []
    # Some seconds are free before the first move.
    page.clock.fast_forward(60_000)
    assert heard(page) == ["low", "low"]
    page.clock.fast_forward(1_000)
    assert heard(page) == []
