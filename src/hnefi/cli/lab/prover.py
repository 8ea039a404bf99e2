"""The command `hnefi lab prover`: how many wins the prover proves, some plies before the ends of games."""

from dataclasses import asdict
from statistics import median

from hnefi.cli.commands import command, counted
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.output import print_json, print_table
from hnefi.cli.progress import collected, partial_end, progress_bar
from hnefi.cli.texts import grouped, translate
from hnefi.lab.prover import ProverTrial, prover_trial
from hnefi.variants.built_in import booklet_ids
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab prover ard-ri-globe --games 2 --play-nodes 200", "quick"),
    ("lab prover brandub-globe --back 5 --games 2 --play-nodes 200 --json", "back"),
)
_HEADS = ("variant", "quick", "proven", "unknown", "disproven", "short", "median", "most", "speed")


@command("prover", _EXAMPLES, group="lab")
@variant_argument("chosen", key="booklet_variants", nargs=-1)
@counted("--games", default=20, help="prover_games")
@counted("--back", default=9, most=100)
@counted("--play-nodes", default=20_000)
@counted("--nodes", default=300_000, most=10**9, help="prover_nodes")
@counted("--large-nodes", default=2_000_000, most=10**9)
@counted("--seed", default=1, help="seed_of_all")
@switch_option
@json_option
def prover(
    chosen: tuple[Variant, ...], games: int, switches: tuple[str, ...], as_json: bool, **limits: int
) -> int:
    """Measures the prover."""
    named = [switched(one, switches) for one in chosen or map(variant, booklet_ids())]
    with progress_bar(translate("cli.lab.prover.games"), games * len(named)) as show:

        def trial(at: int) -> ProverTrial:
            return prover_trial(named[at], games, on_game=lambda done: show(at * games + done), **limits)

        trials, is_whole = collected(map(trial, range(len(named))))
    if as_json:
        print_json({"complete": is_whole, "variants": [asdict(one) for one in trials]})
    else:
        rows = [*map(_row, trials)]
        print_table(_HEADS, rows, key="cli.lab.prover.head.", numbers=range(1, len(_HEADS)))
    return 0 if is_whole else partial_end(is_said=not as_json)


def _row(one: ProverTrial) -> list[str]:
    counts = (one.quick, one.proven, one.unknown, one.disproven, one.short)
    efforts = (median(one.efforts or [0]), max(one.efforts, default=0), one.expanded / max(one.seconds, 1e-9))
    return [one.variant, *map(grouped, (*counts, *efforts))]
