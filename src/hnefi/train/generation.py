"""One generation of a training: self-play, candidates, their matches, calibration."""

import hashlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from hnefi._core import derived_weights
from hnefi.engine import Calibration
from hnefi.engine.weights import Weights, built_in_weights, read_weights, weights_for
from hnefi.files import write_atomically
from hnefi.lab.calibrating import Calibrating
from hnefi.lab.folder import Folder, made_by
from hnefi.lab.games import Experiment
from hnefi.lab.openings import Openings
from hnefi.lab.players import PlayerSpec
from hnefi.lab.report import match_facts, sprt_facts
from hnefi.lab.results import Results
from hnefi.lab.runner import play_games
from hnefi.measure import Sprt
from hnefi.train.budget import Budget
from hnefi.train.candidates import Candidate, Lesson, learn_all
from hnefi.train.plan import OnStep, Plan, Progress
from hnefi.train.positions import Positions, SelfPlaySettings

# Matches and calibration use other openings than each other.
_MATCH_SEED, _CALIBRATION_SEED = 3_000_017, 4_000_037
_TEST = Sprt(0, 20)
# Of the time that is left, this share goes to games; matches and calibration have the rest.
_PLAYING_SHARE = 0.5
# Of the time of a candidate, this share goes to its matches; the calibration has the rest.
_MATCHES_SHARE = 0.85


@dataclass(frozen=True, slots=True)
class Means:
    """What plays the games, and what is told about it.

    Attributes:
        budget: The time.
        on_step: Called with the progress.
        jobs: How many threads or processes work at once.
        ray: The address of a Ray cluster that plays instead; None for this machine.
        command: The command line, for the manifests of matches.
    """

    budget: Budget
    on_step: OnStep
    jobs: int = 1
    ray: str | None = None
    command: str = ""


