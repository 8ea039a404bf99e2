"""After a game: review, sharing and downloads."""

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from hnefi import variant
from hnefi.record import parse_records
from tests.pages import context_of
from tests.static_sites import file_server
from tests.web.conftest import Visitors
from tests.web.game_page import announcement, box_of, moves, opened, play, resign, wait_for_board
from tests.web.online import invited, make
from tests.web.test_analysis import current, tree

# Notes what the page asks the engine for.
ASKED = """
window.asked = [];
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
    if (message.request) window.asked.push([message.request.nodes, message.request.starts_empty]);
    return post.call(this, message, ...rest);
};"""


def test_the_game_is_looked_back_at(visit: Visitors) -> None:
    visit.script += ASKED
    page = visit("/en/", viewport={"width": 1366, "height": 768})
    make(page, variant="brandub-globe", opponent="computer", level="2", side="attackers")
    wait_for_board(page)
    play(page, "d6-c6")
    expect(moves(page)).to_have_count(2)
    resign(page)
    expect(announcement(page)).to_contain_text("resign")
    ending = page.locator(".ending")
    expect(ending.get_by_role("heading")).to_have_text("You resigned")
    with page.expect_download() as picture:
        ending.get_by_role("button", name="Share picture").click()
    # Below the board it says how the game ended, and where to play it.
    with Image.open(picture.value.path()) as shared:
        assert (shared.format, shared.size) == ("PNG", (1080, 1310))
    # The curve comes by itself; a mistake of level 2, which won, turned nothing, and no resignation is one.
    turned = re.compile(r"No single move turned|Only the winner went wrong|Turning point: 1\. d6")
    expect(ending.locator(".curve")).to_contain_text(turned)
    ending.get_by_role("button", name="Review").click()
    expect(page.locator(".graph")).to_be_visible()
    expect(page.locator(".graph figcaption")).to_have_text(re.compile(r"^Attackers \d+%$"))
    expect(ending).to_have_count(0)
    expect(page.locator(".review")).to_contain_text(re.compile("No single move turned|Turning point"))
    expect(page.get_by_role("button", name="New game")).to_be_in_viewport(ratio=1)
    links, actions = (box_of(page.locator(part)) for part in (".continuation .buttons", ".actions"))
    assert links["y"] + links["height"] <= actions["y"]
    # By positions, not by time: both players see the same turning points.
    assert page.evaluate("asked") == [[100_000, True]] * 3
    moves(page).first.click()
    expect(page.locator(".graph input")).to_have_value("1")
    page.get_by_role("link", name="Against the computer").click()
    page.wait_for_url("**/computer*")
    expect(page.locator("tafl-board [data-square=c6]")).to_have_accessible_name("c6, attacker")


@pytest.mark.deep
def test_turning_points_have_the_numbers_of_the_moves_and_lead_to_the_analysis(visit: Visitors) -> None:
    """Plays a game in which the attackers miss a capture of the king."""
    page = opened(visit, "/en/table?variant=brandub-globe&position=7/t6/3T3/2tKt2/3t3/7/5T1 d")
    play(page, "f1-f2", "a6-a5", "d5-b5")
    expect(moves(page)).to_have_count(3)
    resign(page)
    page.get_by_role("button", name="Review").click()
    turning = page.locator(".review").get_by_role("button").filter(has_text="a6–a5")
    expect(turning).to_contain_text("2. a6–a5 Attackers: from 100%")
    expect(turning).to_contain_text("Better: a6–d6")
    page.get_by_role("link", name="Analyse").click()
    expect(tree(page)).to_have_text(["1. f1–f2", "2. a6–a5", re.compile("3. .*d5–b5")])
    expect(current(page)).to_contain_text("d5–b5")


@pytest.mark.deep
def test_a_game_is_shared_kept_and_shown_in_a_frame_of_another_page(
    visit: Visitors, browser: Browser, tmp_path: Path
) -> None:
    maker, friend = invited(visit)
    game = maker.url.partition("#")[0].rpartition("/")[2]
    # What other sites show of a link to the game.
    shown = maker.locator('meta[property="og:image"]').get_attribute("content")
    assert shown
    assert f"/api/games/{game}/picture.png" in shown
    assert maker.request.get(shown).headers["content-type"] == "image/png"
    play(maker, "d6-c6")
    play(friend, "d5-c5")
    # The first move is followed, not looked back at, until the second one has come.
    expect(maker.locator(".moves button")).to_have_count(2)
    maker.locator(".moves button").first.click()
    maker.get_by_role("button", name="Share and save").click()
    dialog = maker.get_by_role("dialog")
    at = dialog.get_by_label("Link to this move", exact=True).input_value()
    seen = visit(at)
    expect(seen.locator("tafl-board [data-square=d5]")).to_have_accessible_name("d5, defender")
    with maker.expect_download() as record:
        dialog.get_by_role("link", name="Game record").click()
    (record_read,) = parse_records(Path(record.value.path()).read_bytes())
    replayed = record_read.replay().game
    assert replayed is not None
    assert [str(ply.move) for ply in replayed.plies] == ["d6-c6", "d5-c5"]
    for name, begin in (("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("Animation", b"GIF89a")):
        with maker.expect_download() as picture:
            dialog.get_by_role("link", name=name).click()
        assert Path(picture.value.path()).read_bytes().startswith(begin)
    assert (
        variant("brandub-globe").name("en")
        in dialog.get_by_label("Code for your own page", exact=True).input_value()
    )
    embedded = f"{maker.evaluate('location.origin')}/en/embed/{game}"
    frame_html = f'<iframe src="{embedded}" width="420" height="520"></iframe>'
    (tmp_path / "index.html").write_text(frame_html, encoding="utf-8")
    with file_server(tmp_path) as elsewhere:
        page = context_of(browser).new_page()
        page.goto(elsewhere)
        frame = page.frame_locator("iframe")
        expect(frame.locator("tafl-board [data-square=c6]")).to_have_accessible_name("c6, attacker")
        expect(frame.locator("tafl-board")).to_have_attribute("movable", "none")
        page.context.close()
