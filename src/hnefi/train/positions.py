"""Positions of self-play, in files of a fixed number of games, so that any of them can be continued."""

import math
import time
from collections.abc import Callable
from pathlib import Path

from hnefi._core import Rules, self_play
from hnefi.engine import Calibration

__all__ = ["GAMES_A_FILE", "Positions"]

GAMES_A_FILE = 128


class Positions:
    """The positions of the games of one generation.

    File `00000000.bin` has those of games 0 to 127, `00000128.bin` those of the next ones; the samples are
    described in `crates/train/src/samples.rs`. A file is complete or does not exist.
    """

    def __init__(self, folder: Path, rules: Rules) -> None:
        self._folder = folder
        self._rules = rules
        self._sample_bytes = math.ceil(rules.size**2 / 4) + 7

    @property
    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.bin"))

    def count(self) -> int:
        """Returns the number of positions."""
        return sum(path.stat().st_size for path in self._files) // self._sample_bytes

    def read(self) -> bytes:
        """Returns all samples."""
        return b"".join(path.read_bytes() for path in self._files)

    def play(
        self,
        wanted: int,
        weights: str | None,
        calibration: Calibration,
        *,
        nodes: int,
        seed: int,
        threads: int,
        end: float | None,
        on_positions: Callable[[int], object],
    ) -> None:
        """Plays games until there are so many positions, or the time (of `time.monotonic`) is over."""
        self._folder.mkdir(parents=True, exist_ok=True)
        count = self.count()
        on_positions(count)
        while count < wanted and (end is None or time.monotonic() < end):
            first = len(self._files) * GAMES_A_FILE
            samples = self_play(
                self._rules,
                first=first,
                count=GAMES_A_FILE,
                nodes=nodes,
                seed=seed,
                threads=threads,
                weights=weights,
                even_score=round(calibration.offset),
            )
            path = self._folder / f"{first:08}.bin"
            unfinished = path.with_suffix(".unfinished")
            unfinished.write_bytes(samples)
            unfinished.replace(path)
            count += len(samples) // self._sample_bytes
            on_positions(count)
            if not samples:
                break
