"""Results of experiments as tables, and as JSON values for programs."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hnefi import i18n
from hnefi.lab.results import Results
from hnefi.measure import Interval, Sprt, Tally, elo_of_score, mean_score, score_interval, wilson_interval
from hnefi.pieces import Side


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts: column headings, rows, and the indices of columns with numbers."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()

    def markdown(self) -> str:
        """Formats the table as Markdown, without a final line end.

        >>> print(Table(("side", "games"), (("attackers", "3"),), (1,)).markdown())
        | side | games |
        | --- | ---: |
        | attackers | 3 |
        """
        rules = tuple("---:" if index in self.numbers else "---" for index in range(len(self.heads)))
        rows = (self.heads, rules, *self.rows)
        return "\n".join(
            f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows
        )


def headed(keys: str, rows: Iterable[tuple[str, ...]], texts: int, lang: str | None) -> Table:
    """Returns a table with headings by their keys, whose columns have numbers, except for the first ones."""
    heads = tuple(i18n.text(f"lab.head.{key}", lang) for key in keys.split())
    return Table(heads, tuple(rows), tuple(range(texts, len(heads))))


def number(value: float, decimals: int = 1, lang: str | None = None) -> str:
    """Formats a number for a language, infinity as `∞`.

    >>> number(-2.96, 1, "fr"), number(math.inf)
    ('−3,0', '∞')
    """
    sign = "−" if value < 0 else ""
    return sign + ("∞" if math.isinf(value) else i18n.decimal(abs(value), lang, f".{decimals}f"))


def percent(share: float, lang: str | None = None) -> str:
    """Formats a share as a percentage.

    >>> percent(0.123, "en")
    '12.3%'
    """
    return i18n.text("lab.percent", lang, number=number(100 * share, 1, lang))


def percent_interval(share: float, bounds: Interval, lang: str | None = None) -> str:
    """Formats a share and its bounds as percentages.

    >>> percent_interval(0.5, Interval(0.41, 0.59), "en")
    '50.0% [41.0, 59.0]'
    """
    low, high = (number(100 * bound, 1, lang) for bound in (bounds.low, bounds.high))
    return f"{percent(share, lang)} {_bounds(low, high, lang)}"


def score_text(classes: Sequence[int], lang: str | None = None) -> str:
    """Formats the points per game of results and their bounds as percentages."""
    return percent_interval(mean_score(classes), score_interval(classes), lang)


def _bounds(low: str, high: str, lang: str | None) -> str:
    return i18n.text("lab.bounds", lang, low=low, high=high)


def elo_interval(classes: Sequence[int], lang: str | None = None) -> str:
    """Formats the Elo difference of the results of a match and its bounds."""
    bounds = score_interval(classes)
    low, high = (number(elo_of_score(bound), 0, lang) for bound in (bounds.low, bounds.high))
    return f"{number(elo_of_score(mean_score(classes)), 0, lang)} {_bounds(low, high, lang)}"


def first_classes(results: Results) -> tuple[int, ...]:
    """Returns the results of the first player by classes: of pairs if all games are paired, else of games."""
    pairs = results.pairs
    return pairs if sum(pairs) and 2 * sum(pairs) == len(results.games) else results.first.classes


def match_table(results: Results, names: tuple[str, str], lang: str | None = None) -> Table:
    """Returns the table of a match: each player in all and with each side, and the attackers in all games."""
    both, sides = i18n.text("lab.both", lang), {side: i18n.text(f"side.{side.value}", lang) for side in Side}
    tallies = [
        (names[0], both, results.first),
        *((names[0], sides[side], results.first_with(side)) for side in Side),
        *((names[1], sides[side], results.second_with(side)) for side in Side),
        (both, sides[Side.ATTACKERS], results.side(Side.ATTACKERS)),
    ]
    counted = [first_classes(results), *(tally.classes for *_, tally in tallies[1:])]
    rows = (
        (
            name,
            side,
            f"{won.wins}/{won.draws}/{won.losses}",
            score_text(classes, lang),
            elo_interval(classes, lang),
        )
        for (name, side, won), classes in zip(tallies, counted, strict=True)
        if won.games
    )
    return headed("who side result score elo", rows, 2, lang)


def endings_table(results: Results, lang: str | None = None) -> Table:
    """Returns the table of the ways games ended, the most frequent first."""
    games = len(results.games)
    rows = (
        (i18n.outcome_text(outcome, lang), str(n), percent(n / games, lang)) for outcome, n in results.endings
    )
    return headed("ending games share", rows, 1, lang)


def balance_table(
    experiments: Sequence[tuple[str, Results]], lang: str | None = None, *, is_brief: bool = False
) -> Table:
    """Returns the table of the results of each side and the score of the defenders, by rules.

    Args:
        experiments: Names of rules, with the results under them.
        is_brief: Leaves out the depth, and all bounds but those of the score: for terminals.
    """
    rows = []
    for name, results in experiments:
        tally = results.side(Side.DEFENDERS)
        row = [
            name,
            str(tally.games),
            *(_share(n, tally.games, lang, is_brief) for n in (tally.wins, tally.losses, tally.draws)),
            score_text(tally.classes, lang),
            number(results.mean_plies, 0, lang),
            number((results.mean_depth(0) + results.mean_depth(1)) / 2, 1, lang),
        ]
        rows.append(tuple(row[:-1] if is_brief else row))
    heads = "rules games defenders attackers drawn king_score plies"
    return headed(heads if is_brief else f"{heads} depth", rows, 1, lang)


def _share(n: int, games: int, lang: str | None, is_brief: bool) -> str:
    return (
        percent(n / games, lang) if is_brief else percent_interval(n / games, wilson_interval(n, games), lang)
    )


def tally_facts(tally: Tally, classes: Sequence[int] | None = None) -> dict[str, object]:
    """Returns counts, score and Elo with their bounds, as JSON values; None stands for infinity."""
    used = tally.classes if classes is None else classes
    bounds = score_interval(used)
    score = mean_score(used)
    return {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": round(score, 5),
        "score_bounds": [round(bounds.low, 5), round(bounds.high, 5)],
        "elo": _finite(elo_of_score(score)),
        "elo_bounds": [_finite(elo_of_score(bounds.low)), _finite(elo_of_score(bounds.high))],
    }


def match_facts(results: Results) -> dict[str, object]:
    """Returns the results of a match from the point of view of the first player, as JSON values."""
    return {
        "first": tally_facts(results.first, first_classes(results)),
        "first_with": {side.value: tally_facts(results.first_with(side)) for side in Side},
        "second_with": {side.value: tally_facts(results.second_with(side)) for side in Side},
        "attackers": tally_facts(results.side(Side.ATTACKERS)),
        "pairs": list(results.pairs),
        **endings_facts(results),
    }


def side_facts(results: Results) -> dict[str, object]:
    """Returns the results of each side, as JSON values."""
    return {
        "attackers": tally_facts(results.side(Side.ATTACKERS)),
        "defenders": tally_facts(results.side(Side.DEFENDERS)),
        **endings_facts(results),
    }


def endings_facts(results: Results) -> dict[str, object]:
    """Returns the ways games ended, as JSON values."""
    return {
        "endings": [
            {
                "winner": outcome.winner.value if outcome.winner else None,
                "reason": outcome.reason.value,
                "games": n,
            }
            for outcome, n in results.endings
        ],
        "mean_plies": round(results.mean_plies, 1),
        "mean_depth": [round(results.mean_depth(player), 1) for player in (0, 1)],
        "faults": dict(results.faults),
    }


def sprt_facts(results: Results, test: Sprt) -> dict[str, object]:
    """Returns the state of a sequential test, as JSON values; `accepted` is None while it is undecided."""
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "llr": round(test.llr(results.pairs), 3),
        "bounds": [round(test.lower, 3), round(test.upper, 3)],
        "accepted": test.verdict(results.pairs),
    }


def _finite(value: float) -> float | None:
    return round(value, 1) if math.isfinite(value) else None
