"""Measures each level against the next, the one after it and a simulated beginner; writes a document.

    python tools/measure_levels.py --folder target/levels --jobs 2 --document docs/measurements/levels.md
    python tools/measure_levels.py --folder target/levels --only 3-4,ard-ri-globe
    python tools/measure_levels.py --folder target/levels --only beginner --games 200
    python tools/measure_levels.py --folder target/levels --only beginner,brandub-globe --beginner-to 10
    python tools/measure_levels.py --folder target/levels --only 6-8,ard-ri-globe --games 160 --whole
    python tools/measure_levels.py --folder target/levels --games 0 --document docs/measurements/levels.md

All players are limited by nodes, so that the results are the same on any machine. The highest level, which is
limited by time, is measured with `--top-nodes` nodes a move instead. A match ends when a sequential test
decides whether the higher level is stronger; with `--whole` all its games are played, and so are those of the
simulated beginner (`hnefi.lab.beginner`) against levels 1 to 3, or to a higher one
with `--beginner-to`. The games in the folder are kept and continued.
"""

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hnefi import variant
from hnefi.cli.progress import progress_bar
from hnefi.engine import levels, weights_for
from hnefi.lab.folder import Folder, parse_games
from hnefi.lab.games import Experiment
from hnefi.lab.openings import Openings
from hnefi.lab.players import parse_player
from hnefi.lab.report import Table, elo_interval, first_classes, number
from hnefi.lab.results import Results
from hnefi.lab.runner import play_games
from hnefi.measure import Sprt, mean_score, score_interval
from hnefi.pieces import Side
from hnefi.variants.built_in import booklet_ids

_MAX_PLIES = 400
# With fewer games, their number is printed with the result.
_ENOUGH = 20
# A match is not decided with fewer pairs.
_MIN_PAIRS = 8
_TEST = Sprt(0, 80)
_TEST_TEXT = "Elo 0 or 80, 5% for each error"
# Games of these levels are slow.
_SLOW_FROM = 10
_LANGUAGE = "en"
# The number that stands for the simulated beginner, and the games and levels it plays.
_BEGINNER = 0
_BEGINNERS_HIGHEST = 3
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


@dataclass(frozen=True, slots=True)
class LevelMatch:
    """The results of two levels under a set of rules, from the point of view of the higher level.

    The lower one is 0 for the simulated beginner.
    """

    rules: str
    higher: int
    lower: int
    results: Results
    manifest: Mapping[str, object]

    @property
    def classes(self) -> tuple[int, ...]:
        """The results of pairs of games."""
        return first_classes(self.results)


