"""Steered self-play: the first files of games find the score from which both sides win alike."""

from pathlib import Path

import pytest

from hnefi import variant
from hnefi.lab.openings import Openings
from hnefi.train.positions import Positions, SelfPlaySettings

RULES = variant("magpie-7").rules
AIMING = 8
GAMES_A_FILE = 16


def test_the_first_files_move_the_aim_and_later_ones_keep_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hnefi.train.positions.GAMES_A_FILE", GAMES_A_FILE)
    start = SelfPlaySettings(RULES.to_json(), 1, 5, None, even_score=-500, steered=True)
    positions = Positions(tmp_path, RULES)
    wanted = 1
    while len(list(tmp_path.iterdir())) < AIMING + 1:
        positions.play(wanted, start)
        wanted = positions.count(10**9) + 1
    aims = [positions.aim(number * GAMES_A_FILE, start).even_score for number in range(AIMING + 4)]
    assert aims[0] == -500
    # From there the defenders win nearly always, and the aim rises.
    assert aims[0] < aims[1] < aims[2]
    assert len({*aims[AIMING:]}) == 1
    assert min(aims[AIMING - 4 : AIMING]) <= aims[AIMING] <= max(aims[AIMING - 3 : AIMING + 1])
    # A file depends on those before it and on its number alone.
    third = tmp_path / f"{2 * GAMES_A_FILE:08}.bin"
    assert positions.aim(2 * GAMES_A_FILE, start).play(2 * GAMES_A_FILE) == third.read_bytes()
    assert positions.aim(GAMES_A_FILE, SelfPlaySettings(RULES.to_json(), 1, 5, None)).even_score == 0


def test_openings_of_matches_may_be_steered() -> None:
    def drawn(aim: int | None) -> list[tuple[str, ...]]:
        openings = Openings(seed=3, aim=aim).draw(RULES)
        return [tuple(map(str, moves)) for _, moves in zip(range(3), openings, strict=False)]

    assert len({*drawn(-100), *drawn(100), *drawn(None)}) == 9
    assert drawn(100) == drawn(100)
    assert all(len(moves) >= 6 for moves in drawn(100))
