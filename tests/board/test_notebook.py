"""The board of a notebook that answers Python: what Python sends and plays, and the module in a page."""

import gzip
import re
from typing import Any

import comm
import pytest
from comm.base_comm import BaseComm
from playwright.sync_api import Page, expect
from traitlets import TraitError

import hnefi
from hnefi import Game, Outcome, Reason, SetupError, Side, Square, variant
from hnefi.notebook import BoardWidget
from tests.board.board_page import announcer, cell, on_board
from tests.pages import MANIFEST, STATIC
from tests.test_browser_engine import ask, browser_program
from tests.web.accessibility import violations

BRANDUB = variant("brandub-globe").new_game()

# As anywidget does: the module comes as text, and all values of a message are set before their events.
OPEN = """async (values) => {
  const listeners = new Map();
  const model = {
    get: (name) => values[name],
    on: (event, listener) => listeners.set(event, [...(listeners.get(event) ?? []), listener]),
    off: (event, gone) => listeners.set(event, listeners.get(event).filter((one) => one !== gone)),
    send: async (content) => deliver(await python(content)),
  };
  const emit = (event, content) => (listeners.get(event) ?? []).forEach((listener) => listener(content));
  globalThis.deliver = (messages) => {
    for (const { method, state, content } of messages) {
      if (method === "custom") emit("msg:custom", content);
      else {
        Object.assign(values, state);
        Object.keys(state).forEach((name) => emit(`change:${name}`));
      }
    }
  };
  const url = URL.createObjectURL(new Blob([values._esm], { type: "text/javascript" }));
  const { default: { render } } = await import(url);
  globalThis.close = render({ model, el: document.querySelector("main > div") });
}"""


class FakeComm(BaseComm):
    """The kernel's end of a connection; keeps the messages to the page."""

    def __init__(self, **settings: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        super().__init__(**settings)

    def publish_msg(self, msg_type: str, data: Any = None, *_rest: Any, **_more: Any) -> None:  # noqa: ARG002
        self.sent.append(data)

    def take(self) -> list[dict[str, Any]]:
        """Returns the messages since the last call."""
        taken, self.sent = self.sent, []
        return taken

    def answer(self, content: dict[str, object]) -> list[dict[str, Any]]:
        """Receives a message of the page; returns the answers."""
        self.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
        return self.take()


@pytest.fixture(autouse=True)
def fake_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comm, "create_comm", FakeComm)


def show(page: Page, widget: BoardWidget) -> None:
    """Shows a widget on a page, as a notebook does."""
    (opened,) = widget.comm.take()
    page.set_content(
        "<!doctype html><html lang=en><title>Notebook</title><main><h1>Board</h1><div></div></main></html>"
    )
    page.expose_function("python", widget.comm.answer)
    page.evaluate(OPEN, opened["state"])


def deliver(page: Page, widget: BoardWidget) -> None:
    """Sends the page what Python has changed."""
    page.evaluate("(messages) => deliver(messages)", widget.comm.take())


# --- Python -----------------------------------------------------------------------------------------------


def test_the_state_is_that_of_the_compiled_rules() -> None:
    with browser_program() as browser:
        for name in ("brandub-globe", "gwezboell-globe", "berserk-11", "tablut-geoludie"):
            game = hnefi.random_game(variant(name).rules, 3, 60)
            plies = [{"move": str(ply.move), "call": 0, "refused": []} for ply in game.plies]
            asked = {"tree": game.rules.to_json(), "calls": {"mode": "off"}, "plies": plies}
            played = Game(game.rules)
            for answer, ply in zip(ask(browser, asked), [*game.plies, None], strict=True):
                state, seen = BoardWidget(played).comm.sent[0]["state"]["_state"], answer["seen"]
                for key in ("position", "turn", "legal", "roads", "hostile", "king", "ply"):
                    assert state[key] == seen[key], key
                if last := state["last"]:
                    captures = [
                        {**one, "how": taken["how"]}
                        for one, taken in zip(last["captures"], seen["last"]["captures"], strict=True)
                    ]
                    assert seen["last"] | last | {"captures": captures} == seen["last"]
                if seen["danger"]:
                    assert seen["danger"] | state["danger"] == seen["danger"]
                played = played if ply is None else played.play(ply.move)


def test_a_move_of_the_page_is_played_and_reported() -> None:
    widget = BoardWidget(BRANDUB)
    seen: list[Game] = []
    assert widget.on_move(seen.append) == seen.append
    widget.comm.take()
    (answer,) = widget.comm.answer({"move": "d2-b2", "ply": 0})
    assert widget.game == BRANDUB.play("d2-b2")
    assert answer["state"]["_state"]["last"] == {"from": "d2", "to": "b2", "captures": []}
    # The rules and the texts are sent once.
    assert set(answer["state"]) == {"_state"}
    assert seen == [widget.game]
    widget.on_move(seen.append, remove=True)
    widget.comm.answer({"move": "d5-b5", "ply": 1})
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("message", "movable", "refused"),
    [
        ({"move": "d2-d9", "ply": 0}, "both", "d9 is not on this board."),
        ({"move": "d2-b2", "ply": 4}, "both", ""),
        ({"move": "d2-b2", "ply": 0}, "defenders", ""),
        ({"move": "d2-b2", "ply": 0}, "none", ""),
    ],
)
def test_a_move_that_may_not_be_made_is_refused(message: Any, movable: str, refused: str) -> None:
    widget = BoardWidget(BRANDUB, movable=movable)
    widget.comm.take()
    assert widget.comm.answer(message) == [{"method": "custom", "content": {"refused": refused}}]
    assert widget.game == BRANDUB


