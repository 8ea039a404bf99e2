"""The balance of games: the same player on both sides, from many openings, and what each side scores.

All experiments of a folder go into one report, so that several strengths can be measured one after the other.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

from hnefi import i18n
from hnefi.lab.faults import lab_error
from hnefi.lab.folder import parse_games
from hnefi.lab.games import Experiment
from hnefi.lab.openings import Openings
from hnefi.lab.players import PlayerSpec
from hnefi.lab.report import Table, balance_table, number, percent, percent_interval
from hnefi.lab.results import Results
from hnefi.measure import Interval, Tally, score_interval
from hnefi.pieces import Side
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

__all__ = ["StoredGame", "balance_experiment", "balance_report", "kept_experiments", "subfolder"]

# The text of these rules says that the king's side has usually a slight advantage, and of the option that it
# takes the advantage away.
_RULES, _OPTION = "tablut-geoludie", "tablut-geoludie-slow"
_EVEN = 0.5


@dataclass(frozen=True, slots=True)
class StoredGame:
    """An experiment that a folder holds: its manifest, its results, and where it is."""

    manifest: dict[str, Any]
    results: Results

    @property
    def player(self) -> str:
        """The player both sides had."""
        return str(self.manifest["players"][0]["player"])

    @property
    def rules(self) -> str:
        """The id of the variant, and its switches if there are any."""
        switches = " ".join(f"{key}={value}" for key, value in self.manifest["switches"].items())
        return f"{self.manifest['variant']} {switches}".strip()


def balance_experiment(rules: Variant, player: PlayerSpec, openings: Openings, max_plies: int) -> Experiment:
    """Gives the experiment: one game from each opening, which the same player would play the same again."""
    return Experiment(rules.rules, player, player, openings, both_sides=False, max_plies=max_plies)


def subfolder(folder: Path, rules: Variant, player: PlayerSpec) -> Path:
    """Gives where the experiment of a variant is kept."""
    own = f"-{rules.rules.hash[:8]}" if rules.switches else ""
    written = "".join(sign if sign.isalnum() else "-" for sign in str(player))
    return folder / f"{rules.id}{own}-{written[:60]}"


def kept_experiments(folder: Path) -> list[StoredGame]:
    """Reads the experiments of a folder that have games, the weaker players first.

    Raises:
        LabError: `bad_folder`, `bad_game`.
    """
    found = [_read(path.parent) for path in sorted(folder.glob("*/manifest.json"))]
    return sorted((kept for kept in found if kept.results.games), key=_order)


def _order(kept: StoredGame) -> tuple[int, str, str]:
    digits = "".join(sign for sign in kept.player if sign.isdigit())
    return int(digits or "0"), kept.player, kept.rules


def _read(folder: Path) -> StoredGame:
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        rules = variant(manifest["variant"]).with_switches(manifest["switches"])
        player = PlayerSpec("engine", content=manifest["players"][0]["player"])
        openings = Openings(**manifest["openings"])
        results = Results(balance_experiment(rules, player, openings, int(manifest["max_plies"])))
        games = (folder / "games.jsonl").read_bytes()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise lab_error("bad_folder", path=folder, why=error) from None
    for game in parse_games(games):
        results.add(game)
    return StoredGame(manifest, results)


def balance_report(found: Sequence[StoredGame], lang: str | None = None) -> str:
    """Writes what was found as a document in Markdown, with how it was found."""
    parts = [f"# {i18n.text('lab.balance.title', lang)}", i18n.text("lab.balance.intro", lang)]
    for player in dict.fromkeys(kept.player for kept in found):
        those = [kept for kept in found if kept.player == player]
        named = [(kept.rules, kept.results) for kept in those]
        parts += [f"## {i18n.text('lab.balance.strength', lang, player=player)}"]
        parts += [balance_table(named, lang).markdown()]
        parts += _claims(those, lang)
        parts += [f"### {i18n.text('lab.balance.endings', lang)}", _endings(those, lang).markdown()]
    parts += [f"## {i18n.text('lab.balance.made', lang)}", *_making(found, lang)]
    return "\n\n".join(parts) + "\n"


def _endings(found: Sequence[StoredGame], lang: str | None) -> Table:
    rows = [
        (kept.rules, i18n.outcome_text(outcome, lang), str(n), percent(n / len(kept.results.games), lang))
        for kept in found
        for outcome, n in kept.results.endings
    ]
    heads = tuple(i18n.text(f"lab.head.{head}", lang) for head in ("rules", "ending", "games", "share"))
    return Table(heads, tuple(rows), (2, 3))


def _claims(found: Sequence[StoredGame], lang: str | None) -> list[str]:
    """Says what the games tell about the two claims, where both sets of rules were played."""
    tallies = {kept.rules: kept.results.side(Side.DEFENDERS) for kept in found}
    if _RULES not in tallies or _OPTION not in tallies:
        return []
    usual, option = tallies[_RULES], tallies[_OPTION]
    less, bounds = _difference(usual, option)
    low, high = (number(100 * bound, 1, lang) for bound in (bounds.low, bounds.high))
    advantage = i18n.text("lab.claim.advantage", lang, score=_score(usual, lang))
    without = i18n.text("lab.claim.option", lang, score=_score(option, lang))
    change = i18n.text("lab.claim.less", lang, points=number(100 * less, 1, lang), low=low, high=high)
    return [
        f"### {i18n.text('lab.balance.claims', lang)}",
        f"- {advantage} {_leaning(usual, lang)}\n- {without} {_leaning(option, lang)} {change}",
    ]


def _score(tally: Tally, lang: str | None) -> str:
    return percent_interval(tally.score, score_interval(tally.classes), lang)


def _leaning(tally: Tally, lang: str | None) -> str:
    """Says which side the games favour, if they tell."""
    bounds = score_interval(tally.classes)
    if _EVEN in bounds:
        return i18n.text("lab.claim.even", lang)
    side = "defenders" if bounds.low > _EVEN else "attackers"
    return i18n.text(f"lab.claim.{side}", lang)


def _difference(one: Tally, other: Tally) -> tuple[float, Interval]:
    """Gives by how much one score is higher than another, with 95 % bounds (normal approximation)."""

    def variance(tally: Tally) -> float:
        squares = (tally.wins + tally.draws / 4) / tally.games
        return (squares - tally.score**2) / tally.games

    width = NormalDist().inv_cdf(0.975) * math.sqrt(variance(one) + variance(other))
    less = one.score - other.score
    return less, Interval(less - width, less + width)


def _making(found: Sequence[StoredGame], lang: str | None) -> list[str]:
    """Says by which commands, which Hnefi and which machine the games were played."""
    manifests = [kept.manifest for kept in found]
    commands = dict.fromkeys(str(manifest["command"]) for manifest in manifests)
    makers = {json.dumps(manifest["made_by"]): manifest["made_by"] for manifest in manifests}
    openings = {json.dumps(manifest["openings"]): manifest["openings"] for manifest in manifests}
    limits = dict.fromkeys(manifest["max_plies"] for manifest in manifests)
    return [
        "\n".join(f"    {command}" for command in commands),
        *("\n".join(f"- {name}: {value}" for name, value in maker.items()) for maker in makers.values()),
        *(i18n.text("lab.balance.openings", lang, **made) for made in openings.values()),
        *(i18n.text("lab.balance.limit", lang, plies=plies) for plies in limits),
    ]
