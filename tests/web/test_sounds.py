"""Sounds: one for each event, and none when they are off."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.timeouts import wait_until
from tests.web.conftest import Visitors
from tests.web.game_page import moves, opened, play, resign, wait_for_board
from tests.web.online import make
from tests.web.test_playing import BEFORE_RAICHI

# Each sound begins with a different pitch; a spy on the oscillators records it.
PITCHES = {190: "move", 170: "capture", 392: "call", 520: "low", 130: "end"}
SPY = """
window.sounds = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  window.sounds.push(Math.round(this.frequency.value));
  return start.apply(this, when);
};
"""
CAPTURE = "4t2/7/2tT3/3K3/7/7/7 a 0"


def open_with_spy(visit: Visitors, address: str) -> Page:
    visit.script = SPY
    page = opened(visit, address)
    # Browsers are silent until somebody has touched the page.
    page.mouse.click(5, 5)
    return page


def played_sounds(page: Page) -> list[str]:
    """Returns the sounds played since the last call."""
    pitches: list[int] = page.evaluate("window.sounds.splice(0)")
    return [PITCHES[pitch] for pitch in pitches if pitch in PITCHES]


def played_sounds_to_the_end(page: Page) -> list[str]:
    """Waits for the end sound, and returns all sounds up to it."""
    sounds: list[str] = []

    def has_ended() -> bool:
        sounds.extend(played_sounds(page))
        return "end" in sounds

    wait_until(has_ended, "the end sound")
    return sounds


def test_moves_captures_and_the_end_sound_differently_unless_sounds_are_off(visit: Visitors) -> None:
    page = open_with_spy(visit, f"/en/table?variant=brandub-globe&position={CAPTURE}")
    # Nothing is heard while sounds are off.
    page.get_by_role("button", name="Sounds").click()
    play(page, "e7-e6")
    expect(moves(page)).to_have_count(1)
    page.get_by_role("button", name="Sounds").click()
    play(page, "d4-d3", "e6-e5")
    expect(moves(page)).to_have_count(3)
    resign(page)
    assert played_sounds_to_the_end(page) == ["move", "capture", "end"]


@pytest.mark.deep
def test_a_call_and_an_escape_have_sounds(visit: Visitors) -> None:
    page = open_with_spy(visit, f"/en/table?variant=gwezboell-globe&position={BEFORE_RAICHI}")
    play(page, "d2-d1", "a4-b4", "d1-a1")
    assert played_sounds_to_the_end(page) == ["call", "move", "end"]


@pytest.mark.deep
def test_low_time_sound_is_played_once(visit: Visitors) -> None:
    visit.script = SPY
    page = visit("/en/rules")
    page.clock.install()
    make(page, variant="brandub-globe", opponent="computer", level="1", side="attackers", clock="5_3")
    wait_for_board(page)
    page.mouse.click(5, 5)
    clock = page.locator(".near-player .clock.running")
    expect(clock).to_be_visible()
    # From here on the time of the page goes on when it is told to, and no server corrects it.
    page.context.set_offline(True)
    expect(page.locator(".notice")).to_contain_text("Connection lost")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 2)
    page.clock.fast_forward(240_000)
    while not re.fullmatch("0:1[1-9]", clock.inner_text()):
        page.clock.fast_forward(1_000)
    assert played_sounds(page) == []
    page.clock.fast_forward(10_000)
    assert played_sounds(page) == ["low", "low"]
    page.clock.fast_forward(1_000)
    assert played_sounds(page) == []
    # What hurried on had no time to connect.
    visit.faults = [fault for fault in visit.faults if "WebSocket is closed before" not in fault]
