"""Checks that retired words do not come back, in identifiers, file names, comments, docstrings and documents.

The words are in `tools/words.toml`, with what to use instead and with exceptions. Besides, a Python function
whose docstring begins with "Checks whether" has to return `bool`, and one with "Returns" something.
"""

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).parents[1]
WORDS = ROOT / "tools" / "words.toml"

CODE = ("src", "crates", "web/src", "tests", "tools", "benchmarks", "build_backend", "examples")
"""Folders whose identifiers, file names and comments are checked."""

TESTS = ("tests/", "benchmarks/")
"""Folders in whose Python files more identifiers are refused."""

DOCUMENTS = ("docs", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md")
"""Documents whose prose is checked, besides the catalogue."""

_CHECKS, _RETURNS = "Checks whether", "Returns"
_MADE = {"__pycache__", "node_modules", "static", "target"}
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_WORD_IN_NAME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Strings before comments: `//` in a string begins none.
_CURLY_TOKENS = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>b?"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])')""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A refused word: where it stands and what to use instead."""

    path: str
    line: int
    word: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.word!r}: use {self.instead}"


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of a file that a reader reads: its line and whether it begins a docstring or doc comment."""

    line: int
    text: str
    is_docstring: bool = False


def main() -> None:
    """Prints every refused word; the exit code is 1 if there is one."""
    words = tomllib.loads(WORDS.read_text("utf-8"))
    findings = sorted(find_refused(ROOT, words))
    for finding in findings:
        print(finding)
    sys.exit(f"{len(findings)} retired words" if findings else 0)


def find_refused(root: Path, words: Mapping[str, Any]) -> Iterator[Finding]:
    """Iterates over the refused words in the project below `root`, except where they are allowed."""
    for path in _files(root):
        name = path.relative_to(root).as_posix()
        for finding in check_file(name, path.read_text("utf-8"), words):
            if not _is_allowed(finding, words.get("allowed", ())):
                yield finding


def check_file(path: str, text: str, words: Mapping[str, Any]) -> Iterator[Finding]:
    """Iterates over the refused words in one file."""
    stem = PurePosixPath(path).name.partition(".")[0].removeprefix("test_").strip("_")
    if stem in words["files"]:
        yield Finding(path, 1, stem, words["files"][stem])
    refused = words["identifiers"]
    if path.startswith(TESTS) and path.endswith(".py"):
        refused = {**refused, **words["test_identifiers"]}
    if not _may_hold(text, words, refused):
        return
    lines: dict[str, list[int]] = {}
    for line, name in _identifiers(path, text):
        lines.setdefault(name, []).append(line)
    for name, places in lines.items():
        for word, instead in refused.items():
            if f"_{word}_" in _snake_case(name):
                yield from (Finding(path, line, name, instead) for line in places)
    for piece in _prose(path, text):
        yield from _check_prose(path, piece, words)
    if path.endswith((".py", ".pyi")):
        yield from _check_results(path, text)


def _may_hold(text: str, words: Mapping[str, Any], identifiers: Mapping[str, str]) -> bool:
    """Checks quickly whether a refused word may be in a text: most files need no parsing."""
    bare = text.lower().replace("_", "")
    listed = (word.replace("_", "") for word in (*identifiers, *words["prose"]))
    openers = "|".join([*words["openers"], _CHECKS, _RETURNS])
    return any(word in bare for word in listed) or bool(
        re.search(rf'(?:"""|//[/!]|/\*\*)\s*(?:{openers})\b', text)
    )


def _check_prose(path: str, piece: Text, words: Mapping[str, Any]) -> Iterator[Finding]:
    for number, line in enumerate(piece.text.splitlines()):
        for word in re.findall(r"[^\W\d_]+", line.lower()):
            if word in words["prose"]:
                yield Finding(path, piece.line + number, word, words["prose"][word])
        for phrase in (entry for entry in words["prose"] if " " in entry):
            if re.search(rf"\b{re.escape(phrase)}\b", line.lower()):
                yield Finding(path, piece.line + number, phrase, words["prose"][phrase])
    for opener, instead in words["openers"].items():
        if piece.is_docstring and re.match(rf"\s*{opener}\b", piece.text):
            yield Finding(path, piece.line, opener, instead)


