"""The examples in the stub of the compiled core, where pytest does not look for them."""

import ast
import doctest
from collections.abc import Iterator
from pathlib import Path

import pytest

import hnefi

STUB = Path(hnefi.__file__).with_name("_core.pyi")


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