def main() -> None:
    """Plays the matches, and writes the document if the command line names one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument(
        "--only", default="", help="pairs of levels, `beginner` and variants, such as 3-4,1-2,ard-ri-globe"
    )
    parser.add_argument("--games", type=int, default=100, help="most games of a match; 0 plays none")
    parser.add_argument(
        "--slow-games", type=int, default=40, help=f"the same for levels from {_SLOW_FROM} on"
    )
    parser.add_argument("--whole", action="store_true", help="play all games, even after the test is decided")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--top-nodes", type=int, default=600_000)
    parser.add_argument(
        "--beginner-to",
        type=int,
        default=_BEGINNERS_HIGHEST,
        choices=range(1, len(levels()) + 1),
        help="highest level that the simulated beginner plays",
    )
    parser.add_argument("--document", type=Path)
    options = parser.parse_args()
    try:
        matches = select_matches(options.only, options.beginner_to) if options.games else []
    except ValueError as error:
        parser.error(str(error))
    began = time.monotonic()
    for index, match in enumerate(matches, start=1):
        line = measure(options, match, f"{index}/{len(matches)} {match}")
        print(
            f"[{(time.monotonic() - began) / 60:5.1f} min] {index}/{len(matches)} {match}: {line}",
            flush=True,
        )
    if options.document:
        options.document.write_text(document(read_all(options.folder)), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Match:
    """A match of two levels under a set of rules."""

    rules: str
    higher: int
    lower: int

    def __str__(self) -> str:
        return f"{self.rules} {_versus(self.higher, self.lower)}"


def select_matches(only: str, beginner_to: int = _BEGINNERS_HIGHEST) -> list[Match]:
    """Returns the matches, the fastest first: the beginner's, all levels one and two apart, or a selection.

    Args:
        only: Pairs of levels, `beginner` and variants, separated by commas; all if empty.
        beginner_to: Highest level that the beginner plays.

    Raises:
        ValueError: If a part is neither.
    """
    pairs: list[tuple[int, int]] = []
    names: list[str] = []
    beginners = [(_BEGINNER, number) for number in range(1, beginner_to + 1)]
    for word in filter(None, only.split(",")):
        if word in (*booklet_ids(), *_BEGINNERS_GAMES):
            names.append(word)
        elif word == "beginner":
            pairs += beginners
        else:
            pairs.append(_pair(word))
    top = len(levels())
    all_pairs = [(low, low + step) for step in (1, 2) for low in range(1, top + 1 - step)]
    return [
        Match(name, higher, lower)
        for lower, higher in sorted(pairs or beginners + all_pairs, key=lambda pair: (pair[1], -pair[0]))
        for name in _games_of(lower, higher)
        if not names or name in names
    ]


def _games_of(lower: int, higher: int) -> tuple[str, ...]:
    """Returns the variants of a match: more for the low levels, which everybody plays first."""
    if lower == _BEGINNER:
        return _BEGINNERS_GAMES
    return tuple(dict.fromkeys((*booklet_ids(), *(_BEGINNERS_GAMES if higher <= _LOW else ()))))


def _pair(word: str) -> tuple[int, int]:
    numbers = sorted(int(number) for number in word.split("-") if number.isdecimal())
    if len(numbers) != 2 or not 1 <= numbers[0] < numbers[1] <= len(levels()):
        raise ValueError(f"--only {word}: expected a pair of levels or one of {' | '.join(booklet_ids())}")
    return numbers[0], numbers[1]


def measure(options: argparse.Namespace, match: Match, title: str) -> str:
    """Plays a match until it is decided; returns the result as one line."""
    players = [parse_player(_player(number, options.top_nodes)) for number in (match.higher, match.lower)]
    rules = variant(match.rules)
    openings = Openings(seed=options.seed)
    experiment = Experiment(rules.rules, players[0], players[1], openings, max_plies=_MAX_PLIES)
    is_whole = options.whole or match.lower == _BEGINNER
    pair = f"{match.lower}-{match.higher}" if match.lower else "beginner"
    command = f"python tools/measure_levels.py --only {pair},{match.rules}"
    folder = Folder(
        options.folder / f"{match.rules}-{match.higher}-{match.lower}", rules, experiment, command
    )
    most = min(options.games, options.slow_games) if match.higher >= _SLOW_FROM else options.games
    try:
        with progress_bar(title, most) as show:
            results = play_games(
                experiment,
                most,
                jobs=options.jobs,
                folder=folder,
                is_enough=(lambda _: False) if is_whole else is_decided,
                on_game=lambda results: show(len(results.games)),
            )
    finally:
        folder.close()
    tally = results.first
    return (
        f"+{tally.wins} ={tally.draws} -{tally.losses}, Elo {elo_interval(first_classes(results), _LANGUAGE)}"
    )


def is_decided(results: Results) -> bool:
    """Checks whether the sequential test of a match is decided."""
    return sum(results.pairs) >= _MIN_PAIRS and _TEST.verdict(results.pairs) is not None


def _versus(higher: int, lower: int) -> str:
    return f"{higher} v {lower or 'beginner'}"


def _player(level: int, top_nodes: int) -> str:
    if level == _BEGINNER:
        return "beginner"
    return f"level:{level}" if levels()[level - 1].time_ms == 0 else f"level:{level}:{top_nodes}"


def read_all(folder: Path) -> list[LevelMatch]:
    """Reads all matches of a folder, in the order of the levels."""
    matches = []
    for path in sorted(folder.glob("*/manifest.json")):
        manifest = json.loads(path.read_text(encoding="utf-8"))
        rules = variant(manifest["variant"])
        players = [parse_player(one["player"]) for one in manifest["players"]]
        experiment = Experiment(rules.rules, players[0], players[1], max_plies=manifest["max_plies"])
        results = Results(experiment)
        for game in parse_games(path.with_name("games.jsonl").read_bytes()):
            results.add(game)
        if results.games:
            matches.append(LevelMatch(rules.id, players[0].amount, players[1].amount, results, manifest))
    return sorted(matches, key=lambda one: (one.higher - one.lower, one.lower, one.rules))


def document(matches: Sequence[LevelMatch]) -> str:
    """Formats matches as a Markdown document."""
    beginners = [one for one in matches if one.lower == _BEGINNER]
    neighbours = [one for one in matches if one.lower and one.higher - one.lower == 1]
    two_below = [one for one in matches if one.lower and one.higher - one.lower == 2]
    games = sum(len(one.results.games) for one in matches)
    grid = _grid(two_below, as_score=True).markdown()
    parts = [
        "# The levels, measured",
        _INTRODUCTION.format(games=games, test=_TEST_TEXT) + _unmeasured(matches),
        "## The levels",
        _WHAT_THEY_ARE,
        _levels().markdown(),
        *(("## A simulated beginner", _BEGINNER_TEXT, _beginners(beginners)) if beginners else ()),
        "## Steps between neighbours",
        "The difference of a level to the one below it, in Elo [95% bounds]; – without games.",
        _grid(neighbours).markdown(),
        *(("## Each level against the one two below it", _TWO_BELOW, grid) if two_below else ()),
        "## Every match",
        _matches(matches).markdown(),
        "## Provenance",
        *_provenance(matches),
    ]
    return "\n\n".join(parts) + "\n"


def _unmeasured(matches: Sequence[LevelMatch]) -> str:
    """Returns the sentence about levels without games."""
    played = {number for one in matches for number in (one.higher, one.lower)}
    missing = [str(level.number) for level in levels() if level.number not in played]
    return f" Not measured yet: level {', '.join(missing)}." if missing else ""


def _levels() -> Table:
    """Returns the table of the levels."""
    heads = (
        "level",
        "random moves",
        "wins overlooked",
        "moves without search",
        "depth in plies",
        "positions or time",
        "moves compared",
        "margin",
    )
    rows = []
    for one in levels():
        amount = f"{one.time_ms / 1000:g} s" if one.time_ms else f"{one.nodes:,}".replace(",", " ")
        chances = [f"{_percent(share)}%" for share in (one.random, one.overlooks, one.short_sight)]
        depth = str(one.depth or "any")
        rows.append((str(one.number), *chances, depth, amount, str(one.lines or "all"), str(one.margin)))
    return Table(heads, tuple(rows), tuple(range(1, len(heads))))


_WHAT_THEY_ARE = """\
Low levels play some moves at random, often do not see that they could win at once, often choose a move by the
static evaluation after it, without a search, and otherwise search few plies. All levels choose among moves
within a margin of the best score (in hundredths of a soldier), the low ones at random with a preference for
captures and moves of the king. The highest level plays at full strength, limited by time."""
_BEGINNER_TEXT = """\
The beginner takes what it sees and searches nothing: it wins at once if it can, shuts an open road, captures,
runs with the king to where he has an open road, and else plays at random (`hnefi.lab.beginner`). The score of
the beginner with both sides, in percent [95% bounds], and with the attackers and the defenders. Games differ
in how much a mistake costs; the odds of the levels' mistakes are multiplied by a factor for each game
(`mistake_odds` in `src/hnefi/weights`), so that the beginner wins about half of the games against level 2."""
_TWO_BELOW = """\
The score of the higher level with both sides, in percent [95% bounds]; bold if the bounds show that it is
stronger."""
_INTRODUCTION = """\
{games} games. Each opening (four random plies) was played twice, with sides swapped; the bounds are those of
pairs. A match ended when a sequential test was decided ({test}),
so the bounds of short matches are a little too narrow.
`src/hnefi/engine/levels.toml` defines the levels. In a variant that favours one side much, players of
different strength share the points of a pair more often than in a balanced one: steps are smaller there."""


def _beginners(matches: Sequence[LevelMatch]) -> str:
    """Returns the table of the beginner's results against each level."""
    numbers = sorted({one.higher for one in matches})
    cells = {(one.rules, one.higher): _beginners_score(one) for one in matches}
    rows = [
        (rules, _odds(rules), *(cells.get((rules, number), "–") for number in numbers))
        for rules in _BEGINNERS_GAMES
        if any((rules, number) in cells for number in numbers)
    ]
    heads = ("rules", "odds of mistakes", *(f"v level {number}" for number in numbers))
    return Table(heads, tuple(rows), tuple(range(1, len(heads)))).markdown()