def _check_results(path: str, text: str) -> Iterator[Finding]:
    """Iterates over functions whose docstrings claim to return what they do not: a `bool`, or anything."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node) or ""
            if docstring.startswith(_RETURNS) and node.returns and ast.unparse(node.returns) == "None":
                yield Finding(path, node.lineno, _RETURNS, "another verb: the function returns nothing")
            if docstring.startswith(_CHECKS) and (
                node.returns is None or ast.unparse(node.returns) != "bool"
            ):
                yield Finding(
                    path, node.lineno, _CHECKS, "Raises, Returns: the function does not return bool"
                )


def _is_allowed(finding: Finding, allowed: Any) -> bool:
    return any(fnmatch(finding.path, one["path"]) and finding.word.lower() in one["words"] for one in allowed)


def _files(root: Path) -> Iterator[Path]:
    for folder in (*CODE, *DOCUMENTS):
        base = root / folder
        for path in [base] if base.is_file() else base.rglob("*"):
            kinds = (".py", ".pyi", ".rs", ".ts", ".tsx", ".js", ".md", ".po")
            if path.suffix in kinds and not _MADE.intersection(path.relative_to(root).parts):
                yield path


@cache
def _snake_case(name: str) -> str:
    """Returns `_a_name_` for `aName`."""
    return "_".join(["", *(word.lower() for word in _WORD_IN_NAME.findall(name)), ""])


# --- What stands in a file ------------------------------------------------------------------------------


def _identifiers(path: str, text: str) -> Iterator[tuple[int, str]]:
    if path.endswith((".py", ".pyi")):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME:
                yield token.start[0], token.string
    elif path.endswith((".rs", ".ts", ".tsx", ".js")):
        bare = _CURLY_TOKENS.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        for number, line in enumerate(bare.splitlines(), 1):
            for name in _IDENTIFIER.findall(line):
                yield number, name


def _prose(path: str, text: str) -> Iterator[Text]:
    if path.endswith((".py", ".pyi")):
        yield from _python_prose(text)
    elif path.endswith(".md"):
        yield Text(1, re.sub(r"^```.*?^```|`[^`\n]*`", _blank, text, flags=re.DOTALL | re.MULTILINE))
    elif path.endswith(".po"):
        for number, line in enumerate(text.splitlines(), 1):
            if not line.startswith(("#", "msgid")):
                yield Text(number, line)
    else:
        yield from _curly_prose(text)


def _python_prose(text: str) -> Iterator[Text]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield Text(token.start[0], token.string)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node, clean=False)
            if docstring is not None:
                yield Text(node.body[0].lineno, docstring, is_docstring=True)


def _curly_prose(text: str) -> Iterator[Text]:
    above = ""
    for found in _CURLY_TOKENS.finditer(text):
        if found["comment"] is None:
            continue
        line = text.count("\n", 0, found.start()) + 1
        kind = re.match(r"//[/!]?|/\*+", found[0])
        marker = kind[0] if kind else "//"
        # Only the first line of a doc comment opens it.
        between = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        opens = marker in ("///", "//!", "/**") and not (
            above == marker and between.strip() == "" and _follows(text, found)
        )
        yield Text(line, found[0][len(marker) :], is_docstring=opens)
        above = marker


def _follows(text: str, found: re.Match[str]) -> bool:
    """Checks whether the line above is a comment too."""
    above = text[: found.start()].rstrip(" \t")
    if not above.endswith("\n"):
        return False
    return above[:-1].rpartition("\n")[2].lstrip().startswith("//")


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


if __name__ == "__main__":
    main()