def test_a_widget_begins_with_rules_a_position_or_a_game() -> None:
    for what in (BRANDUB.rules, BRANDUB.position, BRANDUB):
        assert BoardWidget(what).game == BRANDUB


def test_unknown_values_of_attributes_are_refused() -> None:
    for wrong, found in (
        ({"movable": "white"}, "white"),
        ({"marks": {"d4": "glow"}}, "glow"),
        ({"arrows": [("d2", "b2", "red")]}, "red"),
        ({"marks": {"d9": "highlight"}}, "marks: d9, expected a square of a board of 7 x 7"),
        ({"arrows": [("d2", "h2", "move")]}, "arrows: h2, expected"),
        ({"width_px": -3}, "-3"),
    ):
        with pytest.raises(TraitError, match=found):
            BoardWidget(BRANDUB, **wrong)
    with pytest.raises(SetupError):
        BoardWidget(BRANDUB, marks={"z99": "highlight"})


# --- In a page --------------------------------------------------------------------------------------------


def test_a_board_in_a_notebook_plays_against_python(page: Page) -> None:
    widget = BoardWidget(BRANDUB, movable="attackers", lang="fr")

    @widget.on_move
    def reply(game: Game) -> None:
        widget.game = game.play("d5-b5")

    show(page, widget)
    cell(page, "d2").click()
    cell(page, "b2").click()
    expect(cell(page, "b5")).to_have_accessible_name("b5, défenseur")
    expect(announcer(page)).to_have_text("Défenseur, de d5 à b5.")
    assert [str(ply) for ply in widget.game.plies] == ["d2-b2", "d5-b5"]
    assert on_board(page, "b.closest('[lang]').lang") == "fr"
    expect(page.locator("tafl-board .waiting")).to_have_count(0)


def test_python_explains_a_move_that_is_refused(page: Page) -> None:
    widget = BoardWidget(BRANDUB)
    show(page, widget)
    line = page.locator("main p[role=status]")
    cell(page, "d2").click()
    cell(page, "a1").click()
    expect(line).to_have_text(re.compile("^d2 to a1 is not a straight line"))
    # The page has not heard of a move that Python has made: its own is refused, and the piece goes back.
    widget.game = BRANDUB.play("d2-b2")
    cell(page, "d1").click()
    cell(page, "b1").click()
    expect(cell(page, "b2")).to_have_accessible_name("b2, attacker")
    expect(cell(page, "d1")).to_have_accessible_name("d1, attacker")
    expect(line).to_have_text("")


def test_attributes_are_drawn_as_they_change(page: Page) -> None:
    widget = BoardWidget(BRANDUB)
    show(page, widget)
    expect(page.locator("tafl-board .cell.mine")).to_have_count(8)
    widget.flip, widget.movable, widget.pieces, widget.board = True, "none", "stone", "contrast"
    widget.marks = {"d4": "highlight", Square("e4"): "capture"}
    widget.arrows = [("d2", "b2", "threat")]
    widget.width_px = 300
    deliver(page, widget)
    board = page.locator("tafl-board")
    for name, value in (("flip", ""), ("movable", "none"), ("pieces", "stone"), ("board", "contrast")):
        expect(board).to_have_attribute(name, value)
    expect(page.locator("tafl-board .cell.mine")).to_have_count(0)
    assert on_board(page, "b.marks") == [
        {"square": "d4", "kind": "highlight"},
        {"square": "e4", "kind": "capture"},
    ]
    assert on_board(page, "b.arrows") == [{"from": "d2", "to": "b2", "kind": "threat"}]
    assert on_board(page, "b.offsetWidth") == 300
    widget.game = variant("gwezboell-globe").new_game()
    deliver(page, widget)
    expect(page.locator("tafl-board [data-square]")).to_have_count(81)
    page.evaluate("close()")
    widget.flip = False
    deliver(page, widget)
    expect(board).to_have_attribute("flip", "")


def test_the_end_of_a_game_is_told(page: Page) -> None:
    widget = BoardWidget(BRANDUB)
    show(page, widget)
    widget.game = BRANDUB.end(Outcome(Side.DEFENDERS, Reason.RESIGNATION))
    deliver(page, widget)
    expect(page.locator("main p[role=status]")).to_have_text("The attackers resign. The king’s side wins.")
    expect(page.locator("tafl-board .cell.mine")).to_have_count(0)


def test_keys_play_on_the_board_and_are_no_commands_of_the_notebook(page: Page) -> None:
    widget = BoardWidget(BRANDUB)
    show(page, widget)
    page.evaluate("() => { document.onkeydown = ({ key }) => (globalThis.heard ??= []).push(key); }")
    on_board(page, "b.focusSquare('d2')")
    for key in ("Enter", "ArrowLeft", "ArrowLeft", "Enter", "c", "a", "Escape", "Control+s"):
        page.keyboard.press(key)
    expect(cell(page, "b2")).to_have_accessible_name("b2, attacker")
    assert widget.game == BRANDUB.play("d2-b2")
    assert page.evaluate("heard") == ["Control", "s"]
    assert violations(page) == []


def test_notebook_bundle_size_limit() -> None:
    script = (STATIC / MANIFEST["files"]["notebook.js"]).read_bytes()
    assert len(script) <= 50_000
    assert len(gzip.compress(script, 9, mtime=0)) <= 19_000
