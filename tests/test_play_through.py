"""Playthroughs: the games in tests/playthroughs are reproduced exactly."""

import re

import pytest

from hnefi.variants.built_in import booklet_ids
from tests.play_through import FOLDER, SEEDS, written

ANEW = "if that is meant: python -m tests.play_through, and look at the diff"


@pytest.mark.parametrize("identity", booklet_ids())
def test_a_game_is_played_as_it_is_written(identity: str) -> None:
    kept = (FOLDER / f"{identity}.txt").read_text("utf-8").split("\n\n")
    now = written(identity, SEEDS[identity]).split("\n\n")
    for number, (old, new) in enumerate(zip(kept, now, strict=False)):
        assert new == old, f"ply {number - 1}; {ANEW}"
    assert len(now) == len(kept), ANEW


def test_the_games_show_what_they_are_there_for() -> None:
    texts = {identity: (FOLDER / f"{identity}.txt").read_text("utf-8") for identity in booklet_ids()}
    assert all("\noutcome " in text for text in texts.values())
    everything = "\n".join(texts.values())
    for shown in ("an escape was refused", r"must replay \w", "called no", "king in danger yes", r"\wx\w\d"):
        assert re.search(shown, everything)
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(booklet_ids())
