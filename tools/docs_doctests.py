"""An extension of griffe, which reads docstrings for the site: examples (`>>>`) become blocks of code."""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^(?P<indent> *)>>> .*(?:\n(?P=indent)\S.*|\n(?P=indent) +\S.*)*", re.MULTILINE)


class FencedDoctests(griffe.Extension):
    """Fences the examples of every docstring, so that Markdown shows them as they are."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fences the examples of one docstring."""
        if obj.docstring is not None:
            obj.docstring.value = fence_doctests(obj.docstring.value)


def fence_doctests(docstring: str) -> str:
    """Returns a docstring with every example between fences."""

    def fence(found: re.Match[str]) -> str:
        return f"{found['indent']}```pycon\n{found[0]}\n{found['indent']}```"

    return _EXAMPLE.sub(fence, docstring)
