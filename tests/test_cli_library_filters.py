"""The commands of `hnefi library`: which games they select, in which order, and tables of them."""

import csv
import sys
from pathlib import Path

import pytest

from hnefi import Reason
from hnefi.cli.library.tables import COLUMNS
from tests.cli_runs import answer, refusal, run


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HNEFI_LANG", "en")
    monkeypatch.setenv("HNEFI_LIBRARY", str(tmp_path / "games.db"))


@pytest.mark.parametrize("text", ["banana", "2019-13", "19", "2019-5-3", "2019-02-30"])
def test_a_filter_that_is_no_date_is_refused(text: str) -> None:
    code, _, err = run("library", "search", "--since", text)
    assert code == 2
    assert f"--since is “{text}”; expected a date" in err


@pytest.fixture
def rated(tmp_path: Path) -> None:
    text = ""
    games = (
        ("Ann", "1500", "Bo", "1700", "2024-05-03", "", "d2-c2 2. d3-e3 3. d1-c1"),
        ("Bo", "1650?", "Cy", "1600", "2024.06.01", "", "d2-b2 2. d3-c3"),
        ("Cy", "1600", "Ann", "?", "2023", "quiet_limit=40", "d2-b2"),
        ("Di", "1400", "Bo", "1710", "", "", "d6-e6"),
    )
    names = ("Attackers", "AttackersRating", "Defenders", "DefendersElo", "Date", "Switches")
    for *values, line in games:
        headers = dict(zip(names, values, strict=True))
        headers |= {"GameType": f"{900000 + len(line)} some", "Variant": "brandub-globe"}
        text += "".join(f'[{name} "{value}"]\n' for name, value in headers.items() if value)
        text += f'[Result "*"]\n\n1. {line} *\n\n'
    path = tmp_path / "rated.tafl"
    path.write_text(text)
    assert answer("library", "add", str(path))["added"] == 4


FILTERS = {
    "--rules brandub-globe": "1 2 4",
    "--rules brandub-globe;quiet_limit=40": "3",
    "--size 7": "1 2 3 4",
    "--size 9": "",
    "--type 900007": "",
    "--type 900005": "3 4",
    "--min-rating 1500": "1 2",
    "--max-rating 1650": "2",
    "--min-rating 1400 --max-rating 1705": "1 2",
    "--date 2024": "1 2",
    "--date 2024-05": "1",
    "--date 2024-06-01": "2",
    "--since 2023 --until 2024-05": "1 3",
    "--player bo --result *": "1 2 4",
    "--id 2 --id 4": "2 4",
    "--variant brandub-globe --after d2-b2": "2 3",
}


@pytest.mark.usefixtures("rated")
@pytest.mark.parametrize("filters", FILTERS)
def test_every_command_selects_the_same_games(filters: str, tmp_path: Path) -> None:
    expected, options = [int(one) for one in FILTERS[filters].split()], filters.split()
    code = 0 if expected else 1
    found = answer("library", "search", *options, code=code)
    assert sorted(one["id"] for one in found["games"]) == expected
    assert found["found"] == answer("library", "stats", *options)["games"] == len(expected)
    out = str(tmp_path / "out.tafl")
    assert answer("library", "export", *options, "--output", out, code=code)["written"] == len(expected)
    assert answer("library", "remove", *options, "--yes", code=code)["removed"] == len(expected)
    assert answer("library", "check")["games"] == 4 - len(expected)


@pytest.mark.usefixtures("rated")
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("", [4, 3, 2, 1]),
        ("--reverse", [1, 2, 3, 4]),
        ("--sort date", [2, 1, 3, 4]),
        ("--sort date --reverse", [3, 1, 2, 4]),
        ("--sort rating", [2, 1, 4, 3]),
        ("--sort plies --limit 2", [1, 2]),
        ("--sort attackers", [1, 2, 3, 4]),
        ("--sort defenders --reverse --limit 1", [2]),
    ],
)
def test_games_are_listed_in_the_requested_order(order: str, expected: list[int]) -> None:
    found = answer("library", "search", *order.split())
    assert [one["id"] for one in found["games"]] == expected


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ("--since 2024 --until 2023-12", "--since 2024 is beyond --until 2023-12"),
        ("--min-plies 9 --max-plies 8", "--min-plies 9 is beyond --max-plies 8"),
        ("--min-rating 1800 --max-rating 1500", "--min-rating 1800 is beyond --max-rating 1500"),
        ("--date 2024 --since 2023", "--date and --since cannot be combined"),
        ("--date yesterday", "--date is “yesterday”; expected a date"),
        ("--rules brandub-globe;quiet", "quiet"),
        ("--reason foo", "; expected " + " | ".join(one.value for one in Reason)),
        ("--after d2-c2", "--variant | --rules is missing"),
    ],
)
def test_ranges_that_select_nothing_are_refused(options: str, part: str) -> None:
    assert part in refusal("library", "search", *options.split())["message"]


@pytest.mark.usefixtures("rated")
def test_a_table_has_a_row_for_each_game() -> None:
    assert answer("library", "export", "--format", "csv", "-o", "games.csv", "--reverse")["written"] == 4
    with Path("games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["id"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["attackers_rating"] for row in rows] == ["1500", "1650", "1600", "1400"]
    assert [row["defenders_rating"] for row in rows] == ["1700", "1600", "", "1710"]
    assert [row["moves"] for row in rows[:2]] == ["d2-c2 d3-e3 d1-c1", "d2-b2 d3-c3"]
    assert (rows[2]["switches"], rows[2]["size"], rows[2]["type"]) == ("quiet_limit=40", "7", "900005")
    assert rows[0]["rules"] != rows[2]["rules"]
    assert "brandub-globe quiet_limit=40  " in run("library", "search")[1]
    found = answer("library", "search", "--reverse")["games"]
    assert all(
        str(one[name] or "") == row[name] for one, row in zip(found, rows, strict=True) for name in one
    )
    assert run("library", "export", "--format", "csv", "--limit", "1")[1].count("\n") == 2


@pytest.mark.usefixtures("rated")
def test_parquet_needs_a_file_and_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    missing = refusal("library", "export", "--format", "parquet", "-o", "games.parquet")
    assert (missing["code"], "hnefi[parquet]" in missing["message"]) == ("missing_extra", True)
    assert not Path("games.parquet").exists()
    assert "--output" in run("library", "export", "--format", "parquet")[2]
    assert "--to" in run("library", "export", "--format", "csv", "--to", "otg")[2]


@pytest.mark.deep
@pytest.mark.usefixtures("rated")
def test_parquet_has_the_rows_of_csv() -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pip install pyarrow")
    assert answer("library", "export", "--format", "parquet", "-o", "games.parquet")["written"] == 4
    assert answer("library", "export", "--format", "csv", "-o", "games.csv")["written"] == 4
    rows = parquet.read_table(Path("games.parquet")).to_pylist()
    assert all(
        type(value) in (kind, type(None))
        for row in rows
        for value, kind in zip(row.values(), COLUMNS.values(), strict=True)
    )
    with Path("games.csv").open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert [
        {name: "" if value is None else str(value) for name, value in row.items()} for row in rows
    ] == written
