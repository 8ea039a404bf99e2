"""Tests of `hnefi lab puzzles` and `hnefi lab select`: files, own variants, rings, and the package."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hnefi import Game, Setup
from hnefi.cli.lab import collecting
from hnefi.lab import puzzles
from hnefi.lab.puzzle_proofs import Prover, false_claim
from hnefi.puzzles import puzzle
from hnefi.puzzles import puzzles as all_puzzles
from hnefi.variants.files import parse_content
from tests.cli_runs import answer, refusal, run
from tests.variant_files import renamed

DATA = Path(puzzles.__file__).parents[1] / "puzzles" / "data"

# The replies that refute the wrong moves of the claim.
WRONG = [
    *(["a4a3", "c2a2"], ["a4a5", "f3a3"]),
    *(["e6f6", "d5e5", "d5d6", "g5e5", "c6d6", "d7d6", "d7e7"], ["a4a1"]),
]
CLAIM = {
    "variant": "brandub-globe",
    "position": "3t3/T1t1K2/3t2t/TT2T2/5t1/2t4/7 a",
    "theme": "trap",
    "moves": 2,
    "tempting": 8,
    "tree": [{"f3f6": ["e6e7", 1, None]}, WRONG],
}


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A variant of one's own, in a file."""
    path = tmp_path / "mine.toml"
    path.write_text(renamed("ard-ri-globe", "mine"), "utf-8")
    return path


def lines(path: Path) -> list[dict[str, object]]:
    return [*map(json.loads, path.read_text("utf-8").splitlines())]


def test_puzzles_of_an_own_variant_are_proved_and_continued(mine: Path, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    found = answer("lab", "puzzles", str(mine), "--positions", "1", "-o", str(path))
    assert found["complete"]
    rules = parse_content(mine.read_bytes(), str(mine)).rules
    for one in found["puzzles"]:
        game = Game(rules, Setup(one["position"]))
        won = Prover(game.position.turn).winning_moves(game, one["moves"])
        assert one["theme"] == "only_move" or [*map(str, won)] == [one["solution"]]
    assert found["puzzles"] == [one for one in lines(path) if "key" in one]
    games = {one["seed"] for one in lines(path)}
    again = run("lab", "puzzles", str(mine), "--positions", "1", "-o", str(path), "--lang", "fr")
    assert again == (0, f"0 problème ajouté à {path}.\n", "")
    more = answer("lab", "puzzles", str(mine), "--positions", str(len(found["puzzles"]) + 1), "-o", str(path))
    assert {one["seed"] for one in more["puzzles"]}.isdisjoint(games)
    assert len({one["key"] for one in lines(path) if "key" in one}) == len(found["puzzles"]) + len(
        more["puzzles"]
    )


def test_collected_puzzles_are_listed_and_shown(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    found = answer("lab", "puzzles", "brandub-globe", "--positions", "2", "-o", str(path))["puzzles"]
    listed = answer("puzzles", "--file", str(path))["puzzles"]
    assert [one["id"] for one in listed] == [
        f"own-brandub-globe-{number + 1}" for number in range(len(found))
    ]
    for one, shown in zip(found, listed, strict=True):
        assert (shown["theme"], shown["position"]) == (one["theme"], f"{one['position']} 0")
        told = answer("puzzles", shown["id"], "--file", str(path), "--solution")
        assert told["solution"][0] == one["solution"]


def test_rings_are_composed_where_enclosing_wins() -> None:
    (first, *_) = answer("lab", "puzzles", "hist-brandubh-7", "--rings", "--positions", "1")["puzzles"]
    assert (first["theme"], first["seed"]) == ("ring", 3)
    sentence = "brandub-globe: enclosing the king’s side does not win by these rules.\n"
    assert run("lab", "puzzles", "brandub-globe", "--rings") == (1, "", sentence)


def test_a_variant_is_left_after_many_games_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "FRUITLESS", 3)
    monkeypatch.setattr(puzzles, "_positions", lambda _: iter(()))
    said = "the last 3 games or rings gave no puzzle; a larger --most takes more of a theme and length.\n"
    assert run("lab", "puzzles", "brandub-globe") == (0, "", f"brandub-globe: {said}")


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    message = f"{path} cannot be read: it is not a file of puzzles of `hnefi lab puzzles`."
    for text in ("[1]", "games"):
        path.write_text(text)
        found = refusal("lab", "puzzles", "brandub-globe", "-o", str(path))
        assert found == {"code": "cannot_read", "message": message}, text
    path.write_text("[1]")
    assert refusal("puzzles", "--file", str(path))["message"] == message
    assert refusal("lab", "select", str(path), str(tmp_path / "package"))["message"] == message
    assert refusal("lab", "select", str(DATA), str(tmp_path))["code"] == "cannot_read"
    assert not (tmp_path / "package").exists()
    assert refusal("lab", "select", str(tmp_path / "none"), str(tmp_path))["code"] == "cannot_read"


def test_a_composed_position_becomes_a_puzzle_or_is_told_why_it_is_none(tmp_path: Path) -> None:
    path, position = tmp_path / "mine.jsonl", str(CLAIM["position"])
    args = ("lab", "puzzles", "brandub-globe", "-o", str(path), "--position", position)
    code, out, err = run(*args, "--position", "start")
    told = f"{position}: Trap the king in 2, medium; the only solution begins with f3-f6.\n"
    none = "no forced win within 4 moves, and there is no single move, of eight or more, that avoids a loss."
    assert (code, out) == (1, f"{told}1 puzzle added to {path}.\n")
    assert err == f"start: the side to move has {none}\n"
    assert lines(path)[0]["tree"] == [{"f3f6": ["e6e7", 1, None]}, WRONG]
    assert [one["id"] for one in answer("puzzles", "--file", str(path))["puzzles"]] == ["own-brandub-globe-1"]
    others = ("7/7/7/3K3/7/2t4/7 d", "7/7/3T3/1K1t3/1Tt1tT1/7/3T3 d", "7/7/7/7/7/3t3/K6 a")
    found = answer(*args, *(word for one in others for word in ("--position", one)), code=1)
    assert [one["reason"] for one in found["refused"]] == ["known", "several", "later", "over"]
    assert "d4-d1 d4-a4 d4-g4 d4-d7" in found["refused"][1]["message"]
    before = path.read_bytes()
    assert refusal(*args[:5], "--position", others[1], "--position", "7/7 a")["code"].startswith("bad_")
    assert path.read_bytes() == before
    assert refusal(*args, "--rings")["code"] == "bad_usage"
    assert refusal("lab", "puzzles", "--position", position)["code"] == "bad_usage"


def test_an_only_move_is_a_composed_puzzle() -> None:
    one = next(one for one in all_puzzles("brandub-globe", "only_move") if one.moves == 1)
    (found,) = answer("lab", "puzzles", "brandub-globe", "--position", str(one.setup))["puzzles"]
    assert (found["theme"], found["solution"]) == ("only_move", str(one.solution))


def test_a_line_without_a_key_is_named(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    for text, key in (("{}", "variant"), ('{"variant": "brandub-globe"}', "position")):
        path.write_text('{"variant": "brandub-globe", "seed": 1}\n' + text)
        message = f"{path}, line 2: the key `{key}` of a puzzle is missing."
        for args in (("lab", "puzzles", "brandub-globe", "-o", str(path)), ("puzzles", "--file", str(path))):
            assert refusal(*args) == {"code": "bad_puzzle", "message": message}, text
        assert refusal("lab", "select", str(path), str(tmp_path / "package"))["message"] == message


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"tree": [{"f3f6": ["e6e7", 1, None]}, [["e6e7"]]]},
            "the answers of the puzzle have none to d7-e7.",
        ),
        ({"tree": [{"f3f5": ["e6e7", 1, None]}, WRONG]}, "the solution f3-f5 does not win in 2."),
        ({"tree": [{"f3f5": None}, WRONG]}, "the solution f3-f5 does not win in 2."),
        ({"tree": [{}, []]}, "the answers of the puzzle have no solution."),
        (
            {"tree": [{"a4a3": None}, WRONG]},
            "The piece on a4 is a defender, but it is for the attackers to",
        ),
        ({"moves": 3, "tree": [{"f3f6": ["e6e7", 1, None]}, WRONG]}, "there is a faster one."),
        ({"moves": "2"}, "a value of the puzzle has the wrong form."),
        ({"theme": "escape"}, "there is no theme “escape”; there are: king_out | trap | ring | only_move."),
        ({"variant": "brandu"}, "There is no variant “brandu”."),
    ],
)
def test_a_puzzle_with_a_false_claim_is_refused(
    tmp_path: Path, changes: dict[str, object], fault: str
) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps(CLAIM | changes), "utf-8")
    for args in ((), ("--suite",), ("own-brandub-globe-1", "--solution")):
        code, out, err = run("puzzles", "--file", str(path), *args)
        assert (code, out) == (2, ""), args
        assert err.startswith(f"{path}, line 1: "), args
        assert fault in err, args


