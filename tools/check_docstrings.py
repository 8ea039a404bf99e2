"""Checks that docstrings keep their word: "Checks whether" returns `bool`, "Returns" something."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "tests", "tools", "benchmarks", "build_backend", "examples")
_INSTEAD = {
    "Returns": "another verb: the function returns nothing",
    "Checks whether": "Raises, Returns: the function does not return bool",
    "Gives": "Returns",
    "Lets in": "Admits",
    "Says": "Returns, Prints",
    "Tells": "Returns, Checks whether",
}
"""What a docstring may not begin with, and what to use instead; the first two only where it is not true."""


def main() -> None:
    """Prints every docstring that begins with the wrong word; the exit code is 1 if there is one."""
    findings = [
        f"{path.relative_to(ROOT)}:{finding}"
        for folder in FOLDERS
        for pattern in ("*.py", "*.pyi")
        for path in sorted((ROOT / folder).rglob(pattern))
        for finding in check(path.read_text("utf-8"))
    ]
    print("\n".join(findings))
    sys.exit(f"{len(findings)} docstrings" if findings else 0)


def check(text: str) -> Iterator[str]:
    """Iterates over the docstrings of a module that begin with the wrong word, with their lines."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        docstring = ast.get_docstring(node) or ""
        opener = next((one for one in _INSTEAD if f"{docstring} ".startswith((f"{one} ", f"{one}\n"))), None)
        if opener is not None and not _is_true(node, opener):
            yield f"{getattr(node, 'lineno', 1)}: {opener!r}: use {_INSTEAD[opener]}"


def _is_true(node: ast.AST, opener: str) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    result = ast.unparse(node.returns) if node.returns else ""
    return (opener == "Returns" and result != "None") or (opener == "Checks whether" and result == "bool")


if __name__ == "__main__":
    main()
