"""Runs experiments: games in several processes, stored as they end, and continued where they stopped."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from hnefi.lab.errors import LabError
from hnefi.lab.folder import Folder, used_weights_digest
from hnefi.lab.games import Experiment, PlayedGame, Task, play_game
from hnefi.lab.players import Player
from hnefi.lab.results import Results
from hnefi.workers.pool import open_pool


def play_games(
    experiment: Experiment,
    games: int,
    *,
    jobs: int = 1,
    ray: str | None = None,
    folder: Folder | None = None,
    is_enough: Callable[[Results], bool] = lambda _: False,
    on_game: Callable[[Results], object] = lambda _: None,
) -> Results:
    """Plays the games of an experiment that have not been played yet.

    The games are played in other processes, which import the main program: a script calls this under
    `if __name__ == "__main__"`.

    Args:
        games: How many games in all.
        jobs: How many worker processes play.
        ray: The address of a Ray cluster that plays instead, one game on each processor.
        folder: Stores the games, and has those played before.
        is_enough: Called after each game; the run ends if it returns true.
        on_game: Called after each game, and once before the first.

    Raises:
        HnefiError: If a player cannot be created, no opening is found, or a game cannot be stored.
    """
    for player in (experiment.first, experiment.second):
        player.check(experiment.rules)
    results = Results(experiment)
    for stored in folder.games if folder else ():
        if stored.number < games:
            results.add(stored)
    on_game(results)
    open_tasks = tasks(experiment, games, {game.number for game in results.games})
    if len(results.games) >= games or is_enough(results):
        return results
    missing, digest = games - len(results.games), used_weights_digest(experiment.rules)
    with open_pool(jobs, ray, missing, _play_handler, experiment, digest) as pool:
        for game in pool.run(open_tasks):
            if folder:
                folder.add(game)
            results.add(game)
            on_game(results)
            if is_enough(results):
                break
    return results


@contextmanager
def _play_handler(experiment: Experiment, weights: str) -> Iterator[Callable[[Task], PlayedGame]]:
    """Creates the handler of a worker: it plays games with two players of its own."""
    if (found := used_weights_digest(experiment.rules)) != weights:
        raise LabError.of_facts("other_weights", found=found, expected=weights)
    players: list[Player] = []

    def play(task: Task) -> PlayedGame:
        missing = (experiment.first, experiment.second)[len(players) :]
        players.extend(spec.create() for spec in missing)
        return play_game(experiment, task, (players[0], players[1]))

    try:
        yield play
    finally:
        for player in players:
            player.close()


def tasks(experiment: Experiment, games: int, done: Collection[int] = ()) -> Iterator[Task]:
    """Iterates over the games to play, by number, without those that are done; fewer if openings run out."""
    openings = experiment.openings.draw(experiment.rules)
    times = 2 if experiment.both_sides else 1
    # The numbers come first, so that no opening is drawn for a game that is not played.
    for number, opening in zip(range(games), (one for one in openings for _ in range(times)), strict=False):
        if number not in done:
            yield Task(number, opening)