def test_claims_that_the_stored_answers_do_not_show_are_proved() -> None:
    one = puzzle("brandub-globe-2")
    assert false_claim(one) is None
    assert false_claim(replace(one, moves=4)) == {"part": "sooner", "count": "4"}
    assert false_claim(replace(one, moves=2)) == {"part": "no_win", "move": "e6-e4", "count": "2"}
    only = next(one for one in all_puzzles("brandub-globe", "only_move") if one.moves == 2)
    assert false_claim(only) is None
    assert (false_claim(replace(only, moves=1)) or {})["part"] == "also_safe"


def test_collected_puzzles_are_added_where_they_are_fewest(tmp_path: Path) -> None:
    collected, package = tmp_path / "collected", tmp_path / "package"
    args = ("lab", "puzzles", "brandub-globe", "ard-ri-globe", "--positions", "2", "-o", str(collected))
    found = answer(*args)["puzzles"]
    rows = answer("lab", "select", str(collected), str(package), "--puzzles", "3")["variants"]
    assert sorted((one["puzzles"], one["added"]) for one in rows) == [(1, 1), (2, 2)]
    again = answer("lab", "select", str(collected), str(package), "--puzzles", "500")["variants"]
    assert sum(one["puzzles"] for one in again) == len(found)
    assert sum(one["added"] for one in again) == len(found) - 3
    entries = [*map(json.loads, (package / "brandub-globe.jsonl").read_text("utf-8").splitlines())]
    assert [entry[0] for entry in entries] == [*range(1, len(entries) + 1)]


def test_puzzles_of_the_package_are_kept_as_they_are(tmp_path: Path) -> None:
    text = (DATA / "brandub-globe.jsonl").read_bytes()
    (tmp_path / "brandub-globe.jsonl").write_bytes(text)
    (tmp_path / "none").mkdir()
    count = text.count(b"\n")
    assert answer("lab", "select", str(tmp_path / "none"), str(tmp_path)) == {
        "variants": [{"variant": "brandub-globe", "puzzles": count, "added": 0}]
    }
    assert (tmp_path / "brandub-globe.jsonl").read_bytes() == text
