"""`tools/check_docstrings.py`: finds docstrings that do not keep their word."""

import check_docstrings
import pytest


def found(text: str) -> list[str]:
    return [finding.split(": use")[0] for finding in check_docstrings.check(text)]


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
    ],
)
def test_a_docstring_that_does_not_keep_its_word_is_found(text: str, finding: str) -> None:
    assert found(text) == [finding]


@pytest.mark.parametrize(
    "text",
    [
        'def f() -> None:\n    """Moves on.\n\n    Gives up in the end.\n    """\n',
        'def f() -> None:\n    """Gives_way is a name."""\n',
        'def f() -> bool:\n    """Checks whether it fits."""\n',
        'def f() -> int | None:\n    """Returns one."""\n',
        'def f() -> None:\n    """Checks that it fits."""\n',
    ],
)
def test_other_docstrings_are_left_alone(text: str) -> None:
    assert found(text) == []
