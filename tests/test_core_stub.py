"""The stub of the compiled core: its examples hold, and its docstrings begin as the doc comments in Rust."""

import ast
import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hnefi

STUB = Path(hnefi.__file__).with_name("_core.pyi")
RUST = Path(__file__).parents[1] / "crates" / "python" / "src"
PYTHON_NAME = re.compile(r'#\[(?:getter\((\w+)\)|pyo3\(.*?\bname = "(\w+)")')
RUST_NAME = re.compile(r"(?:pub(?:\([a-z]+\))? )?(?:const )?(fn|struct|enum) (?:r#)?(\w+)")


def examples() -> Iterator[doctest.DocTest]:
    """Iterates over the examples of docstrings; the public names of Hnefi are defined in them."""
    names = {name: getattr(hnefi, name) for name in hnefi.__all__}
    for node in ast.walk(ast.parse(STUB.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            docstring = ast.get_docstring(node) or ""
            test = doctest.DocTestParser().get_doctest(
                docstring, dict(names), node.name, str(STUB), node.lineno
            )
            if test.examples:
                yield test


@pytest.mark.parametrize("test", [*examples()], ids=lambda test: test.name)
def test_the_examples_of_the_stub_hold(test: doctest.DocTest) -> None:
    output: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=output.append)
    assert output == []


def first_lines_of_stub() -> Iterator[tuple[str, str]]:
    """Iterates over the names in the stub, such as `Position.turn`, with the first lines of their docstrings.

    Methods such as `__new__` are left out: Python has docstrings of its own for them.
    """
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        members = node.body if isinstance(node, ast.ClassDef) else []
        for item in (node, *members):
            if not isinstance(item, ast.ClassDef | ast.FunctionDef) or item.name.startswith("__"):
                continue
            name = item.name if item is node else f"{getattr(node, 'name', '')}.{item.name}"
            if docstring := ast.get_docstring(item):
                yield name, docstring.splitlines()[0]


def first_lines_of_rust(source: str) -> Iterator[tuple[str, str]]:
    """Iterates over the names that Rust gives to Python, with the first lines of their doc comments."""
    owner, is_exported, comment, python_name = "", False, "", ""
    for line in source.splitlines():
        text = line.strip()
        if text.startswith("///"):
            comment = comment or text.removeprefix("///").strip()
        elif text.startswith("#["):
            is_exported = is_exported or text.startswith(("#[pyclass", "#[pymethods", "#[pyfunction"))
            if text == "#[new]":
                python_name = "__new__"
            elif found := PYTHON_NAME.match(text):
                python_name = found[1] or found[2]
        elif line.startswith("impl "):
            owner, is_exported = (line.split()[1] if is_exported else ""), False
        elif line == "}":
            owner = ""
        elif found := RUST_NAME.match(text):
            name = python_name or found[2]
            is_member = line.startswith("    ") and bool(owner)
            is_named = comment and not name.startswith("__")
            if is_named and (is_member or (is_exported and not line.startswith(" "))):
                yield (f"{owner}.{name}" if is_member else name), comment
            is_exported, comment, python_name = False, "", ""
        elif not text:
            comment, python_name = "", ""


def test_docstrings_of_the_stub_begin_like_the_doc_comments_in_rust() -> None:
    stub = dict(first_lines_of_stub())
    rust = {
        name: line
        for path in sorted(RUST.glob("*.rs"))
        for name, line in first_lines_of_rust(path.read_text(encoding="utf-8"))
    }
    assert len(rust) > 90
    assert stub == rust
