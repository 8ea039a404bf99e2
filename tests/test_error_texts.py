"""Texts of errors: every code and every fault is explained with its facts, in all languages."""

import ast
import re
from collections.abc import Iterator

import pytest

from hnefi import Position, Rules, Setup, i18n, variant
from hnefi.errors import HnefiError, IllegalMove, SetupError, VariantError
from hnefi.pieces import Piece
from tests.test_docs import codes_of_apply, decision, words
from tests.test_i18n import LANGUAGES, SOURCE, messages

REFUSAL = re.compile(r'(?:Refusal|Self)::new\("([a-z_]+)"')
FAULT = re.compile(r'Fault(?:::\w+)?\(\s*"([a-z_]+)"')
ERROR_FACTS = {
    "no_piece": {"square": "d4"},
    "not_your_piece": {"square": "d4", "piece": "king", "turn": "attackers"},
    "not_on_board": {"square": "z9"},
    "no_move_made": {"square": "d4"},
    "not_in_line": {"from": "d4", "to": "e5"},
    "path_blocked": {"square": "d4", "piece": "attacker"},
    "square_occupied": {"square": "d4", "piece": "defender"},
    "too_far": {"limit": "1"},
    "throne_no_stop": {"square": "d4", "piece": "attacker"},
    "throne_no_pass": {"square": "d4", "piece": "defender"},
    "corner_no_stop": {"square": "a1", "piece": "attacker"},
    "corner_no_pass": {"square": "a1", "piece": "king"},
    "camp_closed": {"square": "a4", "piece": "defender"},
    "must_replay": {"square": "d4"},
    "wrong_captures": {"written": "d3", "made": "d5"},
    "game_over": {"winner": "attackers", "reason": "king_captured"},
    "bad_move": {"text": "zz"},
    "bad_square": {"text": "zz"},
    "bad_switch": {"switch": "quiet_limit", "found": "many", "expected": "0…999999"},
    "ambiguous_variant": {"name": "Brandub", "suggestions": "brandub-globe, brandub-walker-7"},
    "unknown_variant": {"name": "brandu", "suggestions": "brandub-globe"},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ERROR_FACTS)
def test_every_error_is_explained_with_its_facts(code: str, language: str) -> None:
    facts = ERROR_FACTS[code]
    message = i18n.explain(HnefiError(code, "CORE", facts), language)
    assert "CORE" not in message
    assert "{" not in message
    for name in ("square", "from", "to", "text", "name", "written", "made", "limit"):
        assert facts.get(name, "") in message


def test_french_articles_agree_with_the_piece() -> None:
    def refused(piece: Piece) -> str:
        error = IllegalMove("throne_no_stop", "", {"square": "d4", "piece": piece.value})
        return i18n.explain(error, "fr").replace("\u00a0", " ")

    assert refused(Piece.ATTACKER) == "d4 est le trône : il est interdit aux attaquants de s’y arrêter."
    assert refused(Piece.KING) == "d4 est le trône : il est interdit au roi de s’y arrêter."


def test_an_error_without_its_facts_keeps_its_own_message() -> None:
    assert i18n.explain(HnefiError("no_piece", "no piece there"), "fr") == "no piece there"
    assert i18n.explain(HnefiError("of_a_later_day", "something else"), "fr") == "something else"


def test_a_drawn_game_is_over_without_a_winner() -> None:
    error = IllegalMove("game_over", "CORE", {"winner": "none", "reason": "quiet_moves"})
    assert i18n.explain(error, "en") == (
        "The game is over. Too many moves without a capture. The game is drawn."
    )


def test_a_move_without_captures_has_a_separate_text() -> None:
    error = HnefiError("wrong_captures", "CORE", {"written": "d5", "made": "-"})
    assert (
        i18n.explain(error, "fr").replace("\u202f", " ")
        == "Ce coup ne prend rien ; selon la notation, il prend d5."
    )


BAD_POSITIONS = {
    "turn": "5/5/5/5/5 x",
    "quiet": "5/5/5/5/5 a x",
    "going": "5/5/5/5/5 a 0 more",
    "end": "5/5/5/5/5 a 0 c3 more",
    "rows": "5/5 a",
    "row": "5/5/6/5/5 a",
    "letter": "5/5/x4/5/5 a",
}


