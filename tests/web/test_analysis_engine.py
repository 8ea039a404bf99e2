"""The engine and the opening book on the analysis page."""

import json
import re

import pytest
from playwright.sync_api import Route, expect

from hnefi import variant
from hnefi.engine import book_for
from hnefi.engine.book import book_score
from tests.samples import deep
from tests.web.accessibility import violations
from tests.web.conftest import Visitors
from tests.web.game_page import box_of, opened, play
from tests.web.test_analysis import HERE, current, tree


@pytest.mark.parametrize("is_on_server", [False, *deep(True)])
def test_the_engine_begins_draws_and_stops(visit: Visitors, is_on_server: bool) -> None:
    page = opened(visit, HERE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_label("Stronger, on the server").set_checked(is_on_server)
    page.get_by_label("Lines").select_option("2")
    # Only the engine knows threats: it begins.
    page.get_by_label("Threats").check()
    lines = page.locator(".lines li")
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text(re.compile(r"(even|better|ning): attackers \d+% \(±\d+\)|win in"))
    expect(page.locator(".engine-state")).to_contain_text(re.compile(r"depth \d+", re.IGNORECASE))
    expect(page.locator("p.threat")).to_contain_text("Threat: ")
    expect(page.locator(".evaluation")).to_have_attribute("aria-label", re.compile(r"attackers \d+%"))
    if not is_on_server:
        assert violations(page) == []
    kinds_of = "(board) => board.arrows.map((arrow) => arrow.kind)"
    assert sorted(page.locator("tafl-board").evaluate(kinds_of)) == ["move", "second", "threat"]
    first = lines.first.locator(".line-moves button").first
    # In one go: the line may change at any time. Old lines go when the page is drawn again.
    move = first.evaluate(
        """(button) => {
            for (const line of document.querySelectorAll(".lines li")) line.dataset.before = "";
            const text = button.innerText;
            button.click();
            return text;
        }"""
    )
    expect(current(page)).to_contain_text(move)
    lines = page.locator(".lines li:not([data-before])")
    # What was found stays until the position changes.
    expect(lines).to_have_count(2)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Start engine")).to_be_visible()
    expect(lines).to_have_count(2)
    assert set(page.locator("tafl-board").evaluate(kinds_of)) >= {"move", "second"}
    for line in lines.all():
        game = variant("brandub-globe").new_game().play(move.split()[0].replace("–", "-"))
        for text in line.locator(".line-moves button").all_inner_texts():
            squares = text.removeprefix("K ").split()[0].replace("–", "-")
            assert text.startswith("K ") == squares.startswith(str(game.position.king)), text
            game = game.play(squares)
    page.keyboard.press("ArrowLeft")
    expect(lines).to_have_count(0)
    expect(page.locator("tafl-board .arrow")).to_have_count(0)
    assert any("/api/analysis" in url for url in asked) is is_on_server


@pytest.mark.deep
def test_a_connection_that_stalls_does_not_stop_the_engine(visit: Visitors) -> None:
    page = opened(visit, HERE)
    stalled: list[str] = []
    # The route is never answered.
    page.context.route(re.compile(r"\.network"), lambda route: stalled.append(route.request.url))
    page.get_by_role("button", name="Start engine").click()
    expect(page.locator(".lines li").first).to_be_visible()
    assert stalled


def test_the_opening_book_shows_its_moves_with_their_sources(visit: Visitors) -> None:
    page = opened(visit, HERE)
    book = page.locator("details.book")
    expect(book.locator("table")).to_have_count(0)
    book.locator("summary").click()
    expect(book).to_contain_text(re.compile("searched 400 positions .* and played 100 games against itself"))
    rows = book.locator("tbody tr")
    first = rows.first.locator("td").all_inner_texts()
    known = book_for(variant("brandub-globe").rules)
    assert known is not None
    best = known.moves(variant("brandub-globe").new_game().position)[0]
    chances = book_score(best, variant("brandub-globe").rules).chances
    assert first[:2] == [f"{round(100 * chances)}%", str(best.searches)]
    assert first[2].replace(" ", "").startswith("·".join(map(str, best.self_play)))
    assert violations(page, "details.book") == []
    rows.first.get_by_role("button").click()
    expect(tree(page)).to_have_count(1)
    # The book leaves rows to the moves, and the buttons below them stay in sight.
    page.set_viewport_size({"width": 1280, "height": 800})
    assert box_of(page.locator(".move-tree"))["height"] >= 128
    last = box_of(page.get_by_role("button", name="Delete from here"))
    assert last["y"] + last["height"] <= 800
    expect(rows.first).to_be_visible()
    # A position outside the book, and a game without one.
    play(page, "d5-a5")
    expect(book).to_contain_text("0 moves in the book")
    page = opened(visit, "/en/analysis?variant=berserk-11")
    expect(page.locator("details.book")).to_have_count(0)


def test_the_bar_shows_the_result_of_a_game_that_is_over(visit: Visitors) -> None:
    page = opened(visit, "/en/analysis?variant=brandub-globe&position=7/7/7/6t/7/7/1K5 d 0")
    bar = page.locator(".evaluation")
    expect(bar).to_have_attribute("aria-label", "Chances: not yet known.")
    play(page, "b1-a1")
    expect(bar).to_have_attribute("aria-label", "The king has escaped. The king’s side wins.")
    # The wedge of the attackers is gone.
    expect(bar.locator(".of-attackers")).to_have_attribute("d", "M0 100H12V100L6 100L0 100Z")


@pytest.mark.deep
def test_chances_are_a_percentage_only_where_they_were_measured_and_a_win_is_a_number_of_plies(
    visit: Visitors,
) -> None:
    for name, pattern in (
        ("brandub-globe", r": attackers \d+% \(±\d+\)$"),
        ("brandub-globe&position=7/7/7/6t/3K3/7/7 d 0", "^Defenders win in 3 plies$"),
        # No weights that ship were fitted to rules that somebody changes.
        ("brandub-globe&rule.king_armed=none", r"^(About|Attackers|Defenders) [a-z ]+$"),
    ):
        page = opened(visit, f"/en/analysis?variant={name}")
        page.get_by_role("button", name="Start engine").click()
        expect(page.locator(".line-score").first).to_have_text(re.compile(pattern))
        has_number = page.locator(".evaluation span").count() == 1
        assert has_number == (name != "brandub-globe&rule.king_armed=none")


@pytest.mark.deep
def test_a_search_ended_by_time_can_be_continued(visit: Visitors) -> None:
    page = opened(visit, HERE)
    times_ms: list[int] = []

    def answer(route: Route) -> None:
        request = json.loads(route.request.post_data or "")
        times_ms.append(request["time_ms"])
        line = {"moves": ["d2-c2"], "score": 0, "win_in": None, "chances": 0.5, "spread": 0.1}
        view = {"type": "analysis", "depth": 9, "deepest": 12, "nodes": 1_000, "final": True, "lines": [line]}
        body = json.dumps({**view, "time_ms": request["time_ms"] - 20}) + "\n"
        route.fulfill(body=body, content_type="application/x-ndjson")

    page.route("**/api/analysis", answer)
    page.get_by_label("Stronger, on the server").check()
    page.get_by_role("button", name="Start engine").click()
    state = page.locator(".engine-state")
    expect(state).to_contain_text("Stopped after 20 s: depth 9")
    expect(state).to_have_attribute("aria-live", "polite")
    page.get_by_role("button", name="Keep searching (one minute)").click()
    expect(state).to_contain_text("Stopped after 60 s: depth 9")
    expect(page.locator(".go-on")).to_have_count(0)
    assert times_ms == [20_000, 60_000]
