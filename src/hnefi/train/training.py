"""Training for a variant, generation by generation: weights of the terms, then networks.

Every finished step is kept in a folder, so that a training that was killed at any moment goes on
(docs/reference/training-files.md).
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hnefi.engine.weights import Weights, read_weights, weights_for
from hnefi.files import write_atomically
from hnefi.lab.errors import LabError
from hnefi.lab.folder import check_empty, check_same, made_by, open_exclusively
from hnefi.train.budget import Budget
from hnefi.train.generation import Generation, Means
from hnefi.train.plan import OnStep, Plan, Progress
from hnefi.train.report import html_report
from hnefi.workers.build import core_digest

# A generation that would begin with a smaller share of all time is left out.
_LEAST_SHARE = 0.1


@dataclass(slots=True)
class Training:
    """A training in progress.

    Attributes:
        plan: Its settings.
        folder: Its folder.
        jobs: How many threads or processes work at once.
        command: The command line, for the manifests of matches and the report.
        hours: The time of all runs together; None for no limit.
        ray: The address of a Ray cluster that plays the games; None for this machine.
        lang: The language of the report.
        content: The file of the best weights; None as long as none have won their matches.
        report: What happened so far, as JSON values.
    """

    plan: Plan
    folder: Path
    jobs: int = 1
    command: str = ""
    hours: float | None = None
    ray: str | None = None
    lang: str | None = None
    content: dict[str, Any] | None = None
    report: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Opens the folder.

        Raises:
            LabError: `other_experiment` if the folder has another training, `foreign_folder` if it has other
                files, `bad_folder`.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._compare()
        except (OSError, ValueError) as error:
            raise LabError.of_facts("bad_folder", path=self.folder, why=error) from None
        self.report = {**self.plan.settings, **made_by(), "command": self.command, "generations": []}

    @property
    def report_path(self) -> Path:
        """The report as a page with its pictures."""
        return self.folder / "report.html"

    def _compare(self) -> None:
        """Writes the settings into a new folder, or compares those of an old one."""
        path = self.folder / "settings.json"
        settings = {**self.plan.settings, "core": core_digest()}
        if not path.exists():
            check_empty(self.folder)
            write_atomically(path, json.dumps(settings, indent=1) + "\n")
            return
        check_same(self.folder, json.loads(path.read_text(encoding="utf-8")), settings)

    def run(self, on_step: OnStep) -> None:
        """Trains generation after generation, until nothing in one wins its matches or the time is over.

        Raises:
            LabError: `folder_in_use`, `bad_folder`, `other_experiment`.
        """
        with open_exclusively(self.folder / "lock"):
            try:
                budget = Budget(self.folder / "time.json", self.hours)
            except (OSError, ValueError) as error:
                raise LabError.of_facts("bad_folder", path=self.folder / "time.json", why=error) from None

            def on_progress(progress: Progress) -> None:
                budget.tick()
                on_step(progress)

            means = Means(budget, on_progress, self.jobs, self.ray, self.command)
            best, samples = self._start(), b""
            for number in range(0 if self.plan.weights_of else 1, self.plan.generations + 1):
                folder = self.folder / f"generation-{number}"
                generation = Generation(self.plan, number, folder, best, samples)
                if not generation.is_finished and _is_too_late(budget, number):
                    return
                accepted = generation.run(means)
                self._note(generation, budget)
                if accepted is None:
                    if number == 0:
                        continue
                    return
                best, samples = accepted, generation.samples

    def _start(self) -> Weights:
        """Returns the weights that the training began with; those of the engine may be others by now."""
        path, variant = self.folder / "start.json", self.plan.variant
        if not path.exists():
            found = weights_for(variant.rules)
            write_atomically(path, json.dumps({**found.facts(variant), **found.made}, indent=1) + "\n")
        return read_weights(path)

    def _note(self, generation: Generation, budget: Budget) -> None:
        """Writes a generation into the reports."""
        if not generation.tried:
            return
        facts: dict[str, Any] = {
            "generation": generation.number,
            "positions": generation.position_count,
            "seconds": budget.steps(generation.number),
            "candidates": generation.tried,
        }
        if generation.content is not None:
            self.content = generation.content
            facts["calibration"] = {
                name: generation.content[name] for name in ("scale", "offset", "margin", "calibration")
            }
        self.report["generations"].append(facts)
        write_atomically(self.folder / "report.json", json.dumps(self.report, indent=1) + "\n")
        write_atomically(self.report_path, html_report(self.report, self.plan.variant, self.lang))


def _is_too_late(budget: Budget, number: int) -> bool:
    """Checks whether too little time is left to begin a generation; the first one always begins."""
    return number > 1 and not budget.spent(number) and budget.left < _LEAST_SHARE * budget.limit