@dataclass
class Generation:
    """A generation, new or continued.

    Attributes:
        plan: The settings of the training.
        number: Its number, from 1; 0 plays no games, and tries the weights of another variant.
        folder: Its folder.
        best: The weights that play its games, and that candidates have to beat.
        earlier: The samples of the generations before it.
        tried: The candidates with their matches, as JSON values.
        content: The file of the weights that won; None if none did.
    """

    plan: Plan
    number: int
    folder: Path
    best: Weights
    earlier: bytes = b""
    tried: list[dict[str, Any]] = field(default_factory=list)
    content: dict[str, Any] | None = None

    @property
    def is_finished(self) -> bool:
        """Whether weights of it have won their matches; nothing of it is done again then."""
        return self._result.exists()

    @property
    def weights_path(self) -> Path:
        """The file of the weights that won."""
        return self.folder / "weights.json"

    @property
    def _result(self) -> Path:
        return self.folder / "finished.json"

    @property
    def _positions(self) -> Positions:
        return Positions(self.folder / "positions", self.plan.variant.rules)

    @cached_property
    def _newest(self) -> bytes:
        return self._positions.read(self.plan.positions)

    @property
    def samples(self) -> bytes:
        """The samples of this generation and of those before it."""
        return self.earlier + self._newest

    @property
    def position_count(self) -> int:
        """The number of positions of its games."""
        return self._positions.count(self.plan.positions)

    def run(self, means: Means) -> Weights | None:
        """Carries out every step that is not done yet, and returns the weights that won; None if none did."""
        if self.is_finished:
            self.tried = json.loads(self._result.read_text(encoding="utf-8"))
            self.content = json.loads(self.weights_path.read_text(encoding="utf-8"))
            return read_weights(self.weights_path)
        if other := self.plan.weights_of if self.number == 0 else None:
            tree = weights_for(other).tree
            facts = {"of": other.id, "digest": weights_digest(tree)}
            learned = [(Candidate("other"), {"terms": tree, **facts})]
        else:
            with means.budget.step(self.number, "playing"):
                self._play(means)
            with means.budget.step(self.number, "training"):
                learned = self._learn(means)
        accepted = self.best
        for waiting, (candidate, found) in zip(range(len(learned), 0, -1), learned, strict=True):
            accepted = self._try(candidate, found, accepted, waiting, means)
        if self.content is None:
            return None
        write_atomically(self._result, json.dumps(self.tried, indent=1) + "\n")
        return accepted

    def _play(self, means: Means) -> None:
        """Plays games until there are enough positions, or their share of the time is over."""
        plan, budget, number = self.plan, means.budget, self.number
        allowed = _PLAYING_SHARE * (budget.limit - budget.before(number))
        begin, before = time.monotonic(), self.position_count

        def show(count: int) -> None:
            seconds = time.monotonic() - begin
            rate = (count - before) / seconds if seconds > 0 and count > before else None
            means.on_step(Progress("playing", count, plan.positions, rate))

        self._positions.play(
            plan.positions,
            self._self_play,
            threads=means.jobs,
            ray=means.ray,
            is_over=lambda: budget.spent(number, "playing") >= allowed,
            on_positions=show,
        )

    @property
    def _self_play(self) -> SelfPlaySettings:
        plan, offset = self.plan, round(self.best.calibration.offset)
        rules, seed = plan.variant.rules.to_json(), plan.seed + self.number
        return SelfPlaySettings(rules, plan.nodes, seed, self.best.text, offset, plan.is_large)

    def _openings(self, seed: int) -> Openings:
        """Returns the openings of matches: steered to the score at which both sides won alike, or random."""
        if not self.plan.is_large:
            return Openings(4, seed)
        aim = self._positions.aim(sys.maxsize, self._self_play).even_score
        return Openings(4, seed, aim=aim, weights=self.best.text)

    def _learn(self, means: Means) -> list[tuple[Candidate, dict[str, Any]]]:
        """Learns the candidates: terms from the newest positions, networks from all."""
        plan, rules = self.plan, self.plan.variant.rules
        origin = {**plan.settings, "generation": self.number, **made_by()}
        lessons = [
            Lesson(
                candidate,
                self._newest if candidate.kind == "terms" else self.samples,
                plan.seed,
                json.dumps({**origin, **candidate.options}),
            )
            for candidate in plan.candidates(self.best)
        ]

        def show(done: int, loss: float | None) -> None:
            means.on_step(Progress("training", done, len(lessons), loss=loss))

        folder = self.folder / "learned"
        learned = learn_all(rules, lessons, folder, jobs=means.jobs, ray=means.ray, on_learned=show)
        return [
            (lesson.candidate, found)
            for lesson, found in zip(lessons, learned, strict=True)
            if found is not None
        ]

    def _try(
        self, candidate: Candidate, learned: dict[str, Any], best: Weights, waiting: int, means: Means
    ) -> Weights:
        """Plays the matches of a candidate, and returns its calibrated weights if it won; else the best.

        Of the time that is left, a candidate has the same share as each that is waiting.
        """
        budget = means.budget
        share = budget.left / waiting
        end = budget.spent() + _MATCHES_SHARE * share
        weights = candidate.weights(learned, best, self.plan.variant.rules)
        seconds = budget.before(self.number) + sum(
            budget.spent(self.number, step) for step in ("playing", "training")
        )
        facts = {
            "kind": candidate.kind,
            **candidate.options,
            "seconds": round(seconds),
            **{name: value for name, value in learned.items() if name not in ("terms", "network")},
        }
        with budget.step(self.number, "matches"):
            facts["matches"] = self._matches(weights, best, lambda: budget.spent() >= end, means)
        facts["accepted"] = all(match["sprt"]["accepted"] is True for match in facts["matches"])
        self.tried.append(facts)
        if not facts["accepted"]:
            return best
        end = budget.spent() + (1 - _MATCHES_SHARE) * share
        with budget.step(self.number, "calibrating"):
            return self._calibrate(weights, facts, lambda: budget.spent() >= end, means)

    def _matches(
        self, candidate: dict[str, Any], best: Weights, is_over: Callable[[], bool], means: Means
    ) -> list[dict[str, Any]]:
        """Plays the matches, by positions and by the clock, until one is not won."""
        plan = self.plan
        rules = plan.variant.rules
        texts = [json.dumps(candidate), best.text or derived_weights(rules)]
        digest = hashlib.sha256("".join(texts).encode()).hexdigest()[:12]
        found: list[dict[str, Any]] = []
        for amount, is_timed in [*((nodes, False) for nodes in plan.match_nodes), (plan.match_ms, True)]:
            one, other = (PlayerSpec("weights", amount, text, is_timed=is_timed) for text in texts)
            experiment = Experiment(rules, one, other, self._openings(plan.seed + _MATCH_SEED + amount))
            path = self.folder / f"match-{amount}{'ms' if is_timed else ''}-{digest}"
            games = Folder(path, plan.variant, experiment, means.command)
            try:
                results = play_games(
                    experiment,
                    plan.match_games,
                    jobs=means.jobs,
                    ray=means.ray,
                    folder=games,
                    is_enough=lambda found: (
                        _TEST.verdict(found.pairs) is not None or (bool(found.games) and is_over())
                    ),
                    on_game=lambda found: means.on_step(
                        Progress("match", len(found.games), plan.match_games, score=found.first)
                    ),
                )
            finally:
                games.close()
            found.append(_facts(results, amount, is_timed))
            if found[-1]["sprt"]["accepted"] is not True:
                break
        return found

    def _calibrate(
        self, weights: dict[str, Any], facts: dict[str, Any], is_over: Callable[[], bool], means: Means
    ) -> Weights:
        """Calibrates weights that have won their matches by games, and writes their file."""
        plan, text = self.plan, json.dumps(weights)
        origin = {**plan.settings, **made_by(), "generation": self.number, "positions": self.position_count}
        new = Weights(
            text,
            Calibration(1.0, 0.0, 0.0),
            True,
            mistake_odds=self.best.mistake_odds,
            made={"trained": {**origin, **facts}},
        )
        seed = plan.seed + _CALIBRATION_SEED
        run = Calibrating(plan.variant, new, plan.calibration_games, plan.match_nodes[0], seed)
        run.run(
            lambda count: means.on_step(Progress("calibrating", count, plan.calibration_games)),
            self.folder / f"calibration-{hashlib.sha256(text.encode()).hexdigest()[:12]}",
            means.jobs,
            means.ray,
            is_over,
        )
        self.content = run.content()
        if (of := facts.get("of")) and (known := built_in_weights(of)) and known.tree == weights:
            self.content["weights"] = of
        write_atomically(self.weights_path, json.dumps(self.content, indent=1) + "\n")
        return read_weights(self.weights_path)


def weights_digest(weights: object) -> str:
    """Returns what tells weights of one content from others."""
    return hashlib.sha256(json.dumps(weights).encode()).hexdigest()[:12]


def _facts(results: Results, amount: int, is_timed: bool) -> dict[str, Any]:
    limit = {"time_ms" if is_timed else "nodes": amount}
    return {**limit, "first": match_facts(results)["first"], "sprt": sprt_facts(results, _TEST)}
