"""`<tafl-board>`: its drawing, its size, what it shares with diagrams, and the board in a notebook."""

import gzip
import re
import subprocess
from typing import Any

import node
import pytest
from playwright.sync_api import Browser, Page, expect

from hnefi import diagram, variant
from tests.board.board_page import CAPTURE, ROAD, START, announcer, cell, drag, on_board
from tests.pages import MANIFEST, ROOT, STATIC, context_of, open_board
from tests.samples import deep
from tests.timeouts import wait_until
from tests.web.accessibility import violations

# --- What is shown ----------------------------------------------------------------------------------------


def test_a_capture_is_squeezed_and_gone(page: Page, address: str) -> None:
    open_board(page, address, CAPTURE)
    on_board(page, "b.play('e7-e5')")
    expect(page.locator("tafl-board .wedge")).to_have_count(2)
    expect(page.locator("tafl-board .piece")).to_have_count(3)
    expect(page.locator("tafl-board .wedge")).to_have_count(0)
    expect(page.locator("tafl-board .emptied")).to_have_count(1)
    on_board(page, "b.back()")
    expect(page.locator("tafl-board .piece")).to_have_count(4)
    expect(cell(page, "d5")).to_have_accessible_name("d5, defender")


def test_a_tapped_move_travels_and_a_dragged_one_is_there(page: Page, address: str) -> None:
    open_board(page, address, START)
    frames = (
        "b.shadowRoot.getAnimations().flatMap(one => one.effect.getKeyframes()).map(one => one.transform)"
    )
    travelled = on_board(page, f"(b.play('d7-f7'), {frames})")
    assert "translate(350px, 50px)" in travelled
    assert "translate(550px, 50px)" in travelled
    wait_until(lambda: on_board(page, "b.shadowRoot.getAnimations().length") == 0, "the move is over")
    dropped = "b.addEventListener('tafl-game', () => { b.frames = FRAMES; })".replace("FRAMES", frames)
    on_board(page, dropped)
    drag(page, "d5", "f5")
    assert [frame for frame in on_board(page, "b.frames") if str(frame).startswith("translate(")] == []


