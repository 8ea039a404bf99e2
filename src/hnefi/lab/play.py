"""Runs experiments: many games in several processes, kept as they end, gone on with where they stopped."""

from collections.abc import Callable, Collection, Iterator
from itertools import count

from hnefi.lab.crew import Crew
from hnefi.lab.folder import Folder
from hnefi.lab.games import Experiment, Task
from hnefi.lab.results import Results

__all__ = ["play_games", "tasks"]


def play_games(
    experiment: Experiment,
    games: int,
    *,
    jobs: int = 1,
    folder: Folder | None = None,
    is_enough: Callable[[Results], bool] = lambda _: False,
    on_game: Callable[[Results], object] = lambda _: None,
) -> Results:
    """Plays the games of an experiment that have not been played yet.

    Args:
        experiment: What is played.
        games: How many games there shall be in all.
        jobs: How many processes play.
        folder: Where games are kept, and those played before are found.
        is_enough: Asked after each game; the rest is not played if it says so.
        on_game: Called after each game, and once before the first.

    Raises:
        HnefiError: If a player cannot be made, an opening not be found, or a game not be kept.
    """
    for player in (experiment.first, experiment.second):
        player.check(experiment.rules)
    results = Results(experiment)
    for known in folder.games if folder else ():
        if known.number < games:
            results.add(known)
    on_game(results)
    wanted = tasks(experiment, games, {game.number for game in results.games})
    if len(results.games) >= games or is_enough(results):
        return results
    with Crew(experiment, min(jobs, games - len(results.games))) as crew:
        for game in crew.play(wanted):
            if folder:
                folder.add(game)
            results.add(game)
            on_game(results)
            if is_enough(results):
                break
    return results


def tasks(experiment: Experiment, games: int, done: Collection[int] = ()) -> Iterator[Task]:
    """Gives the games to play, in the order of their numbers, but for those that are done."""
    openings = experiment.openings.draw(experiment.rules)
    for pair in count():
        numbers = [number for number in _numbers(experiment, pair) if number < games]
        if not numbers:
            return
        opening = next(openings)
        yield from (Task(number, opening) for number in numbers if number not in done)


def _numbers(experiment: Experiment, pair: int) -> tuple[int, ...]:
    return (2 * pair, 2 * pair + 1) if experiment.both_sides else (pair,)
