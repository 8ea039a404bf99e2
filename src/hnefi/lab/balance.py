"""The balance of variants: the same player on both sides from many openings, and the score of each side.

One report covers all experiments of a folder, so that several strengths can be measured one after the other.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Any

from hnefi import i18n
from hnefi.lab.errors import LabError
from hnefi.lab.folder import parse_games
from hnefi.lab.games import Experiment
from hnefi.lab.openings import Openings
from hnefi.lab.players import PlayerSpec
from hnefi.lab.report import Table, balance_table, endings_table, headed, number, score_text
from hnefi.lab.results import Results
from hnefi.measure import Interval, Tally, score_interval
from hnefi.pieces import Side
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

# The text of the first rules claims a slight advantage of the defenders, and that the option removes it.
_RULES, _OPTION = "tablut-geoludie", "tablut-geoludie-slow"
_EVEN = 0.5


@dataclass(frozen=True, slots=True)
class StoredExperiment:
    """An experiment in a folder: its manifest and its results."""

    manifest: dict[str, Any]
    results: Results

    @property
    def player(self) -> str:
        """The player of both sides."""
        return str(self.manifest["players"][0]["player"])

    @property
    def rules(self) -> str:
        """The id of the variant, and its switches if there are any."""
        switches = " ".join(f"{key}={value}" for key, value in self.manifest["switches"].items())
        return f"{self.manifest['variant']} {switches}".strip()


def balance_experiment(
    rules: Variant | str, player: PlayerSpec, openings: Openings, max_plies: int = 1000
) -> Experiment:
    """Returns the experiment: one game from each opening, since the same player would repeat a second one."""
    return Experiment(variant(rules).rules, player, player, openings, both_sides=False, max_plies=max_plies)


def subfolder(folder: Path, rules: Variant, player: PlayerSpec) -> Path:
    """Returns the folder of the experiment of a variant."""
    switched = f"-{rules.rules.hash[:8]}" if rules.switches else ""
    name = "".join(sign if sign.isalnum() else "-" for sign in str(player))
    return folder / f"{rules.id}{switched}-{name[:60]}"


def stored_experiments(folder: Path, custom: Iterable[Variant] = ()) -> list[StoredExperiment]:
    """Reads the experiments of a folder that have games, the weaker players first.

    `custom` are variants of its games besides the installed ones.

    Raises:
        LabError: `bad_folder`, `bad_game`.
        VariantError: If the variant of an experiment is neither installed nor given.
    """
    known = {one.id: one for one in custom}
    experiments = [_read(path.parent, known) for path in sorted(folder.glob("*/manifest.json"))]
    return sorted((stored for stored in experiments if stored.results.games), key=_order)


def _order(stored: StoredExperiment) -> tuple[int, str, str]:
    digits = "".join(sign for sign in stored.player if sign.isdigit())
    return int(digits or "0"), stored.player, stored.rules


def _read(folder: Path, known: Mapping[str, Variant]) -> StoredExperiment:
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        name = manifest["variant"]
        rules = (known[name] if name in known else variant(name)).with_switches(manifest["switches"])
        first, second = (PlayerSpec("engine", content=one["player"]) for one in manifest["players"])
        openings, both_sides = Openings(**manifest["openings"]), bool(manifest["both_sides"])
        results = Results(
            Experiment(rules.rules, first, second, openings, both_sides, int(manifest["max_plies"]))
        )
        path = folder / "games.jsonl"
        games = path.read_bytes()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LabError.of_facts("bad_folder", path=folder, why=error) from None
    for game in parse_games(path, games):
        results.add(game)
    return StoredExperiment(manifest, results)


def balance_report(experiments: Sequence[StoredExperiment], lang: str | None = None) -> str:
    """Returns the report as Markdown, with the commands that produced it."""
    parts = [f"# {i18n.text('lab.balance.title', lang)}", i18n.text("lab.balance.intro", lang)]
    for player in dict.fromkeys(stored.player for stored in experiments):
        of_player = [stored for stored in experiments if stored.player == player]
        named = [(stored.rules, stored.results) for stored in of_player]
        parts += [f"## {i18n.text('lab.balance.strength', lang, player=player)}"]
        parts += [balance_table(named, lang).markdown()]
        parts += _claims(of_player, lang)
        parts += [f"### {i18n.text('lab.balance.endings', lang)}", _endings(of_player, lang).markdown()]
    parts += [f"## {i18n.text('lab.balance.made', lang)}", *_provenance(experiments, lang)]
    return "\n\n".join(parts) + "\n"


def _endings(experiments: Sequence[StoredExperiment], lang: str | None) -> Table:
    rows = ((one.rules, *row) for one in experiments for row in endings_table(one.results, lang).rows)
    return headed("rules ending games share", rows, 2, lang)


def _claims(experiments: Sequence[StoredExperiment], lang: str | None) -> list[str]:
    """Compares the games with the two claims of the rules, where both sets of rules were played."""
    tallies = {stored.rules: stored.results.side(Side.DEFENDERS) for stored in experiments}
    if _RULES not in tallies or _OPTION not in tallies:
        return []
    usual, option = tallies[_RULES], tallies[_OPTION]
    difference, bounds = _difference(usual, option)
    low, high = (number(100 * bound, 1, lang) for bound in (bounds.low, bounds.high))
    advantage = i18n.text("lab.claim.advantage", lang, score=score_text(usual.classes, lang))
    without = i18n.text("lab.claim.option", lang, score=score_text(option.classes, lang))
    change = i18n.text("lab.claim.less", lang, points=number(100 * difference, 1, lang), low=low, high=high)
    return [
        f"### {i18n.text('lab.balance.claims', lang)}",
        f"- {advantage} {_leaning(usual, lang)}\n- {without} {_leaning(option, lang)} {change}",
    ]


def _leaning(tally: Tally, lang: str | None) -> str:
    """Returns the sentence about the side the games favour."""
    bounds = score_interval(tally.classes)
    if _EVEN in bounds:
        return i18n.text("lab.claim.even", lang)
    side = "defenders" if bounds.low > _EVEN else "attackers"
    return i18n.text(f"lab.claim.{side}", lang)


def verdict(tally: Tally, lang: str | None = None) -> str:
    """Returns what the results of the defenders say about the balance, with their number if all are alike.

    >>> verdict(Tally(0, 6, 0), "en")
    'All 6 games were drawn, which shows no advantage for either side.'
    """
    counts = {"defenders": tally.wins, "attackers": tally.losses, "drawn": tally.draws}
    alike = next((name for name, count in counts.items() if count == tally.games), None)
    if alike is None:
        return _leaning(tally, lang)
    told = i18n.plural(f"lab.verdict.{alike}", tally.games, lang)
    if alike == "drawn":
        return told
    meaning = "too_few" if _EVEN in score_interval(tally.classes) else "sure"
    return f"{told} {i18n.text(f'lab.verdict.{meaning}', lang)}"


def _difference(one: Tally, other: Tally) -> tuple[float, Interval]:
    """Returns the difference of two scores, with 95 % bounds (normal approximation)."""

    def variance(tally: Tally) -> float:
        squares = (tally.wins + tally.draws / 4) / tally.games
        return (squares - tally.score**2) / tally.games

    width = NormalDist().inv_cdf(0.975) * math.sqrt(variance(one) + variance(other))
    difference = one.score - other.score
    return difference, Interval(difference - width, difference + width)


def makers(experiments: Sequence[StoredExperiment]) -> list[str]:
    """Returns lists of the versions of Hnefi and the machines that played experiments, as Markdown."""
    found = {json.dumps(stored.manifest["made_by"]): stored.manifest["made_by"] for stored in experiments}
    return ["\n".join(f"- {name}: {value}" for name, value in maker.items()) for maker in found.values()]


def _provenance(experiments: Sequence[StoredExperiment], lang: str | None) -> list[str]:
    """Lists the commands, the versions of Hnefi and the machines of the experiments."""
    manifests = [stored.manifest for stored in experiments]
    commands = dict.fromkeys(str(manifest["command"]) for manifest in manifests)
    openings = {json.dumps(manifest["openings"]): manifest["openings"] for manifest in manifests}
    limits = dict.fromkeys(manifest["max_plies"] for manifest in manifests)
    return [
        "\n".join(f"    {command}" for command in commands),
        *makers(experiments),
        *(i18n.text("lab.balance.openings", lang, **made) for made in openings.values()),
        *(i18n.text("lab.balance.limit", lang, plies=plies) for plies in limits),
    ]
