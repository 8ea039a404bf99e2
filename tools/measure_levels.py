"""Measures the levels: neighbours, and each level against the one two below it; writes docs/levels.md.

    python tools/measure_levels.py --folder target/levels --games 100 --pairs 1-2,2-3,1-3 brandub-globe …
    python tools/measure_levels.py --folder target/levels --document docs/levels.md

All players are counted in nodes, so that the results are the same on any machine under any load; the highest
level, which plays by time, is measured with `--top-nodes` nodes a move in its place. What is in the folder is
kept, and gone on with.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hnefi import variant, variant_ids
from hnefi.engine import levels
from hnefi.lab.folder import Folder, parse_games
from hnefi.lab.games import Experiment
from hnefi.lab.measure import elo_of_score, mean_score, score_interval
from hnefi.lab.openings import Openings
from hnefi.lab.play import play_games
from hnefi.lab.players import parse_player
from hnefi.lab.report import Table, first_classes, number
from hnefi.lab.results import Results
from hnefi.pieces import Side

_MAX_PLIES = 400
# With fewer games their number stands beside the result.
_ENOUGH = 100
_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Measured:
    """What two levels did against each other in one set of rules, as the higher one sees it."""

    rules: str
    higher: int
    lower: int
    results: Results
    manifest: Mapping[str, object]

    @property
    def classes(self) -> tuple[int, ...]:
        """The results by pairs of games."""
        return first_classes(self.results)


def main() -> None:
    """Plays, if pairs are named; then writes the document, if it is named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("variants", nargs="*")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--pairs", default="", help="such as 1-2,2-3,1-3")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--top-nodes", type=int, default=2_000_000)
    parser.add_argument("--document", type=Path)
    chosen = parser.parse_args()
    for pair in filter(None, chosen.pairs.split(",")):
        lower, higher = map(int, pair.split("-"))
        for name in chosen.variants or variant_ids():
            measure(chosen, name, lower, higher)
    if chosen.document:
        chosen.document.write_text(document(read_all(chosen.folder)), encoding="utf-8")


def measure(chosen: argparse.Namespace, name: str, lower: int, higher: int) -> None:
    """Plays the games of two levels in one set of rules."""
    players = [parse_player(_player(number, chosen.top_nodes)) for number in (higher, lower)]
    openings = Openings(seed=chosen.seed)
    rules = variant(name)
    experiment = Experiment(rules.rules, players[0], players[1], openings, max_plies=_MAX_PLIES)
    command = f"python tools/measure_levels.py --games {chosen.games} --pairs {lower}-{higher} {name}"
    folder = Folder(chosen.folder / f"{name}-{higher}-{lower}", rules, experiment, command)
    try:
        results = play_games(experiment, chosen.games, jobs=chosen.jobs, folder=folder)
    finally:
        folder.close()
    print(name, f"{higher} v {lower}", results.first, _elo(first_classes(results)), flush=True)


def _player(level: int, top_nodes: int) -> str:
    return f"level:{level}" if levels()[level - 1].time_ms == 0 else f"level:{level}:{top_nodes}"


def read_all(folder: Path) -> list[Measured]:
    """Reads all that was played, in the order of the levels."""
    found = []
    for path in sorted(folder.glob("*/manifest.json")):
        manifest = json.loads(path.read_text(encoding="utf-8"))
        rules = variant(manifest["variant"])
        players = [parse_player(one["player"]) for one in manifest["players"]]
        experiment = Experiment(rules.rules, players[0], players[1], max_plies=manifest["max_plies"])
        results = Results(experiment)
        for game in parse_games(path.with_name("games.jsonl").read_bytes()):
            results.add(game)
        if results.games:
            found.append(Measured(rules.id, players[0].amount, players[1].amount, results, manifest))
    return sorted(found, key=lambda one: (one.higher - one.lower, one.lower, one.rules))


