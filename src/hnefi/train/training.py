"""Training of networks for a variant, generation by generation; every finished step is kept in a folder."""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from hnefi._core import derived_weights, train_network
from hnefi.engine import Calibration
from hnefi.engine.weights import Weights, hash_without_limit, weights_for
from hnefi.lab.calibration import calibrate, score_samples
from hnefi.lab.errors import lab_error
from hnefi.lab.folder import Folder, made_by
from hnefi.lab.games import Experiment
from hnefi.lab.openings import Openings
from hnefi.lab.players import PlayerSpec
from hnefi.lab.report import match_facts, sprt_facts
from hnefi.lab.results import Results
from hnefi.lab.runner import play_games
from hnefi.lab.selfplay import SelfPlayTask, play_self_play_games
from hnefi.measure import Sprt
from hnefi.train.positions import Positions
from hnefi.variants.model import Variant

__all__ = ["Plan", "Training"]

_FORMAT = "hnefi training 1"
# Matches and calibration use other openings than each other.
_MATCH_SEED, _CALIBRATION_SEED = 3_000_017, 4_000_037
_TEST = Sprt(0, 20)
# Boards up to this size have weights of soldiers for each class of the king's square.
_BUCKETS_UP_TO = 7


OnStep = Callable[[str, int, int], object]


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a training.

    Attributes:
        variant: The variant.
        positions: Positions of each generation.
        generations: Generations at most; each is played by the network of the one before.
        nodes: Positions a move in self-play.
        seed: The seed of all random choices.
        match_nodes: Positions a move, in the matches that are limited by them.
        match_ms: Milliseconds a move, in the match by the clock.
        match_games: Games of a match at most.
        calibration_games: Games of the calibration.
    """

    variant: Variant
    positions: int = 500_000
    generations: int = 2
    nodes: int = 1_000
    seed: int = 1
    match_nodes: tuple[int, ...] = (5_000, 20_000)
    match_ms: int = 50
    match_games: int = 1_000
    calibration_games: int = 400

    @property
    def settings(self) -> dict[str, object]:
        """Everything the positions depend on."""
        return {
            "format": _FORMAT,
            "variant": self.variant.id,
            "rules": self.variant.rules.hash,
            "nodes": self.nodes,
            "seed": self.seed,
        }


@dataclass(slots=True)
class Training:
    """A training in progress."""

    plan: Plan
    folder: Path
    threads: int = 1
    command: str = ""
    content: dict[str, Any] | None = None
    """The file of weights with the best network; None as long as none has won its matches."""
    report: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Opens the folder.

        Raises:
            LabError: `other_experiment` if the folder has another training.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        path, settings = self.folder / "settings.json", self.plan.settings
        if path.exists():
            found = json.loads(path.read_text(encoding="utf-8"))
            for key, value in settings.items():
                if found.get(key) != value:
                    raise lab_error(
                        "other_experiment", path=self.folder, key=key, found=found.get(key), expected=value
                    )
        else:
            path.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
        self.report = {**settings, "generations": []}

    def run(self, on_step: OnStep, hours: float | None = None) -> None:
        """Trains generation after generation, until one does not win its matches.

        After the given hours no game of self-play begins any more; training, matches and calibration follow.
        """
        begin = time.monotonic()
        end = None if hours is None else begin + 3600 * hours
        rules = self.plan.variant.rules
        best, samples = weights_for(rules), b""
        for number in range(1, self.plan.generations + 1):
            folder = self.folder / f"generation-{number}"
            positions = Positions(folder / "positions", rules)
            positions.play(
                self.plan.positions,
                best.text,
                best.calibration,
                nodes=self.plan.nodes,
                seed=self.plan.seed + number,
                threads=self.threads,
                end=end,
                on_positions=lambda count: on_step("playing", count, self.plan.positions),
            )
            samples += positions.read()
            on_step("training", 0, 1)
            trained = self._train(samples, number)
            if trained is None:
                return
            candidate = self._with_network(trained.pop("network"))
            facts = {"generation": number, "seconds": round(time.monotonic() - begin), **trained}
            facts["matches"] = self._matches(folder, candidate, best, on_step)
            self.report["generations"].append(facts)
            facts["accepted"] = all(match["sprt"]["accepted"] is True for match in facts["matches"])
            if facts["accepted"]:
                calibration = self._calibrate(candidate, on_step)
                best = Weights(json.dumps(candidate), calibration, is_fitted=True)
                self.content = self._file(candidate, calibration, facts)
            self._write("report.json", self.report)
            if not facts["accepted"] or (end is not None and time.monotonic() >= end):
                return

    def _train(self, samples: bytes, generation: int) -> dict[str, Any] | None:
        variant = self.plan.variant
        origin = {**self.plan.settings, "generation": generation, **made_by()}
        return train_network(
            variant.rules,
            samples,
            buckets=variant.rules.size <= _BUCKETS_UP_TO,
            seed=self.plan.seed,
            facts=json.dumps(origin),
        )

    def _with_network(self, network: str) -> dict[str, Any]:
        """Returns the weights of terms with the network; the terms are those used so far."""
        rules = self.plan.variant.rules
        weights = json.loads(weights_for(rules).text or derived_weights(rules))
        return {**weights, "network": network}

    def _matches(
        self, folder: Path, candidate: dict[str, Any], best: Weights, on_step: OnStep
    ) -> list[dict[str, Any]]:
        """Plays the matches, by positions and by the clock, until one is not won."""
        plan = self.plan
        rules = plan.variant.rules
        texts = [json.dumps(candidate), best.text or derived_weights(rules)]
        limits = [(nodes, False) for nodes in plan.match_nodes] + [(plan.match_ms, True)]
        found: list[dict[str, Any]] = []
        for amount, is_timed in limits:
            one, other = (PlayerSpec("weights", amount, text, is_timed=is_timed) for text in texts)
            experiment = Experiment(rules, one, other, Openings(4, plan.seed + _MATCH_SEED + amount))
            digest = hashlib.sha256("".join(texts).encode()).hexdigest()[:12]
            path = folder / f"match-{amount}{'ms' if is_timed else ''}-{digest}"
            games = Folder(path, plan.variant, experiment, self.command)
            try:
                results = play_games(
                    experiment,
                    plan.match_games,
                    folder=games,
                    is_enough=lambda results: _TEST.verdict(results.pairs) is not None,
                    on_game=lambda results: on_step("match", len(results.games), plan.match_games),
                )
            finally:
                games.close()
            found.append(_facts(results, amount, is_timed))
            if found[-1]["sprt"]["accepted"] is not True:
                break
        return found

    def _calibrate(self, candidate: dict[str, Any], on_step: OnStep) -> Calibration:
        """Plays games of the network, and calibrates its scores. Both sides alike: a score of 0 is even."""
        plan, rules, text = self.plan, self.plan.variant.rules, json.dumps(candidate)
        on_step("calibrating", 0, plan.calibration_games)
        openings = Openings(4, plan.seed + _CALIBRATION_SEED).draw(rules)
        tasks = [SelfPlayTask(one, text, text) for one in islice(openings, plan.calibration_games)]
        samples = score_samples(play_self_play_games(rules, tasks, plan.match_nodes[0], self.threads))
        mirrored = [type(one)(-one.score, 1 - one.points, one.weight) for one in samples]
        found = calibrate([*samples, *mirrored])
        return Calibration(found.scale, 0.0, found.margin)

    def _file(
        self, weights: dict[str, Any], calibration: Calibration, facts: dict[str, Any]
    ) -> dict[str, Any]:
        rules = self.plan.variant.rules
        return {
            "rules": rules.hash,
            "without_limit": hash_without_limit(rules),
            "variant": self.plan.variant.id,
            "weights": weights,
            "scale": round(calibration.scale, 1),
            "offset": 0.0,
            "margin": round(calibration.margin, 1),
            "trained": {**self.plan.settings, **made_by(), **facts},
        }

    def _write(self, name: str, content: dict[str, Any]) -> None:
        text = json.dumps(content, indent=1) + "\n"
        (self.folder / name).write_text(text, encoding="utf-8")


def _facts(results: Results, amount: int, is_timed: bool) -> dict[str, Any]:
    limit = {"time_ms" if is_timed else "nodes": amount}
    return {**limit, "first": match_facts(results)["first"], "sprt": sprt_facts(results, _TEST)}