def _odds(rules: str) -> str:
    return f"× {weights_for(variant(rules).rules).mistake_odds:g}"


def _beginners_score(one: LevelMatch) -> str:
    bounds = score_interval(one.classes)
    score, low, high = (_percent(1 - share) for share in (mean_score(one.classes), bounds.high, bounds.low))
    sides = " / ".join(_percent(one.results.second_with(side).score) for side in Side)
    return f"{score} [{low}, {high}], {sides}"


def _grid(matches: Sequence[LevelMatch], *, as_score: bool = False) -> Table:
    rules = sorted({one.rules for one in matches})
    pairs = list(dict.fromkeys((one.lower, one.higher) for one in matches))
    cells = {(one.lower, one.higher, one.rules): one for one in matches}
    rows = []
    for lower, higher in pairs:
        ones = [cells.get((lower, higher, name)) for name in rules]
        rows.append((f"{higher} v {lower}", *(_cell(one, as_score) if one else "–" for one in ones)))
    return Table(("levels", *rules), tuple(rows), tuple(range(1, len(rules) + 1)))


def _cell(one: LevelMatch, as_score: bool) -> str:
    games = len(one.results.games)
    few = f" ({games} games)" if games < _ENOUGH else ""
    if not as_score:
        return elo_interval(one.classes, _LANGUAGE) + few
    bounds = score_interval(one.classes)
    text = f"{_percent(mean_score(one.classes))} [{_percent(bounds.low)}, {_percent(bounds.high)}]"
    return (f"**{text}**" if bounds.low > 0.5 else text) + few


