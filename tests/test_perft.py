"""Counts of move sequences (tests/perft): by the core, and by the reference as deep as it can go."""

import itertools
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import write_perft

from hnefi import Game, Move, Position, Setup, variant, variant_ids
from hnefi.variants.built_in import booklet_ids
from tests import samples
from tests.reference import tafl
from tests.samples import TEXTS, grouped
from tests.worked import variant_tree

FOLDER = Path(__file__).parent / "perft"


class Count(NamedTuple):
    """The number of move sequences of a depth from a position."""

    id: str
    variant: str
    position: str
    depth: int
    nodes: int
    deep: bool

    def __str__(self) -> str:
        return f"{self.id} {self.depth}"


def read_counts(text: str) -> Iterator[Count]:
    """Parses a file: `id: VARIANT NAME`, `position: …`, then `depth nodes` and perhaps `deep`, one a line."""
    identity = position = ""
    for line in text.splitlines():
        key, _, value = line.partition(": ")
        if key == "id":
            identity = value
        elif key == "position":
            position = value
        elif line and not line.startswith("#"):
            depth, nodes, *deep = line.split()
            yield Count(identity, identity.split()[0], position, int(depth), int(nodes), bool(deep))


COUNTS = [count for file in sorted(FOLDER.glob("*.perft")) for count in read_counts(file.read_text("utf-8"))]
MOST_NODES = 1_100_000
SHALLOW = [count for count in COUNTS if not count.deep and count.nodes <= MOST_NODES]
DEEP = [count for count in COUNTS if count.deep or count.nodes > MOST_NODES]


def of_variants(
    counts: Iterable[Count], among: Container[str] | None = None
) -> Callable[[Callable[[Count], None]], Callable[[str], None]]:
    """Runs a test over counts, those of a variant as one test."""

    def decorate(test: Callable[[Count], None]) -> Callable[[str], None]:
        def of_count(_: str, count: Count) -> None:
            test(count)

        of_count.__name__, of_count.__doc__ = test.__name__, test.__doc__
        return grouped(((count.variant, count) for count in counts), among)(of_count)

    return decorate


def position_of(count: Count) -> Position:
    return Position(variant(count.variant).rules, Setup(count.position))


def divided(parts: dict[Move, int]) -> str:
    """Formats counts by first move, one a line."""
    return "\n".join(f"{move} {nodes}" for move, nodes in sorted(parts.items()))


def check(count: Count) -> None:
    position = position_of(count)
    nodes = position.perft(count.depth)
    if nodes != count.nodes:
        parts = divided(position.divide(count.depth))
        pytest.fail(f"{count}: {nodes} instead of {count.nodes} from {count.position}\n{parts}")


@of_variants(SHALLOW)
def test_the_core_counts(count: Count) -> None:
    check(count)
    if count.nodes < 300_000:
        assert sum(position_of(count).divide(count.depth).values()) == count.nodes, count


@pytest.mark.deep
@pytest.mark.parametrize("count", DEEP, ids=str)
def test_the_core_counts_deeper(count: Count) -> None:
    check(count)


# The reference counts a start of the booklets further.
REFERENCED = [
    count
    for count in SHALLOW
    if count.nodes <= (40_000 if count.variant in TEXTS and count.id.endswith(" start") else 5_000)
]


@of_variants(REFERENCED, among=(*TEXTS, *samples.OTHERS))
def test_the_reference_counts(count: Count) -> None:
    assert reference_count(count) == count.nodes, count


@pytest.mark.deep
@pytest.mark.parametrize(
    "count", [one for one in SHALLOW if one not in REFERENCED and one.nodes <= 400_000], ids=str
)
def test_the_reference_counts_deeper(count: Count) -> None:
    assert reference_count(count) == count.nodes


def reference_count(count: Count) -> int:
    rules = tafl.Rules(variant_tree(count.variant))
    return tafl.perft(rules, tafl.parse_position(count.position), count.depth)


