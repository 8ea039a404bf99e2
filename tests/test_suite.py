"""Test suites: positions with operations, read, written and run with an engine."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hnefi import Engine, HnefiError, Limit, RecordError, Setup, variant
from hnefi.formats import SuiteEntry, format_suite, parse_suite
from hnefi.lab.suite import SuiteResult, run_suite
from hnefi.puzzles import puzzles
from tests.cli_runs import answer, run

START = "brandub-globe 7/7/7/3K3/7/7/t6 d"
WON = f'{START} 0 bm d4-a4 d4-d7; id "the edge"; c1 "seen"; dm 3;\n'


def test_a_suite_is_written_as_it_is_read() -> None:
    assert format_suite(parse_suite(f"# a comment\n\n{WON}").entries) == WON
    entry = parse_suite(WON).entries[0]
    assert (entry.id, entry.operations["dm"], entry.operations["c1"]) == ("the edge", ("3",), ("seen",))
    assert entry.is_solved_by("d4-d7")
    assert not entry.is_solved_by("d4-d6")


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("brandub-globe", "bad_suite_line", 1),
        ("no-such-game 7/7 d", "bad_position", 1),
        (START.replace("brandub", "brandob"), "unknown_variant", 1),
        (f"{START} bm d4-d7", "bad_operation", 34),
        (f"{START} bm d4-d7; bm d4-a4;", "bad_operation", 44),
        (f"{START} bm d4-e5;", "not_in_line", 1),
        (f"{START} bm good;", "bad_move", 1),
        (f"{START} bm;", "bad_operation", 1),
        (f"{START} bm d4-d5; dm soon;", "bad_operation", 1),
        (f"{START} bm d4-d5; dm;", "bad_operation", 1),
        (f"{START} bm d4-d5; dm ٣;", "bad_operation", 1),
        (f'{START} bm d4-d5; switches "quiet_limit=x";', "bad_switch", 1),
    ],
)
def test_a_fault_is_told_with_its_line(line: str, code: str, column: int) -> None:
    reading = parse_suite(f"{WON}{line}\n{WON}")
    assert len(reading.entries) == 2
    assert [(one.code, one.line, one.column) for one in reading.faults] == [(code, 2, column)]
    assert str(reading.faults[0])


@pytest.mark.parametrize(
    "operations", [{"c0": ('a "b"',)}, {"c0": ("\u2028",)}, {"dm": ()}, {"c 0": ("a",)}, {"bm": ("d4;d5",)}]
)
def test_an_operation_that_no_line_can_hold_is_refused(operations: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(RecordError, match="operation"):
        str(SuiteEntry("brandub-globe", Setup("7/7/7/3K3/7/7/t6 d"), operations))


def test_what_cannot_be_read_is_not_written() -> None:
    setup = Setup("7/7/7/3K3/7/7/t6 d")
    for entry in (SuiteEntry("no-such-game", setup), SuiteEntry("brandub-globe", setup, {"bm": ("zz",)})):
        with pytest.raises(HnefiError):
            str(entry)


def test_switches_change_the_rules_of_a_position() -> None:
    entry = parse_suite(f'{START} bm d4-d5; switches "quiet_limit=40";').entries[0]
    rules = variant("brandub-globe").with_switches({"quiet_limit": "40"}).rules
    assert entry.new_game().rules == rules
    assert parse_suite(str(entry)).entries == (entry,)


def test_a_position_without_moves_to_find_or_avoid_is_not_solved(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(f'{START} dm 1;\n{START} id "x";\n{START} am d4-d5;\n')
    edge, named, avoided = parse_suite(path.read_text()).entries
    assert not edge.is_solved_by("d4-d7")
    assert not named.can_be_solved
    assert [avoided.is_solved_by(move) for move in ("d4-d7", "d4-d5", "d4-d9", "a1-b2")] == [
        True,
        False,
        False,
        False,
    ]
    found = answer("lab", "suite", str(path), "--nodes", "100")
    assert (found["left_out"], found["solved"], len(found["positions"])) == (2, 1, 1)
    assert (
        "2 positions with neither `bm` nor `am` are left out."
        in run("lab", "suite", str(path), "--nodes", "100")[1]
    )


def test_the_command_counts_what_is_solved_and_tells_faults(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(f'{START} am d4-d5; id "the edge";\n{START} bm d4-d5;\nbrandub-globe\n')
    code, out, err = run("lab", "suite", str(path), "--nodes", "2000")
    assert code == 1
    assert "the edge" in out
    assert "Solved: 1 of 2" in out
    assert err.startswith("Line 3, column 1: A line of a test suite")
    found = answer("lab", "suite", str(path), "--nodes", "2000", code=1)
    assert found["solved"] == 1
    assert [one["solved"] for one in found["positions"]] == [True, False]
    assert found["positions"][0]["operations"]["id"] == ["the edge"]
    assert [(one["line"], one["code"]) for one in found["faults"]] == [(3, "bad_suite_line")]


def test_an_interrupted_suite_reports_the_positions_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: Any) -> Iterator[SuiteResult]:
        yield next(run_suite(*args))
        raise KeyboardInterrupt

    monkeypatch.setattr("hnefi.cli.lab.suite.run_suite", interrupted)
    path = tmp_path / "suite.epd"
    path.write_text(f"{START} am d4-d5;\n" * 2)
    code, out, err = run("lab", "suite", str(path), "--nodes", "2000")
    assert (code, out.splitlines()[-1]) == (130, "Solved: 1 of 1")
    assert err == "Interrupted: these are the results so far.\n"
    found = answer("lab", "suite", str(path), "--nodes", "2000", code=130)
    assert (found["complete"], found["solved"], len(found["positions"])) == (False, 1, 1)


def test_solved_positions_are_counted_by_an_operation(tmp_path: Path) -> None:
    path, edge = tmp_path / "suite.epd", "d4-a4 d4-d7 d4-g4 d4-d1"
    path.write_text(f'{START} bm {edge}; id "edge";\n{START} am {edge}; id "edge";\n{START} bm d4-d5;\n')
    code, out, _ = run("lab", "suite", str(path), "--nodes", "2000", "--by", "id")
    assert code == 0
    rows = [" ".join(row.split()) for row in out.splitlines()]
    assert rows[0] == "group positions solved depth to solution"
    assert rows[2:4] == ["brandub-globe edge defenders 2 1 1", "brandub-globe defenders 1 0 –"]
    assert rows[4:] == ["Solved: 1 of 3"]
    found = answer("lab", "suite", str(path), "--nodes", "2000")["positions"]
    assert [one["solved_depth"] for one in found] == [1, None, None]
    assert [one["solved_nodes"] is None for one in found] == [False, True, True]


def test_an_engine_solves_puzzles_and_no_suite_that_wants_another_move() -> None:
    easy = [one for one in puzzles("brandub-globe", "king_out") if one.moves == 2][:3]
    entries = [
        SuiteEntry(one.variant, one.setup, {name: (str(one.solution),)})
        for one in easy
        for name in ("bm", "am")
    ]
    with Engine(table_mib=1) as engine:
        results = [one.is_solved for one in run_suite(engine, entries, Limit(nodes=20_000))]
    assert results == [True, False] * 3