def _matches(matches: Sequence[LevelMatch]) -> Table:
    heads = (
        "levels",
        "rules",
        "games",
        "won",
        "drawn",
        "lost",
        "score",
        "with attackers",
        "with defenders",
        "plies",
    )
    rows = []
    for one in matches:
        tally = one.results.first
        shares = (tally.score, *(one.results.first_with(side).score for side in Side))
        rows.append(
            (
                _versus(one.higher, one.lower),
                one.rules,
                *map(str, (tally.games, tally.wins, tally.draws, tally.losses)),
                *map(_percent, shares),
                number(one.results.mean_plies, 0, _LANGUAGE),
            )
        )
    return Table(heads, tuple(rows), tuple(range(2, len(heads))))


def _provenance(matches: Sequence[LevelMatch]) -> list[str]:
    makers = {json.dumps(one.manifest["made_by"]): one.manifest["made_by"] for one in matches}
    top = sorted({str(one.results.experiment.first) for one in matches if one.results.experiment.first.nodes})
    command = "python tools/measure_levels.py --folder target/levels --jobs 2"
    parts = [f"    {command} --document docs/measurements/levels.md"]
    parts += [f"The level that plays by time was measured as `{one}`." for one in top]
    for maker in makers.values():
        assert isinstance(maker, dict)
        parts.append("\n".join(f"- {name}: {value}" for name, value in maker.items()))
    return parts


def _percent(share: float) -> str:
    return number(100 * share, 0, _LANGUAGE)


if __name__ == "__main__":
    main()