@pytest.mark.parametrize("part", BAD_POSITIONS)
def test_every_part_of_a_position_has_an_explanation(part: str) -> None:
    with pytest.raises(SetupError) as caught:
        Setup(BAD_POSITIONS[part])
    assert caught.value.parameters["part"] == part
    for language in LANGUAGES:
        message = i18n.explain(caught.value, language)
        assert message != caught.value.detail
        assert caught.value.parameters["found"] in message or part == "rows"


def test_a_position_that_names_no_side_is_explained_with_an_example() -> None:
    with pytest.raises(SetupError) as caught:
        Setup("5/5/5/5/5")
    for language in LANGUAGES:
        message = i18n.explain(caught.value, language)
        example = re.search(r"[\dKt/]+ a(?=[”\u00a0])", message)
        assert example
        assert Setup(example[0]).turn.value == "attackers"


@pytest.mark.parametrize("setup", ["5/5/2K2/5/5 a", "K6/7/7/7/7/7/6K a"])
def test_a_position_for_another_board_is_explained(setup: str) -> None:
    with pytest.raises(SetupError) as caught:
        Position(variant("brandub-globe").rules, Setup(setup))
    assert i18n.explain(caught.value, "fr") != caught.value.detail


def test_faulty_rules_are_explained_fault_by_fault() -> None:
    with pytest.raises(VariantError) as caught:
        Rules("{}")
    lines = i18n.explain(caught.value, "fr").splitlines()
    assert lines[0] == "Ces règles sont inutilisables\u00a0:"
    assert len(lines) == 1 + len(caught.value.faults)
    assert "board\u00a0: cette clé manque" in lines


def test_every_code_of_a_fault_has_a_text() -> None:
    sources = [*SOURCE.rglob("*.py"), *(SOURCE.parents[1] / "crates" / "rules" / "src").glob("*.rs")]
    codes = {code for path in sources for code in FAULT.findall(path.read_text(encoding="utf-8"))}
    assert {"unknown_key", "contradiction", "bad_toml"} <= codes
    assert [code for code in codes if f"fault.{code}" not in messages("en")] == []


def test_every_refusal_of_the_core_has_a_text() -> None:
    sources = (SOURCE.parents[1] / "crates" / "rules" / "src").glob("*.rs")
    codes = {code for path in sources for code in REFUSAL.findall(path.read_text(encoding="utf-8"))}
    assert {"no_piece", "game_over", "bad_position"} <= codes
    keys = set(messages("en"))
    assert [code for code in sorted(codes) if not any(key.startswith(f"error.{code}") for key in keys)] == []


RAISING = re.compile(
    r"of_facts|of_faults|refused|RateLimit|TooManyRequests|_limit|IllegalMove|fail|_report|\w*_errors?|_?error"
    r"|(?!Assertion|Value|Type|Key|Index|Runtime|Trait|Import|Attribute|Connection)\w+Error"
)
"""The names of what takes the code of an error as its first argument."""


def codes_in(source: str) -> Iterator[str]:
    """Iterates over the codes that are written where an error is made; of a condition both."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = node.args[0]
            codes = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
            for code in codes if RAISING.fullmatch(name) else []:
                if isinstance(code, ast.Constant) and re.fullmatch("[a-z]+(_[a-z0-9]+)*", str(code.value)):
                    yield str(code.value)


def test_every_code_of_an_error_in_the_sources_has_a_text_and_every_text_a_code() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    codes = {code for source in sources.values() for code in codes_in(source)}
    texts = {key.split(".")[1] for key in messages("en") if key.startswith("error.")}
    assert {"not_host", "too_many_classes", "too_many_followers", "no_openings", "bad_weights"} <= codes
    assert sorted(codes - texts) == []
    core = (SOURCE.parents[1] / "crates").rglob("*.rs")
    everything = "".join([*sources.values(), *(path.read_text(encoding="utf-8") for path in core)])
    # The time to wait is told after the text of a limit.
    assert sorted(texts - set(re.findall(r'"([a-z0-9_]+)"', everything))) == ["try_again"]


def test_every_code_of_a_request_is_in_the_list_of_the_server_or_of_the_classes() -> None:
    server = SOURCE / "server"
    parts = [server / "people.py", server / "class_store.py", server / "app.py"]
    parts += [path for part in ("api", "games", "http", "sockets") for path in (server / part).glob("*.py")]
    raised = {code for path in parts for code in codes_in(path.read_text(encoding="utf-8"))}
    assert len(raised) > 50
    listed = {*words(decision(20).partition("**Codes.**")[2]), *words(decision(45)), *codes_of_apply()}
    assert sorted(raised - listed) == []
