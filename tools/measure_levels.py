"""Measures each level against the next, the one after it and a simulated beginner; updates a page.

    python tools/measure_levels.py --folder target/levels --jobs 2 --document docs/measurements/levels.md
    python tools/measure_levels.py --folder target/levels --only 3-4,ard-ri-globe
    python tools/measure_levels.py --folder target/levels --only beginner --games 200
    python tools/measure_levels.py --folder target/levels --only beginner,brandub-globe --beginner-to 10
    python tools/measure_levels.py --folder target/levels --only 6-8,ard-ri-globe --games 160 --whole
    python tools/measure_levels.py --folder target/levels --games 0 --document docs/measurements/levels.md

All players are limited by nodes, so that the results are the same on any machine. The highest level, which is
limited by time, is measured with `--top-nodes` nodes a move instead. A match ends when a sequential test
decides whether the higher level is stronger; with `--whole` all its games are played, and so are those of the
simulated beginner (`hnefi.lab.beginner`) against levels 1 to 3, or to a higher one with `--beginner-to`. The
games in the folder are kept and continued. The tables of the page are replaced by those of all matches in
the folder, whose provenance is printed; its texts stay.
"""

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hnefi import variant
from hnefi.cli.lab.arena import run_games
from hnefi.engine import levels, weights_for
from hnefi.lab.balance import StoredExperiment, stored_experiments
from hnefi.lab.folder import Folder
from hnefi.lab.games import Experiment
from hnefi.lab.openings import Openings
from hnefi.lab.players import parse_player
from hnefi.lab.report import Table, elo_interval, first_classes, number
from hnefi.lab.results import Results
from hnefi.measure import Sprt, mean_score, score_interval
from hnefi.pieces import Side
from hnefi.variants.built_in import booklet_ids

_MAX_PLIES = 400
# With fewer games, their number is printed with the result.
_ENOUGH = 20
# A match is not decided with fewer pairs.
_MIN_PAIRS = 8
_TEST = Sprt(0, 80)
# Games of these levels are slow.
_SLOW_FROM = 10
_LANGUAGE = "en"
# The number that stands for the simulated beginner.
_BEGINNER = 0
# Levels up to this one are measured against each other in the games of the beginner too.
_LOW = 4
_BEGINNERS_GAMES = (
    "brandub-globe",
    "ard-ri-globe",
    "tablut-geoludie",
    "gwezboell-globe",
    "tablut-kouvia",
    "hist-brandubh-7",
    "hist-tablut-9",
    "copenhagen-11",
    "fetlar-11",
)


class Match(NamedTuple):
    """A match of two levels under a set of rules; the lower one is 0 for the simulated beginner."""

    rules: str
    higher: int
    lower: int

    def __str__(self) -> str:
        return f"{self.rules} {_versus(self)}"


