"""Fitting of weights for a variant by games: tuning, a match against the default weights, calibration.

Every stage is stored as it goes, so that a fitting can be continued, also with more games.
"""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from hnefi._core import derived_weights
from hnefi.engine import Calibration
from hnefi.engine.weights import hash_without_limit
from hnefi.lab.append_log import AppendLog
from hnefi.lab.calibration import Bin, bins, calibrate, score_samples, split
from hnefi.lab.folder import Folder, made_by
from hnefi.lab.games import Experiment
from hnefi.lab.openings import Openings
from hnefi.lab.players import PlayerSpec
from hnefi.lab.report import match_facts, sprt_facts
from hnefi.lab.results import Results
from hnefi.lab.runner import play_games
from hnefi.lab.selfplay import SelfPlayGame, SelfPlayTask, play_self_play_games
from hnefi.lab.tuning import Tuning
from hnefi.measure import Sprt
from hnefi.variants.model import Variant

__all__ = ["Fitting", "Plan"]

_FORMAT = "hnefi fitting 2"
# Match and calibration use other openings than the tuning.
_MATCH_SEED, _CALIBRATION_SEED = 1_000_003, 2_000_003
_BATCH = 16
_TEST = Sprt(0, 20)

OnGames = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a fitting.

    Attributes:
        variant: The variant.
        games: Games of the tuning; 0 only calibrates the default weights.
        seed: The seed of random choices.
        nodes: Positions a move while tuning.
        match_games: Games of the match at most.
        match_nodes: Positions a move in the match and in the games of the calibration.
        calibration_games: Games of the calibration.
        opening_plies: Random plies at the start of each game.
    """

    variant: Variant
    games: int = 20_000
    seed: int = 1
    nodes: int = 1_000
    match_games: int = 1_000
    match_nodes: int = 5_000
    calibration_games: int = 400
    opening_plies: int = 4

    @property
    def settings(self) -> dict[str, object]:
        """Everything the iterations of the tuning depend on."""
        return {
            "format": _FORMAT,
            "variant": self.variant.id,
            "rules": self.variant.rules.hash,
            "seed": self.seed,
            "nodes": self.nodes,
            "opening_plies": self.opening_plies,
        }


class Fitting:
    """A fitting in progress. Its stages run in this order: `tune`, `verify`, `calibrate`."""

    def __init__(self, plan: Plan, folder: Path | None = None, *, jobs: int = 1, command: str = "") -> None:
        """Starts a fit, or resumes the one in a folder.

        Raises:
            LabError: `other_experiment` if the folder has another one, `bad_folder`, `folder_in_use`.
        """
        self.plan = plan
        self.match: Results | None = None
        self.calibration: Calibration | None = None
        self.held_out: list[Bin] = []
        self._folder = folder
        self._jobs = jobs
        self._command = command
        self._tuning = Tuning(plan.variant.rules, plan.seed, plan.nodes, plan.opening_plies)
        self._steps = AppendLog(folder and folder / "steps.jsonl", plan.settings)
        for step in self._steps.entries:
            if self._tuning.games < plan.games:
                self._tuning.path.append(step["weights"])

    @property
    def tuned_games(self) -> int:
        """Games of the tuning so far."""
        return self._tuning.games

    @property
    def terms(self) -> list[tuple[str, int, int]]:
        """Each term of the evaluation with its default weight and the tuned one."""
        before = json.loads(derived_weights(self.plan.variant.rules))["terms"]
        return [(name, before[name], after) for name, after in self._tuned["terms"].items()]

    @property
    def squares(self) -> list[tuple[str, int, int]]:
        """Each piece with its least and its greatest tuned piece-square score."""
        return [(piece, min(scores), max(scores)) for piece, scores in self._tuned["squares"].items()]

    @property
    def is_better(self) -> bool:
        """Whether the match has accepted the tuned weights as better than the default ones."""
        return self.match is not None and _TEST.verdict(self.match.pairs) is True

    def tune(self, on_games: OnGames, hours: float | None = None) -> None:
        """Plays the games of the tuning, up to the given hours."""
        end = None if hours is None else time.monotonic() + 3600 * hours
        on_games(self._tuning.games)
        while self._tuning.games < self.plan.games and (end is None or time.monotonic() < end):
            self._tuning.step(self._jobs)
            self._steps.add({"weights": self._tuning.path[-1]})
            on_games(self._tuning.games)

    def verify(self, on_games: OnGames) -> None:
        """Plays the tuned weights against the default ones, until the sequential test is decided."""
        rules, plan = self.plan.variant.rules, self.plan
        one, other = self._player(self._tuned), self._player(json.loads(derived_weights(rules)))
        if str(one) == str(other):
            return
        openings = Openings(plan.opening_plies, plan.seed + _MATCH_SEED)
        experiment = Experiment(rules, one, other, openings)
        path = self._stage_path("match", self._tuned)
        folder = Folder(path, plan.variant, experiment, self._command) if path else None
        try:
            self.match = play_games(
                experiment,
                plan.match_games,
                jobs=self._jobs,
                folder=folder,
                is_enough=lambda results: _TEST.verdict(results.pairs) is not None,
                on_game=lambda results: on_games(len(results.games)),
            )
        finally:
            if folder:
                folder.close()

    def calibrate(self, on_games: OnGames) -> None:
        """Plays self-play games of the better weights, and calibrates their scores."""
        games = self._calibration_games(on_games)
        fitted, held_out = split(games)
        self.calibration = calibrate(score_samples(fitted))
        self.held_out = bins(score_samples(held_out), self.calibration)

    def content(self) -> dict[str, Any]:
        """Returns the content of the file of weights, null for default weights that were only calibrated."""
        assert self.calibration is not None
        return {
            "rules": self.plan.variant.rules.hash,
            "without_limit": hash_without_limit(self.plan.variant.rules),
            "variant": self.plan.variant.id,
            "weights": self._tuned if self.is_better else None,
            "scale": round(self.calibration.scale, 1),
            "offset": round(self.calibration.offset, 1),
            "margin": round(self.calibration.margin, 1),
            "fitted": self._facts(),
        }

    def _facts(self) -> dict[str, Any]:
        plan, match = self.plan, self.match
        facts: dict[str, Any] = {
            "tuning": {"games": self._tuning.games, "nodes": plan.nodes, "seed": plan.seed},
            "match": None,
            "calibration": {
                "games": plan.calibration_games,
                "nodes": plan.match_nodes,
                "held_out": [
                    {
                        "score": round(one.score),
                        "expected": round(one.expected, 3),
                        "observed": round(one.observed, 3),
                        "games": round(one.games, 1),
                    }
                    for one in self.held_out
                ],
            },
            "hnefi": made_by()["hnefi"],
        }
        if match is not None:
            first = match_facts(match)["first"]
            facts["match"] = {"nodes": plan.match_nodes, "first": first, "sprt": sprt_facts(match, _TEST)}
        return facts

    @property
    def _tuned(self) -> dict[str, Any]:
        return self._tuning.weights()

    def _player(self, weights: dict[str, Any]) -> PlayerSpec:
        return PlayerSpec("weights", self.plan.match_nodes, json.dumps(weights, sort_keys=True))

    def _stage_path(self, name: str, weights: dict[str, Any]) -> Path | None:
        """Returns the folder of a stage, named by the weights it uses."""
        if self._folder is None:
            return None
        text = f"{json.dumps(weights, sort_keys=True)} {self.plan.match_nodes}"
        return self._folder / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    def _calibration_games(self, on_games: OnGames) -> list[SelfPlayGame]:
        plan, rules = self.plan, self.plan.variant.rules
        weights = self._tuned if self.is_better else json.loads(derived_weights(rules))
        text = json.dumps(weights)
        path = self._stage_path("calibration", weights)
        log = AppendLog(path and path / "games.jsonl", plan.settings)
        games = [SelfPlayGame(entry["points"], tuple(entry["scores"])) for entry in log.entries]
        openings = Openings(plan.opening_plies, plan.seed + _CALIBRATION_SEED).draw(rules)
        tasks = [SelfPlayTask(opening, text, text) for opening in islice(openings, plan.calibration_games)]
        on_games(min(len(games), len(tasks)))
        while len(games) < len(tasks):
            for game in play_self_play_games(
                rules, tasks[len(games) : len(games) + _BATCH], plan.match_nodes, self._jobs
            ):
                log.add({"points": game.points, "scores": game.scores})
                games.append(game)
            on_games(len(games))
        log.close()
        return games[: len(tasks)]

    def close(self) -> None:
        """Closes the folder, so that other processes can continue the fitting."""
        self._steps.close()
