"""Games that calibrate the scores of weights; every game is kept as it is played."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from hnefi._core import derived_weights
from hnefi.engine import Calibration
from hnefi.engine.weights import Weights
from hnefi.lab.append_log import AppendLog
from hnefi.lab.calibration import Bin, bins, calibrate, mirrored, score_samples, split
from hnefi.lab.folder import made_by
from hnefi.lab.openings import Openings
from hnefi.lab.selfplay import SelfPlayGame, play_self_play_game
from hnefi.variants.model import Variant
from hnefi.workers.pool import answers_in_order

_FORMAT = "hnefi calibration 1"
# These games have other openings than matches of the same seed.
_SEED = 2_000_003
# A calibration whose time is over has so many games at least.
LEAST_GAMES = 40


@dataclass(slots=True)
class Calibrating:
    """A calibration in progress.

    Attributes:
        weights: The weights of both sides.
        games: Games to play; a quarter of them is held out.
        nodes: Positions a move.
        seed: The seed of the openings.
        opening_plies: Random plies at the start of each game.
    """

    variant: Variant
    weights: Weights
    games: int = 400
    nodes: int = 5_000
    seed: int = 1
    opening_plies: int = 4
    calibration: Calibration | None = None
    held_out: tuple[Bin, ...] = ()

    def run(
        self,
        on_games: Callable[[int], object],
        folder: Path | None = None,
        jobs: int = 1,
        ray: str | None = None,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        """Plays the games, those in the folder left out, and calibrates.

        Weights of the terms are changed by a constant, so that a score of 0 is even, as a draw is. Networks
        are even by their training; default weights, which belong to no variant, keep an offset.

        Args:
            on_games: Called after each game, and once before the first.
            folder: Stores the games, and has those played before.
            ray: The address of a Ray cluster that plays instead.
            is_over: Called after each game; if it returns true, `LEAST_GAMES` are enough.

        Raises:
            LabError: `other_experiment` if the folder has another one, `bad_folder`, `folder_in_use`.
        """
        rules = self.variant.rules
        text = self.weights.text or derived_weights(rules)
        settings = {
            "format": _FORMAT,
            "rules": rules.hash,
            "weights": text,
            "nodes": self.nodes,
            "seed": self.seed,
            "opening_plies": self.opening_plies,
        }
        log = AppendLog(folder and folder / "games.jsonl", settings)
        try:
            games = [SelfPlayGame(entry["points"], tuple(entry["scores"])) for entry in log.entries]
            on_games(min(len(games), self.games))
            drawn = Openings(self.opening_plies, self.seed + _SEED).draw(rules)
            openings = islice(drawn, len(games), self.games)
            play = partial(play_self_play_game, rules, text, self.nodes)
            with closing(answers_in_order(jobs, ray, self.games - len(games), play, openings)) as answers:
                while len(games) < self.games and not (len(games) >= LEAST_GAMES and is_over()):
                    game = next(answers)
                    log.add({"points": game.points, "scores": game.scores})
                    games.append(game)
                    on_games(len(games))
        finally:
            log.close()
        self._calibrate(games[: self.games])

    def _calibrate(self, played: list[SelfPlayGame]) -> None:
        self.games = len(played)
        games, held_out = split(played)
        samples, tree = score_samples(games), self.weights.tree
        has_network = tree is not None and "network" in tree
        found = calibrate([*samples, *mirrored(samples)] if has_network else samples)
        self.calibration = found if tree is None else Calibration(found.scale, 0.0, found.margin)
        by = 0 if tree is None or has_network else round(found.offset)
        if tree is not None and by:
            tree["squares"]["king"] = [value - by for value in tree["squares"]["king"]]
            self.weights = replace(self.weights, text=json.dumps(tree))
        lowered = [replace(one, score=one.score - by) for one in score_samples(held_out)]
        self.held_out = tuple(bins(lowered, self.calibration))

    def content(self) -> dict[str, Any]:
        """Returns the file of weights with the calibration; weights null for the default ones.

        Raises:
            ValueError: Before `run`.
        """
        if self.calibration is None:
            raise ValueError("calibration: none, expected one made by run")
        held_out = [
            {
                "score": round(one.score),
                "expected": round(one.expected, 3),
                "observed": round(one.observed, 3),
                "games": round(one.games, 1),
            }
            for one in self.held_out
        ]
        numbers = (self.calibration.scale, self.calibration.offset, self.calibration.margin)
        rounded = Calibration(*(round(one, 1) for one in numbers))
        return {
            **replace(self.weights, calibration=rounded).facts(self.variant),
            "calibration": {
                "games": self.games,
                "nodes": self.nodes,
                "seed": self.seed,
                "hnefi": made_by()["hnefi"],
                "held_out": held_out,
            },
            **self.weights.made,
        }
