"""Every value of every rule of every variant has an example, or makes no difference in random games."""

import itertools
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from hnefi import Game, Rules, Variant, variant
from hnefi._core import random_game
from hnefi.errors import VariantError
from hnefi.examples import SILENT, example
from hnefi.examples.alternatives import other_values
from hnefi.variants.built_in import built_in_ids
from hnefi.variants.conflicts import resolve
from hnefi.variants.schema import schema, value_at
from hnefi.variants.switches import find_leaf, format_value
from tests.deep.report import ROOT, commit, note
from tests.test_examples import check

KINDS = ("attackers", "defenders", "king")
GAMES, PLIES = 6, 80
RESULTS = ROOT / "target" / "deep-examples"


@pytest.mark.deep
@pytest.mark.parametrize("name", built_in_ids())
def test_every_value_has_an_example_unless_it_makes_no_difference(name: str) -> None:
    """What was found for a variant is kept, so that a run that is broken off goes on where it was."""
    kept = RESULTS / f"{commit()}-{name}.json"
    if not kept.exists():
        found = look_at(variant(name))
        RESULTS.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(found), encoding="utf-8")
    all_kept = [RESULTS / f"{commit()}-{one}.json" for one in built_in_ids()]
    if all(path.exists() for path in all_kept):
        results = [json.loads(path.read_text(encoding="utf-8")) for path in all_kept]
        examples, alike, seconds = (sum(one[part] for one in results) for part in range(3))
        done = f"{examples:,} examples, each value of each rule of {len(results)} variants"
        result = f"played alike by the reference; {alike:,} values more make no difference in random games"
        note("examples", done, result, None, seconds)


def look_at(made: Variant) -> tuple[int, int, float]:
    """Returns how many values of a variant have an example, how many make no difference, and the seconds."""
    begun, examples, alike = time.monotonic(), 0, 0
    missed: list[tuple[str, str]] = []
    for leaf, value in values():
        try:
            shown = example(made, leaf, value)
        except VariantError:  # it contradicts the other rules
            continue
        if shown is not None:
            check(shown)
            examples += 1
        elif differs(made, leaf, value):
            missed.append((leaf, value))
        else:
            alike += 1
    assert not missed
    return examples, alike, time.monotonic() - begun


def differs(made: Variant, leaf: str, value: str) -> bool:
    """Checks whether a value changes random games, compared with any other value."""
    name, entry = find_leaf(leaf)
    chosen = resolve(made, {leaf: value}).variant
    for other in other_values(name, value_at(chosen.tree, name), made.rules.size, entry):
        try:
            against = resolve(made, {name: other}).variant
        except VariantError:
            continue
        if any(rules_diverge(chosen.rules, against.rules, seed) for seed in range(GAMES)):
            return True
    return False


def rules_diverge(first: Rules, second: Rules, seed: int) -> bool:
    """Checks whether two rule sets differ in legal moves or results in a random game by the first."""
    game: Game | None = random_game(first, seed, PLIES)
    while game is not None:
        setup = game.position.setup
        pair = [Game(rules, setup) for rules in (first, second)]
        if pair[0].legal_moves() != pair[1].legal_moves():
            return True
        for move in pair[0].legal_moves():
            after = [one.play(move) for one in pair]
            if after[0].outcome != after[1].outcome or after[0].position.setup != after[1].position.setup:
                return True
        game = game.parent
    return False


def values() -> Iterator[tuple[str, str]]:
    """Returns rules with the values they may have; of maps each entry alone."""
    for leaf, parameter in schema().items():
        if leaf in SILENT or leaf == "camps":
            continue
        match parameter["kind"]:
            case "choice":
                yield from ((leaf, value) for value in parameter["values"])
            case "flag":
                yield from ((leaf, value) for value in ("true", "false"))
            case "integer":
                yield from ((leaf, value) for value in ("0", "30"))
            case "kinds":
                for length in range(4):
                    for kinds in itertools.combinations(KINDS, length):
                        yield leaf, format_value(leaf, list(kinds))
            case "map":
                yield from entries(leaf, parameter["keys"])


def entries(leaf: str, keys: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if leaf == "repetition":
        yield from (
            (leaf, value)
            for value in ("0,none", "2,draw", "3,draw_in_a_row", "3,defenders_lose", "3,mover_loses")
        )
        return
    for entry, parameter in keys.items():
        for value in ("0", "1", "3") if parameter["kind"] == "integer" else parameter["values"]:
            yield f"{leaf}.{entry}", value
