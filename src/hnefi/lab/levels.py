"""Matches of the levels against each other and against a simulated beginner, and the page about them."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hnefi import i18n
from hnefi.engine import levels, weights_for
from hnefi.lab.balance import StoredExperiment
from hnefi.lab.games import Experiment
from hnefi.lab.openings import Openings
from hnefi.lab.players import parse_player
from hnefi.lab.report import Table, elo_interval, first_classes, headed, number, score_text
from hnefi.lab.results import Results
from hnefi.measure import Sprt, mean_score, score_interval
from hnefi.pieces import Side
from hnefi.variants.built_in import booklet_ids
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

SLOW_FROM = 10
"""Games of this level and higher ones are slow."""
BEGINNER = 0
"""The number that stands for the simulated beginner."""
_MAX_PLIES = 400
_ENOUGH = 20
"""With fewer games, their number is given with the result."""
_MIN_PAIRS = 8
"""A match is not decided with fewer pairs."""
_TEST = Sprt(0, 80)
_LANGUAGE = "en"
_LOW = 4
"""Levels up to this one are measured against each other in the games of the beginner too."""
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
    """A match of two levels in a variant; the lower one is 0 for the simulated beginner."""

    variant: str
    higher: int
    lower: int


def select_matches(only: str = "", names: Sequence[str] = (), beginner_to: int = 3) -> list[Match]:
    """Returns the matches, the fastest first: the beginner's, and all levels one and two apart.

    Args:
        only: Pairs of levels and `beginner`, separated by commas, instead of all.
        names: The ids of variants; those of the booklets if empty, and more for low levels.
        beginner_to: Highest level that the beginner plays.

    Raises:
        ValueError: If a part of `only` is neither.
    """
    beginners = [(BEGINNER, number) for number in range(1, beginner_to + 1)]
    top = len(levels())
    pairs = [pair for word in filter(None, only.split(",")) for pair in _pairs(word, beginners)]
    pairs = pairs or beginners + [(low, low + step) for step in (1, 2) for low in range(1, top + 1 - step)]
    return [
        Match(name, higher, lower)
        for lower, higher in sorted(pairs, key=lambda pair: (pair[1], -pair[0]))
        for name in names or _games_of(lower, higher)
    ]


def _games_of(lower: int, higher: int) -> tuple[str, ...]:
    """Returns the variants of a match: more for the low levels, which everybody plays first."""
    if lower == BEGINNER:
        return _BEGINNERS_GAMES
    return tuple(dict.fromkeys((*booklet_ids(), *(_BEGINNERS_GAMES if higher <= _LOW else ()))))


def _pairs(word: str, beginners: list[tuple[int, int]]) -> list[tuple[int, int]]:
    if word == "beginner":
        return beginners
    numbers = sorted(int(number) for number in word.split("-") if number.isdecimal())
    if len(numbers) != 2 or not 1 <= numbers[0] < numbers[1] <= len(levels()):
        raise ValueError(f"{word}: expected a pair of levels")
    return [(numbers[0], numbers[1])]


def match_experiment(one: Variant, match: Match, top_nodes: int = 600_000, seed: int = 1) -> Experiment:
    """Returns a match limited by nodes: a level that is limited by time plays with `top_nodes` a move."""

    def player(level: int) -> str:
        if level == BEGINNER:
            return "beginner"
        return f"level:{level}:{top_nodes}" if levels()[level - 1].time_ms else f"level:{level}"

    first, second = (parse_player(player(level)) for level in match[1:])
    return Experiment(one.rules, first, second, Openings(seed=seed), max_plies=_MAX_PLIES)


def is_decided(results: Results) -> bool:
    """Checks whether a sequential test has decided whether the higher level is stronger."""
    return sum(results.pairs) >= _MIN_PAIRS and _TEST.verdict(results.pairs) is not None


def versus(match: Match, lang: str | None = None) -> str:
    """Returns the players of a match: "2 v 1" or "2 v beginner"."""
    lower = match.lower or i18n.text("lab.levels.beginner", lang)
    return i18n.text("lab.levels.versus", lang, higher=match.higher, lower=lower)


def levels_table(matches: Mapping[Match, Results], lang: str | None = None) -> Table:
    """Returns the table of matches, each from the point of view of the higher level."""
    rows = []
    for match, results in matches.items():
        tally, classes = results.first, first_classes(results)
        counts = (str(tally.games), f"{tally.wins}/{tally.draws}/{tally.losses}")
        score, elo = score_text(classes, lang), elo_interval(classes, lang)
        rows.append((versus(match, lang), match.variant, *counts, score, elo))
    return headed("levels rules games result score elo", rows, 2, lang)


def updated_page(page: str, played: Sequence[StoredExperiment]) -> str:
    """Returns a page with the number of games and the tables of matches; its texts stay."""
    found: dict[Match, Results] = {}
    for one in sorted(played, key=lambda one: one.rules):
        names = [str(player["player"]) for player in one.manifest["players"]]
        higher, lower = (int(name.split(":")[1]) if ":" in name else BEGINNER for name in names)
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
    numbers = sorted({match.higher for match in matches if match.lower == BEGINNER})
    rows = []
    for rules in _BEGINNERS_GAMES:
        cells = [matches.get(Match(rules, level, BEGINNER)) for level in numbers]
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
    rules = sorted({match.variant for match in of_step})
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
        rows.append((versus(match, _LANGUAGE), match.variant, *counts, *map(_percent, shares), plies))
    return _table((*heads, "plies"), rows, 2)


def _percent(share: float) -> str:
    return number(100 * share, 0, _LANGUAGE)
