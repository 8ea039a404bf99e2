"""`hnefi library stats`: the games of a library, by variant and by player."""

from typing import Any

import click

from hnefi.cli.commands import command, counted, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.library.options import library_option, opened, query_of, selection_options
from hnefi.cli.library.results import result_facts, share_words
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json, print_table
from hnefi.cli.texts import translate_plural
from hnefi.library import PlayerStats, VariantStats, player_stats, variant_stats

_EXAMPLES = (
    ("library stats", "plain"),
    ("library stats --players --variant copenhagen-11", "players"),
)
_PLAYERS = 50


@command("stats", _EXAMPLES, group="library")
@option("--players", is_flag=True, help="library_players")
@counted("--limit", most=1_000_000, help="library_most_players")
@selection_options
@library_option
@json_option
def stats(players: bool, limit: int | None, place: str | None, as_json: bool, **filters: Any) -> int:
    """Counts games."""
    if limit and not players:
        raise bad_usage("needs", name="--limit", needed="--players")
    query = query_of(place, **filters)
    with opened(place) as library:
        variants = variant_stats(library, query)
        people = player_stats(library, query, limit or _PLAYERS) if players else []
    games = sum(one.results.games for one in variants)
    if as_json:
        answer: dict[str, object] = {"games": games, "variants": [_variant_facts(one) for one in variants]}
        print_json(answer | ({"players": [_player_facts(one) for one in people]} if players else {}))
        return 0
    if players:
        _print_players(people)
    elif variants:
        _print_variants(variants)
    click.echo(translate_plural("cli.library.stats.games", games))
    return 0


def _print_variants(variants: list[VariantStats]) -> None:
    columns = ("variant", "games", "won_attackers", "draws", "won_defenders", "share", "plies")
    rows = []
    for one in variants:
        results = one.results
        numbers = (results.games, results.attackers, results.draws, results.defenders)
        rows.append([one.variant, *map(str, numbers), share_words(results), f"{one.plies:.0f}"])
    print_table(columns, rows, key="cli.library.head.", numbers=(1, 2, 3, 4, 5, 6))


def _print_players(people: list[PlayerStats]) -> None:
    columns = ("player", "games", "attacking", "defending", "points")
    rows = [
        [
            one.name,
            str(one.games),
            str(one.attacking.games),
            str(one.defending.games),
            "–" if one.share is None else f"{100 * one.share:.0f}",
        ]
        for one in people
    ]
    print_table(columns, rows, key="cli.library.head.", numbers=(1, 2, 3, 4))


def _variant_facts(one: VariantStats) -> dict[str, object]:
    reasons = {reason or "*": count for reason, count in one.reasons.most_common()}
    return {"variant": one.variant, **result_facts(one.results), "plies": one.plies, "reasons": reasons}


def _player_facts(one: PlayerStats) -> dict[str, object]:
    return {
        "name": one.name,
        "games": one.games,
        "share": one.share,
        "attacking": result_facts(one.attacking),
        "defending": result_facts(one.defending),
    }