@pytest.mark.deep
@pytest.mark.parametrize("count", [count for count in DEEP if "start" not in count.id], ids=str)
def test_below_two_plies_of_the_reference_the_core_counts_the_rest(count: Count) -> None:
    """The first two plies are played by the reference; each position after them is counted by the core."""
    rules, compiled = tafl.Rules(variant_tree(count.variant)), variant(count.variant).rules

    def rest(state: tafl.State, plies: int) -> int:
        if tafl.outcome_as_loaded(rules, state) is not None:
            return 0
        if plies == 0:
            return Position(compiled, Setup(tafl.format_position(state))).perft(count.depth - 2)
        able = tafl.after_forced_pass(rules, state)
        results = (tafl.apply_move(rules, able, move) for move in tafl.legal_moves(rules, able))
        return sum(rest(result.state, plies - 1) for result in results if result.outcome is None)

    assert rest(tafl.parse_position(count.position), 2) == count.nodes


WALKED = [count for count in COUNTS if count.depth == 3 and count.nodes < 300_000]


@of_variants(WALKED)
def test_playing_counts_the_same(count: Count) -> None:
    """Counts by `Game.play`, which passes where it must and knows every end; repetition needs more plies."""
    game = Game(variant(count.variant).rules, Setup(count.position))

    def walk(game: Game, depth: int) -> int:
        if depth == 1:
            return len(game.legal_moves())
        return sum(walk(game.play(move), depth - 1) for move in game.legal_moves())

    assert walk(game, 3) == count.nodes, count


def test_every_variant_is_counted_deep_enough() -> None:
    booklets, others = {7: 6, 9: 5}, {7: 5, 9: 4, 11: 3, 13: 3, 15: 3, 19: 3}
    for _, counts in itertools.groupby(COUNTS, key=lambda count: count.variant):
        from_start = [count for count in counts if count.id.endswith(" start")]
        identity = from_start[0].variant
        depths = booklets if identity in booklet_ids() else others
        assert max(count.depth for count in from_start) >= depths[variant(identity).rules.size]
    assert {count.variant for count in COUNTS} == {one.stem for one in FOLDER.glob("*.perft")}
    assert {count.variant for count in COUNTS} == set(variant_ids())


def test_the_published_page_has_the_counts() -> None:
    assert write_perft.TARGET.read_text("utf-8") == write_perft.text(), "run tools/write_perft.py"


# Counts of others from the same starts, and where a rule differs, the count by their rule.
OTHERS = {
    "alea-evangelii-19": (580, 107_492),
    "bologna-tablut-9": (56, 4_408, 248_456),
    "copenhagen-11": (116, 6_788, 806_344),
    "fetlar-11": (116, 6_788, 806_344),
    "foteviken-tablut-9": (80, 4_344, 337_856),
    "linnaean-tablut-9": (80, 4_400, 353_200),
    "sea-battle-9": (80, 4_400, 353_200),
    "sea-battle-parlett-13": (184, 23_436),
    "tawlbwrdd-bell-11": (136, 7_620, 1_042_016),
    "brandubh1-7": (40, 960, 39_512, 1_007_392),
    "walker-15": (264, 35_584),
}


def test_magpie_is_counted_alike_from_the_start_of_others() -> None:
    switched = variant("magpie-7").with_switches({"start": "3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3"})
    position = Position(switched.rules)
    assert [position.perft(depth) for depth in (1, 2, 3, 4)] == [40, 960, 39_512, 996_096]


@pytest.mark.parametrize("identity", OTHERS)
def test_other_programs_count_the_same(identity: str) -> None:
    position = Position(variant(identity).rules)
    depths = [depth for depth, nodes in enumerate(OTHERS[identity], start=1) if nodes < 2_000_000]
    assert [position.perft(depth) for depth in depths] == list(OTHERS[identity][: len(depths)])