def document(found: Sequence[Measured]) -> str:
    """Writes what was found in Markdown."""
    neighbours = [one for one in found if one.higher - one.lower == 1]
    two_below = [one for one in found if one.higher - one.lower == 2]
    games = sum(len(one.results.games) for one in found)
    parts = [
        "# The levels, measured",
        _INTRODUCTION.format(games=games) + _unmeasured(found),
        "## Steps between neighbours",
        "How much stronger a level is than the one below it, in Elo [95% bounds]; – where none played.",
        _grid(neighbours).markdown(),
        "## Each level against the one two below it",
        _TWO_BELOW,
        _grid(two_below, as_score=True).markdown(),
        "## Every match",
        _matches(found).markdown(),
        "## How this was made",
        *_making(found),
    ]
    return "\n\n".join(parts) + "\n"


def _unmeasured(found: Sequence[Measured]) -> str:
    """Names the levels that have not played at all."""
    played = {number for one in found for number in (one.higher, one.lower)}
    missing = [str(level.number) for level in levels() if level.number not in played]
    return f" Not measured yet: level {', '.join(missing)}." if missing else ""


_TWO_BELOW = """\
The score of the higher level from both sides together, in percent [95% bounds]; bold where the bounds leave
no doubt that it is the stronger one."""
_INTRODUCTION = """\
{games} games. Each opening (four random plies) was played twice, with the sides swapped; bounds come from the
pairs. The levels themselves are a table, `src/hnefi/engine/levels.toml`. In a game that favours one side
much, two players of different strength share the pairs more often than in an even one: steps are smaller
there."""


def _grid(found: Sequence[Measured], *, as_score: bool = False) -> Table:
    rules = sorted({one.rules for one in found})
    pairs = list(dict.fromkeys((one.lower, one.higher) for one in found))
    cells = {(one.lower, one.higher, one.rules): one for one in found}
    rows = []
    for lower, higher in pairs:
        ones = [cells.get((lower, higher, name)) for name in rules]
        rows.append((f"{higher} v {lower}", *(_cell(one, as_score) if one else "–" for one in ones)))
    return Table(("levels", *rules), tuple(rows), tuple(range(1, len(rules) + 1)))


def _cell(one: Measured, as_score: bool) -> str:
    games = len(one.results.games)
    few = f" ({games} games)" if games < _ENOUGH else ""
    if not as_score:
        return _elo(one.classes) + few
    bounds = score_interval(one.classes)
    text = f"{_percent(mean_score(one.classes))} [{_percent(bounds.low)}, {_percent(bounds.high)}]"
    return (f"**{text}**" if bounds.low > 0.5 else text) + few


def _matches(found: Sequence[Measured]) -> Table:
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
    for one in found:
        tally = one.results.first
        shares = (tally.score, *(one.results.first_with(side).score for side in Side))
        rows.append(
            (
                f"{one.higher} v {one.lower}",
                one.rules,
                *map(str, (tally.games, tally.wins, tally.draws, tally.losses)),
                *map(_percent, shares),
                number(one.results.mean_plies, 0, _LANGUAGE),
            )
        )
    return Table(heads, tuple(rows), tuple(range(2, len(heads))))


def _making(found: Sequence[Measured]) -> list[str]:
    makers = {json.dumps(one.manifest["made_by"]): one.manifest["made_by"] for one in found}
    top = sorted({str(one.results.experiment.first) for one in found if one.results.experiment.first.nodes})
    parts = [
        "    python tools/measure_levels.py --folder target/levels --games 100 --pairs 1-2,2-3,1-3,… VARIANT…"
    ]
    parts += [f"The level that plays by time was measured as `{one}`." for one in top]
    for maker in makers.values():
        assert isinstance(maker, dict)
        parts.append("\n".join(f"- {name}: {value}" for name, value in maker.items()))
    return parts


def _elo(classes: Sequence[int]) -> str:
    bounds = score_interval(classes)
    value, low, high = (
        number(elo_of_score(score), 0, _LANGUAGE) for score in (mean_score(classes), bounds.low, bounds.high)
    )
    return f"{value} [{low}, {high}]"


def _percent(share: float) -> str:
    return number(100 * share, 0, _LANGUAGE)


if __name__ == "__main__":
    main()
