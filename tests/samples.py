"""Which variants every `make test` looks at where each costs much; `make check-deep` adds the others."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

TEXTS = (
    "ard-ri-globe",
    "brandub-breyer",
    "brandub-globe",
    "gwezboell-globe",
    "tablut-geoludie",
    "tablut-geoludie-slow",
    "tablut-kouvia",
)
OTHERS = (
    "alea-evangelii-19",
    "ashton-tablut-9",
    "berserk-11",
    "copenhagen-11",
    "imperial-contest-9",
    "magpie-7",
    "parlett-13",
    "walker-15",
)
"""One of each other size, and of each family with rules that no other has."""


def deep(*values: object) -> list[ParameterSet]:
    """Returns values of one parameter for pytest that are for `make check-deep`."""
    return [pytest.param(value, marks=pytest.mark.deep) for value in values]


def sampled(names: Iterable[str], *samples: str) -> list[str | ParameterSet]:
    """Returns parameters for pytest: those that begin with or contain a sample, and the others for
    `check-deep`."""
    parts = samples or (*TEXTS, *OTHERS)
    return [
        name if any(part in name for part in parts) else pytest.param(name, marks=pytest.mark.deep)
        for name in names
    ]