def main() -> None:
    """Plays the matches, and updates the page if the command line names one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument(
        "--only", default="", help="pairs of levels, `beginner` and variants, such as 3-4,1-2,ard-ri-globe"
    )
    parser.add_argument("--games", type=int, default=100, help="most games of a match; 0 plays none")
    parser.add_argument("--slow-games", type=int, default=40, help=f"the same from level {_SLOW_FROM} on")
    parser.add_argument("--whole", action="store_true", help="play all games, even after the test is decided")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--top-nodes", type=int, default=600_000)
    parser.add_argument("--beginner-to", type=int, default=3, choices=range(1, len(levels()) + 1))
    parser.add_argument("--document", type=Path)
    options = parser.parse_args()
    try:
        matches = select_matches(options.only, options.beginner_to) if options.games else []
    except ValueError as error:
        parser.error(str(error))
    for index, match in enumerate(matches, start=1):
        title = f"{index}/{len(matches)} {match}"
        print(f"{title}: {measure(options, match, title)}", flush=True)
    if options.document:
        played = stored_experiments(options.folder)
        options.document.write_text(updated(options.document.read_text("utf-8"), played), encoding="utf-8")
        for maker in dict.fromkeys(json.dumps(one.manifest["made_by"]) for one in played):
            print("\n".join(f"- {name}: {value}" for name, value in json.loads(maker).items()))


def select_matches(only: str, beginner_to: int = 3) -> list[Match]:
    """Returns the matches, the fastest first: the beginner's, all levels one and two apart, or a selection.

    Args:
        only: Pairs of levels, `beginner` and variants, separated by commas; all if empty.
        beginner_to: Highest level that the beginner plays.

    Raises:
        ValueError: If a part is neither.
    """
    beginners = [(_BEGINNER, number) for number in range(1, beginner_to + 1)]
    words = list(filter(None, only.split(",")))
    names = {word for word in words if word in (*booklet_ids(), *_BEGINNERS_GAMES)}
    pairs = [pair for word in words if word not in names for pair in _pairs(word, beginners)]
    top = len(levels())
    pairs = pairs or beginners + [(low, low + step) for step in (1, 2) for low in range(1, top + 1 - step)]
    return [
        Match(name, higher, lower)
        for lower, higher in sorted(pairs, key=lambda pair: (pair[1], -pair[0]))
        for name in _games_of(lower, higher)
        if not names or name in names
    ]


def _games_of(lower: int, higher: int) -> tuple[str, ...]:
    """Returns the variants of a match: more for the low levels, which everybody plays first."""
    if lower == _BEGINNER:
        return _BEGINNERS_GAMES
    return tuple(dict.fromkeys((*booklet_ids(), *(_BEGINNERS_GAMES if higher <= _LOW else ()))))


def _pairs(word: str, beginners: list[tuple[int, int]]) -> list[tuple[int, int]]:
    if word == "beginner":
        return beginners
    numbers = sorted(int(number) for number in word.split("-") if number.isdecimal())
    if len(numbers) != 2 or not 1 <= numbers[0] < numbers[1] <= len(levels()):
        raise ValueError(f"--only {word}: expected a pair of levels or one of {' | '.join(booklet_ids())}")
    return [(numbers[0], numbers[1])]


def measure(options: argparse.Namespace, match: Match, title: str) -> str:
    """Plays a match until it is decided; returns the result as one line."""
    first, second = (parse_player(_player(number, options.top_nodes)) for number in match[1:])
    rules, openings = variant(match.rules), Openings(seed=options.seed)
    experiment = Experiment(rules.rules, first, second, openings, max_plies=_MAX_PLIES)
    pair = f"{match.lower}-{match.higher}" if match.lower else "beginner"
    command = f"python tools/measure_levels.py --only {pair},{match.rules}"
    place = options.folder / f"{match.rules}-{match.higher}-{match.lower}"
    folder = Folder(place, rules, experiment, command)
    most = min(options.games, options.slow_games) if match.higher >= _SLOW_FROM else options.games
    is_whole = options.whole or match.lower == _BEGINNER

    def is_decided(results: Results) -> bool:
        is_enough = not is_whole and sum(results.pairs) >= _MIN_PAIRS
        return is_enough and _TEST.verdict(results.pairs) is not None

    results, _ = run_games(experiment, most, options.jobs, None, folder, is_decided, title)
    tally, elo = results.first, elo_interval(first_classes(results), _LANGUAGE)
    return f"+{tally.wins} ={tally.draws} -{tally.losses}, Elo {elo}"


def _player(level: int, top_nodes: int) -> str:
    if level == _BEGINNER:
        return "beginner"
    return f"level:{level}" if levels()[level - 1].time_ms == 0 else f"level:{level}:{top_nodes}"


def _versus(match: Match) -> str:
    return f"{match.higher} v {match.lower or 'beginner'}"


def updated(page: str, played: Sequence[StoredExperiment]) -> str:
    """Returns a page with the number of games and the tables of matches."""
    found: dict[Match, Results] = {}
    for one in sorted(played, key=lambda one: one.rules):
        names = [str(player["player"]) for player in one.manifest["players"]]
        higher, lower = (int(name.split(":")[1]) if ":" in name else _BEGINNER for name in names)
        found[Match(one.rules, higher, lower)] = one.results
    matches = dict(sorted(found.items(), key=lambda item: (item[0].higher - item[0].lower, item[0].lower)))
    tables = {
        "The levels": _levels(),
        "A simulated beginner": _beginners(matches),
        "Steps between neighbours": _grid(matches, 1),
        "Each level against the one two below it": _grid(matches, 2),
        "Every match": _matches(matches),
    }
    for heading, table in tables.items():
        before, mark, rest = page.partition(f"## {heading}\n")
        if table.rows:
            rest = re.sub(r"(?m)(^\|.*\n)+", f"{table.markdown()}\n", rest, count=1)
        page = before + mark + rest
    games = sum(len(results.games) for results in matches.values())
    return re.sub(r"(?m)^\d+ games\.", f"{games} games.", page, count=1)


def _table(heads: Sequence[str], rows: Sequence[tuple[str, ...]], texts: int = 1) -> Table:
    """Returns a table whose columns have numbers, except for the first ones."""
    return Table(tuple(heads), tuple(rows), tuple(range(texts, len(heads))))


def _levels() -> Table:
    """Returns the table of the levels."""
    heads = "level", "random moves", "wins overlooked", "moves without search", "depth in plies"
    rows = []
    for one in levels():
        amount = f"{one.time_ms / 1000:g} s" if one.time_ms else f"{one.nodes:,}".replace(",", " ")
        chances = [f"{_percent(share)}%" for share in (one.random, one.overlooks, one.short_sight)]
        depth = str(one.depth or "any")
        rows.append((str(one.number), *chances, depth, amount, str(one.lines or "all"), str(one.margin)))
    return _table((*heads, "positions or time", "moves compared", "margin"), rows)


def _beginners(matches: dict[Match, Results]) -> Table:
    """Returns the table of the beginner's results against each level."""
    numbers = sorted({match.higher for match in matches if match.lower == _BEGINNER})
    rows = []
    for rules in _BEGINNERS_GAMES:
        cells = [matches.get(Match(rules, level, _BEGINNER)) for level in numbers]
        if any(cells):
            odds = f"× {weights_for(variant(rules).rules).mistake_odds:g}"
            rows.append((rules, odds, *(_beginners_score(cell) if cell else "–" for cell in cells)))
    return _table(("rules", "odds of mistakes", *(f"v level {level}" for level in numbers)), rows)


