"""`tools/check_words.py`: finds retired words in identifiers, file names, comments and docstrings."""

import tomllib
from pathlib import Path

import check_words
import pytest

WORDS = {
    "identifiers": {"likeness": "similarity", "may_skip": "allow_null_move"},
    "test_identifiers": {"told": "reported", "test_what": "a noun"},
    "files": {"utils": "a noun"},
    "prose": {"clerk": "worker process", "rules tree": "rule tree"},
    "openers": {"Gives": "Returns", "Lets in": "Admits"},
}


def found(path: str, text: str) -> list[tuple[int, str]]:
    return [(one.line, one.word) for one in check_words.check_file(path, text, WORDS)]


@pytest.mark.parametrize(
    ("path", "text", "findings"),
    [
        ("src/hnefi/a.py", "x = 1\nlikeness = 2\n", [(2, "likeness")]),
        ("src/hnefi/a.py", "class GameLikeness:\n    pass\n", [(1, "GameLikeness")]),
        ("src/hnefi/a.py", "def f(*, _may_skip_here: bool) -> None: ...\n", [(1, "_may_skip_here")]),
        ("crates/a.rs", "fn may_skip() {}\n", [(1, "may_skip")]),
        ("web/src/a.ts", "\nconst maySkip = 1;\n", [(2, "maySkip")]),
        ("tests/test_a.py", "def test_what_is_odd() -> None: ...\n", [(1, "test_what_is_odd")]),
        ("tests/a.py", "def test_faults_are_told() -> None: ...\n", [(1, "test_faults_are_told")]),
        ("benchmarks/a.py", "told = 1\n", [(1, "told")]),
        ("src/hnefi/utils.py", "", [(1, "utils")]),
        ("tests/test_utils.py", "", [(1, "utils")]),
        ("src/hnefi/a.py", "# The clerk writes.\n", [(1, "clerk")]),
        ("src/hnefi/a.py", '"""A module.\n\nA Clerk writes.\n"""\n', [(3, "clerk")]),
        ("crates/a.rs", "// The clerk writes.\n", [(1, "clerk")]),
        ("a.md", "# Title\n\nThe clerk writes.\n", [(3, "clerk")]),
        ("crates/a.rs", "//! A Rules tree.\n", [(1, "rules tree")]),
        ("locale/hnefi.po", 'msgid "clerk"\nmsgstr "The clerk writes."\n', [(2, "clerk")]),
        ("src/hnefi/a.py", 'def f() -> int:\n    """Gives one."""\n    return 1\n', [(2, "Gives")]),
        ("src/hnefi/_core.pyi", 'class A:\n    """Lets in all."""\n', [(2, "Lets in")]),
        ("crates/a.rs", "//! Gives one.\n\n/// Gives two.\nfn f() {}\n", [(1, "Gives"), (3, "Gives")]),
        ("web/src/a.ts", "/** Gives one. */\nconst a = 1;\n", [(1, "Gives")]),
        ("src/hnefi/a.py", 'def f() -> None:\n    """Checks whether it fits."""\n', [(1, "Checks whether")]),
        ("src/hnefi/a.py", 'def f() -> None:\n    """Returns one."""\n', [(1, "Returns")]),
        ("src/hnefi/a.py", 'async def f():\n    """Checks whether it fits."""\n', [(1, "Checks whether")]),
        (
            "src/hnefi/_core.pyi",
            'class A:\n    def f(self) -> int:\n        """Checks whether."""\n',
            [(2, "Checks whether")],
        ),
    ],
)
def test_a_retired_word_is_found(path: str, text: str, findings: list[tuple[int, str]]) -> None:
    assert found(path, text) == findings


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/hnefi/a.py", 'name = "likeness"\n'),
        ("src/hnefi/a.py", "told = 1\n"),
        ("tests/test_a.py", "def test_whatever() -> None: ...\n"),
        ("src/hnefi/a.py", "unlikeness = may_skipper = 1\n"),
        ("src/hnefi/a.py", 'def f() -> None:\n    """Moves on.\n\n    Gives up in the end.\n    """\n'),
        ("src/hnefi/a.py", 'def f() -> None:\n    """Gives_way is a name."""\n'),
        ("src/hnefi/a.py", "# Gives way.\n"),
        ("src/hnefi/a.py", 'def f() -> bool:\n    """Checks whether it fits."""\n'),
        ("src/hnefi/a.py", 'def f() -> int | None:\n    """Returns one."""\n'),
        ("src/hnefi/a.py", 'def f() -> None:\n    """Checks that it fits."""\n'),
        ("crates/a.rs", 'const A: &str = "may_skip // clerk";\n'),
        ("crates/a.rs", "/// Moves on.\n/// Gives up in the end.\nfn f() {}\n"),
        ("a.md", "`clerk` is the old name.\n\n```\nclerk\n```\n"),
        ("a.md", "The rule tree; of these rules, trees.\n"),
    ],
)
def test_other_uses_are_left_alone(path: str, text: str) -> None:
    assert found(path, text) == []


def test_an_allowed_word_is_allowed_in_its_file_only(tmp_path: Path) -> None:
    for name in ("CHANGELOG.md", "README.md"):
        (tmp_path / name).write_text("The clerk.\n", "utf-8")
    allowed = [{"path": "CHANGELOG.md", "words": ["clerk"], "reason": "A quotation."}]
    findings = check_words.find_refused(tmp_path, {**WORDS, "allowed": allowed})
    assert [one.path for one in findings] == ["README.md"]


def test_every_exception_has_a_file_and_a_reason() -> None:
    words = tomllib.loads(check_words.WORDS.read_text("utf-8"))
    for one in words["allowed"]:
        assert one["reason"]
        assert list(check_words.ROOT.glob(one["path"])), one["path"]
