"""Positions of self-play, in files of a fixed number of games, so that any of them can be continued."""

import math
import statistics
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path

from hnefi._core import Rules, self_play
from hnefi.files import write_atomically
from hnefi.lab.errors import LabError
from hnefi.workers.pool import open_pool

GAMES_A_FILE = 128
_MOST_WORKERS = 1024
# Steered openings: so many files find the score at which both sides win alike. The lead of a side in the
# games of a file moves the aim by so much for each game; later files have the mean of the last aims.
_AIM_STEPS = (6, 6, 6, 4, 4, 2, 2, 2)
_AIMS_IN_MEAN = 4
_MOST_AIM = 4_000


@dataclass(frozen=True, slots=True)
class SelfPlaySettings:
    """Everything that games of self-play depend on, besides their number.

    Attributes:
        rules: The rules as JSON.
        nodes: Positions a move.
        weights: The weights of both sides as JSON; None for the default ones.
        even_score: The score at which both sides have the same chances.
        steered: Whether openings are steered to that score; that of the settings is then where files begin
            to look for it.
    """

    rules: str
    nodes: int
    seed: int
    weights: str | None
    even_score: int = 0
    steered: bool = False

    def play(self, first: int, threads: int = 1, on_samples: Callable[[int], object] | None = None) -> bytes:
        """Plays the games of a file, and returns their samples."""
        options = {name: value for name, value in asdict(self).items() if name != "rules"}
        return self_play(
            Rules(self.rules),
            first=first,
            count=GAMES_A_FILE,
            threads=threads,
            on_samples=on_samples,
            **options,
        )


class Positions:
    """The positions of the games of one generation.

    File `00000000.bin` has those of games 0 to 127, `00000128.bin` those of the next ones
    (docs/reference/training-files.md has their layout). A file is complete or does not exist.
    """

    def __init__(self, folder: Path, rules: Rules) -> None:
        self._folder = folder
        self._sample_bytes = math.ceil(rules.size**2 / 2) + 7

    def _path(self, first: int) -> Path:
        return self._folder / f"{first:08}.bin"

    @property
    def _files(self) -> list[Path]:
        """The files without a gap; machines of a cluster may have finished later ones."""
        files: list[Path] = []
        for first in count(0, GAMES_A_FILE):
            if not (path := self._path(first)).exists():
                return files
            files.append(path)
        raise AssertionError

    def _count_in(self, path: Path) -> int:
        positions, rest = divmod(path.stat().st_size, self._sample_bytes)
        if rest:
            why = f"{rest} bytes after {positions} positions of {self._sample_bytes} bytes, expected none"
            raise LabError.of_facts("bad_folder", path=path, why=why)
        return positions

    def _chosen(self, wanted: int) -> tuple[list[Path], int]:
        """Returns the first files that have so many positions, or all of them, and their positions."""
        chosen: list[Path] = []
        positions = 0
        for path in self._files:
            if positions >= wanted:
                break
            chosen.append(path)
            positions += self._count_in(path)
        return chosen, positions

    def count(self, wanted: int) -> int:
        """Returns the number of positions of the first files that have at least `wanted`, or of all files."""
        return self._chosen(wanted)[1]

    def read(self, wanted: int) -> bytes:
        """Returns the samples of the first files that have at least `wanted`, or of all files."""
        return b"".join(path.read_bytes() for path in self._chosen(wanted)[0])

    def aim(self, first: int, settings: SelfPlaySettings) -> SelfPlaySettings:
        """Returns the settings of the games of a file, which depend on the results of the first files."""
        if not settings.steered:
            return settings
        aims = [settings.even_score]
        for step, path in zip(_AIM_STEPS[: first // GAMES_A_FILE], self._files, strict=False):
            lead = step * self._lead(path)
            aims.append(max(-_MOST_AIM, min(_MOST_AIM, aims[-1] - lead)))
        found = aims[-1] if len(aims) <= len(_AIM_STEPS) else statistics.mean(aims[-_AIMS_IN_MEAN:])
        return replace(settings, even_score=round(found))

    def _lead(self, path: Path) -> int:
        """Returns how many more games of a file the attackers won than the defenders."""
        samples, board = path.read_bytes(), self._sample_bytes - 7
        results = {
            samples[at + board + 3 : at + board + 7]: half_points
            for at in range(0, len(samples), self._sample_bytes)
            if (half_points := samples[at + board] >> 1 & 3) <= 2
        }
        return sum(half_points - 1 for half_points in results.values())

    def play(
        self,
        wanted: int,
        settings: SelfPlaySettings,
        *,
        threads: int = 1,
        ray: str | None = None,
        is_over: Callable[[], bool] = lambda: False,
        on_positions: Callable[[int], object] = lambda _: None,
    ) -> None:
        """Plays games until there are so many positions.

        The positions are the same whatever plays the games.

        Args:
            ray: The address of a Ray cluster, of which each processor plays the games of a file instead.
            is_over: No file begins once this returns true.
            on_positions: Called with the number of positions, ten times a second or after each file.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        positions = self.count(wanted)
        on_positions(positions)
        if positions >= wanted:
            return
        aiming = len(_AIM_STEPS) * GAMES_A_FILE
        if ray is None or settings.steered:
            # With a cluster only the files that find the aim, one after the other.
            before = math.inf if ray is None else aiming
            self._play_here(wanted, settings, threads, is_over, on_positions, before)
        if ray is not None:
            self._play_in_cluster(wanted, self.aim(aiming, settings), ray, is_over, on_positions)
        on_positions(self.count(wanted))

    def _play_here(
        self,
        wanted: int,
        settings: SelfPlaySettings,
        threads: int,
        is_over: Callable[[], bool],
        on_positions: Callable[[int], object],
        before: float,
    ) -> None:
        while (positions := self.count(wanted)) < wanted and not is_over():
            first = len(self._files) * GAMES_A_FILE
            if first >= before:
                return

            def on_samples(samples: int, before: int = positions) -> None:
                on_positions(before + samples)

            samples = self.aim(first, settings).play(first, threads, on_samples)
            write_atomically(self._path(first), samples)
            if not samples:
                return

    def _play_in_cluster(
        self,
        wanted: int,
        settings: SelfPlaySettings,
        ray: str,
        is_over: Callable[[], bool],
        on_positions: Callable[[int], object],
    ) -> None:
        """Plays files at once; those that begin later are of later games, and may prove unnecessary."""
        is_enough = False

        def missing() -> Iterator[int]:
            for first in count(0, GAMES_A_FILE):
                if is_enough or is_over():
                    return
                if not self._path(first).exists():
                    yield first

        with open_pool(1, ray, _MOST_WORKERS, nullcontext, partial(_play_file, settings)) as pool:
            for first, samples in pool.run(missing()):
                write_atomically(self._path(first), samples)
                positions = self.count(wanted)
                on_positions(positions)
                is_enough = is_enough or positions >= wanted or not samples
                if positions >= wanted:
                    return


def _play_file(settings: SelfPlaySettings, first: int) -> tuple[int, bytes]:
    """Plays the games of a file on one thread; returns the number of its first game, and their samples."""
    return first, settings.play(first)