def _beginners_score(results: Results) -> str:
    sides = " / ".join(_percent(results.second_with(side).score) for side in Side)
    return f"{_score(first_classes(results)[::-1])}, {sides}"


def _score(classes: Sequence[int]) -> str:
    bounds = score_interval(classes)
    score, low, high = map(_percent, (mean_score(classes), bounds.low, bounds.high))
    return f"{score} [{low}, {high}]"


def _grid(matches: dict[Match, Results], step: int) -> Table:
    """Returns the table of levels a step apart by rules: neighbours in Elo, others as scores."""
    of_step = [match for match in matches if match.lower and match.higher - match.lower == step]
    rules = sorted({match.rules for match in of_step})
    rows = []
    for lower in dict.fromkeys(match.lower for match in of_step):
        cells = [matches.get(Match(name, lower + step, lower)) for name in rules]
        texts = (_cell(cell, is_elo=step == 1) if cell else "–" for cell in cells)
        rows.append((f"{lower + step} v {lower}", *texts))
    return _table(("levels", *rules), rows)


def _cell(results: Results, *, is_elo: bool) -> str:
    games, classes = len(results.games), first_classes(results)
    few = f" ({games} games)" if games < _ENOUGH else ""
    if is_elo:
        return elo_interval(classes, _LANGUAGE) + few
    bold = "**" if score_interval(classes).low > 0.5 else ""
    return f"{bold}{_score(classes)}{bold}{few}"


def _matches(matches: dict[Match, Results]) -> Table:
    heads = "levels", "rules", "games", "won", "drawn", "lost", "score", "with attackers", "with defenders"
    rows = []
    for match, results in matches.items():
        tally = results.first
        counts = map(str, (tally.games, tally.wins, tally.draws, tally.losses))
        shares = (tally.score, *(results.first_with(side).score for side in Side))
        plies = number(results.mean_plies, 0, _LANGUAGE)
        rows.append((_versus(match), match.rules, *counts, *map(_percent, shares), plies))
    return _table((*heads, "plies"), rows, 2)


def _percent(share: float) -> str:
    return number(100 * share, 0, _LANGUAGE)


if __name__ == "__main__":
    main()
