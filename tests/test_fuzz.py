"""Fuzzing with a fixed seed and a few hundred inputs a target; `make check-deep` runs more."""

import pytest

from tests.fuzzing import MEGABYTES, TARGETS, fuzz, megabytes

SEED = 20261120
COUNTS = {"positions": 400, "moves": 400, "switches": 250, "rule trees": 250, "records": 60}


@pytest.mark.parametrize("name", TARGETS)
def test_bad_input_gives_a_value_or_a_clear_error(name: str) -> None:
    fuzz(name, SEED, 20)  # what is loaded once is not the input's
    before = megabytes()
    answers, findings = fuzz(name, SEED, COUNTS.get(name, 100), first=20)
    assert not findings, "\n".join(f"{one.what}\n{one.text[:400]!r}" for one in findings[:5])
    assert min(answers["value"], answers["error"]) > 5, answers  # both are met
    assert megabytes() - before < MEGABYTES
