"""Which variants every `make test` looks at where each costs much; `make check-deep` adds the others."""

import os
from collections.abc import Callable, Container, Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

from hnefi.variants.built_in import booklet_ids

T = TypeVar("T")

TEXTS = booklet_ids()
OTHERS = (
    *("alea-evangelii-19", "ashton-tablut-9", "berserk-11", "copenhagen-11", "imperial-contest-9"),
    *("magpie-7", "parlett-13", "walker-15"),
)
"""One of each other size, and of each family with rules that no other has."""


def deep(*values: object) -> list[ParameterSet]:
    """Returns values of one parameter for pytest that are for `make check-deep`."""
    return [pytest.param(value, marks=pytest.mark.deep) for value in values]


def examples(count: int) -> settings:
    """Returns settings for so many examples of Hypothesis; `make check-deep` draws twenty times as many."""
    return settings(max_examples=20 * count if os.environ.get("HNEFI_HYPOTHESIS") == "deep" else count)


def sampled(names: Iterable[str], *samples: str) -> list[str | ParameterSet]:
    """Returns parameters for pytest: the names that contain a sample, and the others for `check-deep`.

    Without samples, they are the ids in `TEXTS` and `OTHERS`.
    """
    names = list(names)
    chosen = (
        {name for name in names if any(part in name for part in samples)} if samples else {*TEXTS, *OTHERS}
    )
    return [name if name in chosen else pytest.param(name, marks=pytest.mark.deep) for name in names]


def grouped(
    values: Iterable[tuple[str, T]], among: Container[str] | None = None
) -> Callable[[Callable[[str, T], None]], Callable[[str], None]]:
    """Runs a test over many small values, each group of them as one test; its first failure names the value.

    A test takes some milliseconds of processor time besides what it does: collecting it, three times, and
    its report. Groups that are not among the given ones are for `check-deep`.
    """
    groups: dict[str, list[T]] = {}
    for name, value in values:
        groups.setdefault(name, []).append(value)

    names = [name if among is None or name in among else deep(name)[0] for name in groups]

    def decorate(test: Callable[[str, T], None]) -> Callable[[str], None]:
        @pytest.mark.parametrize("group", names)
        def over_group(group: str) -> None:
            for value in groups[group]:
                test(group, value)

        over_group.__name__, over_group.__doc__ = test.__name__, test.__doc__
        return over_group

    return decorate
