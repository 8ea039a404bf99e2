"""Every command that takes games takes every format, packed or not, also games of rules of their own."""

import gzip
from pathlib import Path

import pytest

from hnefi.record import load_records
from tests.cli_runs import answer, refusal, run

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


def test_what_a_record_lacks_is_a_remark(tmp_path: Path) -> None:
    path = tmp_path / "by-hand.tafl"
    path.write_text('[Variant "brandub-globe"]\n\n1. d2-c2 *\n', encoding="utf-8")
    found = answer("replay", str(path))
    assert (found["ok"], [one["code"] for one in found["remarks"]]) == (1, ["missing_rules"])


def test_a_game_that_contradicts_its_rules_is_left_out_if_that_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "far.txt"
    path.write_text("\nd2-d7\n", encoding="utf-8")
    convert = ("convert", str(path), "--variant", "brandub-globe", "--to", "tafl")
    code, out, err = run(*convert)
    assert (code, "1. d2-d7" in out, "--check" in err) == (0, True, True)
    code, out, err = run(*convert, "--check")
    assert (code, out, err.startswith(f"{path}:2: ")) == (1, "", True)
    assert "d3" in err
    assert "0 games written, 1 left out, 1 of them against the rules." in err
    found = answer(*convert, "--check", "-o", str(tmp_path / "out.tafl"), code=1)
    assert (found["faulty"], found["contradicting"]) == (1, 1)
    path.write_text("\nd2-c2\n", encoding="utf-8")
    assert answer(*convert, "--check", "-o", str(tmp_path / "out.tafl"))["contradicting"] == 0
