"""Every command takes games in every format, packed or not, of rules of their own or of moves alone."""

import gzip
from pathlib import Path

import pytest

from hnefi.checking import Checker
from hnefi.formats import FAULTS, FindingKind, RawGame
from hnefi.record import explain_fault, load_records, variant_headers
from tests.cli_runs import answer, refusal, run
from tests.test_checking import CALM, CAPTURE, WON

pytestmark = pytest.mark.usefixtures("here")

PLAIN = "1. d2c2 d5c5 2. g4g6\n"
DOTS = '[Event "A"]\n\n1. d2-c2\n1... d5-c5\n2. g4-g6 d3-e3 *\n'
SIGNS = "D2-C2\nD5-C5\nG4-G6++\n"
RULES = "dim:7 name:Mine surf:n ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
OWN_RULES = f"[result:?]\n[rules:{RULES}]\n\n1. d2-c2 d5-c5\n"
FILES = {"plain.pgn": (PLAIN, 3), "dots.pgn": (DOTS, 4), "signs.txt": (SIGNS, 3), "own.otg": (OWN_RULES, 2)}


@pytest.fixture(params=[*FILES, "plain.pgn.gz", "own.otg.gz"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, int]:
    """Returns a file with one game, and the number of its moves."""
    name: str = request.param
    text, plies = FILES[name.removesuffix(".gz")]
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path, plies


def variant_of(path: Path) -> list[str]:
    return [] if ".otg" in path.name else ["--variant", "brandub-globe"]


def test_a_game_is_replayed_converted_replayed_again_and_analysed(file: tuple[Path, int]) -> None:
    path, plies = file
    found = answer("replay", str(path), *variant_of(path))
    assert (found["games"], found["ok"], found["faults"]) == (1, 1, [])
    ours = path.with_name("ours.tafl")
    assert run("convert", str(path), *variant_of(path), "-o", str(ours))[0] == 0
    assert len(load_records(ours).records[0].nodes) == plies
    assert answer("replay", str(ours))["ok"] == 1
    reviewed = answer("analyse", str(ours), "--nodes", "200")
    assert len(reviewed["games"][0]["moves"]) == plies


def test_a_game_is_analysed_and_resumed_from_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "own.otg"
    path.write_text(OWN_RULES, encoding="utf-8")
    assert len(answer("analyse", str(path), "--nodes", "200")["games"][0]["moves"]) == 2
    code, out, _ = run("play", "--resume", str(path), stdin="g4-g6\nquit\n")
    assert (code, path.read_text("utf-8")) == (0, OWN_RULES)
    (record,) = load_records(path.with_suffix(".tafl")).records
    assert [str(node.move) for node in record.nodes] == ["d2-c2", "d5-c5", "g4-g6"], out


def test_a_file_is_known_by_what_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("convert", "-", "--variant", "brandub-globe", "-o", "a.tafl", stdin=PLAIN)[0] == 0
    Path("games.txt").write_bytes(Path("a.tafl").read_bytes())
    assert len(answer("analyse", "games.txt", "--nodes", "200")["games"][0]["moves"]) == 3
    Path("README.md").write_text("# A page\n\nWith words.\n", encoding="utf-8")
    for command in ("replay", "analyse", "convert --to tafl -o b.tafl"):
        refused = refusal(*command.split(), "README.md")
        assert refused["code"] == "unrecognised"
        assert "`hnefi convert --from FORMAT --to tafl`" in refused["message"]
    code, _, err = run("play", "--resume", "README.md", stdin="")
    assert (code, "unknown format" in err) == (2, True)


@pytest.mark.parametrize("name", ["games.tafl", "games.jsonl", "games.pgn"])
def test_the_games_before_the_cut_of_a_truncated_file_are_used(name: str, tmp_path: Path) -> None:
    whole, plain, packed = (tmp_path / one for one in ("whole.tafl", name, f"{name}.gz"))
    ends = ("c2 2. d3-e3", "b2 2. d3-e3", "e2 2. d3-c3")
    games = "\n".join(f'[Variant "brandub-globe"]\n\n1. d2-{end} *\n' for end in ends)
    whole.write_text(games, encoding="utf-8")
    run("convert", str(whole), "-o", str(plain))
    given = [] if name == "games.tafl" else ["--variant", "brandub-globe"]
    packed.write_bytes(gzip.compress(plain.read_bytes())[:-12])
    assert answer("replay", str(packed), *given, code=1)["ok"] == 2
    for lenient, keeps in (([], []), (["--lenient"], ["--keep-faulty"])):
        ours = str(tmp_path / "ours.tafl")
        converted = answer("convert", str(packed), *given, *lenient, "-o", ours, code=1)
        assert converted["written"] >= 2
        assert [one["code"] for one in converted["faults"]] == ["archive_cut"]
        library = str(tmp_path / f"{len(keeps)}.db")
        added = answer("library", "add", str(packed), *given, *keeps, "--library", library, code=1)
        assert added["games"] >= 2
    assert refusal("analyse", str(packed))["code"] == "unusable_record"
    packed.write_bytes(packed.read_bytes()[:11])
    for command in ("replay", "convert --to otg -o out.otg", "library add", "analyse"):
        assert refusal(*command.split(), str(packed))["code"] == "broken_archive"


def test_what_a_record_lacks_is_a_remark() -> None:
    Path("by-hand.tafl").write_text('[Variant "brandub-globe"]\n\n1. d2-c2 *\n', encoding="utf-8")
    found = answer("replay", "by-hand.tafl")
    assert (found["ok"], [one["code"] for one in found["remarks"]]) == (1, ["missing_rules"])


def test_a_game_that_contradicts_its_rules_is_left_out_if_that_is_asked(tmp_path: Path) -> None:
    Path("far.txt").write_text("\nd2-d7\n", encoding="utf-8")
    convert = ("convert", "far.txt", "--variant", "brandub-globe", "--to", "tafl")
    code, out, err = run(*convert)
    assert (code, "1. d2-d7" in out, "--check" in err) == (0, True, True)
    code, out, err = run(*convert, "--check")
    assert (code, out, err.startswith("far.txt:2: ")) == (1, "", True)
    assert "d3" in err
    assert "0 games written, 1 left out, 1 of them against the rules." in err
    found = answer(*convert, "--check", "-o", str(tmp_path / "out.tafl"), code=1)
    assert (found["faulty"], found["contradicting"]) == (1, 1)
    Path("far.txt").write_text("\nd2-c2\n", encoding="utf-8")
    assert answer(*convert, "--check", "-o", str(tmp_path / "out.tafl"))["contradicting"] == 0


HEADERS = variant_headers(CALM)
TWICE = f"d2-c2 d3-e3 {CAPTURE}xe3"
CODES = {
    FindingKind.BLOCKED: "path_blocked",
    FindingKind.WRONG_SIDE: "not_your_piece",
    FindingKind.AFTER_END: "game_over",
    FindingKind.CAPTURE_NOT_MADE: "wrong_captures",
    FindingKind.CAPTURE_NOT_WRITTEN: "wrong_captures",
    FindingKind.WINNER: "wrong_result",
}


def raw_game(moves: str, result: str = "*", **facts: tuple[int, int]) -> RawGame:
    return RawGame((*HEADERS, ("Result", result)), tuple(moves.split()), **facts)  # type: ignore[arg-type]


GAMES = [
    raw_game(f"{CAPTURE}xe3"),
    raw_game(CAPTURE),
    raw_game(f"{CAPTURE}xe3", captures=(2, 0)),
    raw_game("d2-c2xd3", captures=(1, 0)),
    raw_game(CAPTURE.replace("d1-d3", "d1-c1xe3")),
    raw_game(TWICE),
    raw_game(f"{CAPTURE}xe3xe3"),
    raw_game("d3-c3 d2-c2 c3-b3"),
    raw_game("d2-c2 a4-a3"),
    raw_game("d1-c1 d3-d1"),
    raw_game(f"{WON} e1-d1", "defenders"),
    raw_game(WON, "attackers"),
    raw_game(WON, "defenders"),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: " ".join(game.written))
def test_a_replay_finds_what_the_checker_finds(game: RawGame) -> None:
    found = Checker().check_game("games.csv", game).result.findings
    faults = game.replay().faults
    assert [(one.ply, one.code) for one in faults] == [
        (one.ply, CODES.get(one.kind, one.kind.value)) for one in found
    ]
    assert [one.is_remark for one in faults] == [one.kind not in FAULTS for one in found]
    assert all(explain_fault(one, lang) for one in faults for lang in ("en", "fr"))


def test_every_kind_of_remark_and_of_capture_is_among_these_games() -> None:
    codes = {fault.code for game in GAMES for fault in game.replay().faults}
    assert {"tried", "twice", "captured_twice", "other_side", "wrong_captures", "capture_count"} <= codes


def test_the_record_of_a_replay_has_the_moves_that_were_played() -> None:
    replay = raw_game(TWICE, "attackers").replay()
    assert replay.ok
    assert [str(node.move) for node in replay.record.nodes] == ["d2-c2", "d3-e3", "f4-f3", "c4-c3", "d1-d3"]
    assert replay.record.header("Result") == "attackers"
    assert replay.record.replay().ok
    refused = raw_game("d2-c2 a4-a3").replay()
    assert [str(node.move) for node in refused.record.nodes] == ["d2-c2", "a4-a3"]


def test_the_rules_of_a_type_that_changed_are_tried_in_turn() -> None:
    # Type 34 began with other starts in the course of time.
    moves = ("g2-g3",)
    assert RawGame((("GameType", "34 Sea battle tafl 13x13"),), moves).replay().variant is not None


def test_a_game_without_rules_says_what_lacks() -> None:
    assert [fault.code for fault in RawGame((), ("d2-c2",)).replay().faults] == ["missing_header"]


def test_commands_take_a_game_whose_moves_are_written_twice() -> None:
    Path("games.csv").write_text(f"{TWICE},1,0,Black\n")
    options = ("--variant", "brandub-globe")
    assert answer("replay", "games.csv", *options)["ok"] == 1
    assert run("convert", "games.csv", *options, "--check", "-o", "games.tafl")[0] == 0
    record = load_records("games.tafl").records[0]
    assert record.replay().ok
    assert len(record.nodes) == 5
    Path("games.moves").write_text(f"{TWICE}\n")
    analysed = answer("analyse", "brandub-globe", "--record", "games.moves", "--nodes", "50")
    assert len(analysed["games"][0]["moves"]) == 5


def test_bare_moves_may_leave_out_all_captures() -> None:
    Path("games.moves").write_text(f"{CAPTURE}\n")
    options = ("--variant", "brandub-globe")
    assert answer("replay", "games.moves", *options)["ok"] == 1
    Path("games.moves").write_text(f"{CAPTURE} g4-g3 d3-d2xd3\n")
    assert answer("replay", "games.moves", *options, code=1)["ok"] == 0


def test_moves_may_be_written_as_two_squares() -> None:
    for text in ("d2 c2\nd3  e3\n", "d2 c2 d3 e3", "1. d2 c2 d3 e3 2. f4 f3 c4 c3 3. d1 d3xe3"):
        Path("games.txt").write_text(text)
        found = answer("replay", "games.txt", "--variant", "brandub-globe", "--board")
        assert found["ok"] == 1
        assert [one["move"] for one in found["boards"][1:3]] == ["d2-c2", "d3-e3"]