def test_reduced_motion_disables_move_animation(page: Page, address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_board(page, address, CAPTURE)
    on_board(page, "b.play('e7-e5')")
    moved = "b.shadowRoot.getAnimations().flatMap(one => one.effect.getKeyframes())"
    frames = on_board(page, moved)
    assert frames
    assert [frame for frame in frames if "transform" in frame] == []
    expect(page.locator("tafl-board .piece")).to_have_count(3)


def test_roads_and_dangers_are_drawn(page: Page, address: str) -> None:
    open_board(page, address, ROAD)
    on_board(page, "b.play('c2-d2')")
    # Three free squares on either side, two chevrons each, and two gates.
    expect(page.locator("tafl-board .step")).to_have_count(14)
    open_board(page, address, f"{START}&position=7/2K3t/1t5/7/7/2T4/7 a")
    expect(page.locator("tafl-board .danger")).to_have_count(0)
    open_board(page, address, f"{START}&position=7/1tK3t/7/7/7/2T4/7 a")
    expect(page.locator("tafl-board .danger")).to_have_count(1)


def test_the_throne_has_teeth_while_it_is_hostile(page: Page, address: str) -> None:
    open_board(page, address, START)
    teeth = "b.shadowRoot.querySelectorAll('svg > g')[1].querySelectorAll('.chip').length"
    assert on_board(page, teeth) == 0
    open_board(page, address, f"{START}&position=7/7/7/1tK3t/7/2T4/7 a")
    assert on_board(page, teeth) == 1


def test_sounds_are_made_unless_they_are_off(page: Page, address: str) -> None:
    open_board(page, address, START)
    program = """async ([file]) => {
        let made = 0;
        const tone = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { made += 1; return tone.call(this); };
        const { Sounds } = await import(`/static/${file}`);
        const counts = [];
        for (const on of [true, false]) {
            const sounds = new Sounds();
            sounds.on = on;
            for (const name of ["move", "capture", "call", "low", "end"]) {
                made = 0;
                sounds.play(name);
                counts.push(made);
            }
        }
        return [counts, new Sounds().on];
    }"""
    counts, is_on = page.evaluate(program, [MANIFEST["files"]["sounds.js"]])
    assert min(counts[:5]) >= 2
    assert counts[5:] == [0] * 5
    assert not is_on


def test_pieces_are_distinct_in_forced_colours(page: Page, address: str) -> None:
    page.emulate_media(forced_colors="active", color_scheme="dark")
    program = """(b, [piece]) => {
        const shapes = [...b.shadowRoot.querySelectorAll(`#${piece} > *`)].map(one => getComputedStyle(one));
        return shapes.flatMap(one => [one.fill, one.stroke]);
    }"""
    for pieces in ("wood", "stone", "contrast", "runic"):
        open_board(page, address, f"{START}&pieces={pieces}")
        for piece in ("attacker", "defender", "king"):
            assert "rgb(255, 255, 255)" in page.locator("tafl-board").evaluate(program, [piece]), pieces


@pytest.mark.parametrize("board", ["auto", *deep("wood", "stone"), "contrast", *deep("runic")])
def test_the_checker_of_accessibility_finds_nothing(browser: Browser, address: str, board: str) -> None:
    context = context_of(browser, bypass_csp=True)
    page = context.new_page()
    open_board(page, address, f"{START}&input&board={board}&pieces=runic")
    cell(page, "d7").click()
    page.keyboard.press("ArrowDown")
    assert violations(page) == []
    context.close()


def test_text_and_pieces_have_minimum_sizes(page: Page, address: str) -> None:
    for width in (280, 360, 768, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        open_board(page, address, "src=/rules/gwezboell-globe.json")
        scale = on_board(page, "b.area.clientWidth / b.shadowRoot.querySelector('svg').viewBox.baseVal.width")
        letters = on_board(page, "parseFloat(b.shadowRoot.querySelector('.names').getAttribute('font-size'))")
        outline = on_board(
            page, "parseFloat(getComputedStyle(b.shadowRoot.querySelector('.outline')).strokeWidth)"
        )
        assert letters * scale >= 10.4
        # A piece is drawn at 0.8 of its size.
        assert outline * scale * 0.8 >= 0.99


# --- What it weighs, and what it shares -------------------------------------------------------------------


def test_board_bundle_size_limit() -> None:
    environment = node.node_environment({}, may_install=False)
    later = [f"./{name}.ts" for name in ("standalone_game", "square_tooltip", "move_field", "drawing")]
    apart = ["../rules.ts", *later, "./pieces.ts", "hnefi-words.json"]
    command = [
        "node",
        "node_modules/esbuild/bin/esbuild",
        "src/board/element.ts",
        *("--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8"),
        *(f"--external:{name}" for name in apart),
    ]
    run = subprocess.run(command, cwd=ROOT / "web", env=environment, capture_output=True, check=True)
    assert len(gzip.compress(run.stdout, 9, mtime=0)) <= 12.5 * 1024


def test_rules_module_size_limit() -> None:
    module = (STATIC / MANIFEST["files"]["rules.wasm"]).read_bytes()
    assert len(gzip.compress(module, 9)) <= 200_000


def test_the_pieces_have_the_outlines_of_the_diagrams() -> None:
    drawn = (ROOT / "src" / "hnefi" / "diagram" / "pieces.py").read_text(encoding="utf-8")
    here = (ROOT / "web" / "src" / "board" / "pieces.ts").read_text(encoding="utf-8").replace('" +\n  "', "")
    outlines = [d for d in re.findall(r'"(M[\d .A-Za-z-]+)"', drawn) if len(d) > 12]
    assert len(outlines) > 20
    assert [d for d in outlines if d not in here and d.partition("C74 ")[0] not in here] == []


# --- Alone ------------------------------------------------------------------------------------------------


def test_a_board_in_a_notebook_needs_nothing_else(page: Page) -> None:
    game = variant("gwezboell-globe").new_game().play("d1-c1")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.set_content(diagram.playable(game, pieces="stone", lang="fr").html)
    expect(cell(page, "c1")).to_have_accessible_name("c1, attaquant")
    expect(page.locator("tafl-board .cell.mine").first).to_be_attached()
    cell(page, "e4").click()
    cell(page, "c4").click()
    expect(announcer(page)).to_have_text("Défenseur, de e4 à c4.")
    assert [url for url in requests if not url.startswith("data:")] == []


def test_a_board_that_cannot_be_opened_says_why_in_its_place(browser: Browser, address: str) -> None:
    page = context_of(browser).new_page()
    for query, reason in (
        ("src=/nothing.json&lang=fr", "Ce plateau ne peut pas être affiché : /nothing.json: 404"),
        (
            "src=/rules/brandub-globe.json&position=7/7 a",
            'This board cannot be shown: bad_position {"expected":"5 | 7',
        ),
    ):
        page.goto(f"{address}/?{query}")
        expect(page.get_by_role("alert")).to_contain_text(reason)
        expect(page.locator("tafl-board [role=grid]")).not_to_be_visible()
    # With a position that is good, the board is back.
    page.locator("tafl-board").evaluate(
        "b => { b.removeAttribute('position'); b.setAttribute('src', b.getAttribute('src')); }"
    )
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.context.close()


@pytest.mark.parametrize("choice", [{"board": "glass"}, {"pieces": "plastic"}])
def test_unknown_board_and_piece_themes_are_refused(choice: Any) -> None:
    with pytest.raises(ValueError, match="expected one of"):
        diagram.playable(variant("brandub-globe").rules, **choice)
