"""Where things stand: the tests of a change (tools/areas.py), and what belongs to a page."""

import subprocess
from fnmatch import fnmatchcase

import areas
import pytest

from hnefi.server.pages import all_pages

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
