"""How checks and tests are run, what tools find in sources and audits, and the font files of the pages."""

import datetime as dt
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import areas
import audit
import check
import check_docstrings
import pytest
from audit import Report
from fontTools.ttLib import TTFont

from hnefi.i18n import texts
from hnefi.server.pages import all_pages
from tests.conftest import UNSTEADY
from tests.timeouts import timeout_s

ROOT = Path(__file__).parents[1]


@pytest.fixture
def checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sets a folder for what checks print."""
    monkeypatch.setattr(check, "LOGS", tmp_path)
    monkeypatch.setattr(check, "ROOT", tmp_path)
    return tmp_path


def step(name: str, program: str, limit_s: float | None = None) -> check.Step:
    return check.Step(name, shlex.join([sys.executable, "-c", program]), limit_s=limit_s)


def test_lanes_run_side_by_side_and_what_fails_is_shown_and_ends_both(
    checks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    meet = "import pathlib, time\n{}.touch()\nwhile not {}.exists(): time.sleep(.01)"
    a, b = "pathlib.Path('a')", "pathlib.Path('b')"
    lanes = [
        (step("one", meet.format(a, b)), step("bad", "print('why'); raise SystemExit(1)"), step("never", "")),
        (step("two", meet.format(b, a)),),
    ]
    with pytest.raises(SystemExit, match=r"^bad failed: "):
        check.run_lanes(lanes, dict(os.environ))
    printed = {line.split(" (")[0] for line in capsys.readouterr().out.splitlines()}
    assert printed >= {"one: ok", "two: ok", "why", "bad: FAILED"}
    assert not (checks / "never.log").exists()


@pytest.mark.usefixtures("checks")
def test_a_check_that_takes_too_long_is_ended_and_says_where_it_was(
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = (
        "import faulthandler, signal, time; faulthandler.register(signal.SIGQUIT)\n"
        "def waiting(): time.sleep(600)\nprint('so far', flush=True); waiting()"
    )
    fault = check.run(step("tests", program, limit_s=timeout_s() / 60), dict(os.environ))
    assert fault is not None
    printed = capsys.readouterr().out
    for part in ("so far", "took too long", "in waiting", "KeyboardInterrupt", "tests: FAILED"):
        assert part in printed


def test_a_long_check_that_has_passed_is_run_again_only_after_a_change(checks: Path) -> None:
    (checks / "docs" / "measurements").mkdir(parents=True)
    files = {name: checks / name for name in ("source", "docs/measurements/perft.md", "runs")}
    for file in files.values():
        file.touch()
    for command in ("init -q", "add source docs", "-c user.name=t -c user.email=t@t commit -q -m t"):
        subprocess.run(["git", *command.split()], cwd=checks, check=True)
    long = replace(step("long", "open('runs', 'a').write('.')"), passes_once=True)
    for changed, runs in ((None, 1), (None, 1), ("docs/measurements/perft.md", 1), ("source", 2), (None, 3)):
        if changed:
            files[changed].write_text("other")
        assert check.run(long, dict(os.environ)) is None
        assert files["runs"].stat().st_size == runs


# --- How tests are run ------------------------------------------------------------------------------------


def test_a_test_may_be_skipped_in_ci_for_the_system_alone(tmp_path: Path) -> None:
    for name in ("conftest.py", "unsteady.toml"):
        shutil.copy(ROOT / "tests" / name, tmp_path)
    (tmp_path / "test_skips.py").write_text(
        "import pytest\n"
        "def test_lazy(): pytest.skip('no nginx')\n"
        "def test_system(): pytest.skip('system: no second address')\n"
        "@pytest.mark.skip(reason='later')\ndef test_later(): pass"
    )
    options = ("-p", "no:cacheprovider", "-o", "markers=deep\ntimeout")
    for ci, result in (("true", "1 failed, 1 skipped, 1 error"), ("", "3 skipped")):
        run = subprocess.run(
            [sys.executable, "-m", "pytest", *options, str(tmp_path)],
            env={**os.environ, "CI": ci},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result in run.stdout


def test_unsteady_tests_are_mended_within_two_weeks() -> None:
    today = dt.datetime.now(dt.UTC).date()
    for name, entry in UNSTEADY.items():
        assert (ROOT / name.partition("::")[0]).exists(), name
        assert entry["reason"]
        assert today - entry["since"] <= dt.timedelta(days=14), (
            f"{name} has been unsteady since {entry['since']}"
        )


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ('def f() -> int:\n    """Gives one."""\n    return 1\n', "1: 'Gives'"),
        ('class A:\n    """Lets in all."""\n', "1: 'Lets in'"),
        ('def f() -> None:\n    """Checks whether it fits."""\n', "1: 'Checks whether'"),
        ('def f() -> None:\n    """Returns one."""\n', "1: 'Returns'"),
        ('async def f():\n    """Checks whether it fits."""\n', "1: 'Checks whether'"),
        (
            'class A:\n    def f(self) -> int:\n        """Checks whether\n        it fits."""\n',
            "2: 'Checks whether'",
        ),
        ('def f() -> None:\n    """Moves on.\n\n    Gives up in the end.\n    """\n', None),
        ('def f() -> None:\n    """Gives_way is a name."""\n', None),
        ('def f() -> bool:\n    """Checks whether it fits."""\n', None),
        ('def f() -> int | None:\n    """Returns one."""\n', None),
        ('def f() -> None:\n    """Checks that it fits."""\n', None),
    ],
)
def test_only_a_docstring_that_does_not_keep_its_word_is_found(text: str, finding: str | None) -> None:
    found = [one.split(": use")[0] for one in check_docstrings.check(text)]
    assert found == ([finding] if finding else [])


AREAS = areas.read_areas()


def test_every_row_of_the_table_finds_files_and_tests() -> None:
    kept = subprocess.run(
        ["git", "ls-files"], cwd=areas.ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    for area in AREAS:
        for pattern in (*area.tests, *area.but):
            assert areas.expand([pattern]), pattern
        for pattern in area.paths:
            assert any(fnmatchcase(path, pattern) for path in kept), pattern


@pytest.mark.parametrize(
    ("file", "tested", "untouched"),
    [
        ("crates/rules/src/capture.rs", "tests/test_worked_core.py", "tests/web/test_looks.py"),
        (
            "src/hnefi/server/pages/people/content.py",
            "tests/web/test_people.py",
            "tests/web/test_analysis.py",
        ),
        ("src/hnefi/server/store/writer.py", "tests/server/test_store.py", "tests/web/test_analysis.py"),
        ("src/hnefi/cli/replay.py", "tests/test_cli_replay.py", "tests/server/test_store.py"),
        ("src/hnefi/locale/fr/LC_MESSAGES/hnefi.po", "tests/test_words.py", "tests/web/test_people.py"),
        ("tests/test_words.py", "tests/test_words.py", "tests/test_i18n.py"),
    ],
)
def test_a_change_runs_the_tests_that_it_can_break(file: str, tested: str, untouched: str) -> None:
    changed = areas.affected([file], AREAS)
    assert changed.tests is not None
    assert tested in changed.tests
    assert untouched not in changed.tests
    assert changed.rust == file.startswith("crates/")


def test_a_change_of_an_unknown_file_runs_everything() -> None:
    known = "src/hnefi/cli/replay.py"
    assert areas.affected([known, "src/hnefi/variants/model.py"], AREAS) == areas.EVERYTHING
    assert areas.affected([], AREAS) == areas.Changed(rust=False, tests=())


def test_what_belongs_to_a_page_stands_in_the_folder_of_its_name() -> None:
    root = areas.ROOT
    scripts = root / "web" / "src" / "pages"
    files = {path.name for path in scripts.glob("*/*")}
    for page in all_pages.PAGES:
        if page.folder:
            folder, name = root / "src/hnefi/server/pages" / page.folder, page.template or page.name
            assert (folder / f"{name}.html").exists()
            assert f"def {name}_values(" in (folder / "content.py").read_text(encoding="utf-8")
        for file in page.files:
            stem, suffix = file.split(".")
            assert {file, f"{stem}.tsx"} & files or (f"{stem}.ts" in files and suffix == "js"), file
    assert {path.name for path in scripts.iterdir()} <= {page.folder for page in all_pages.PAGES}


def pip_report(**changes: Any) -> str:
    clean = {"name": "uvicorn", "version": "0.54.0", "vulns": []}
    return json.dumps({"dependencies": [clean, {**clean, "name": "starlette", **changes}], "fixes": []})


def test_a_vulnerable_python_package_is_named() -> None:
    fault = {"id": "PYSEC-2026-1", "fix_versions": ["1.2"], "aliases": []}
    report = audit.read_pip(pip_report(vulns=[fault]))
    assert report == Report(("starlette 0.54.0: PYSEC-2026-1, fixed in 1.2",), 2)
    assert audit.read_pip(pip_report()) == Report((), 2)


def test_packages_without_advisories_are_not_free_of_vulnerabilities() -> None:
    """pip-audit reports success if the package index knows nothing of advisories."""
    report = audit.read_pip(pip_report(skip_reason="Dependency not found on PyPI"))
    assert report.checked == 1
    assert "1 of 2 packages (starlette)" in report.missing


def test_reports_of_npm() -> None:
    found = {"vulnerabilities": {"esbuild": {"severity": "high"}}, "metadata": {"dependencies": {"total": 9}}}
    assert audit.read_npm(json.dumps(found)) == Report(("esbuild: high",), 9)
    assert audit.read_npm(json.dumps({**found, "vulnerabilities": {}})) == Report((), 9)
    offline = {"error": {"code": "ENOTFOUND", "summary": "getaddrinfo ENOTFOUND"}}
    assert audit.read_npm(json.dumps(offline)).missing == "getaddrinfo ENOTFOUND"


def test_reports_of_cargo() -> None:
    one = {"package": {"name": "pyo3", "version": "0.1.0"}, "advisory": {"id": "RUSTSEC-2026-0001"}}
    found = {"lockfile": {"dependency-count": 7}, "vulnerabilities": {"list": [one]}}
    assert audit.read_cargo(json.dumps(found)) == Report(("pyo3 0.1.0: RUSTSEC-2026-0001",), 7)


@pytest.mark.parametrize(
    ("reports", "code"),
    [
        ([Report(checked=3), Report()], 0),
        ([Report(missing="offline"), Report()], 2),
        ([Report(("bad",)), Report(missing="offline")], 1),
        ([Report(missing="offline"), Report(("bad",))], 1),
    ],
)
def test_the_exit_code_reports_found_and_not_checked(
    reports: list[Report], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    audits = {str(number): lambda report=report: report for number, report in enumerate(reports)}
    assert audit.main(audits) == code
    printed = capsys.readouterr().out
    assert ("NOT CHECKED: offline" in printed) == any(report.missing for report in reports)
    assert ("VULNERABLE: bad" in printed) == any(report.found for report in reports)


def test_a_tool_without_a_report_checked_nothing(tmp_path: Path) -> None:
    report = audit._audit(audit.read_npm, ["sh", "-c", "echo no network >&2"], tmp_path)
    assert report == Report(missing="no network")


FONTS = ROOT / "web" / "src" / "fonts"
STYLES = (ROOT / "web" / "src" / "styles" / "fonts.css").read_text(encoding="utf-8")
FACES = [
    dict(re.findall(r"([a-z-]+): ([^;]+);", face))
    for face in re.findall(r"@font-face \{(.*?)\}", STYLES, re.DOTALL)
]
LETTERS = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789«»’“”–—…×\u00a0\u202f"
    "ÀÂÆÇÈÉÊËÎÏÔŒÙÛÜàâæçèéêëîïôœùûüÿÞÐÁÓÖØþðáóöø"
)
OTHER_LETTERS = "ǪǫŠšČčŊŋĐđĀāĒēĪīŌōŪūŽž"


def letters_of(name: str) -> set[str]:
    return {chr(code) for code in TTFont(FONTS / f"{name}.woff2").getBestCmap()}


def in_range(letter: str, face: dict[str, str]) -> bool:
    ends = [part.strip(" U+").split("-") for part in face["unicode-range"].split(",")]
    return any(int(end[0], 16) <= ord(letter) <= int(end[-1], 16) for end in ends)


@pytest.mark.parametrize("family", ["cut", "text"])
def test_a_family_has_the_letters_of_all_texts(family: str) -> None:
    own, other = letters_of(family), letters_of(f"{family}-ext")
    assert set(LETTERS) <= own
    assert set(OTHER_LETTERS) <= other
    shown = {
        letter
        for lang in ("en", "fr")
        for entry in texts(("web.", "page.", "words."), lang).values()
        for letter in "".join(entry)
    }
    shown -= {"\n", *(letter for letter in shown if not letter.isalnum())}
    assert shown <= own | other


@pytest.mark.parametrize("family", ["cut", "text"])
def test_browsers_load_the_file_that_has_a_letter(family: str) -> None:
    for name, letters in ((family, LETTERS), (f"{family}-ext", OTHER_LETTERS)):
        (face,) = [face for face in FACES if f"/{name}.woff2" in face["src"]]
        assert [letter for letter in letters if not in_range(letter, face)] == []
        others = [
            face for face in FACES if f"/{family}" in face["src"] and f"/{name}.woff2" not in face["src"]
        ]
        assert [letter for letter in letters if any(in_range(letter, other) for other in others)] == []
        assert face["font-display"] == "swap"


def test_the_digits_of_a_family_can_have_one_width() -> None:
    cut, text = TTFont(FONTS / "cut.woff2"), TTFont(FONTS / "text.woff2")
    (lookup,) = cut["GSUB"].table.LookupList.Lookup
    tabular = lookup.SubTable[0].mapping
    assert len({cut["hmtx"][tabular[cut.getBestCmap()[ord(digit)]]][0] for digit in "0123456789"}) == 1
    assert len({text["hmtx"][text.getBestCmap()[ord(digit)]][0] for digit in "0123456789"}) == 1


@pytest.mark.parametrize(("family", "file"), [("Hnefi Cut", "cut"), ("Hnefi Text", "text")])
def test_the_fallback_has_the_height_of_its_family(family: str, file: str) -> None:
    """Checks the height of a line of the fallback, which must not move the page when the font arrives."""
    font = TTFont(FONTS / f"{file}.woff2")
    faces = [face for face in FACES if face["font-family"] == f'"{family} fallback"']
    assert faces
    for face in faces:
        scale = float(face["size-adjust"].strip("%")) / 100
        for key, value in (
            ("ascent-override", font["hhea"].ascent),
            ("descent-override", -font["hhea"].descent),
        ):
            assert float(face[key].strip("%")) * scale == pytest.approx(
                value / font["head"].unitsPerEm * 100, abs=0.5
            )
        assert face["line-gap-override"] == "0%"


def test_the_licence_lies_beside_the_fonts() -> None:
    for name in ("commissioner", "source-sans-3"):
        assert "SIL OPEN FONT LICENSE" in (FONTS / f"OFL-{name}.txt").read_text(encoding="utf-8").upper()
