"""Candidates: what is learned from positions, and kept in files, so that nothing is learned twice."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import methodcaller
from pathlib import Path
from typing import Any

from hnefi._core import Rules, derived_weights, fit_weights, train_network
from hnefi.engine.weights import Weights
from hnefi.files import write_atomically
from hnefi.workers.build import core_digest
from hnefi.workers.pool import answers_in_order

# Results teach a network with terms what accompanies winning, scores what a move costs.
_RESULT_SHARE_OF_TERMS = 0.15


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something to learn.

    Attributes:
        kind: `terms` for weights of the terms, `network` for a network, `other` for those of another variant.
        result_share: The share of the result in what is learned; None for the default of the kind.
        inputs: What a network sees besides the squares of pieces: `king`, where the weights of soldiers
            depend on his square, `terms` of the evaluation, or `nothing`.
        width: The sums of its hidden layer.
        draws: Whether positions of drawn games count.
    """

    kind: str
    result_share: float | None = None
    inputs: str = "king"
    width: int = 32
    draws: bool = True

    @property
    def options(self) -> dict[str, Any]:
        """The parameters that differ from the defaults."""
        share, options = self.result_share, dict[str, Any]()
        if self.kind == "network":
            if self.inputs == "terms" and share is None:
                share = _RESULT_SHARE_OF_TERMS
            options |= {
                "terms": self.inputs == "terms",
                "buckets": self.inputs == "king",
                "width": self.width,
            }
        if share is not None:
            options["result_share"] = share
        return options if self.draws else {**options, "draws": False}

    def weights(self, learned: Mapping[str, Any], best: Weights, rules: Rules) -> dict[str, Any]:
        """Returns the weights to try: the terms, or the terms used so far with the network."""
        if self.kind != "network":
            return dict(learned["terms"])
        return {**(best.tree or json.loads(derived_weights(rules))), "network": learned["network"]}


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a candidate is learned from.

    Attributes:
        samples: The positions, in packed form.
        seed: The seed of a network.
        facts: What the file of a network says about itself, as JSON.
    """

    candidate: Candidate
    samples: bytes
    seed: int
    facts: str

    def path(self, folder: Path) -> Path:
        """Returns the file of what this build learned."""
        digest = hashlib.sha256(self.samples)
        digest.update(json.dumps([self.candidate.options, self.seed, core_digest()]).encode())
        return folder / f"{self.candidate.kind}-{digest.hexdigest()[:12]}.json"

    def learn(self, rules: Rules) -> dict[str, Any] | None:
        """Returns the terms or the network, with measurements; None for too few samples.

        The same lesson gives the same numbers on one kind of machine.
        """
        options = self.candidate.options
        if self.candidate.kind == "terms":
            fitted = fit_weights(rules, self.samples, **options)
            return fitted and {"terms": json.loads(fitted.pop("weights")), **fitted}
        return train_network(rules, self.samples, seed=self.seed, facts=self.facts, **options)


def learn_all(
    rules: Rules,
    lessons: Sequence[Lesson],
    folder: Path,
    *,
    jobs: int = 1,
    ray: str | None = None,
    on_learned: Callable[[int, float | None], object] = lambda *_: None,
) -> list[dict[str, Any] | None]:
    """Learns what has no file yet, and returns what was learned of each lesson, in their order.

    Several lessons are learned at once, if there are several jobs or a Ray cluster.

    Args:
        on_learned: Called with the number of lessons that are done, and the loss of the last one for games
            that were held out; None before the first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [lesson.path(folder) for lesson in lessons]
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    waiting = (lessons[number] for number in missing)
    answers = answers_in_order(jobs, ray, len(missing), methodcaller("learn", rules), waiting)
    on_learned(0, None)
    for number, learned in zip(missing, answers, strict=True):
        if learned is not None:
            sides = learned["attackers"], learned["defenders"]
            positions = sum(side["positions"] for side in sides)
            on_learned(number + 1, sum(side["positions"] * side["learned"] for side in sides) / positions)
            write_atomically(paths[number], json.dumps(learned, indent=1) + "\n")
    return [json.loads(path.read_text(encoding="utf-8")) if path.exists() else None for path in paths]
