"""Tests of pools in a Ray cluster, with a stand-in for Ray; tests/deep/test_ray.py uses a real cluster."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from hnefi import variant
from hnefi.errors import HnefiError
from hnefi.lab.games import Experiment
from hnefi.lab.players import parse_player
from hnefi.lab.runner import play_games
from hnefi.train.positions import Positions, SelfPlaySettings
from hnefi.workers.pool import MOST_TRIES, WorkerPool, open_pool
from hnefi.workers.ray_pool import RayPool
from hnefi.workers.worker import WorkerExited
from tests.cli_runs import refusal

BRANDUB = variant("brandub-globe")
ADDRESS = "auto"


class RayError(Exception):
    """What Ray raises for a lost actor."""


class RayTaskError(RayError):
    """What Ray raises for an exception of a method."""


@dataclass(eq=False)
class FakeActor:
    """An actor in this process."""

    instance: Any
    is_dead: bool = False

    def __getattr__(self, name: str) -> Any:
        return SimpleNamespace(remote=lambda *args: FakeReference(self, name, args))


@dataclass(eq=False)
class FakeReference:
    """A call whose answer is computed when it is asked for."""

    actor: FakeActor
    name: str
    args: tuple[object, ...]


@dataclass
class FakeRay:
    """A cluster of three processors, in which calls answer out of order.

    Attributes:
        deaths: How many actors that begin a job end at it, by job.
        failed_starts: How many actors end as they start.
    """

    deaths: dict[object, int] = field(default_factory=dict)
    failed_starts: int = 0
    started: int = 0
    waits: int = 0

    def is_initialized(self) -> bool:
        return True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0, "memory": 1e9}

    def remote(self, **_: object) -> Callable[[type], Any]:
        def decorate(kind: type) -> Any:
            def start(*args: object) -> FakeActor:
                self.started += 1
                return FakeActor(kind(*args))

            return SimpleNamespace(remote=start)

        return decorate

    def wait(self, references: Sequence[FakeReference], **_: object) -> tuple[list[FakeReference], list[Any]]:
        self.waits += 1
        chosen = references[7 * self.waits % len(references)]
        return [chosen], [one for one in references if one is not chosen]

    def get(self, reference: FakeReference) -> Any:
        actor = reference.actor
        if reference.name == "prepare" and self.failed_starts:
            self.failed_starts -= 1
            actor.is_dead = True
        if reference.name == "run" and self.deaths.get(reference.args[0], 0):
            self.deaths[reference.args[0]] -= 1
            actor.is_dead = True
        if actor.is_dead:
            raise RayError("the actor died")
        return getattr(actor.instance, reference.name)(*reference.args)

    def kill(self, actor: FakeActor) -> None:
        actor.is_dead = True


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    fake = FakeRay()
    module = ModuleType("ray")
    for name in ("is_initialized", "cluster_resources", "remote", "wait", "get", "kill"):
        setattr(module, name, getattr(fake, name))
    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)
    module.exceptions = exceptions  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", module)
    return fake


@contextmanager
def handler(added: int = 0) -> Iterator[Callable[[Any], Any]]:
    """Creates a handler that adds to numbers, and raises an error for a text."""

    def answer(job: Any) -> Any:
        if isinstance(job, str):
            raise HnefiError("bad_job", "bad_job", {"why": job})
        return job + added

    yield answer


@pytest.mark.usefixtures("ray")
def test_a_cluster_answers_every_job_once_in_both_orders() -> None:
    with open_pool(1, ADDRESS, 8, handler, 100) as pool:
        assert isinstance(pool, RayPool)
        found = list(pool.run(iter(range(20))))
        assert found != sorted(found)
        assert sorted(found) == list(range(100, 120))
        assert list(pool.run_in_order(iter(range(20)))) == list(range(100, 120))
        assert list(pool.run(iter(()))) == []


def test_there_are_no_more_actors_than_processors_and_jobs(ray: FakeRay) -> None:
    with open_pool(1, ADDRESS, 8, handler):
        assert ray.started == 3
    with open_pool(1, ADDRESS, 2, handler):
        assert ray.started == 5


def test_the_job_of_a_lost_actor_is_done_by_another(ray: FakeRay) -> None:
    ray.deaths = {4: MOST_TRIES - 1, 7: 1}
    with open_pool(1, ADDRESS, 8, handler, 1) as pool:
        assert list(pool.run_in_order(iter(range(10)))) == list(range(1, 11))
    assert ray.started == 3 + MOST_TRIES


def test_a_job_that_ends_every_actor_ends_the_experiment(ray: FakeRay) -> None:
    ray.deaths = {4: 99}
    with open_pool(1, ADDRESS, 8, handler) as pool, pytest.raises(WorkerExited) as lost:
        list(pool.run(iter(range(10))))
    assert lost.value.code == "lost_process"
    assert ray.deaths == {4: 99 - MOST_TRIES}


def test_a_cluster_in_which_no_actor_starts_is_of_no_use(ray: FakeRay) -> None:
    ray.failed_starts = 2
    with open_pool(1, ADDRESS, 8, handler) as pool:
        assert sorted(pool.run(iter(range(5)))) == list(range(5))
    ray.failed_starts = 99
    with open_pool(1, ADDRESS, 8, handler) as pool, pytest.raises(HnefiError) as raised:
        list(pool.run(iter(range(5))))
    assert (raised.value.code, raised.value.parameters["why"]) == ("ray_unreachable", "the actor died")


@pytest.mark.usefixtures("ray")
def test_errors_of_a_handler_and_other_builds_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_pool(1, ADDRESS, 8, handler) as pool, pytest.raises(HnefiError, match="bad_job"):
        list(pool.run(iter([1, "refuse", 2])))
    digests = iter(["there"])
    monkeypatch.setattr("hnefi.workers.ray_pool.core_digest", lambda: next(digests, "here"))
    with open_pool(1, ADDRESS, 1, handler) as pool, pytest.raises(HnefiError) as raised:
        list(pool.run(iter([1])))
    assert (raised.value.code, raised.value.parameters) == (
        "ray_other_build",
        {"found": "there", "expected": "here"},
    )


@pytest.mark.deep
def test_a_match_and_self_play_are_those_of_one_machine(ray: FakeRay, tmp_path: Path) -> None:
    experiment = Experiment(BRANDUB.rules, parse_player("nodes:60"), parse_player("nodes:30"))
    here, there = play_games(experiment, 6), play_games(experiment, 6, ray=ADDRESS)
    assert [game.number for game in there.games] != sorted(game.number for game in there.games)
    assert sorted(here.games, key=lambda game: game.number) == sorted(
        there.games, key=lambda game: game.number
    )
    settings = SelfPlaySettings(BRANDUB.rules.to_json(), 1, 1, None)
    here_positions, there_positions = (Positions(tmp_path / name, BRANDUB.rules) for name in ("a", "b"))
    here_positions.play(4_000, settings)
    ray.deaths = {128: 1}
    there_positions.play(4_000, settings, ray=ADDRESS)
    assert here_positions.count(4_000) >= 4_000
    assert there_positions.read(4_000) == here_positions.read(4_000)
    # Files of later games may have been finished before; they are not used.
    assert len(list((tmp_path / "b").iterdir())) >= len(list((tmp_path / "a").iterdir()))


@pytest.mark.usefixtures("ray")
def test_a_machine_with_other_weights_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = iter(["here", "there"])
    monkeypatch.setattr("hnefi.lab.runner.used_weights_digest", lambda _: next(digests))
    experiment = Experiment(BRANDUB.rules, parse_player("nodes:1"), parse_player("nodes:1"))
    with pytest.raises(HnefiError) as raised:
        play_games(experiment, 2, ray=ADDRESS)
    assert raised.value.code == "other_weights"


def test_without_ray_or_a_cluster_one_sentence_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    match = ("lab", "arena", "nodes:1", "nodes:1", "brandub-globe", "--games", "2")
    monkeypatch.setitem(sys.modules, "ray", None)
    found = refusal(*match, "--ray", ADDRESS)
    assert found["code"] == "missing_extra"
    assert "hnefi[ray]" in found["message"]
    unconnected = ModuleType("ray")
    unconnected.is_initialized = lambda: False  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", unconnected)
    found = refusal(*match, "--ray", "127.0.0.1:1")
    assert found["code"] == "ray_unreachable"
    assert "127.0.0.1:1" in found["message"]


@contextmanager
def mortal_handler(folder: Path) -> Iterator[Callable[[Any], Any]]:
    """Creates a handler whose process ends at a job that no process has begun before."""

    def answer(job: int) -> int:
        begun = folder / str(job)
        if not begun.exists():
            begun.touch()
            sys.exit(3)
        return job

    yield answer


def test_the_job_of_a_lost_process_of_this_machine_is_done_by_another(tmp_path: Path) -> None:
    with WorkerPool(1, mortal_handler, tmp_path) as pool:
        assert list(pool.run(iter([5]))) == [5]
